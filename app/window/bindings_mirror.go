package window

import (
	"context"
	"log/slog"

	"coppice/app/internal/guard"
	"coppice/app/internal/mirror"
	"coppice/app/internal/secrets"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// MirrorSetting is the folder that the window keeps up to date.
type MirrorSetting struct {
	Folder string `json:"folder"` // empty: none
	Format string `json:"format"` // md, html or json
	Redact bool   `json:"redact"`
	Error  string `json:"error"` // why the last update failed; empty: it succeeded, or is under way
}

// GetMirror returns the mirror that the user has chosen.
func (b *ExportBindings) GetMirror() (MirrorSetting, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (MirrorSetting, error) {
		o, ok, err := mirror.Chosen(ctx, db)
		setting := MirrorSetting{Folder: o.Folder, Format: o.Format, Redact: o.Redact}
		if failed := b.mirrorError.Load(); failed != nil && ok {
			setting.Error = *failed
		}
		return setting, err
	})
}

// SetMirror stores which folder is kept up to date; an empty folder stops it, and its files stay. The window writes the files in the
// background.
func (b *ExportBindings) SetMirror(setting MirrorSetting) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		defer b.changes.Library(change.Settings)
		b.mirrorError.Store(nil)
		if setting.Folder == "" {
			return true, mirror.Choose(ctx, db, nil)
		}
		return true, mirror.Choose(ctx, db, &mirror.Options{Folder: setting.Folder, Format: setting.Format, Redact: setting.Redact})
	})
	return err
}

// ChooseMirrorFolder opens the system's dialog for the folder of a mirror. The path is empty if the dialog was closed.
func (b *ExportBindings) ChooseMirrorFolder() (path string, err error) {
	err = guard.Run(func() error {
		path, err = b.host.openFolder("Choose the folder of the mirror")
		return err
	})
	return path, err
}

// noteMirror notes an error of the mirror for the settings.
func (p *program) noteMirror(err error) {
	slog.Warn("updating the mirror", slog.Any("error", err))
	message := err.Error()
	p.mirrorError.Store(&message)
	p.changes.Library(change.Settings)
}

// SecretList is the secrets of the library and where they occur, without their text.
type SecretList struct {
	Secrets []core.Secret `json:"secrets"`
	Total   int64         `json:"total"`
	Waiting int64         `json:"waiting"` // sessions that were not scanned yet, or whose scan failed
}

// maxSecrets is how many secrets the window lists.
const maxSecrets = 200

// GetSecrets returns what the scan in the background has found.
func (b *ExportBindings) GetSecrets() (SecretList, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (SecretList, error) {
		list := SecretList{Secrets: []core.Secret{}}
		found, total, err := secrets.List(ctx, db, maxSecrets)
		if err != nil {
			return list, err
		}
		waiting, err := db.UnscannedSessions(ctx, secrets.Version)
		list.Secrets, list.Total, list.Waiting = found, total, int64(len(waiting))
		return list, err
	})
}

// GetSessionsWithSecrets returns the ids of the sessions in which secrets were found.
func (b *ExportBindings) GetSessionsWithSecrets() ([]string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]string, error) { return db.SessionsWithSecrets(ctx) })
}
