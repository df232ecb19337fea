package recovery

import (
	"cmp"
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

func compareText(a, b, c, d string) int { return cmp.Or(cmp.Compare(a, b), cmp.Compare(c, d)) }

// completeSessions adds the sessions of which only messages were saved.
func (r *recovery) completeSessions(ctx context.Context) error {
	return r.to.Write(ctx, func(t *store.Txn) error {
		for key, s := range r.sessions {
			if s.hasRow {
				continue
			}
			if err := r.addLostSession(ctx, t, key, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// addLostSession writes a row for messages whose session was lost, under the key they have.
func (r *recovery) addLostSession(ctx context.Context, t *store.Txn, key int64, s *recoveredRow) error {
	var times struct{ First, Last int64 }
	if err := t.Get(ctx, &times, `SELECT min(created_at_ms) AS first, max(created_at_ms) AS last FROM messages WHERE session = ?`, key); err != nil {
		return err
	}
	lost := core.Session{CreatedAtMs: max(times.First, 1), UpdatedAtMs: times.Last}
	task, err := tables.FirstPrompt(ctx, t, key)
	if err != nil {
		return err
	}
	lost.Task = task
	if task == "" {
		lost.Title, lost.TitleOrigin = "Recovered session", core.TitleDerived
	}
	if err := tables.CompleteSession(&lost, lost.CreatedAtMs); err != nil {
		return err
	}
	made, err := t.Insert(ctx, tables.InsertSession, lost.ID, nil, lost.Title, lost.Task, lost.Source, "", "", lost.Status, lost.StopReason,
		lost.Agent, lost.Model, "", "[]", "", "", lost.Relation, 0, 0, lost.CreatedAtMs, lost.UpdatedAtMs, `{"incompleteStart":true}`, 0, 0, lost.TitleOrigin, lost.Project)
	if err != nil {
		return err
	}
	s.ID, s.Title = lost.ID, lost.Title
	for _, query := range []string{`DELETE FROM activity WHERE session = ?2`, `UPDATE sessions SET key = ?1 WHERE key = ?2`} {
		if _, err := t.Exec(ctx, query, key, made); err != nil {
			return err
		}
	}
	return nil
}

// placeSessions gives the messages of each session their positions, and makes what follows from them.
func (r *recovery) placeSessions(ctx context.Context) error {
	keys := make([]int64, 0, len(r.sessions))
	for key := range r.sessions {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		r.progress(core.Progress{Done: int64(i), Total: int64(len(keys)), Current: r.sessions[key].Title})
		if err := r.to.Write(ctx, func(t *store.Txn) error { return r.placeSession(ctx, t, key) }); err != nil {
			return err
		}
	}
	r.sortSessions()
	return r.to.Write(ctx, func(t *store.Txn) error {
		for _, query := range []string{
			`DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM message_blobs)`,
			`INSERT OR REPLACE INTO search_queue (message, content_hash) SELECT id, content_hash FROM messages`,
		} {
			if _, err := t.Exec(ctx, query); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *recovery) placeSession(ctx context.Context, t *store.Txn, key int64) error {
	m := &arrange.Tree{Txn: t, Key: key, Nodes: arrange.NewNodes()}
	uids, roots, err := m.LoadLoose(ctx)
	if err != nil {
		return err
	}
	r.sessions[key].NewRoots = int64(len(roots))
	if err := m.PlanLoose(ctx, uids); err != nil {
		return err
	}
	for _, id := range roots {
		if err := markRoot(ctx, t, id); err != nil {
			return err
		}
	}
	if err := referAll(ctx, t, key); err != nil {
		return err
	}
	return r.settleSession(ctx, m)
}

// settleSession makes what follows from the messages of a session.
func (r *recovery) settleSession(ctx context.Context, m *arrange.Tree) error {
	const last = `UPDATE sessions SET head = coalesce(head, (SELECT id FROM messages WHERE session = ?1 ORDER BY seq DESC LIMIT 1)) WHERE key = ?1`
	for _, query := range []string{
		tables.ForgetGone, last, `UPDATE origins SET head = (SELECT id FROM messages WHERE id = origins.head) WHERE session = ?`,
	} {
		if _, err := m.Exec(ctx, query, m.Key); err != nil {
			return err
		}
	}
	if err := tables.StoreCounts(ctx, m.Tx, m.Key, m.Skeleton.Tally()); err != nil {
		return err
	}
	_, err := tables.CountHidden(ctx, m.Tx, m.Key, m.Skeleton)
	return err
}

// markRoot marks a message whose parent is missing, so that it is not taken for the beginning of the conversation.
func markRoot(ctx context.Context, t *store.Txn, id int64) error {
	row, err := tables.FindMessage(ctx, t.Tx, "", tables.MessageByID, id)
	if err != nil {
		return err
	}
	message, err := tables.DecodeMessage(ctx, t, &row)
	if err != nil {
		return err
	}
	message.Meta = withMark(message.Meta, "incompleteStart")
	p, err := t.Codec.Pack(message)
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `UPDATE messages SET body = ?, content_hash = ? WHERE id = ?`, p.Body, p.Hash, id)
	return err
}

// referAll makes the messages of a session refer to the contents that their bodies name.
func referAll(ctx context.Context, t *store.Txn, key int64) error {
	type refs struct {
		id     int64
		hashes []string
	}
	var all []refs
	err := t.Scan(ctx, tables.MessageBySeq, []any{key}, func(rows *sqlx.Rows) error {
		var row tables.MessageRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		message, err := tables.DecodeMessage(ctx, t, &row)
		if err != nil {
			return err
		}
		if found := packing.Spill(message).Refs; len(found) > 0 {
			all = append(all, refs{row.ID, found})
		}
		return nil
	})
	for _, r := range all {
		if err == nil {
			err = tables.StoreReferences(ctx, t.Tx, r.id, r.hashes)
		}
	}
	return err
}
