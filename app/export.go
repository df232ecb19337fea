package app

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coppice/app/internal/version"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/render"
	"coppice/backend/render/redact"
	"coppice/backend/sqlite"
)

// The formats of exports.
const (
	formatMarkdown = "md"
	formatHTML     = "html"
	formatJSON     = "json"
	formatLines    = "jsonl"
)

// export is what is to be exported and how, for the command line and the window.
type export struct {
	sessions []core.Session
	format   string
	scope    string // empty: the path as md and html, the tree as json and jsonl
	leaf     string // the end of the path, for one session; empty: the head
	redact   bool
	progress func(core.Progress) // nil: nobody
}

func (e export) check() error {
	switch e.format {
	case formatMarkdown, formatHTML, formatJSON, formatLines:
	default:
		return core.E(core.Invalid, "unknown format %q", e.format).
			WithHint("one of: %s, %s, %s, %s", formatMarkdown, formatHTML, formatJSON, formatLines)
	}
	if _, err := render.ParseScope(e.scope); err != nil {
		return err
	}
	return nil
}

// single says whether the format tells one session per file.
func (e export) single() bool { return e.format == formatMarkdown || e.format == formatHTML }

// to writes to one stream. A single format holds the first session only.
func (e export) to(ctx context.Context, db *sqlite.DB, w io.Writer) error {
	if e.single() {
		return e.transcript(ctx, db, w, e.sessions[0], nil)
	}
	options := archive.Options{Generator: generator(), NowMs: time.Now().UnixMilli(), Scope: archive.Scope(e.scope), LeafUID: e.leaf}
	if e.redact {
		options.Redactor = redact.New()
	}
	if e.progress != nil {
		total := int64(len(e.sessions))
		options.Progress = func(sessions, _ int64) { e.progress(core.Progress{Done: sessions, Total: total}) }
	}
	if e.format == formatLines {
		return archive.WriteLines(ctx, w, db, ids(e.sessions), options)
	}
	return archive.Write(ctx, w, db, ids(e.sessions), options)
}

// transcript writes one session as a page or as Markdown.
func (e export) transcript(ctx context.Context, db *sqlite.DB, w io.Writer, s core.Session, beside *attachments) error {
	options := render.ExportOptions{
		Scope: render.Scope(e.scope), LeafUID: e.leaf, Zone: time.Local, Generator: generator(), Progress: e.progress,
	}
	if e.redact {
		options.Redactor = redact.New()
	}
	if e.format == formatHTML {
		return render.New().HTML(ctx, w, db, s.ID, options)
	}
	if beside != nil {
		options.Asset = beside.put
	}
	return render.New().Markdown(ctx, w, db, s.ID, options)
}

// toPath writes to a file, or several sessions of a single format to files in a folder, and
// returns the absolute path. A file is there afterwards whole or as it was before.
func (e export) toPath(ctx context.Context, db *sqlite.DB, path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", core.Wrap(core.Invalid, err, "find %s", path)
	}
	if !e.single() || len(e.sessions) == 1 {
		return path, e.toFile(db, path, func(w io.Writer) error {
			if e.single() {
				return e.transcript(ctx, db, w, e.sessions[0], attachmentsOf(path))
			}
			return e.to(ctx, db, w)
		})
	}
	short, err := db.ShortIDs(ctx, ids(e.sessions)...)
	if err != nil {
		return path, err
	}
	report := e.progress
	for i, name := range fileNames(e.named(), short, e.format) {
		one := e
		one.progress = nil
		file := filepath.Join(path, name)
		err := e.toFile(db, file, func(w io.Writer) error {
			return one.transcript(ctx, db, w, e.sessions[i], attachmentsOf(file))
		})
		if err != nil {
			return path, err
		}
		if report != nil {
			report(core.Progress{Done: int64(i) + 1, Total: int64(len(e.sessions)), Current: name})
		}
	}
	return path, nil
}

// named returns the sessions with the titles that files are named after.
func (e export) named() []core.Session {
	if !e.redact {
		return e.sessions
	}
	redactor, named := redact.New(), make([]core.Session, len(e.sessions))
	for i, session := range e.sessions {
		named[i] = redactor.Session(session)
	}
	return named
}

func (e export) toFile(db *sqlite.DB, path string, write func(io.Writer) error) error {
	if err := mustNotOwn(db, path); err != nil {
		return err
	}
	err := durable.Write(path, func(file *os.File) error { return write(file) })
	code := core.CodeOf(err)
	if code == core.Internal {
		code = core.Unavailable // of the disk
	}
	return core.Wrap(code, err, "export to %s", path)
}

// mustNotOwn returns an error if a path names one of the library's own files: writing there would destroy the library.
func mustNotOwn(db *sqlite.DB, path string) error {
	if !db.Owns(path) {
		return nil
	}
	return core.E(core.Invalid, "export to %s: this is a file of the library itself", path).WithHint("choose another name")
}

// attachments puts images and files of a Markdown export into a folder beside it.
type attachments struct{ folder string }

// attachmentsOf returns the folder of an export to notes.md, which is notes_files.
func attachmentsOf(path string) *attachments {
	return &attachments{folder: strings.TrimSuffix(path, filepath.Ext(path)) + "_files"}
}

// put stores a content under a name that says nothing of where it came from.
func (a *attachments) put(_ core.Media, blob core.Blob) (string, error) {
	name := strings.TrimPrefix(blob.Hash, "sha256:")[:16] + extensionOf(blob.MimeType)
	err := durable.Write(filepath.Join(a.folder, name), func(file *os.File) error {
		_, err := file.Write(blob.Data)
		return err
	})
	return filepath.Base(a.folder) + "/" + name, core.Wrap(core.Unavailable, err, "store an attachment")
}

// extensionOf returns the ending for the types that are safe to open with a click; none for others.
func extensionOf(mimeType string) string {
	switch mimeType {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	case "application/pdf":
		return ".pdf"
	case "text/plain":
		return ".txt"
	default:
		return ".bin"
	}
}

func generator() string { return "coppice " + version.Number }
