package importer

import (
	"context"
	"iter"

	"coppice/backend/core"
)

// Library is the destination of sessions. Merge, MarkSources and PutCursor are called from one goroutine at a time, the
// others also during these calls.
type Library interface {
	// FilePath is the library's own file. It is never opened: closing it would release the locks that SQLite holds on it for this process,
	// https://sqlite.org/howtocorrupt.html#posix_advisory_locks_canceled_by_a_separate_thread_doing_close_.
	FilePath() string
	// Prepare starts reading what Merge will need of a session that is Ahead. end ends that, and must be called after Merge or
	// instead of it.
	Prepare(in core.Incoming) (prepared core.Incoming, end func())
	// Merge adds the new messages of a session.
	Merge(ctx context.Context, in core.Incoming) (core.Merged, error)
	// Cursors returns how far files were read, by path. Files that were never read are missing.
	Cursors(ctx context.Context, paths []string) (map[string]core.Cursor, error)
	// Sources returns the files that were read from a path: itself, or all below it; true: it is marked as gone.
	Sources(ctx context.Context, path string) (map[string]bool, error)
	// MarkSources records that files that were read are gone, or exist again.
	MarkSources(ctx context.Context, paths []string, gone bool) error
	// PutCursor records a file that holds no session.
	PutCursor(ctx context.Context, c core.Cursor) error
	// Session finds a session by any id it has or had.
	Session(ctx context.Context, ref string) (core.Session, error)
	// Messages yields every message of the session with exactly this id, a parent before its children.
	Messages(ctx context.Context, sessionID string) iter.Seq2[core.Message, error]
}
