package archive

import (
	"context"
	"iter"

	"coppice/backend/core"
)

// Library is the source of exported sessions.
type Library interface {
	// Session returns a session by its id, with Meta.
	Session(ctx context.Context, id string) (core.Session, error)
	// Tree returns the session's branches, by number.
	Tree(ctx context.Context, id string) (core.Tree, error)
	// Messages yields all messages by seq, PathMessages those of the path to leafUID (empty: to the head).
	Messages(ctx context.Context, id string) iter.Seq2[core.Message, error]
	PathMessages(ctx context.Context, id, leafUID string) iter.Seq2[core.Message, error]
	// Hydrate completes cut texts and structured values.
	Hydrate(ctx context.Context, m *core.Message) error
	// Labels returns the labels by turn.
	Labels(ctx context.Context, id string) ([]core.Label, error)
	// Bookmarks and Hidden return what the user has marked, always in the same order.
	Bookmarks(ctx context.Context, id string) ([]core.Bookmark, error)
	Hidden(ctx context.Context, id string) ([]core.HiddenTop, error)
	// Aliases returns the other ids of the session, always in the same order.
	Aliases(ctx context.Context, id string) ([]core.Alias, error)
	// Records yields what a source held besides messages, always in the same order.
	Records(ctx context.Context, id string) iter.Seq2[core.Record, error]
	// RunItems yields what runs left, always in the same order and one kind after the other; states first, by hash.
	RunItems(ctx context.Context, id string) iter.Seq2[core.RunItem, error]
	// Blob returns a content.
	Blob(ctx context.Context, hash string) (core.Blob, error)
}
