// Package export writes sessions to files, for the command line and the window.
package export

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/app/internal/find"
	"coppice/app/internal/guard"
	"coppice/app/internal/version"
	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/exporter/picture"
	"coppice/backend/render"
	"coppice/backend/render/redact"
	"coppice/backend/render/sealed"
	"coppice/backend/sqlite"
)

// The formats of an export.
const (
	Markdown = "md"
	HTML     = "html"
	Text     = "txt"
	JSON     = "json"
	Lines    = "jsonl"
	Usage    = "csv"  // a row for each model call
	Spans    = "otlp" // spans of OpenTelemetry, as JSON
	Graph    = "dot"  // the tree, for Graphviz
	Vector   = "svg"  // a picture of the tree
	Pixels   = "png"  // a picture of the tree
)

// Formats lists the formats.
func Formats() []string {
	return []string{Markdown, HTML, Text, JSON, Lines, Usage, Spans, Graph, Vector, Pixels}
}

// Plan describes an export for the command line or the window.
type Plan struct {
	Sessions []core.Session
	Format   string
	Scope    string // empty: the path for md, html and txt, else the tree
	Detail   string // of md, html and txt: full, compact or prompts; empty: full
	// Leaves are the ends of the paths, or a message of the turn, for one session; empty: the head. Only the scope
	// branches takes several.
	Leaves []string
	From   string // a message of the first turn, for the scope turns
	Redact bool
	// Words are redacted besides what is recognized; Keep are the ids of values that stay. Both need Redact.
	Words    []string
	Keep     []string
	Theme    picture.Theme // of a picture
	WithJSON bool          // an HTML page carries its JSON, to be imported again
	// Passphrase encrypts an HTML page; empty: it is not encrypted.
	Passphrase string
	Progress   func(core.Progress) // nil: progress is not reported
	maxBytes   int64               // of a page; 0: maxPageBytes
	onHit      func(redact.Hit)    // for a preview; nil: hits are not reported
}

// Check returns an Invalid error if the plan names an unknown format or an unknown scope.
func (e Plan) Check() error {
	if !slices.Contains(Formats(), e.Format) {
		return core.E(core.Invalid, "unknown format %q", e.Format).WithHint("one of: %s", strings.Join(Formats(), ", "))
	}
	scope, err := render.ParseScope(e.Scope)
	if err != nil {
		return err
	}
	if len(e.Leaves) > 1 && scope != render.ScopeBranches {
		return core.E(core.Invalid, "%d branches for the scope %q", len(e.Leaves), scope).WithHint("--scope branches exports several")
	}
	if err := e.checkTable(scope); err != nil {
		return err
	}
	if e.WithJSON && (e.Format != HTML || !scope.HasPaths()) {
		return core.E(core.Invalid, "only a web page of whole paths can carry JSON").WithHint("choose html, and the scope path, alternatives, branches or tree")
	}
	if e.Passphrase != "" && e.Format != HTML {
		return core.E(core.Invalid, "only a web page can be encrypted, not %s", e.Format).WithHint("choose html")
	}
	if scope == render.ScopeTurns && e.From == "" {
		return core.E(core.Invalid, "the scope %q needs its first turn", scope).WithHint("name it with --from")
	}
	if scope != render.ScopeTurns && e.From != "" {
		return core.E(core.Invalid, "the scope %q has no first turn", scope).WithHint("remove --from, or use the scope %q", render.ScopeTurns)
	}
	if !scope.HasPaths() && !e.isTranscript() {
		return core.E(core.Invalid, "%s cannot hold a turn alone", e.Format).WithHint("export the path to it, or use %s, %s or %s", Markdown, HTML, Text)
	}
	detail, err := render.ParseDetail(e.Detail)
	if err == nil && detail != render.DetailFull && !e.isTranscript() {
		err = core.E(core.Invalid, "invalid detail %q: %s holds everything", e.Detail, e.Format)
	}
	return err
}

// Everything returns the sessions outside the trash, archived ones too, with subagents after their parents.
func Everything(ctx context.Context, db *sqlite.DB) ([]core.Session, error) {
	var parents, children []core.Session
	for _, archived := range []bool{false, true} {
		sessions, err := db.Sessions(ctx, core.SessionFilter{Children: true, Archived: archived, Sort: core.SortCreated})
		if err != nil {
			return nil, err
		}
		for _, session := range sessions {
			if session.Relation == core.RelationNone {
				parents = append(parents, session)
			} else {
				children = append(children, session)
			}
		}
	}
	return append(parents, children...), nil
}

// checkTable returns an Invalid error if a format without texts has another scope than the path or the tree.
func (e Plan) checkTable(scope render.Scope) error {
	whole := e.Scope == "" || scope == render.ScopeTree
	if e.isDrawing() && !whole {
		return core.E(core.Invalid, "%s holds the whole tree", e.Format)
	}
	if e.Theme != picture.ThemeAuto && e.Format != Vector && e.Format != Pixels {
		return core.E(core.Invalid, "only a picture of the tree has a theme, not %s", e.Format)
	}
	if (e.Format == Usage || e.Format == Spans) && !whole && scope != render.ScopePath {
		return core.E(core.Invalid, "%s cannot hold the scope %q", e.Format, scope).WithHint("one of: %s, %s", render.ScopePath, render.ScopeTree)
	}
	return nil
}

// Single reports whether a file in this format holds one session.
func (e Plan) Single() bool { return e.isTranscript() || e.isDrawing() }

// isDrawing reports whether the format draws the tree.
func (e Plan) isDrawing() bool { return e.Format == Graph || e.Format == Vector || e.Format == Pixels }

// isTranscript reports whether the format is for reading.
func (e Plan) isTranscript() bool {
	return e.Format == Markdown || e.Format == HTML || e.Format == Text
}

// extension returns the extension of the files of the format.
func (e Plan) extension() string {
	if e.Format == Spans {
		return "otlp.json"
	}
	return e.Format
}

// leaves returns the end of the first path, and those of the others.
func (e Plan) leaves() (first string, others []string) {
	if len(e.Leaves) == 0 {
		return "", nil
	}
	return e.Leaves[0], e.Leaves[1:]
}

// To writes the export to a stream. A format for which Single is true exports only the first session.
func (e Plan) To(ctx context.Context, db *sqlite.DB, w io.Writer) error {
	switch e.Format {
	case Markdown, HTML, Text:
		return e.transcript(ctx, db, w, e.Sessions[0], nil)
	case Usage:
		return e.usage(ctx, db, w)
	case Spans:
		return e.spans(ctx, db, w)
	case Graph, Vector, Pixels:
		return e.drawing(ctx, db, w)
	}
	options := e.archive()
	if e.Progress != nil {
		total := int64(len(e.Sessions))
		options.Progress = func(sessions, _ int64) { e.Progress(core.Progress{Done: sessions, Total: total}) }
	}
	if e.Format == Lines {
		return archive.WriteLines(ctx, w, db, find.IDs(e.Sessions), options)
	}
	return archive.Write(ctx, w, db, find.IDs(e.Sessions), options)
}

// Print writes the export to a stream from which nothing can be taken back, such as standard output. If secrets are replaced, it scans
// everything before it writes: if the scan fails, nothing is written.
func (e Plan) Print(ctx context.Context, db *sqlite.DB, w io.Writer) error {
	if e.Redact {
		scan := e
		scan.Progress = nil
		if err := guard.Run(func() error { return scan.To(ctx, db, io.Discard) }); err != nil {
			return err
		}
	}
	return e.To(ctx, db, w)
}

// archive returns the options of JSON.
func (e Plan) archive() archive.Options {
	options := archive.Options{Generator: generator(), NowMs: time.Now().UnixMilli(), Scope: archive.Scope(e.Scope)}
	options.LeafUID, options.OtherLeafUIDs = e.leaves()
	if e.Redact {
		options.Redactor = e.redactor()
	}
	return options
}

// rendering returns the options of a page, Markdown or text of a session.
func (e Plan) rendering(ctx context.Context, db *sqlite.DB, s core.Session) render.ExportOptions {
	options := render.ExportOptions{
		Scope: render.Scope(e.Scope), Detail: render.Detail(e.Detail), Zone: time.Local, Generator: generator(), Progress: e.Progress,
	}
	options.LeafUID, options.OtherLeafUIDs = e.leaves()
	options.FromUID = e.From
	if e.Redact {
		options.Redactor = e.redactor()
	}
	if e.WithJSON {
		data := e.archive()
		if data.Scope == "" {
			data.Scope = archive.ScopePath // as the page
		}
		options.Data = &render.PageData{Mark: archive.PageMark(), Write: func(w io.Writer) error {
			return archive.WritePageBlock(ctx, w, db, []string{s.ID}, data)
		}}
	}
	return options
}

// transcript writes one session as a page or as Markdown.
func (e Plan) transcript(ctx context.Context, db *sqlite.DB, w io.Writer, s core.Session, beside *attachments) error {
	options := e.rendering(ctx, db, s)
	switch e.Format {
	case HTML:
		return e.page(w, func(w io.Writer) error { return render.New().HTML(ctx, w, db, s.ID, options) })
	case Text:
		return render.New().Text(ctx, w, db, s.ID, options)
	}
	if beside != nil {
		options.Asset = beside.put
	}
	return render.New().Markdown(ctx, w, db, s.ID, options)
}

// page writes a page, encrypted if there is a passphrase.
func (e Plan) page(w io.Writer, write func(io.Writer) error) error {
	if e.Passphrase == "" {
		return write(w)
	}
	style, script := render.PolicyHashes()
	return sealed.Write(w, e.Passphrase, []string{style}, []string{script}, write)
}

// ToPath writes the export to a file, or one file per session to a folder: if the path ends in a separator or is a
// folder, or if several sessions have a format for which Single is true. It returns the absolute path. Each file is
// written completely or stays as it was.
func (e Plan) ToPath(ctx context.Context, db *sqlite.DB, path string) (string, error) {
	toFolder := IsFolder(path)
	path, err := filepath.Abs(path)
	if err != nil {
		return "", core.Wrap(core.Invalid, err, "find %s", path)
	}
	if !toFolder && (!e.Single() || len(e.Sessions) == 1) {
		return e.oneFile(ctx, db, path)
	}
	short, err := db.ShortIDs(ctx, find.IDs(e.Sessions)...)
	if err != nil {
		return path, err
	}
	report := e.Progress
	for i, name := range fileNames(e.named(), short, e.extension()) {
		one := e
		one.Sessions, one.Progress = e.Sessions[i:i+1], nil
		file := filepath.Join(path, name)
		if _, err := one.oneFile(ctx, db, file); err != nil {
			return path, err
		}
		if report != nil {
			report(core.Progress{Done: int64(i) + 1, Total: int64(len(e.Sessions)), Current: name})
		}
	}
	return path, nil
}

// oneFile writes one file, or a folder for a page that would be too large, and returns its path.
func (e Plan) oneFile(ctx context.Context, db *sqlite.DB, path string) (string, error) {
	if e.Format == HTML && e.Passphrase == "" {
		return e.pageOrFolder(ctx, db, path)
	}
	beside := attachmentsOf(path)
	err := e.toFile(db, path, func(w io.Writer) error { return e.writeTo(ctx, db, w, beside) })
	if err != nil {
		err = errors.Join(err, beside.remove())
	}
	return path, err
}

// IsFolder reports whether a path names a folder, which may be missing if the path ends in a separator.
func IsFolder(path string) bool {
	if path != "" && os.IsPathSeparator(path[len(path)-1]) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// writeTo writes the contents of one file, and the attachments beside it.
func (e Plan) writeTo(ctx context.Context, db *sqlite.DB, w io.Writer, beside *attachments) error {
	if e.isTranscript() {
		return e.transcript(ctx, db, w, e.Sessions[0], beside)
	}
	return e.To(ctx, db, w)
}

// named returns the sessions with the titles that the files are named after.
func (e Plan) named() []core.Session {
	if !e.Redact && e.Passphrase == "" {
		return e.Sessions
	}
	redactor, named := e.redactor(), make([]core.Session, len(e.Sessions))
	for i, session := range e.Sessions {
		if e.Passphrase == "" {
			named[i] = redactor.Session(session)
		}
	}
	return named
}

func (e Plan) toFile(db *sqlite.DB, path string, write func(io.Writer) error) error {
	if err := MustNotOwn(db, path); err != nil {
		return err
	}
	// What panics must not leave the part of the file that is written.
	err := durable.Write(path, func(file *os.File) error {
		return guard.Run(func() error { return write(file) })
	})
	code := core.CodeOf(err)
	if code == core.Internal {
		code = core.Unavailable // an error of the disk
	}
	return core.Wrap(code, err, "export to %s", path)
}

// MustNotOwn returns an error if a path names one of the library's own files, because writing there would destroy the
// library.
func MustNotOwn(db *sqlite.DB, path string) error {
	if !db.Owns(path) {
		return nil
	}
	return core.E(core.Invalid, "export to %s: this is a file of the library itself", path).WithHint("choose another name")
}

// attachments writes the images and files of a Markdown export to a folder beside the export.
type attachments struct {
	folder  string
	created []string // files that did not exist before
}

// attachmentsOf returns the folder for the attachments of an export. For notes.md it is notes_files.
func attachmentsOf(path string) *attachments {
	return &attachments{folder: strings.TrimSuffix(path, filepath.Ext(path)) + "_files"}
}

// put writes a blob to a file whose name does not reveal its source.
func (a *attachments) put(_ core.Media, blob core.Blob) (string, error) {
	name := strings.TrimPrefix(blob.Hash, "sha256:")[:16] + extensionOf(blob.MimeType)
	path := filepath.Join(a.folder, name)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		a.created = append(a.created, path)
	}
	err := durable.Write(path, func(file *os.File) error {
		_, err := file.Write(blob.Data)
		return err
	})
	return filepath.Base(a.folder) + "/" + name, core.Wrap(core.Unavailable, err, "store an attachment")
}

// remove removes the files that were created, and the folder if that becomes empty.
func (a *attachments) remove() error {
	if len(a.created) == 0 {
		return nil
	}
	for _, path := range a.created {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return core.Wrap(core.Unavailable, err, "remove an attachment")
		}
	}
	_ = os.Remove(a.folder) // it has other files
	return nil
}

// extensionOf returns the extension of a type that is safe to open with a click; empty for other types.
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
