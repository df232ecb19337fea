package importer

import (
	"context"
	"iter"

	"coppice/backend/core"
)

// Format reads the files of one tool. Its functions are called from one goroutine at a time, but the
// sequences that Read returns may run in another.
type Format struct {
	// Name is the format's name in --format.
	Name core.Source
	// Version is raised when the same file would be read differently; what an older version read is then read again.
	Version int64
	// Extensions are the extensions of the files to consider in folders, lower case with the dot. A file that is named
	// explicitly is considered with any extension.
	Extensions []string
	// Sniff reports whether a file is of this format, by its first bytes (up to 64 KiB).
	Sniff func(path string, head []byte) bool
	// Read yields the sessions of a file. The file stays open until the sequence ends.
	//
	// The last session carries a Cursor, of which only OffsetBytes is set, if the file need not be read again while it
	// is unchanged; the importer fills in the rest. An error ends the file.
	Read func(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error]
}
