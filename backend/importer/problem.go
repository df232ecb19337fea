package importer

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"coppice/backend/core"
)

// problemOf returns the problem of a file as a whole for an error, with a hint.
func problemOf(path string, err error) core.Problem {
	p := core.Problem{Path: path, Message: err.Error(), Hint: core.HintOf(err), Locked: core.CodeOf(err) == core.Auth}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		p.Message = "cannot read: " + failed.Error()
		if failed.Path == path { // the path is shown beside the message already
			p.Message = "cannot read: " + failed.Err.Error()
		}
	}
	if p.Hint == "" && errors.Is(err, fs.ErrPermission) {
		p.Hint = "make it readable for you, or import a copy of it"
	}
	return p
}

// unknown returns the problem of a file that begins with head and is of no known format.
func unknown(path string, head []byte, formats []Format) core.Problem {
	if wide(head) {
		return core.Problem{Path: path, Message: "a text in UTF-16", Hint: "save it as UTF-8: session files are written so"}
	}
	if len(head) == 0 {
		return core.Problem{Path: path, Message: "the file is empty"}
	}
	if cutZip(path, head) {
		return core.Problem{Path: path, Message: "a zip that is not whole", Hint: "it may have been downloaded in part only: download it again"}
	}
	if strings.EqualFold(filepath.Ext(path), ".md") {
		return core.Problem{
			Path: path, Message: "Markdown that Coppice did not export: it does not mark where a message begins and by whom it is",
			Hint: "Import the file that the tool itself stores or exports, such as JSON.",
		}
	}
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f.Name)
	}
	return core.Problem{
		Path: path, Message: "not a session file of a known format",
		Hint: "Coppice reads the files of: " + strings.Join(names, ", "),
	}
}

// cutZip reports whether a file begins like a zip but lacks the end of one.
func cutZip(path string, head []byte) bool {
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return false
	}
	file, err := core.OpenRegular(path)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil {
		return false
	}
	_, err = zip.NewReader(file, info.Size())
	return errors.Is(err, zip.ErrFormat)
}

// wide reports whether a file begins with the byte order mark of UTF-16, in either order; see the Unicode Standard
// 2.13.
func wide(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF})
}

// unwatched returns the problem of places with more folders than the system can watch.
func unwatched(places []string) core.Problem {
	return core.Problem{
		Path:    strings.Join(places, ", "),
		Message: "the system tells of no changes in some folders: they are looked at every " + pollEvery.String(),
		Hint:    "have it watch more folders: fs.inotify.max_user_watches and max_user_instances with sysctl on Linux",
	}
}
