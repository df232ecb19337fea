package archive

import (
	"context"
	"io"
	"iter"

	"coppice/backend/core"
)

// lineHeader is the first line of a session. The fields after the header are those of a session in the other formats.
type lineHeader struct {
	header
	Session   session `json:"session"`
	Branches  []any   `json:"branches"`
	Labels    []any   `json:"labels"`
	Aliases   []any   `json:"aliases"`
	Bookmarks []any   `json:"bookmarks,omitempty"`
	Hidden    []any   `json:"hidden,omitempty"`
}

// recordLine is a line with a record.
type recordLine struct {
	Record core.Record `json:"record"`
}

// WriteLines writes sessions as lines of JSON: per session a header, one line per message by seq, then one line per
// run item, record and blob. Only messages have a field "uid" at the top. In all else it is like Write.
func WriteLines(ctx context.Context, to io.Writer, from Library, ids []string, opts Options) error {
	e := newExporter(to, from, opts)
	for _, id := range ids {
		if err := e.lines(ctx, id); err != nil {
			return core.Wrap(core.CodeOf(err), err, "export session %s", id)
		}
		e.sessions++
		e.report()
	}
	return e.out.flush()
}

func (e *exporter) lines(ctx context.Context, id string) error {
	sel, err := e.choose(ctx, id)
	if err != nil {
		return err
	}
	e.out.value(lineHeader{
		header: header{formatLines, Version, e.opts.Generator, e.opts.NowMs}, Session: sessionOf(sel.session),
		Branches: filled(sel.branches), Labels: filled(sel.labels), Aliases: filled(sel.aliases), Bookmarks: sel.bookmarks, Hidden: sel.hidden,
	})
	e.out.text("\n")
	contents := hashes{}
	if err := writeLines(e.out, e.prepared(ctx, sel, contents), func(m core.Message) { e.out.value(m) }); err != nil {
		return err
	}
	err = e.runItems(ctx, sel, contents, func(kind runKind, line string) { e.out.text(`{"` + kind.line() + `":` + line + "}\n") })
	if err != nil {
		return err
	}
	if err := writeLines(e.out, sel.records, func(r core.Record) { e.out.value(recordLine{r}) }); err != nil {
		return err
	}
	return writeLines(e.out, e.blobs(ctx, contents), func(b blob) {
		e.out.text(blobLine)
		e.out.blob(b)
		e.out.text("}")
	})
}

func filled(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

func writeLines[T any](w *writer, values iter.Seq2[T, error], write func(T)) error {
	for v, err := range values {
		if err != nil {
			return err
		}
		write(v)
		w.text("\n")
		if w.err != nil {
			return w.err
		}
	}
	return w.err
}
