package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"coppice/backend/core"
)

// ReaderVersion is raised when the same file would be read differently.
const ReaderVersion = 1

// Extensions returns the file name extensions of exports.
func Extensions() []string { return []string{".json", ".jsonl", ".html"} }

// Sniff looks for "format" among the first members of the file's object, or for the mark of a page that carries one.
func Sniff(_ string, head []byte) bool {
	if isPage(head) {
		return true
	}
	t := newText(core.SourceFile{Data: bytes.NewReader(head), SizeBytes: int64(len(head))})
	h, _ := t.header() // it may be cut off
	switch h.Format {
	case formatSession, formatArchive, formatLines:
		return true
	}
	return false
}

// Read yields the sound sessions of a file and reports the others. The sequences of a session read from the file when
// they run, so the file must stay open and unchanged until then.
func Read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	var head [4096]byte
	if n, _ := file.Data.ReadAt(head[:], 0); isPage(head[:n]) {
		return readPage(ctx, file)
	}
	return func(yield func(core.Incoming, error) bool) {
		r := reading{file: file, text: newText(file)}
		err := r.documents(ctx, func(d *draft) bool { return yield(d.incoming(ctx, &r), nil) })
		if f, ok := errors.AsType[*problem](err); ok {
			r.report(f.at, f.message)
			return
		}
		if err == nil || errors.Is(err, errStop) || errors.Is(err, errReported) {
			return
		}
		if failed := ioFailure(err); failed != nil {
			err = failed
		}
		yield(core.Incoming{}, err)
	}
}

// newText skips the byte order mark that some editors write first.
func newText(file core.SourceFile) text {
	t := text{data: file.Data, size: file.SizeBytes}
	var mark [3]byte
	if n, _ := file.Data.ReadAt(mark[:], 0); n == len(mark) && mark == [3]byte{0xEF, 0xBB, 0xBF} {
		t.at = int64(len(mark))
	}
	return t
}

// reading is the reading of one file.
type reading struct {
	file  core.SourceFile
	text  text
	lines lineCounter
}

// report reports what is wrong at an offset.
func (r *reading) report(at int64, message string) {
	if r.file.Problem != nil {
		r.file.Problem(r.lines.line(r.file.Data, r.text.begin(at)), message)
	}
}

func (r *reading) progress(at int64) {
	if r.file.Progress != nil {
		r.file.Progress(at)
	}
}

// documents reads all documents in a file: concatenated files are read as one.
func (r *reading) documents(ctx context.Context, take func(d *draft) bool) error {
	for first := true; ; first = false {
		next, err := r.text.peek("")
		if err != nil || r.text.at >= r.text.size {
			return err
		}
		if next != '{' && !first {
			return &problem{at: r.text.at, message: fmt.Sprintf("%q after the end of the JSON; the rest of the file is left out", next)}
		}
		h, err := r.text.header()
		if err != nil {
			return err
		}
		if err := h.check(); err != nil {
			return err
		}
		if err := r.document(ctx, h, take); err != nil {
			return err
		}
	}
}

func (r *reading) document(ctx context.Context, h header, take func(d *draft) bool) error {
	doc := document{text: r.text, tell: r.report, take: take}
	switch h.Format {
	case formatLines:
		l := lines{text: r.text, tell: r.report, take: take}
		r.text.at = r.text.size
		return l.read(ctx)
	case formatSession:
		err := doc.session(ctx)
		r.text.at = doc.at
		return err
	default:
		err := doc.archive(ctx)
		r.text.at = doc.at
		return err
	}
}
