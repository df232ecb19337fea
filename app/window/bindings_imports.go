package window

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"coppice/app/internal/formats"
	"coppice/app/internal/guard"
	"coppice/app/internal/library"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/job"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/agentzero"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// ImportBindings import sessions from files, once or as the files grow.
type ImportBindings struct{ *program }

// GetFollowed returns the folders whose sessions the library imports as they are written.
func (b *ImportBindings) GetFollowed() (Followed, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Followed, error) {
		paths, chosen, err := library.FollowedPaths(ctx, db)
		progress, trouble := b.following.state()
		missing := []string{}
		for _, path := range paths {
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				missing = append(missing, path)
			}
		}
		return Followed{Paths: paths, Chosen: chosen, Missing: missing, Trouble: trouble, Progress: progress}, err
	})
}

// SetFollowed stores the absolute paths of the folders to follow, and starts to follow them.
func (b *ImportBindings) SetFollowed(paths []string) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		if err := library.SetFollowedPaths(ctx, db, paths); err != nil {
			return false, err
		}
		b.following.resume(ctx, db)
		b.changes.Library(change.Settings)
		return true, nil
	})
	return err
}

// FindSources returns the known locations on this machine that contain sessions: those of tools, and those of the workspaces
// in the library.
func (b *ImportBindings) FindSources() ([]FoundSource, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]FoundSource, error) {
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

// ChooseFiles opens the system's dialog for files to import. The list is empty if the dialog was closed.
func (b *ImportBindings) ChooseFiles() (paths []string, err error) {
	err = guard.Run(func() error {
		paths, err = b.host.openFiles(b.texts.Now().ImportFiles, formats.Extensions())
		return err
	})
	return lists.NonNil(paths), err
}

// ChooseFolder opens the system's dialog for a folder to import. The path is empty if the dialog was closed.
func (b *ImportBindings) ChooseFolder() (path string, err error) {
	err = guard.Run(func() error {
		path, err = b.host.openFolder(b.texts.Now().ImportFolder)
		return err
	})
	return path, err
}

// StartImport starts to import files and folders and returns the job's id. again also imports the sessions that were removed for
// good.
func (b *ImportBindings) StartImport(paths []string, again bool) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		if len(paths) == 0 {
			return "", core.E(core.Invalid, "import: no file or folder was named")
		}
		if err := formats.CheckPaths(paths); err != nil {
			return "", err
		}
		return b.jobs.Start(ctx, job.Import, func(ctx context.Context, set job.Update) error {
			return b.importPaths(ctx, db, paths, again, set)
		}), nil
	})
}

// LoadSamples adds the sample library.
func (b *ImportBindings) LoadSamples() (core.Report, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Report, error) {
		defer b.changes.All()
		return library.LoadSamples(ctx, db, time.Now())
	})
}

// environment returns a variable of the environment, or the passphrase for AgentZero that the user has entered.
func (b *ImportBindings) environment(name string) string {
	if text := b.agentZero.Load(); text != nil && name == agentzero.PassphraseVariable {
		return *text
	}
	return os.Getenv(name)
}

func (b *ImportBindings) importPaths(ctx context.Context, db *sqlite.DB, paths []string, again bool, set job.Update) error {
	im := importer.Importer{Library: db, Formats: formats.With(b.environment), Again: again, Progress: func(at core.Progress) {
		set(func(j *job.Job) { j.Progress = at })
		b.changes.Library(change.List)
	}}
	report, err := im.Import(ctx, paths, "")
	report.Sessions, report.Problems = lists.NonNil(report.Sessions), lists.NonNil(report.Problems)
	set(func(j *job.Job) { j.Report = report })
	// Also of an import that was stopped, whose context has ended.
	if err := library.StoreLastImport(context.WithoutCancel(ctx), db, report, time.Now()); err != nil {
		slog.Warn("storing the report of the import", slog.Any("error", err))
	}
	b.changes.All() // sessions on screen may have new messages
	return err
}
