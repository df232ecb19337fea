package importer

import (
	"errors"
	"io/fs"
	"strings"

	"coppice/backend/core"
)

// problemOf says what an error means for a file as a whole, and what to do about it.
func problemOf(path string, err error) core.Problem {
	p := core.Problem{Path: path, Message: err.Error(), Hint: core.HintOf(err)}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		p.Message = "cannot read: " + failed.Error()
		if failed.Path == path { // it stands beside the message already
			p.Message = "cannot read: " + failed.Err.Error()
		}
	}
	if p.Hint == "" && errors.Is(err, fs.ErrPermission) {
		p.Hint = "make it readable for you, or import a copy of it"
	}
	return p
}

// unknown is the problem of a file that none of the formats knows.
func unknown(path string, formats []Format) core.Problem {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f.Name())
	}
	return core.Problem{
		Path: path, Message: "not a session file of a known format",
		Hint: "Coppice reads the files of: " + strings.Join(names, ", "),
	}
}
