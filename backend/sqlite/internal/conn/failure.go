package conn

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

// Primary result codes of SQLite that callers compare, https://sqlite.org/rescode.html. The low byte is the primary one.
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
	CodeConstraint = 19
	codeNotADB     = 26
)

// codeShmSize is a codeIO: SQLite cannot make the file for its shared memory large enough, because the disk is full.
const codeShmSize = codeIO | 19<<8

// codeIOData is a codeIO: cryptvfs has read a page that is not as it was written.
const codeIOData = codeIO | 32<<8

// IsDamage reports whether an error of SQLite means that the file is damaged, or no database.
func IsDamage(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == codeIOData || Is(err, codeCorrupt, codeNotADB)
}

// shmSize reports whether an error is codeShmSize.
func shmSize(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == codeShmSize
}

// Is reports whether an error of SQLite has one of the primary codes.
func Is(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}

// Fail wraps the error of a step in a core.Error with a hint. A core.Error stays as it is, and so does nil.
func Fail(err error, step string, args ...any) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*core.Error](err); ok {
		return err
	}
	code, hint, remedy := judge(err)
	return &core.Error{Code: code, Message: fmt.Sprintf(step, args...), Hint: hint, Remedy: core.Remedy{Kind: remedy}, Err: err}
}

func judge(err error) (code core.Code, hint string, remedy core.RemedyKind) {
	switch {
	case errors.Is(err, context.Canceled):
		return core.Canceled, "", ""
	case errors.Is(err, context.DeadlineExceeded):
		return core.Timeout, "", ""
	case Is(err, codeInterrupt):
		return core.Canceled, "", ""
	case Is(err, codeBusy, codeLocked):
		return core.Busy, "another program is writing to the library; try again", ""
	case Is(err, codeNotADB):
		return core.Corrupt, "", core.RecoverFile
	case IsDamage(err):
		return core.Corrupt, "", core.RecoverLibrary
	case Is(err, codeFull), shmSize(err), errors.Is(err, syscall.ENOSPC):
		return core.Unavailable, "the disk is full; make room and try again", ""
	case Is(err, codeReadOnly, codePerm), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return core.Denied, "Make the file and its folder writable", core.ChooseLibrary
	case Is(err, codeCantOpen):
		return core.Unavailable, "check that the file and its folder exist and are writable; if the disk is full, make room and try again", ""
	case errors.Is(err, fs.ErrNotExist):
		return core.NotFound, "check the path", ""
	case Is(err, codeIO):
		return core.Unavailable, "the disk reports an error; check that it is connected", ""
	default:
		return core.CodeOf(err), "", ""
	}
}
