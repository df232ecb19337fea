package archive

import (
	"context"
	"io"

	"coppice/backend/core"
)

// Scope is how much of a session is written.
type Scope string

// The scopes. Less than the tree is written as if it were the whole session: it is renumbered, and its counters count
// what is written. Records, aliases and runs are left out.
const (
	ScopeTree         Scope = "tree"         // everything; the default
	ScopePath         Scope = "path"         // the messages up to a leaf
	ScopeAlternatives Scope = "alternatives" // the path, and the messages beside it
	ScopeBranches     Scope = "branches"     // several paths
)

// Options are the options of an export.
type Options struct {
	Generator string // the program and its version
	NowMs     int64  // written as exportedAtMs
	Scope     Scope
	LeafUID   string // the end of the path, for one session; empty: the head
	// OtherLeafUIDs are the ends of the other paths of ScopeBranches.
	OtherLeafUIDs []string
	Redactor      Redactor // nil: nothing is replaced
	// Progress is called with the number of sessions and messages written; nil: not reported.
	Progress func(sessions, messages int64)
}

// Write writes sessions as one JSON value: coppice.session for one, else coppice.archive in the order of ids. Children
// should come after their parents. The bytes depend on the sessions and Options only. It holds one message or one blob
// at a time. After an error the output is not valid JSON.
func Write(ctx context.Context, to io.Writer, from Library, ids []string, opts Options) error {
	e := newExporter(to, from, opts)
	format := formatArchive
	if len(ids) == 1 {
		format = formatSession
	}
	e.out.object(header{format, Version, opts.Generator, opts.NowMs})
	if len(ids) == 1 {
		e.out.text(",\n")
		if err := e.session(ctx, ids[0]); err != nil {
			return err
		}
		e.out.text("}\n")
		return e.out.flush()
	}
	e.out.text(`,"sessions":[`)
	for i, id := range ids {
		e.out.text(separator(i))
		e.out.text("{")
		if err := e.session(ctx, id); err != nil {
			return err
		}
		e.out.text("}")
	}
	e.out.text("\n]}\n")
	return e.out.flush()
}

// separator returns the text before the i-th element of an array with one element per line.
func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}

// exporter writes sessions.
type exporter struct {
	out      *writer
	from     Library
	opts     Options
	sessions int64
	messages int64
}

func newExporter(to io.Writer, from Library, opts Options) *exporter {
	return &exporter{out: newWriter(to, opts.Redactor), from: from, opts: opts}
}

// session writes the members of a session without the braces around them.
func (e *exporter) session(ctx context.Context, id string) error {
	sel, err := e.choose(ctx, id)
	if err != nil {
		return core.Wrap(core.CodeOf(err), err, "export session %s", id)
	}
	e.out.member("session", sessionOf(sel.session))
	e.out.list("branches", sel.branches)
	if err := e.body(ctx, sel); err != nil {
		return core.Wrap(core.CodeOf(err), err, "export session %s", id)
	}
	e.sessions++
	e.report()
	return e.out.err
}

func (e *exporter) body(ctx context.Context, sel *selection) error {
	contents := hashes{}
	err := writeArray(e.out, "messages", e.prepared(ctx, sel, contents), func(m core.Message) { e.out.value(m) })
	if err != nil {
		return err
	}
	e.out.list("labels", sel.labels)
	e.out.list("aliases", sel.aliases)
	if len(sel.bookmarks) > 0 {
		e.out.list("bookmarks", sel.bookmarks)
	}
	if len(sel.hidden) > 0 {
		e.out.list("hidden", sel.hidden)
	}
	if err := e.runLists(ctx, sel, contents); err != nil {
		return err
	}
	if err := writeArray(e.out, "records", sel.records, func(r core.Record) { e.out.value(r) }); err != nil {
		return err
	}
	return writeArray(e.out, "blobs", e.blobs(ctx, contents), e.out.blob)
}

// runLists writes a list for each kind of run items that the session has, and that of checkpoints in any case.
func (e *exporter) runLists(ctx context.Context, sel *selection, contents hashes) error {
	count, current := 0, kindState
	err := e.runItems(ctx, sel, contents, func(kind runKind, line string) {
		if kind != current && count > 0 {
			e.out.close(count)
			count = 0
		}
		if count == 0 {
			e.out.text(",\n\"" + kind.list() + "\":[")
		}
		current = kind
		e.out.text(separator(count) + line)
		count++
	})
	if count > 0 {
		e.out.close(count)
	}
	if current != kindCheckpoint {
		e.out.text(",\n\"" + kindCheckpoint.list() + "\":[]")
	}
	return err
}

func (e *exporter) report() {
	if e.opts.Progress != nil {
		e.opts.Progress(e.sessions, e.messages)
	}
}
