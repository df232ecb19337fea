package importer

import (
	"context"
	"iter"

	"coppice/backend/core"
)

// Library is where sessions go. Merge, MarkSources and PutCursor are called from one goroutine at a
// time, the others also while one of them runs.
type Library interface {
	// FilePath is the file the library is kept in. It is never looked at: whoever closes it takes away the locks that
	// SQLite holds on it for this process, https://sqlite.org/howtocorrupt.html#posix_advisory_locks_canceled_by_a_separate_thread_doing_close_.
	FilePath() string
	// Prepare begins to read what Merge will need of a session that is Ahead. end ends that, and must be called, after Merge or in
	// its place.
	Prepare(in core.Incoming) (prepared core.Incoming, end func())
	// Merge adds what is new of a session.
	Merge(ctx context.Context, in core.Incoming) (core.Merged, error)
	// Cursors says how far files were read, by path. Those that never were are missing.
	Cursors(ctx context.Context, paths []string) (map[string]core.Cursor, error)
	// Sources returns the files that were read from a path: itself, or all below it; true: it is marked as gone.
	Sources(ctx context.Context, path string) (map[string]bool, error)
	// MarkSources says of files that were read that they are gone, or there again.
	MarkSources(ctx context.Context, paths []string, gone bool) error
	// PutCursor remembers a file that holds no session.
	PutCursor(ctx context.Context, c core.Cursor) error
	// Session finds a session by any id it has or had.
	Session(ctx context.Context, ref string) (core.Session, error)
	// Messages yields every message of the session with exactly this id, a parent before its children.
	Messages(ctx context.Context, sessionID string) iter.Seq2[core.Message, error]
}
