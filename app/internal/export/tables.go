package export

import (
	"context"
	"io"
	"iter"

	"coppice/app/internal/version"
	"coppice/backend/core"
	"coppice/backend/exporter/dot"
	"coppice/backend/exporter/otlp"
	"coppice/backend/exporter/picture"
	"coppice/backend/exporter/spreadsheet"
	"coppice/backend/render"
	"coppice/backend/render/redact"
	"coppice/backend/sqlite"
)

// spans writes sessions as spans of OpenTelemetry.
func (e Plan) spans(ctx context.Context, db *sqlite.DB, to io.Writer) error {
	w := otlp.NewWriter(to, version.Number)
	return e.each(ctx, db, w, func(tree core.Tree, messages iter.Seq2[core.Message, error]) error {
		return w.Session(tree.Session, tree.Turns, messages)
	})
}

// usage writes a row for each model call.
func (e Plan) usage(ctx context.Context, db *sqlite.DB, to io.Writer) error {
	w, err := spreadsheet.NewUsage(to)
	if err != nil {
		return err
	}
	return e.each(ctx, db, w, func(tree core.Tree, messages iter.Seq2[core.Message, error]) error {
		return w.Session(tree.Session, messages)
	})
}

// each passes the sessions with their messages to write, and then closes w.
func (e Plan) each(ctx context.Context, db *sqlite.DB, w io.Closer, write func(core.Tree, iter.Seq2[core.Message, error]) error) error {
	redactor := e.redactor()
	for i, session := range e.Sessions {
		tree, err := e.tree(ctx, db, session, redactor)
		if err != nil {
			return err
		}
		if err := write(tree, e.messages(ctx, db, tree, redactor)); err != nil {
			return core.Wrap(core.CodeOf(err), err, "export session %s", session.ID)
		}
		if e.Progress != nil {
			e.Progress(core.Progress{Done: int64(i) + 1, Total: int64(len(e.Sessions))})
		}
	}
	return w.Close()
}

// drawing draws the tree of a session.
func (e Plan) drawing(ctx context.Context, db *sqlite.DB, to io.Writer) error {
	tree, err := e.tree(ctx, db, e.Sessions[0], e.redactor())
	if err != nil {
		return err
	}
	switch e.Format {
	case Vector:
		return picture.SVG(to, tree, e.Theme)
	case Pixels:
		return picture.PNG(to, tree, e.Theme)
	default:
		return dot.Write(to, tree)
	}
}

func (e Plan) tree(ctx context.Context, db *sqlite.DB, session core.Session, redactor *redact.Redactor) (core.Tree, error) {
	tree, err := db.Tree(ctx, session.ID)
	if err == nil && redactor != nil {
		tree = redactor.Tree(tree)
	}
	return tree, core.Wrap(core.CodeOf(err), err, "read the tree of session %s", session.ID)
}

// messages yields the messages of a session in the scope, complete and without its trash, a parent before its children.
func (e Plan) messages(ctx context.Context, db *sqlite.DB, tree core.Tree, redactor *redact.Redactor) iter.Seq2[core.Message, error] {
	all := db.Messages(ctx, tree.Session.ID)
	if e.Scope == string(render.ScopePath) {
		leaf, _ := e.leaves()
		all = db.PathMessages(ctx, tree.Session.ID, leaf)
	}
	skeleton := core.NewSkeleton(tree.Branches, tree.Turns)
	hidden := skeleton.HiddenSet(core.Tops(tree.Hidden))
	return func(yield func(core.Message, error) bool) {
		for m, err := range all {
			if err == nil && hidden.Hides(m.Position()) {
				continue
			}
			if err == nil && e.Format == Spans { // the other formats show no texts
				err = db.Hydrate(ctx, &m)
			}
			if err == nil && redactor != nil {
				m = redactor.Message(m)
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}
