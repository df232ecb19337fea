package openassistant

import (
	"bytes"
	"context"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
)

// reader makes sessions of lines.
type reader struct {
	file     core.SourceFile
	packed   bool
	yield    func(core.Incoming, error) bool
	last     *core.Incoming // one behind, to know the last
	endBytes int64          // of the whole lines
}

// line takes in a line. It returns false where nobody wants more.
func (r *reader) line(ctx context.Context, l jsonl.Line) bool {
	if !r.packed {
		r.file.Progress(r.file.FromBytes + l.End)
		if !l.Torn {
			r.endBytes = r.file.FromBytes + l.End
		}
	}
	trees := jsonl.Parse(l.Text)
	switch {
	case l.TooLong:
		r.problem(l, "a line of more than 256 MB, skipped")
	case len(trees) == 0 && (l.Torn && !r.packed || len(bytes.TrimSpace(l.Text)) == 0): // it is being written, or empty
	case len(trees) == 0:
		r.problem(l, "damaged line: not a JSON object, skipped")
	}
	for _, v := range trees {
		if !v.Get("prompt").IsObject() {
			r.problem(l, "not a tree of messages, skipped")
			continue
		}
		t := newTree(r.file, v)
		if t.flaw != "" {
			r.problem(l, t.flaw)
		}
		if len(t.messages) == 0 {
			continue
		}
		next := core.Incoming{Session: t.session(), Messages: t.incoming(ctx), Head: t.head, Records: t.records()}
		if r.last != nil && !r.yield(*r.last, nil) {
			return false
		}
		r.last = &next
	}
	return true
}

// fail hands out what was read before the disk, or a packed file, ended.
func (r *reader) fail(ctx context.Context, err error) {
	if r.packed && ctx.Err() == nil {
		err = core.Wrap(core.Invalid, err, "damaged gzip; the trees before are read")
	}
	if r.last == nil || r.yield(*r.last, nil) {
		r.yield(core.Incoming{}, err)
	}
}

func (r *reader) problem(l jsonl.Line, message string) {
	before := int64(0)
	if r.file.FromBytes > 0 && !r.packed {
		before = jsondoc.Line(r.file.Data, r.file.FromBytes) - 1
	}
	r.file.Problem(before+l.Number, message)
}
