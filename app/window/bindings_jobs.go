package window

import (
	"context"
	"path/filepath"
	"time"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/app/internal/formats"
	"coppice/app/internal/library"

	"coppice/app/internal/guard"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// FindSources returns the known places on this machine that hold sessions: those of tools, and those of the workspaces
// that the library knows.
func (b *Bindings) FindSources() ([]FoundSource, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]FoundSource, error) {
		facets, err := db.Facets(ctx)
		if err != nil {
			return nil, err
		}
		found := []FoundSource{}
		for _, place := range formats.KnownLocations(formats.Workspaces(facets)) {
			im := importer.Importer{Library: db, Formats: formats.Of(place.Source)}
			files, bytes, err := im.Measure(ctx, place.Path)
			if err != nil {
				return nil, err
			}
			if files > 0 {
				found = append(found, FoundSource{Source: place.Source, Path: place.Path, Files: files, SizeBytes: bytes})
			}
		}
		return found, nil
	})
}

// ChooseFiles opens the system's dialog for files to import; empty when it was closed.
func (b *Bindings) ChooseFiles() (paths []string, err error) {
	err = guard.Run(func() error {
		paths, err = b.host.openFiles("Import session files", formats.Extensions())
		return err
	})
	return lists.NonNil(paths), err
}

// ChooseFolder opens the system's dialog for a folder to import; empty when it was closed.
func (b *Bindings) ChooseFolder() (path string, err error) {
	err = guard.Run(func() error {
		path, err = b.host.openFolder("Import a folder of sessions")
		return err
	})
	return path, err
}

// ChooseExportPath opens the system's dialog for the file to write, an export or a backup; empty when it was closed.
func (b *Bindings) ChooseExportPath(suggested string) (path string, err error) {
	title := "Export"
	if filepath.Ext(suggested) == ".db" {
		title = "Back up library"
	}
	err = guard.Run(func() error {
		path, err = b.host.saveFile(title, filepath.Base(suggested))
		return err
	})
	return path, err
}

// StartImport begins to import files and folders and returns the job's id.
func (b *Bindings) StartImport(paths []string) (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		if len(paths) == 0 {
			return "", core.E(core.Invalid, "there is nothing to import")
		}
		if err := formats.CheckPaths(paths); err != nil {
			return "", err
		}
		return b.jobs.start(ctx, jobImport, func(ctx context.Context, set update) error {
			return b.importPaths(ctx, db, paths, set)
		}), nil
	})
}

func (b *Bindings) importPaths(ctx context.Context, db *sqlite.DB, paths []string, set update) error {
	im := importer.Importer{Library: db, Formats: formats.All(), Progress: func(p core.Progress) {
		set(func(j *Job) { j.Progress = p })
		b.changes.tell(changedLibrary)
	}}
	report, err := im.Import(ctx, paths, "")
	report.Sessions, report.Problems = lists.NonNil(report.Sessions), lists.NonNil(report.Problems)
	set(func(j *Job) { j.Report = report })
	b.changes.tellAll() // sessions on screen may have grown
	return err
}

// LoadSamples adds the sample library.
func (b *Bindings) LoadSamples() (core.Report, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Report, error) {
		defer b.changes.tellAll()
		return library.LoadSamples(ctx, db, time.Now())
	})
}

// StartExport begins an export to a file and returns the job's id. Several sessions as md or html become files in a folder of that name.
func (b *Bindings) StartExport(request ExportRequest, path string) (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		e := export.Plan{Format: request.Format, Scope: request.Scope, Leaf: request.LeafUID, Redact: request.Redact}
		if err := e.Check(); err != nil {
			return "", err
		}
		if path == "" {
			return "", core.E(core.Invalid, "there is no file to export to")
		}
		sessions, err := find.Sessions(ctx, db, request.SessionIDs)
		if err != nil {
			return "", err
		}
		e.Sessions = sessions
		return b.jobs.start(ctx, jobExport, func(ctx context.Context, set update) error {
			e.Progress = func(p core.Progress) { set(func(j *Job) { j.Progress = p }) }
			written, err := e.ToPath(ctx, db, path)
			set(func(j *Job) { j.Path = written })
			return err
		}), nil
	})
}

// StartBackup begins to copy the library to a file and returns the job's id.
func (b *Bindings) StartBackup(path string) (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		if path == "" {
			return "", core.E(core.Invalid, "there is no file to copy to")
		}
		return b.jobs.start(ctx, jobBackup, func(ctx context.Context, set update) error {
			if err := db.Backup(ctx, path); err != nil {
				return err
			}
			set(func(j *Job) { j.Path = path })
			return nil
		}), nil
	})
}

// StartCheck begins to check the library and returns the job's id. What it finds are the report's problems.
func (b *Bindings) StartCheck() (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		return b.jobs.start(ctx, jobCheck, func(ctx context.Context, set update) error {
			found, err := db.Check(ctx, func(p core.Progress) { set(func(j *Job) { j.Progress = p }) })
			if err == nil {
				var wrong []string
				if wrong, err = library.RepairIndex(ctx, db, nil); len(wrong) > 0 {
					found = append(found, append(wrong, "the index of words is being made anew")...)
				}
			}
			problems := make([]core.Problem, len(found))
			for i, message := range found {
				problems[i] = core.Problem{Path: db.FilePath(), Message: message}
			}
			set(func(j *Job) { j.Report.Problems = problems })
			return err
		}), nil
	})
}

// GetJob returns how a job stands.
func (b *Bindings) GetJob(id string) (state Job, err error) {
	err = guard.Run(func() error {
		state, err = b.jobs.get(id)
		return err
	})
	return state, err
}

// CancelJob ends a job; what it has finished stays.
func (b *Bindings) CancelJob(id string) error {
	return guard.Run(func() error { return b.jobs.cancel(id) })
}
