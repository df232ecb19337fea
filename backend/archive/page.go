package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"iter"
	"os"

	"coppice/backend/core"
)

// A page of HTML can carry an export: its JSON, compressed by gzip and encoded as base64, between these lines. Text of
// messages cannot contain them, because a page has no "<" of a message. The mark is in the head of such a page.
const (
	pageMark  = `<meta name="coppice-archive" content="gzip">`
	pageBegin = `<script type="application/gzip" id="coppice-archive">`
	pageEnd   = `</script>`
)

// PageMark returns the element for the head of a page that carries an export.
func PageMark() string { return pageMark }

// WritePageBlock writes the element of a page that carries what Write writes. It holds one message or one blob at a time.
func WritePageBlock(ctx context.Context, to io.Writer, from Library, ids []string, opts Options) error {
	if _, err := io.WriteString(to, pageBegin+"\n"); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, to)
	zipper := gzip.NewWriter(encoder)
	if err := Write(ctx, zipper, from, ids, opts); err != nil {
		return err
	}
	if err := errors.Join(zipper.Close(), encoder.Close()); err != nil {
		return err
	}
	_, err := io.WriteString(to, "\n"+pageEnd+"\n")
	return err
}

// isPage reports whether a file begins as a page that carries an export.
func isPage(head []byte) bool {
	return bytes.HasPrefix(head, []byte("<!doctype html>")) && bytes.Contains(head, []byte(pageMark))
}

// readPage yields the sessions that a page carries. Their JSON is unpacked to a temporary file, because it is read twice.
func readPage(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		unpacked, size, err := unpack(ctx, file)
		if unpacked != nil {
			defer os.Remove(unpacked.Name()) //nolint:errcheck // the system removes what is left
			defer unpacked.Close()           //nolint:errcheck // it is only read from here on
		}
		if err != nil {
			if failed := ioFailure(err); failed != nil {
				yield(core.Incoming{}, failed)
			} else if file.Problem != nil {
				file.Problem(0, "the JSON in the page is damaged: "+err.Error())
			}
			return
		}
		inner := file
		inner.Data, inner.SizeBytes, inner.Progress = unpacked, size, nil
		Read(ctx, inner)(yield)
	}
}

// unpack writes the JSON of a page to a temporary file and returns the file and its size.
func unpack(ctx context.Context, file core.SourceFile) (*os.File, int64, error) {
	block, err := pageBlock(file)
	if err != nil {
		return nil, 0, err
	}
	unzipper, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, block))
	if err != nil {
		return nil, 0, err
	}
	unpacked, err := os.CreateTemp("", "coppice-*.json")
	if err != nil {
		return nil, 0, err
	}
	var size int64
	for {
		written, err := io.CopyN(unpacked, unzipper, 1<<20)
		size += written
		switch {
		case errors.Is(err, io.EOF):
			return unpacked, size, nil
		case err != nil:
			return unpacked, size, err
		case ctx.Err() != nil:
			return unpacked, size, ctx.Err()
		}
	}
}

// pageBlock returns a reader of the base64 text in a page.
func pageBlock(file core.SourceFile) (io.Reader, error) {
	lines := bufio.NewReaderSize(io.NewSectionReader(file.Data, 0, file.SizeBytes), 256<<10)
	for begins := true; ; {
		line, err := lines.ReadSlice('\n')
		if begins && string(bytes.TrimRight(line, "\r\n")) == pageBegin {
			return &untilTag{lines}, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = errors.New("it is missing")
			}
			return nil, err
		}
		begins = err == nil
	}
}

// untilTag reads up to the next "<".
type untilTag struct{ from *bufio.Reader }

func (u *untilTag) Read(p []byte) (int, error) {
	ahead, err := u.from.Peek(min(len(p), 32<<10))
	if at := bytes.IndexByte(ahead, '<'); at == 0 {
		return 0, io.EOF
	} else if at > 0 {
		ahead = ahead[:at]
	}
	if len(ahead) == 0 {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	n := copy(p, ahead)
	_, err = u.from.Discard(n)
	return n, err
}
