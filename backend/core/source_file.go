package core

import (
	"context"
	"io"
	"iter"
)

// SourceFile is a file of another tool, or an archive, opened for the reader of a format. The reader turns it into
// Incoming sessions. It is valid only during the import of the file.
type SourceFile struct {
	Path       string      // absolute
	SizeBytes  int64       // at the time of the check; nothing after it is read
	ModifiedMs int64       // when it was last written; 0: unknown
	FromBytes  int64       // everything before it is in the library and unchanged; 0: read all of it as new
	Data       io.ReaderAt // may be read from several goroutines
	// Problem reports something that could not be read; line counts from 1, 0 is the whole file.
	Problem func(line int64, message string)
	// Progress reports how many bytes are done. It may be called often and from any goroutine.
	Progress func(doneBytes int64)
	// Stored yields the messages that the library holds of the session with this id in the source, a parent before its
	// children; none if there is no such session. It is for files that hold only the newest messages of a conversation.
	// It is called while Messages runs, not before: the previous file may be of the same session. nil: nothing is
	// stored.
	Stored func(ctx context.Context, source Source, sourceID string) iter.Seq2[Message, error]
}
