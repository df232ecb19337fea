package trees

import (
	"context"
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
