package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"coppice/backend/core"
)

// patience is how long a merge keeps the writer where nobody waits for it in this process; somebody may in another one, where SQLite
// gives up after five seconds.
const patience = time.Second

// run writes the batch, in pieces if it must.
func (m *merge) run(ctx context.Context, db *importStore, from *reader) error {
	if err := from.advance(ctx); err != nil { // before others have to wait
		return err
	}
	for more := true; more; {
		err := db.writeBulk(ctx, func(t *tx) (err error) {
			m.tx = t
			more, err = m.piece(ctx, from, db.hold(m.in.Keep))
			return err
		})
		if err != nil {
			return err
		}
		db.search.indexGathered(ctx)
	}
	return nil
}

// hold returns what says when a writer must make room for others, or for the index.
func (db *importStore) hold(always bool) (enough func() bool) {
	since := time.Now()
	return func() bool {
		return !always && (db.file.Urgent() || time.Since(since) >= db.patience || db.gathering.full())
	}
}

// piece writes what was added until it is enough, or all that is left; more reports that it is not all.
func (m *merge) piece(ctx context.Context, from *reader, enough func() bool) (more bool, err error) {
	if m.nodes == nil {
		err = m.begin(ctx, from.first())
	} else {
		err = m.goOn(ctx)
	}
	lasting := context.WithoutCancel(ctx) // else the driver would start a goroutine for each statement
	for err == nil && from.more {
		isMessage := from.current.message != nil
		if err = m.takeItem(lasting, &from.current); err == nil {
			err = from.advance(ctx)
		}
		if err == nil && (!isMessage || !m.replan) && enough() {
			return true, m.pause(ctx)
		}
	}
	if err != nil {
		return false, err
	}
	m.headUID = from.headUID
	m.rehang()
	return false, m.finish(ctx)
}

func (m *merge) takeItem(ctx context.Context, i *item) error {
	switch {
	case i.record != nil:
		return m.takeRecord(ctx, i)
	case i.blob != nil:
		return m.takeBlob(ctx, i.blob)
	default:
		return m.take(ctx, i)
	}
}

// pause leaves the session as if its source ended here.
func (m *merge) pause(ctx context.Context) error {
	if err := m.settleMessages(ctx); err != nil {
		return err
	}
	if err := m.takeFields(ctx); err != nil {
		return err
	}
	if n := len(m.order); n > 0 && m.merged.Created {
		if err := m.putHead(ctx, m.nodes.at(m.order[n-1])); err != nil {
			return err
		}
	}
	return m.Get(ctx, &m.left, markOf, m.key)
}

// goOn makes sure that the session is as the last piece has left it, but for what a person may say of it.
func (m *merge) goOn(ctx context.Context) error {
	var now mark
	err := m.Get(ctx, &now, markOf, m.key)
	if err == nil && now == m.left {
		m.before, err = readSessionRow(ctx, m.Tx, m.key)
	}
	if errors.Is(err, sql.ErrNoRows) || err == nil && now != m.left {
		return core.E(core.Conflict, "the session was changed while it was brought in").WithHint("import it again")
	}
	return err
}

// settleMessages gives the messages of the piece their branches and turns, and leaves them to the index.
func (m *merge) settleMessages(ctx context.Context) error {
	if err := m.placeMessages(ctx); err != nil {
		return err
	}
	if m.firstAdded > 0 {
		if err := enqueue(ctx, m.Tx, m.key, m.firstAdded); err != nil {
			return err
		}
		m.firstAdded = 0
	}
	return nil
}

func (m *merge) finish(ctx context.Context) error {
	if m.replan {
		if err := m.placeAgain(ctx); err != nil {
			return err
		}
	}
	if err := m.settleMessages(ctx); err != nil {
		return err
	}
	if m.replan || m.merged.Updated > 0 {
		if err := countReshape(ctx, m.Tx, m.key); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context) error{m.judge, m.takeFields, m.takeHead, m.takeFiles, m.takeSpawned, m.takeAliases, m.takeLabels, m.takeTending, m.takeCursor} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
