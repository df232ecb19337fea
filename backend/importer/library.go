package importer

import (
	"context"
	"iter"

	"coppice/backend/core"
)

// Library is the destination of sessions. Batches are committed, and MarkSources and PutCursor are called, from one goroutine at a
// time; the others also during these calls.
type Library interface {
	// FilePath is the library's own file. It is never opened: closing it would release the locks that SQLite holds on it for this process,
	// https://sqlite.org/howtocorrupt.html#posix_advisory_locks_canceled_by_a_separate_thread_doing_close_.
	FilePath() string
	// Begin returns an empty batch for one session. It must be closed.
	Begin() core.Batch
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
