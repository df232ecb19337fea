package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"modernc.org/sqlite"

	"coppice/backend/core"
)

// Result codes of SQLite, https://sqlite.org/rescode.html. The low byte is the primary one.
const (
	codePerm       = 3
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeInterrupt  = 9
	codeIO         = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeConstraint = 19
	codeNotADB     = 26
)

// codeShmSize is a codeIO: SQLite cannot make the file for its shared memory large enough, because the disk is full.
const codeShmSize = codeIO | 19<<8

// shmSize reports whether an error is codeShmSize.
func shmSize(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == codeShmSize
}

// errorIs says whether an error of SQLite has one of the primary codes.
func errorIs(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}

// fail makes what goes wrong in a step a core.Error with a hint. One that is a core.Error already stays
// what it is; nil stays nil.
func fail(err error, step string, args ...any) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*core.Error](err); ok {
		return err
	}
	code, hint := judge(err)
	return &core.Error{Code: code, Message: fmt.Sprintf(step, args...), Hint: hint, Err: err}
}

func judge(err error) (core.Code, string) {
	switch {
	case errors.Is(err, context.Canceled):
		return core.Canceled, ""
	case errors.Is(err, context.DeadlineExceeded):
		return core.Timeout, ""
	case errorIs(err, codeInterrupt):
		return core.Canceled, ""
	case errorIs(err, codeBusy, codeLocked):
		return core.Busy, "another program is writing to the library; try again"
	case errorIs(err, codeNotADB):
		return core.Corrupt, "if this was a Coppice library, recover it with: coppice db recover; else choose another file with --db"
	case errorIs(err, codeCorrupt):
		return core.Corrupt, "run: coppice db recover, which saves what can be read; or restore a backup: coppice db backups"
	case errorIs(err, codeFull), shmSize(err), errors.Is(err, syscall.ENOSPC):
		return core.Unavailable, "the disk is full; make room and try again"
	case errorIs(err, codeReadOnly, codePerm), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return core.Denied, "make the file and its folder writable, or choose another file with --db"
	case errorIs(err, codeCantOpen):
		return core.Unavailable, "check that the file and its folder exist and are writable; if the disk is full, make room and try again"
	case errors.Is(err, fs.ErrNotExist):
		return core.NotFound, "look whether the path is right"
	case errorIs(err, codeIO):
		return core.Unavailable, "the disk does not answer as it should; see whether it is still there"
	default:
		return core.CodeOf(err), ""
	}
}
