package trees

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Conversation returns the path that ends at a message as a model needs it: long texts whole, media with their
// bytes. To the head where uid is empty. It holds all of that in memory.
func (db *Store) Conversation(ctx context.Context, sessionID, uid string) ([]core.Message, error) {
	messages := []core.Message{}
	for m, err := range db.PathMessages(ctx, sessionID, uid) {
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	err := db.Read(ctx, func(t *store.Txn) error {
		var errs error
		for i := range messages {
			packing.EachPart(messages[i].Parts, func(p *core.Part) { errs = errors.Join(errs, tables.HydratePart(ctx, t, p), loadPart(ctx, t, p)) })
		}
		return errs
	})
	return messages, conn.Fail(err, "read the contents of session %s", sessionID)
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
