package conn

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

// FullBytes is how little free space counts as a full disk: what a first write needs.
const FullBytes = 256 << 10

// whyNotWritable returns the reason why a library that exists can be read at most; nil if err is about something else.
func whyNotWritable(err error, path string) error {
	if _, statErr := os.Stat(path); statErr != nil {
		return nil
	}
	err = Explain(err, path)
	switch {
	case Is(err, codeFull), errors.Is(err, syscall.ENOSPC):
		return core.E(core.Unavailable, "write %s: the disk is full", path).
			WithHint("make room on the disk and try again; reading still works")
	case Is(err, codeReadOnly, codePerm, codeCantOpen), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return core.E(core.Denied, "write %s: no permission to write the file or its folder", path).
			WithHint("make the file and its folder writable, or copy the library to another disk; reading still works")
	}
	return nil
}

// Explain adds to an error of the disk that there is no space left, which SQLite does not report in each case.
func Explain(err error, path string) error {
	if Is(err, codeIO, codeCantOpen) && !errors.Is(err, syscall.ENOSPC) && FreeBytes(filepath.Dir(path)) < FullBytes {
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	return err
}

// connectToRead opens a file where nothing can be written. If a write-ahead log waits beside it, a private copy of both is read: its folder
// is returned, to be removed.
func connectToRead(ctx context.Context, path string) (db *sqlx.DB, copied string, err error) {
	db, err = ConnectReadOnly(ctx, path)
	if err == nil || !logWaits(path) || !Is(err, codeCantOpen, codeReadOnly, codeIO, codeFull) {
		return db, "", err
	}
	folder, copyErr := copyAside(path)
	if copyErr != nil {
		return nil, "", copyErr
	}
	copied = filepath.Join(folder, "copy.db")
	if err = Unlock(copied); err == nil {
		db, err = ConnectBy(ctx, copied, url.Values{"_pragma": ReadPragmas()})
	}
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
		if free := FreeBytes(parent); free < size+FullBytes {
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
		Message: fmt.Sprintf("read %s: its latest changes are in a log beside it, and no room is left for a copy of %d bytes to apply them", path, size),
		Hint:    "make room on the disk of your temporary folder, or copy the library and the file ending in -wal to another disk",
	}
}

func copyBoth(path, folder string) error {
	if err := CopyFile(path, filepath.Join(folder, "copy.db")); err != nil {
		return err
	}
	return CopyFile(path+"-wal", filepath.Join(folder, "copy.db-wal"))
}

// CopyFile copies a file to a new one, which only its owner may read.
func CopyFile(from, to string) (err error) {
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
