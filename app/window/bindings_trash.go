package window

import (
	"context"

	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// TrashBindings move messages to the trash of their session and restore them.
type TrashBindings struct{ *program }

// HideMessages moves the subtrees of messages to the trash of their session.
func (b *TrashBindings) HideMessages(sessionID string, uids []string) (core.Hiding, error) {
	return b.hide(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Hiding, error) {
		return db.Hide(ctx, sessionID, uids)
	})
}

// HideSiblings moves the siblings of a message to the trash, with their subtrees.
func (b *TrashBindings) HideSiblings(sessionID, uid string) (core.Hiding, error) {
	return b.hide(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Hiding, error) {
		return db.HideSiblings(ctx, sessionID, uid)
	})
}

// HideOthers moves all messages to the trash except the path to a message and the subtree below it.
func (b *TrashBindings) HideOthers(sessionID, uid string) (core.Hiding, error) {
	return b.hide(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Hiding, error) {
		return db.HideOthers(ctx, sessionID, uid)
	})
}

// UnhideMessages restores subtrees from the trash of their session, each identified by its top message, or all of them if
// uids is empty. If headUID is not empty, it also moves the head back to that message.
func (b *TrashBindings) UnhideMessages(sessionID string, uids []string, headUID string) error {
	return b.change(change.Trash, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		if err := db.Unhide(ctx, sessionID, uids); err != nil || headUID == "" {
			return err
		}
		_, err := db.MoveHead(ctx, sessionID, headUID)
		return err
	})
}

// ListHidden returns the top messages of the subtrees in the trash of a session.
func (b *TrashBindings) ListHidden(sessionID string) ([]core.HiddenTop, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.HiddenTop, error) {
		tops, err := db.Hidden(ctx, sessionID)
		return lists.NonNil(tops), err
	})
}

// PurgeHidden deletes the messages in the trash of a session and returns their number.
func (b *TrashBindings) PurgeHidden(sessionID string) (int64, error) {
	removed := int64(0)
	err := b.change(change.Trash, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		removed, err = db.PurgeHidden(ctx, sessionID)
		return err
	})
	return removed, err
}

// hide runs a move to the trash and returns what it hid.
func (b *TrashBindings) hide(sessionID string, hide func(context.Context, *sqlite.DB) (core.Hiding, error)) (core.Hiding, error) {
	hiding := core.Hiding{Tops: []string{}}
	err := b.change(change.Trash, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		hiding, err = hide(ctx, db)
		return err
	})
	return hiding, err
}
