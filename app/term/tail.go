package term

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// tail keeps the end of what is written to it, in bounded memory.
type tail struct {
	limit   int
	kept    []byte
	missing int64 // the bytes that were written before those that are kept
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	written := len(p)
	if over := len(p) - t.limit; over > 0 {
		t.missing += int64(len(t.kept) + over)
		t.kept, p = t.kept[:0], p[over:]
	}
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > t.limit { // each byte is moved at most once
		t.missing += int64(over)
		t.kept = slices.Delete(t.kept, 0, over)
	}
	return written, nil
}

// String returns the end of the text, after a note if its beginning is missing.
func (t *tail) String() string {
	over := max(len(t.kept)-t.limit, 0)
	text := strings.ToValidUTF8(string(t.kept[over:]), "\uFFFD")
	missing := t.missing + int64(over)
	if missing == 0 {
		return strings.TrimSpace(text)
	}
	return fmt.Sprintf("[%s bytes are left out here]\n%s", humanize.Comma(missing), strings.TrimSpace(text))
}
