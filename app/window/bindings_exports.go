package window

import (
	"context"
	"path/filepath"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/app/internal/guard"
	"coppice/app/window/internal/job"
	"coppice/backend/core"
	"coppice/backend/exporter/picture"
	"coppice/backend/render/plain"
	"coppice/backend/sqlite"
)

// ExportBindings export sessions to files.
type ExportBindings struct{ *program }

// RevealFile shows a file that Coppice wrote in the system's file manager.
func (b *ExportBindings) RevealFile(path string) error {
	return guard.Run(func() error {
		if !b.jobs.Wrote(path) {
			return core.E(core.Denied, "Coppice did not write %s", path)
		}
		return reveal(path)
	})
}

// ChooseExportPath opens the system's dialog for the file of an export or a backup. The path is empty if the dialog was closed.
func (b *ExportBindings) ChooseExportPath(suggested string) (path string, err error) {
	title := b.texts.Now().Export
	if filepath.Ext(suggested) == ".db" {
		title = b.texts.Now().BackUp
	}
	err = guard.Run(func() error {
		path, err = b.host.saveFile(title, filepath.Base(suggested))
		return err
	})
	return path, err
}

// GetExportParts returns what can be exported of a session. The path ends at a message, if empty at the head.
func (b *ExportBindings) GetExportParts(sessionID, leafUID string) (ExportParts, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (ExportParts, error) {
		return exportPartsOf(ctx, db, sessionID, leafUID)
	})
}

// Redacted is a value that a redacted export replaces.
type Redacted struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"` // secret, email, home or word
	Value  string          `json:"value"`
	Count  int64           `json:"count"`
	Places []RedactedPlace `json:"places"` // the first ones
}

// RedactedPlace is the text around a value that a redacted export replaces.
type RedactedPlace struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// maxRedacted is how many values a preview shows, and maxRedactedRunes how much of each.
const (
	maxRedacted      = 1000
	maxRedactedRunes = 120
)

// PreviewRedaction returns what a redacted export replaces, also what the user chose to keep.
func (b *ExportBindings) PreviewRedaction(request ExportRequest) ([]Redacted, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]Redacted, error) {
		list := []Redacted{}
		e, err := planOf(ctx, db, request)
		if err != nil {
			return list, err
		}
		findings, err := e.Preview(ctx, db)
		for _, f := range findings[:min(len(findings), maxRedacted)] {
			places := make([]RedactedPlace, len(f.Places))
			for i, place := range f.Places {
				places[i] = RedactedPlace{place.Before, place.After}
			}
			list = append(list, Redacted{f.ID, string(f.Kind), plain.Line(f.Value, maxRedactedRunes), f.Count, places})
		}
		return list, err
	})
}

// planOf returns the plan that the user asked for.
func planOf(ctx context.Context, db *sqlite.DB, r ExportRequest) (e export.Plan, err error) {
	e = export.Plan{
		Format: r.Format, Scope: r.Scope, Detail: r.Detail, Leaves: r.LeafUIDs, From: r.FromUID, Redact: r.Redact, WithJSON: r.WithJSON, Words: r.Words, Keep: r.Keep,
		Theme: picture.Theme(r.Theme),
	}
	if err := e.Check(); err != nil {
		return e, err
	}
	if r.All {
		e.Sessions, err = export.Everything(ctx, db)
	} else {
		e.Sessions, err = find.Sessions(ctx, db, r.SessionIDs)
	}
	return e, err
}

// StartExport starts an export to a file and returns the job's id. Several sessions as md, html or txt become files in a folder of that name.
func (b *ExportBindings) StartExport(request ExportRequest, path string) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		if path == "" {
			return "", core.E(core.Invalid, "export: no file was named")
		}
		e, err := planOf(ctx, db, request)
		if err != nil {
			return "", err
		}
		if request.Passphrase != "" {
			if e.Passphrase, err = b.passphrases.take(request.Passphrase); err != nil {
				return "", err
			}
			if err := e.Check(); err != nil {
				return "", err
			}
		}
		return b.jobs.Start(ctx, job.Export, func(ctx context.Context, set job.Update) error {
			e.Progress = func(p core.Progress) { set(func(j *job.Job) { j.Progress = p }) }
			written, err := e.ToPath(ctx, db, path)
			set(func(j *job.Job) { j.Path = written })
			return err
		}), nil
	})
}
