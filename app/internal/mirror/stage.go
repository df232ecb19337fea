package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"coppice/app/internal/export"
	"coppice/backend/core"
	"coppice/backend/render"
)

// staged is a session whose files are written, but do not have their names yet.
type staged struct {
	*file
	fingerprint string
	folder      string            // that holds the files, relative to the mirror's folder
	hashes      map[string]string // by the path that each will have, with slashes
	sources     map[string]string // where each is now, by the same
}

// stage renders a session into a folder of its own.
func (u *update) stage(ctx context.Context, f *file, folder string) (staged, error) {
	s := staged{file: f, folder: folder, hashes: map[string]string{}, sources: map[string]string{}}
	if err := u.root.MkdirAll(folder, 0o700); err != nil {
		return s, unavailable(err, u.options.Folder)
	}
	target := path.Join(folder, path.Base(f.path))
	plan := export.Plan{Sessions: []core.Session{f.session}, Format: u.options.Format, Redact: u.options.Redact, Scope: string(render.ScopeTree)}
	if _, err := plan.ToPath(ctx, u.db, u.absolute(target)); err != nil {
		return s, err
	}
	if u.options.Format == export.JSON {
		if err := indentFile(u.absolute(target)); err != nil {
			return s, unavailable(err, u.options.Folder)
		}
	}
	err := fs.WalkDir(u.root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		hash, err := u.hash(name)
		final := path.Join(path.Dir(f.path), name[len(folder)+1:])
		s.hashes[final], s.sources[final] = hash, name
		return err
	})
	return s, unavailable(err, u.options.Folder)
}

// mayReplace reports whether the names of all files of a session are free, or of files that are as an update wrote
// them. It skips the session otherwise.
func (u *update) mayReplace(s staged) bool {
	known := u.manifest.Sessions[s.session.ID].Files
	for _, name := range slices.Sorted(maps.Keys(s.hashes)) {
		hash, err := u.hash(name)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && hash == s.hashes[name], err == nil && slices.Contains(known[name], hash):
		default:
			u.skip(name, "it was changed, or not written, by Coppice")
			return false
		}
	}
	return true
}

// announce stores which files are going to be replaced.
func (u *update) announce(all []staged) error {
	for _, s := range all {
		e := u.manifest.Sessions[s.session.ID]
		files := maps.Clone(e.Files)
		if files == nil {
			files = map[string][]string{}
		}
		for name, hash := range s.hashes {
			if !slices.Contains(files[name], hash) {
				files[name] = append(slices.Clone(files[name]), hash)
			}
		}
		// Without a fingerprint an interrupted update is repeated.
		u.manifest.Sessions[s.session.ID] = entry{Files: files}
	}
	return u.manifest.save(u.root)
}

// publish gives the files of a session their names, and removes those that it no longer has.
func (u *update) publish(s staged) error {
	old := u.manifest.Sessions[s.session.ID].Files
	now := map[string][]string{}
	for name, hash := range s.hashes {
		if err := u.root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return unavailable(err, u.options.Folder)
		}
		if current, err := u.hash(name); err != nil || current != hash {
			if err := u.root.Rename(s.sources[name], name); err != nil {
				return unavailable(err, u.options.Folder)
			}
		}
		now[name] = []string{hash}
		delete(old, name)
	}
	if err := u.removeFiles(old); err != nil {
		return err
	}
	u.manifest.Sessions[s.session.ID] = entry{Fingerprint: s.fingerprint, Files: now}
	u.report.Written++
	return nil
}

// hash returns the SHA-256 of a regular file.
func (u *update) hash(name string) (string, error) {
	info, err := u.root.Lstat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", core.E(core.Invalid, "%s is not a regular file", name)
	}
	f, err := u.root.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}
