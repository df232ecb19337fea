package mirror

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// settingKey is the key of the setting with the options of the mirror that is kept up to date.
const settingKey = "mirror"

// Chosen returns the mirror that is kept up to date. ok is false if the user has not chosen one.
func Chosen(ctx context.Context, db *sqlite.DB) (o Options, ok bool, err error) {
	stored, err := db.Setting(ctx, settingKey)
	if err != nil || stored == "" {
		return o, false, err
	}
	if err := json.Unmarshal([]byte(stored), &o); err != nil {
		return o, false, core.Wrap(core.Corrupt, err, "read the setting of the mirror")
	}
	return o, true, nil
}

// Choose stores the mirror that is kept up to date; nil stops keeping one. Its files stay.
func Choose(ctx context.Context, db *sqlite.DB, o *Options) error {
	if o == nil {
		return db.PutSetting(ctx, settingKey, "")
	}
	if err := o.Check(); err != nil {
		return err
	}
	if !filepath.IsAbs(o.Folder) {
		return core.E(core.Invalid, "invalid folder %q: want an absolute path", o.Folder)
	}
	value, err := json.Marshal(o)
	if err != nil {
		return core.Wrap(core.Internal, err, "store the setting of the mirror")
	}
	return db.PutSetting(ctx, settingKey, string(value))
}

// every is how often Keep looks at the times of the library's files, which costs two system calls.
const every = 5 * time.Second

// Keep updates the chosen mirror when it begins and after each change of the library by any process, until ctx ends.
// Several processes may keep one mirror. report receives each error once until the next success.
func Keep(ctx context.Context, db *sqlite.DB, report func(error)) {
	k := keeper{db: db, report: report}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		k.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// keeper updates a mirror when the library's files have changed.
type keeper struct {
	db     *sqlite.DB
	report func(error)
	seen   [2]fs.FileInfo // the library's files before the last update
	failed string         // the last error; empty after a success
}

// look updates the mirror if the library has changed since the last successful look.
func (k *keeper) look(ctx context.Context) {
	now := stamps(k.db.FilePath())
	if !changed(k.seen, now) {
		return
	}
	err := guard.Run(func() error { return updateChosen(ctx, k.db) })
	if core.CodeOf(err) == core.Busy || ctx.Err() != nil {
		return // another process is updating it: look again
	}
	k.seen = now
	if message := text(err); message != k.failed {
		if k.failed = message; err != nil {
			k.report(err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func updateChosen(ctx context.Context, db *sqlite.DB) error {
	o, ok, err := Chosen(ctx, db)
	if err != nil || !ok {
		return err
	}
	_, err = Update(ctx, db, o, nil)
	return err
}

// stamps returns the file of the library and its write-ahead log; nil for a missing one.
func stamps(library string) (files [2]fs.FileInfo) {
	for i, name := range []string{library, library + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			files[i] = info
		}
	}
	return files
}

func changed(before, now [2]fs.FileInfo) bool {
	for i := range now {
		if (before[i] == nil) != (now[i] == nil) {
			return true
		}
		if now[i] != nil && (before[i].Size() != now[i].Size() || !before[i].ModTime().Equal(now[i].ModTime())) {
			return true
		}
	}
	return false
}
