// Package mirror keeps a folder of readable files up to date with the library: one file for each session, by
// workspace, with an index. It never removes or overwrites a file that it did not write, or that was changed since.
package mirror

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"coppice/app/internal/export"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// Options describe a mirror. They are stored as JSON in the library's settings and in the folder.
type Options struct {
	Folder string `json:"folder"`           // absolute
	Format string `json:"format"`           // md, html or json
	Redact bool   `json:"redact,omitempty"` // replace keys, passwords, e-mail addresses and home folders
}

// Report is what an update did.
type Report struct {
	Folder    string `json:"folder"`
	Written   int64  `json:"written"`   // sessions
	Unchanged int64  `json:"unchanged"` // sessions
	Removed   int64  `json:"removed"`   // sessions that are no longer in the library, or in the trash
	Skipped   []Skip `json:"skipped"`   // never nil
}

// Skip is a file that an update left alone.
type Skip struct {
	Path   string `json:"path"` // relative to the folder, with slashes
	Reason string `json:"reason"`
}

// Check returns an Invalid error if the options name an unknown format.
func (o Options) Check() error {
	if formats := []string{export.Markdown, export.HTML, export.JSON}; !slices.Contains(formats, o.Format) {
		return core.E(core.Invalid, "unknown format %q", o.Format).WithHint("one of: md, html, json")
	}
	return nil
}

// batch is how many sessions are rendered before their files get their names, so that the manifest is not written for
// each of them.
const batch = 100

// update is the state of one update.
type update struct {
	options  Options
	db       *sqlite.DB
	root     *os.Root
	manifest *manifest
	report   Report
}

// Update writes what has changed since the last update. progress may be nil. Errors: Invalid for unknown options, Busy if
// another process is updating the folder, Unavailable if it cannot be written.
func Update(ctx context.Context, db *sqlite.DB, o Options, progress func(core.Progress)) (Report, error) {
	if err := o.Check(); err != nil {
		return Report{}, err
	}
	u := &update{options: o, db: db, report: Report{Folder: o.Folder, Skipped: []Skip{}}}
	unlock, err := u.open()
	if err != nil {
		return u.report, err
	}
	defer unlock()
	sessions, err := export.Everything(ctx, db)
	if err != nil {
		return u.report, err
	}
	files := u.plan(sessions)
	if err := u.write(ctx, files, progress); err != nil {
		return u.report, err
	}
	if err := u.removeMissing(files); err != nil {
		return u.report, err
	}
	if err := u.writeIndex(files); err != nil {
		return u.report, err
	}
	return u.report, u.manifest.save(u.root)
}

// open opens the folder, locks it and reads its manifest.
func (u *update) open() (unlock func(), err error) {
	folder := u.options.Folder
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, unavailable(err, folder)
	}
	if u.root, err = os.OpenRoot(folder); err != nil {
		return nil, unavailable(err, folder)
	}
	if err := u.root.Mkdir(ownFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, errors.Join(unavailable(err, folder), u.root.Close())
	}
	// A symbolic link would lead elsewhere.
	if info, err := u.root.Lstat(ownFolder); err != nil || !info.IsDir() {
		return nil, errors.Join(core.E(core.Invalid, "mirror to %s: %s is not a folder", folder, ownFolder), u.root.Close())
	}
	lock := flock.New(filepath.Join(folder, ownFolder, "lock"))
	if locked, err := lock.TryLock(); err != nil || !locked {
		if err == nil {
			err = core.E(core.Busy, "mirror to %s: another process is updating it", folder)
		}
		return nil, errors.Join(unavailable(err, folder), u.root.Close())
	}
	unlock = func() {
		lock.Unlock()  //nolint:errcheck // ends with the process at the latest
		u.root.Close() //nolint:errcheck // nothing is written through it
	}
	if u.manifest, err = readManifest(u.root); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// write renders the sessions that have changed, and gives their files their names.
func (u *update) write(ctx context.Context, files []*file, progress func(core.Progress)) error {
	for from := 0; from < len(files); from += batch {
		part := files[from:min(from+batch, len(files))]
		if err := u.writeBatch(ctx, part); err != nil {
			return err
		}
		if progress != nil {
			progress(core.Progress{Done: int64(from + len(part)), Total: int64(len(files))})
		}
	}
	return nil
}

func (u *update) writeBatch(ctx context.Context, files []*file) (err error) {
	staging := path.Join(ownFolder, "staging")
	if err := u.root.RemoveAll(staging); err != nil {
		return unavailable(err, u.options.Folder)
	}
	defer func() {
		err = errors.Join(err, unavailable(u.root.RemoveAll(staging), u.options.Folder))
	}()
	var staged []staged
	for _, f := range files {
		fingerprint, err := u.fingerprint(ctx, f)
		if err != nil {
			return err
		}
		if u.isCurrent(f, fingerprint) {
			u.report.Unchanged++
			continue
		}
		one, err := u.stage(ctx, f, path.Join(staging, f.session.ID))
		if err != nil {
			return err
		}
		if one.fingerprint = fingerprint; u.mayReplace(one) {
			staged = append(staged, one)
		}
	}
	if len(staged) == 0 {
		return nil
	}
	if err := u.announce(staged); err != nil {
		return err
	}
	for _, one := range staged {
		if err := u.publish(one); err != nil {
			return err
		}
	}
	return u.manifest.save(u.root)
}

// isCurrent reports whether the files of a session are what an update would write.
func (u *update) isCurrent(f *file, fingerprint string) bool {
	entry, ok := u.manifest.Sessions[f.session.ID]
	if !ok || entry.Fingerprint != fingerprint {
		return false
	}
	for name := range entry.Files {
		if info, err := u.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// removeMissing removes the files of sessions that are no longer shown.
func (u *update) removeMissing(files []*file) error {
	present := map[string]bool{}
	for _, f := range files {
		present[f.session.ID] = true
	}
	for id, entry := range u.manifest.Sessions {
		if present[id] {
			continue
		}
		if err := u.removeFiles(entry.Files); err != nil {
			return err
		}
		delete(u.manifest.Sessions, id)
		u.report.Removed++
	}
	return nil
}

// removeFiles removes those of the files that are as they were written, and the folders that become empty.
func (u *update) removeFiles(files map[string][]string) error {
	for name, hashes := range files {
		switch hash, err := u.hash(name); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil || !slices.Contains(hashes, hash):
			u.skip(name, "it was changed by another program")
			continue
		}
		if err := u.root.Remove(name); err != nil {
			return unavailable(err, u.options.Folder)
		}
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			if u.root.Remove(folder) != nil { // it has other files
				break
			}
		}
	}
	return nil
}

func (u *update) skip(name, reason string) {
	u.report.Skipped = append(u.report.Skipped, Skip{Path: name, Reason: reason})
}

// unavailable wraps an error of the disk; an error with a code keeps it.
func unavailable(err error, folder string) error {
	code := core.CodeOf(err)
	if code == core.Internal {
		code = core.Unavailable
	}
	return core.Wrap(code, err, "mirror to %s", folder)
}
