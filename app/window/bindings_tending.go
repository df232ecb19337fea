package window

import (
	"context"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// SetBookmark marks the turn of a message to come back to, or takes the mark away.
func (b *Bindings) SetBookmark(sessionID, uid string, on bool) error {
	return b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) error { return db.Bookmark(ctx, sessionID, uid, on) })
}

// ColorLabel gives the label of a message's turn a colour; empty: none.
func (b *Bindings) ColorLabel(sessionID, uid, color string) error {
	return b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		return db.ColorLabel(ctx, sessionID, uid, core.Color(color))
	})
}

// SetMain marks the path to a message as the one that counts; an empty uid takes the mark away.
func (b *Bindings) SetMain(sessionID, uid string) error {
	return b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) error { return db.SetMain(ctx, sessionID, uid) })
}

// HideMessages puts the subtrees of messages into the trash of their session.
func (b *Bindings) HideMessages(sessionID string, uids []string) (core.Hiding, error) {
	return b.hide(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Hiding, error) {
		return db.Hide(ctx, sessionID, uids)
	})
}

// HideSiblings puts the alternatives to a message into the trash, with all below them.
func (b *Bindings) HideSiblings(sessionID, uid string) (core.Hiding, error) {
	return b.hide(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Hiding, error) {
		return db.HideSiblings(ctx, sessionID, uid)
	})
}

// HideOthers puts all that is not on the path to a message, nor below it, into the trash.
func (b *Bindings) HideOthers(sessionID, uid string) (core.Hiding, error) {
	return b.hide(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Hiding, error) {
		return db.HideOthers(ctx, sessionID, uid)
	})
}

func (b *Bindings) hide(sessionID string, hide func(context.Context, *sqlite.DB) (core.Hiding, error)) (core.Hiding, error) {
	hiding := core.Hiding{Tops: []string{}}
	err := b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		hiding, err = hide(ctx, db)
		return err
	})
	return hiding, err
}

// UnhideMessages takes subtrees out of the trash of their session, each by the message at its top; all of them where uids is empty. A
// headUID moves the head back to where it was.
func (b *Bindings) UnhideMessages(sessionID string, uids []string, headUID string) error {
	return b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		if err := db.Unhide(ctx, sessionID, uids); err != nil || headUID == "" {
			return err
		}
		_, err := db.MoveHead(ctx, sessionID, headUID)
		return err
	})
}

// ListHidden returns the tops of what is in the trash of a session.
func (b *Bindings) ListHidden(sessionID string) ([]core.HiddenTop, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]core.HiddenTop, error) {
		tops, err := db.Hidden(ctx, sessionID)
		return lists.NonNil(tops), err
	})
}

// PurgeHidden removes what is in the trash of a session for good. It returns how many messages that were.
func (b *Bindings) PurgeHidden(sessionID string) (int64, error) {
	removed := int64(0)
	err := b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		removed, err = db.PurgeHidden(ctx, sessionID)
		return err
	})
	return removed, err
}

// ListLinks returns how a session hangs together with others by splits and grafts.
func (b *Bindings) ListLinks(sessionID string) ([]core.Link, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]core.Link, error) {
		links, err := db.Links(ctx, sessionID)
		return lists.NonNil(links), err
	})
}

// Graft copies a path, or a subtree, below a message of a session; as a new tree of it where that is empty.
func (b *Bindings) Graft(scion core.Scion, sessionID, parentUID string) (core.Grafted, error) {
	var grafted core.Grafted
	err := b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		grafted, err = db.Graft(ctx, scion, sessionID, parentUID)
		return err
	})
	return grafted, err
}

// Split copies the path to a message, and all below it, into a session of its own.
func (b *Bindings) Split(sessionID, uid, title string) (core.Session, error) {
	var session core.Session
	err := b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		session, err = db.Split(ctx, sessionID, uid, title)
		return err
	})
	return session, err
}
