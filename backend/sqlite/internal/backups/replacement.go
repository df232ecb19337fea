package backups

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/sqlite/internal/conn"
)

// Why a library was kept aside; it is part of the new name.
const (
	AsideReplaced = "replaced"
	AsideDamaged  = "damaged"

	// AsideConverted is for a library that was encrypted or decrypted: the original is not kept but overwritten.
	AsideConverted = "converted"
)

// Replacement puts another file in the place of a library, and keeps the library and its log aside. The other file
// waits beside the library under a name that records what to do, so that the next process can finish if this one is
// killed in between.
type Replacement struct {
	Library string
	Stamp   string
	Why     string
}

const nextPrefix = ".next-"

// Next is the path of the file that takes the library's place.
func (r Replacement) Next() string { return r.Library + nextPrefix + r.Stamp + "-" + r.Why }

// Aside is the path that the library gets.
func (r Replacement) Aside() string {
	ext := filepath.Ext(r.Library)
	return strings.TrimSuffix(r.Library, ext) + "." + r.Why + "-" + r.Stamp + ext
}

// finish moves the library aside and the file that waits to its place. Each step can be repeated. The log is moved
// first: beside another file it would be applied to that one. The caller holds the library's lock alone.
func (r Replacement) finish() error {
	if err := r.moveAside(); err != nil {
		return err
	}
	if err := os.Remove(r.Library + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.Rename(r.Next(), r.Library)
}

func (r Replacement) moveAside() error {
	info, err := os.Stat(r.Library)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // this step was done before
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(r.Aside()); err == nil { // so was this one, and another process has made a file since
		if info.Size() == 0 {
			return nil
		}
		r.Stamp = Stamp(time.Now().UnixMilli())
	}
	err = os.Rename(r.Library+"-wal", r.Aside()+"-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(r.Library, r.Aside())
}

// ReplaceLibrary makes a new file and puts it in the place of the library at path, which is kept aside; the path of that
// is empty if there was no library. Busy if a process has the library open, this one included. Other processes that
// open the library wait until this is done.
func ReplaceLibrary(path, why string, make func(part string) error) (aside string, err error) {
	alone := conn.NewPresence(path)
	if ok, err := alone.TakeAlone(); err != nil {
		return "", err
	} else if !ok || conn.InUse(path) { // an older Coppice may not hold the lock
		busy := core.E(core.Busy, "another process has %s open", path).
			WithRemedy(core.CloseLibrary)
		return "", errors.Join(busy, alone.Release())
	}
	defer func() { err = errors.Join(err, alone.Release()) }()
	r := Replacement{Library: path, Stamp: Stamp(time.Now().UnixMilli()), Why: why}
	if err := destroyNamed(filepath.Dir(path), isPart(path)); err != nil {
		return "", err
	}
	part := path + partInfix + r.Stamp
	defer os.Remove(part) //nolint:errcheck // it is not there if all went well
	if err := make(part); err != nil {
		return "", err
	}
	if err := syncFile(part); err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil {
		aside = r.Aside()
	}
	if err := durable.Rename(part, r.Next()); err != nil {
		return "", err
	}
	return aside, r.finish()
}

// ShareReplaced takes the shared lock. A replacement whose process was killed while this one waited is finished first.
func ShareReplaced(ctx context.Context, p *conn.Presence, path string) error {
	for {
		if err := p.Share(ctx); err != nil {
			return err
		}
		if r, err := waitingReplacement(path); err != nil || r == nil {
			return err
		}
		if err := errors.Join(p.Release(), FinishReplacing(ctx, path)); err != nil {
			return err
		}
	}
}

// partInfix is what follows the name of a library in that of a file that is to replace it, while it is written.
const partInfix = ".new-"

// isPart reports whether a name is that of a file that is to replace a library.
func isPart(library string) func(name string) bool {
	return func(name string) bool { return strings.HasPrefix(name, filepath.Base(library)+partInfix) }
}

// destroyParts destroys what a process that was killed has left of files that were to replace the library: they may be plain copies of an
// encrypted one.
func destroyParts(path string) error {
	parts, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"+partInfix+"*"))
	if err != nil || !slices.ContainsFunc(parts, func(part string) bool { return isPart(path)(filepath.Base(part)) }) {
		return nil // a folder whose name is a pattern is looked through by the next replacement
	}
	alone := conn.NewPresence(path)
	if ok, err := alone.TakeAlone(); err != nil || !ok {
		return err // a process is writing it
	}
	return errors.Join(destroyNamed(filepath.Dir(path), isPart(path)), alone.Release())
}

// FinishReplacing finishes what a killed process has left of a replacement.
func FinishReplacing(ctx context.Context, path string) error {
	if r, err := waitingReplacement(path); err != nil || r == nil {
		return errors.Join(err, DestroyConverted(path), destroyParts(path))
	}
	waiting, cancel := context.WithTimeout(ctx, conn.LockPatience)
	defer cancel()
	alone := conn.NewPresence(path)
	if err := alone.WaitAlone(waiting); err != nil {
		return err
	}
	r, err := waitingReplacement(path) // the process that began it may have finished it meanwhile
	if err == nil && r != nil {
		err = r.finish()
	}
	return errors.Join(err, alone.Release(), DestroyConverted(path))
}

// waitingReplacement returns the replacement of a library that was begun, nil if none was.
func waitingReplacement(path string) (*Replacement, error) {
	names, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // there is nothing to finish
	}
	if err != nil {
		return nil, fmt.Errorf("look for an interrupted replacement: %w", err)
	}
	for _, name := range names {
		rest, ok := strings.CutPrefix(name.Name(), filepath.Base(path)+nextPrefix)
		stamp, why, valid := strings.Cut(rest, "-")
		if ok && valid && slices.Contains([]string{AsideReplaced, AsideDamaged, AsideConverted}, why) {
			return &Replacement{Library: path, Stamp: stamp, Why: why}, nil
		}
	}
	return nil, nil // there is nothing to finish
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
