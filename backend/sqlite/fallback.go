package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
)

// fullBytes is how little free space counts as a full disk: what a first write needs.
const fullBytes = 256 << 10

// whyNotWritable returns the reason why a library that exists can be read at most; nil if err is about something else.
func whyNotWritable(err error, path string) error {
	if _, statErr := os.Stat(path); statErr != nil {
		return nil
	}
	err = explain(err, path)
	switch {
	case errorIs(err, codeFull), errors.Is(err, syscall.ENOSPC):
		return core.E(core.Unavailable, "the disk of %s is full: nothing can be written", path).
			WithHint("make room on the disk and try again; reading still works")
	case errorIs(err, codeReadOnly, codePerm, codeCantOpen), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return core.E(core.Denied, "%s, or its folder, cannot be written", path).
			WithHint("make the file and its folder writable, or copy the library to another disk; reading still works")
	}
	return nil
}

// explain adds to an error of the disk that there is no space left, which SQLite does not report in each case.
func explain(err error, path string) error {
	if errorIs(err, codeIO, codeCantOpen) && !errors.Is(err, syscall.ENOSPC) && freeBytes(filepath.Dir(path)) < fullBytes {
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	return err
}

// Refusal returns why nothing can be written to the library; nil if it can be written.
func (db *DB) Refusal() error {
	if db.writes != nil {
		return nil
	}
	if db.refusal != nil {
		return db.refusal
	}
	return core.E(core.Denied, "the library was opened read-only")
}

// openOrRead opens the library for writing, or read-only if it cannot be written now.
func (db *DB) openOrRead(ctx context.Context, s schema) error {
	err := db.openWritable(ctx, s)
	if err == nil {
		return nil
	}
	if db.refusal = whyNotWritable(err, db.path); db.refusal == nil {
		return err
	}
	if closeErr := db.Close(); closeErr != nil {
		return errors.Join(err, closeErr)
	}
	db.reads, db.writes, db.log, db.presence = nil, nil, nil, nil
	if readErr := db.openReadOnly(ctx, s); readErr != nil {
		if core.CodeOf(readErr) != core.Internal {
			return readErr
		}
		return fmt.Errorf("%w: %w", db.refusal, readErr)
	}
	return nil
}

// connectToRead opens a file where nothing can be written. If a write-ahead log waits beside it, a private copy of both is read: its folder
// is returned, to be removed.
func connectToRead(ctx context.Context, path string) (db *sqlx.DB, copied string, err error) {
	db, err = connectReadOnly(ctx, path)
	if err == nil || !logWaits(path) || !errorIs(err, codeCantOpen, codeReadOnly, codeIO, codeFull) {
		return db, "", err
	}
	folder, copyErr := copyAside(path)
	if copyErr != nil {
		return nil, "", copyErr
	}
	db, err = connectBy(ctx, filepath.Join(folder, "copy.db"), url.Values{"_pragma": readPragmas()})
	if err != nil {
		return nil, "", errors.Join(err, os.RemoveAll(folder))
	}
	return db, folder, nil
}

// copyAside copies a file and its log to a private folder of a disk that has room for them.
func copyAside(path string) (folder string, err error) {
	size := int64(0)
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		size += info.Size()
	}
	for _, parent := range []string{os.TempDir(), "/dev/shm"} {
		if free := freeBytes(parent); free < size+fullBytes {
			continue
		}
		if folder, err = os.MkdirTemp(parent, "coppice-read-*"); err != nil {
			continue
		}
		if err = copyBoth(path, folder); err == nil {
			return folder, nil
		}
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return "", &core.Error{
		Code: core.Unavailable, Err: err,
		Message: fmt.Sprintf("read %s: its latest changes are in a log beside it, and there is no room for a copy of %d bytes to apply them", path, size),
		Hint:    "make room on the disk of your temporary folder, or copy the library and the file ending in -wal to another disk",
	}
}

func copyBoth(path, folder string) error {
	if err := copyFile(path, filepath.Join(folder, "copy.db")); err != nil {
		return err
	}
	return copyFile(path+"-wal", filepath.Join(folder, "copy.db-wal"))
}

// copyFile copies a file to a new one, which only its owner may read.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
