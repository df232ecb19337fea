package openassistant

import (
	"bytes"
	"context"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
)

// reader makes sessions of lines.
type reader struct {
	file     core.SourceFile
	packed   bool
	yield    func(core.Incoming, error) bool
	last     *core.Incoming  // one behind, to know the last
	endBytes int64           // of the complete lines; of messages, where the last tree begins, since it may continue
	group    *group          // the tree whose messages are being read; nil: none
	done     map[string]bool // trees of messages that were handed out
}

// line takes in a line. It returns false if no more are wanted.
func (r *reader) line(ctx context.Context, l jsonl.Line) bool {
	if !r.packed {
		r.file.Progress(r.file.FromBytes + l.End)
		if !l.Torn && r.group == nil {
			r.endBytes = r.file.FromBytes + l.End
		}
	}
	trees := jsonl.Parse(l.Text)
	switch {
	case l.TooLong:
		r.problem(l, l.Damage(0))
	case len(trees) == 0 && (l.Torn && !r.packed || len(bytes.TrimSpace(l.Text)) == 0): // it is being written, or empty
	case len(trees) == 0:
		r.problem(l, l.Damage(0))
	}
	for _, v := range trees {
		if !r.take(ctx, l, v) {
			return false
		}
	}
	return true
}

// take takes in an object: a tree, or a message of one. It returns false if no more are wanted.
func (r *reader) take(ctx context.Context, l jsonl.Line, v gjson.Result) bool {
	if isMessage(v) {
		return r.join(ctx, l, v)
	}
	if !r.flush(ctx) {
		return false
	}
	if !v.Get("prompt").IsObject() {
		r.problem(l, "not a tree of messages, skipped")
		return true
	}
	return r.hand(ctx, l, newTree(r.file, v))
}

// hand hands out a tree, one behind.
func (r *reader) hand(ctx context.Context, l jsonl.Line, t *tree) bool {
	if t.flaw != "" {
		r.problem(l, t.flaw)
	}
	if len(t.messages) == 0 {
		return true
	}
	next := core.Incoming{
		Header:   core.Header{Session: t.session()},
		Messages: t.incoming(ctx),
		Head:     t.head,
		Records:  t.records(),
	}
	if r.last != nil && !r.yield(*r.last, nil) {
		return false
	}
	r.last = &next
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
