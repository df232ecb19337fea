package openassistant

import (
	"context"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// group is the messages of one tree in a file with a message per line. They follow each other there.
type group struct {
	tree      string
	first     jsonl.Line
	messages  []gjson.Result
	sizeBytes int
	full      bool // it has reached a bound, which was reported
}

// isMessage reports whether an object is a message by itself, with its place in a tree.
func isMessage(v gjson.Result) bool {
	return jsonl.Text(v.Get("message_id")) != "" && jsonl.Text(v.Get("message_tree_id")) != "" && !v.Get("prompt").Exists()
}

// join adds a message to its tree. The first one of another tree ends the one before.
func (r *reader) join(ctx context.Context, l jsonl.Line, v gjson.Result) bool {
	tree := jsonl.Text(v.Get("message_tree_id"))
	if r.group == nil || r.group.tree != tree {
		if !r.flush(ctx) {
			return false
		}
		if r.done[tree] {
			r.problem(l, "a message of the tree "+core.Preview(tree, 60)+", which ended on an earlier line: skipped")
			return true
		}
		if !r.packed {
			r.endBytes = r.file.FromBytes + l.Offset
		}
		l.Text = nil // it is valid until the next line only
		r.group = &group{tree: tree, first: l}
	}
	g := r.group
	if g.full {
		return true
	}
	if len(g.messages) == core.MaxMessages || g.sizeBytes+len(v.Raw) > core.MaxValueBytes {
		g.full = true
		r.problem(l, "a tree of more than "+humanize.IBytes(core.MaxValueBytes)+" or 200,000 messages: the others are not imported")
		return true
	}
	g.messages = append(g.messages, v)
	g.sizeBytes += len(v.Raw)
	return true
}

// flush hands out the tree whose messages were read.
func (r *reader) flush(ctx context.Context) bool {
	g := r.group
	if g == nil {
		return true
	}
	r.group = nil
	if r.done == nil {
		r.done = map[string]bool{}
	}
	r.done[g.tree] = true
	return r.hand(ctx, g.first, newTreeOf(r.file, g))
}

// newTreeOf makes a tree of messages that name their parents. One whose parent is missing begins a tree of its own.
func newTreeOf(file core.SourceFile, g *group) *tree {
	t := &tree{file: file, id: g.tree, dated: true, replies: map[string][]gjson.Result{}}
	known := map[string]bool{}
	for _, m := range g.messages {
		known[jsonl.Text(m.Get("message_id"))] = true
	}
	var roots []gjson.Result
	for _, m := range g.messages {
		if parent := jsonl.Text(m.Get("parent_id")); known[parent] {
			t.replies[parent] = append(t.replies[parent], m)
		} else {
			roots = append(roots, m)
		}
	}
	t.grow(roots)
	if missing := len(g.messages) - len(t.messages) - len(t.unknown); missing > 0 && t.flaw == "" {
		t.flaw = "messages that lead back to themselves, or answer one of an unknown role, are skipped"
	}
	return t
}
