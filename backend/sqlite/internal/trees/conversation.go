package trees

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Conversation returns the path that ends at a message as a model needs it: long texts whole, media with their
// bytes. To the head where uid is empty. It holds all of that in memory.
func (db *Store) Conversation(ctx context.Context, sessionID, uid string) ([]core.Message, error) {
	return db.conversation(ctx, sessionID, uid, func(context.Context, *store.Txn, int64, core.Path) (int64, error) { return 0, nil })
}

// ContextPath returns the end of the same path that the context of a model is derived from: from the first message that the newest
// compaction on the path keeps, or from a summary that keeps none. Without a compaction it is the whole path.
func (db *Store) ContextPath(ctx context.Context, sessionID, uid string) ([]core.Message, error) {
	return db.conversation(ctx, sessionID, uid, contextStart)
}

// AgentPath returns the end of the same path that the context of an agent of a team is derived from: from the first message that its newest
// compaction keeps, or from the message since if that is before. Compactions of other agents do not count, unless they are for all.
func (db *Store) AgentPath(ctx context.Context, sessionID, uid, agent, since string) ([]core.Message, error) {
	return db.conversation(ctx, sessionID, uid, func(ctx context.Context, t *store.Txn, key int64, path core.Path) (int64, error) {
		from, err := keptFrom(ctx, t, key, path, func(m *core.Message) bool { return m.Agent == agent || m.IsSharedCompaction() })
		if err != nil || from == 0 {
			return 0, err
		}
		at, err := depthOf(ctx, t, key, path, since)
		return min(from, at), err
	})
}

// PathSince returns the end of the same path that begins with a message; if it is not on the path, the whole path.
func (db *Store) PathSince(ctx context.Context, sessionID, uid, since string) ([]core.Message, error) {
	return db.conversation(ctx, sessionID, uid, func(ctx context.Context, t *store.Txn, key int64, path core.Path) (int64, error) {
		return depthOf(ctx, t, key, path, since)
	})
}

// depthOf returns the depth of a message on a path; 0 if it is not on the path.
func depthOf(ctx context.Context, t *store.Txn, key int64, path core.Path, uid string) (int64, error) {
	var at core.Position
	err := t.Get(ctx, &at, `SELECT branch, depth FROM messages WHERE session = ? AND uid = ?`, key, uid)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !isOn(path, at) {
		return 0, nil
	}
	return at.Depth, err
}

// conversation returns the path to a message from the depth that start returns.
func (db *Store) conversation(ctx context.Context, sessionID, uid string, start func(context.Context, *store.Txn, int64, core.Path) (int64, error)) ([]core.Message, error) {
	messages := []core.Message{}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, uid)
		if err != nil || !ok {
			return err
		}
		path, err := tables.ReadPath(ctx, t.Tx, key, leaf.Position(), 0)
		if err != nil {
			return err
		}
		from, err := start(ctx, t, key, path)
		if err != nil {
			return err
		}
		return pathFrom(ctx, t, key, path, from, func(m core.Message) bool {
			messages = append(messages, m)
			return true
		})
	})
	if err != nil {
		return nil, conn.Fail(err, "read session %s", sessionID)
	}
	err = db.Read(ctx, func(t *store.Txn) error {
		var errs error
		for i := range messages {
			packing.EachPart(messages[i].Parts, func(p *core.Part) { errs = errors.Join(errs, tables.HydratePart(ctx, t, p), loadPart(ctx, t, p)) })
		}
		return errs
	})
	return messages, conn.Fail(err, "read the contents of session %s", sessionID)
}

// contextStart returns the depth from which the messages of a path are part of a context.
func contextStart(ctx context.Context, t *store.Txn, key int64, path core.Path) (int64, error) {
	return keptFrom(ctx, t, key, path, func(*core.Message) bool { return true })
}

// keptFrom returns the depth of the first message that the newest compaction keeps that counts; 0 if none does.
func keptFrom(ctx context.Context, t *store.Txn, key int64, path core.Path, counts func(*core.Message) bool) (int64, error) {
	// The index has the kinds of all messages, so that no body is read.
	const compactions = `SELECT branch, depth FROM messages INDEXED BY messages_turn WHERE session = ? AND kind = 'compaction'`
	var found []core.Position
	if err := t.All(ctx, &found, compactions, key); err != nil {
		return 0, err
	}
	found = slices.DeleteFunc(found, func(at core.Position) bool { return !isOn(path, at) })
	slices.SortFunc(found, func(a, b core.Position) int { return cmp.Compare(b.Depth, a.Depth) })
	for _, at := range found {
		var rows []tables.MessageRow
		if err := t.All(ctx, &rows, tables.MessageRange, key, at.Branch, at.Depth, at.Depth); err != nil || len(rows) == 0 {
			return 0, err
		}
		m, err := tables.DecodeMessage(ctx, t, &rows[0])
		if err != nil {
			return 0, err
		}
		if !counts(&m) {
			continue
		}
		c, keeps := m.Compaction()
		if !keeps {
			return at.Depth, nil
		}
		return depthOf(ctx, t, key, path, c.FirstKept) // 0 for a compaction that was copied without what it kept
	}
	return 0, nil
}

// isOn reports whether a position is on a path.
func isOn(path core.Path, at core.Position) bool {
	return slices.ContainsFunc(path, func(s core.Segment) bool { return s.Branch == at.Branch && s.From <= at.Depth && at.Depth <= s.To })
}

// pathFrom yields the messages of a path from a depth on.
func pathFrom(ctx context.Context, t *store.Txn, key int64, path core.Path, from int64, yield func(core.Message) bool) error {
	path = slices.DeleteFunc(slices.Clone(path), func(s core.Segment) bool { return s.To < from })
	siblings, err := tables.ReadSiblingCounts(ctx, t.Tx, key, path)
	if err != nil {
		return err
	}
	for _, s := range path {
		more, err := tables.YieldMessages(ctx, t, siblings, yield, tables.MessageRange, key, s.Branch, max(s.From, from), s.To)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// ReadableConversation returns the path that ends at a message, to the head where uid is empty, as far as it can be read: a damaged
// message has no parts, a long text whose rest is damaged its beginning.
func (db *Store) ReadableConversation(ctx context.Context, sessionID, uid string) ([]core.Message, error) {
	messages := []core.Message{}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, uid)
		if err != nil || !ok {
			return err
		}
		path, err := tables.ReadPath(ctx, t.Tx, key, core.Position{Branch: leaf.Branch, Depth: leaf.Depth}, 0)
		if err != nil {
			return err
		}
		for _, s := range path {
			var rows []tables.MessageRow
			if err := t.All(ctx, &rows, tables.MessageRange, key, s.Branch, s.From, s.To); err != nil {
				return err
			}
			for i := range rows {
				m, err := tables.DecodeMessage(ctx, t, &rows[i])
				if err != nil {
					m = rows[i].Head()
				}
				packing.EachPart(m.Parts, func(p *core.Part) { _ = tables.HydratePart(ctx, t, p) }) // else its beginning stays
				messages = append(messages, m)
			}
		}
		return nil
	})
	return messages, conn.Fail(err, "read what is left of session %s", sessionID)
}

// ResultsOf returns the message below an answer that has the last results of its calls, outside of the trash; empty: none has.
func (db *Store) ResultsOf(ctx context.Context, sessionID, uid string) (string, error) {
	results := ""
	err := db.Read(ctx, func(t *store.Txn) error {
		key, answer, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		const next = `SELECT m.id, m.uid FROM messages m WHERE m.parent = ?1 AND m.role = 'tool' AND m.kind = 'message'
			AND NOT EXISTS (SELECT 1 FROM veils v WHERE v.session = ?2 AND v.branch = m.branch AND m.depth >= v.from_depth) ORDER BY m.seq LIMIT 1`
		for at := answer.ID; ; {
			var below struct {
				ID  int64
				UID string
			}
			switch err := t.Get(ctx, &below, next, at, key); {
			case errors.Is(err, sql.ErrNoRows):
				return nil
			case err != nil:
				return err
			}
			at, results = below.ID, below.UID
		}
	})
	return results, conn.Fail(err, "find the results of message %s", uid)
}

// loadPart puts the bytes of media back. Those that are missing stay away.
func loadPart(ctx context.Context, t *store.Txn, p *core.Part) error {
	if p.Media == nil || p.Media.Blob == "" {
		return nil
	}
	content, err := tables.ReadBlob(ctx, t, p.Media.Blob)
	if core.CodeOf(err) == core.NotFound {
		return nil
	} else if err != nil {
		return err
	}
	media := *p.Media
	media.Data = content.Data
	p.Media = &media
	return nil
}
