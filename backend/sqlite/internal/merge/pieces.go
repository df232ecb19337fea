package merge

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// runMerge writes a batch, in pieces if others wait.
func runMerge(ctx context.Context, m *merge, db *Store, from *reader) error {
	if err := from.advance(ctx); err != nil { // before others have to wait
		return err
	}
	for more := true; more; {
		err := db.WriteBulk(ctx, func(t *store.Txn) (err error) {
			m.Txn = t
			more, err = writePiece(ctx, m, from, db.Hold(m.in.Keep))
			return err
		})
		if err != nil {
			return err
		}
		search.IndexGathered(ctx, db.search)
	}
	return nil
}

// writePiece writes what was added until enough reports true, or all of it; more reports whether some is left.
func writePiece(ctx context.Context, m *merge, from *reader, enough func() bool) (more bool, err error) {
	if m.Nodes == nil {
		if m.merged.Removed, err = isRemoved(ctx, m); m.merged.Removed || err != nil {
			return false, err
		}
		err = beginMerge(ctx, m, from.first())
	} else {
		err = resumeMerge(ctx, m)
	}
	lasting := context.WithoutCancel(ctx) // else the driver would start a goroutine for each statement
	for err == nil && from.more {
		isMessage := from.current.message != nil
		if err = takeItem(lasting, m, &from.current); err == nil {
			err = from.advance(ctx)
		}
		if err == nil && (!isMessage || !m.replan) && enough() {
			return true, pauseMerge(ctx, m)
		}
	}
	if err != nil {
		return false, err
	}
	m.headUID = from.headUID
	m.rehang()
	return false, finishMerge(ctx, m)
}

func takeItem(ctx context.Context, m *merge, i *item) error {
	switch {
	case i.record != nil:
		return takeRecord(ctx, m, i)
	case i.run != nil:
		return takeRunItem(ctx, m, i.run)
	case i.blob != nil:
		return takeBlob(ctx, m, i.blob)
	default:
		return takeMessage(ctx, m, i)
	}
}

// pauseMerge leaves the session as if its source ended here.
func pauseMerge(ctx context.Context, m *merge) error {
	if err := settleMessages(ctx, m); err != nil {
		return err
	}
	if err := takeFields(ctx, m); err != nil {
		return err
	}
	if n := len(m.Order); n > 0 && m.merged.Created {
		if err := putHead(ctx, m, m.Nodes.At(m.Order[n-1])); err != nil {
			return err
		}
	}
	return m.Get(ctx, &m.left, tables.RevisionOf, m.Key)
}

// resumeMerge makes sure that the session is as the last piece has left it, except for what a user may change, such as its title.
func resumeMerge(ctx context.Context, m *merge) error {
	var now tables.Revision
	err := m.Get(ctx, &now, tables.RevisionOf, m.Key)
	if err == nil && now == m.left {
		m.before, err = tables.ReadSessionRow(ctx, m.Tx, m.Key)
	}
	if errors.Is(err, sql.ErrNoRows) || err == nil && now != m.left {
		return core.E(core.Conflict, "the session was changed while it was brought in").WithHint("import it again")
	}
	return err
}

// settleMessages gives the messages of the piece their branches and turns, and leaves them to the index.
func settleMessages(ctx context.Context, m *merge) error {
	if err := m.PlaceMessages(ctx); err != nil {
		return err
	}
	if m.firstAdded > 0 {
		if err := tables.Enqueue(ctx, m.Tx, m.Key, m.firstAdded); err != nil {
			return err
		}
		m.firstAdded = 0
	}
	return nil
}

func finishMerge(ctx context.Context, m *merge) error {
	if m.replan {
		if err := m.PlaceAgain(ctx); err != nil {
			return err
		}
		m.merged.Moved = m.Moved
	}
	if err := settleMessages(ctx, m); err != nil {
		return err
	}
	if m.replan || m.merged.Updated > 0 {
		if err := tables.CountReshape(ctx, m.Tx, m.Key); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context, *merge) error{
		judge, takeFields, takeHead, takeFiles, takeSpawned, takeAliases, takeLabels, takeTags, takeWakes, takeTending, takeCursor,
	} {
		if err := step(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
