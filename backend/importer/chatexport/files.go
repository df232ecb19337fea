package chatexport

import (
	"archive/zip"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"coppice/backend/core"
)

// maxFileBytes is the largest file of an export that is taken in.
const maxFileBytes = 64 << 20

// fileID is how the name of a file begins in an export: with the id by which messages speak of it.
var fileID = regexp.MustCompile(`^file[-_][A-Za-z0-9]+`)

// attached is a file that belongs to the export.
type attached struct {
	name   string
	zipped *zip.File // nil: a file beside conversations.json
	path   string
}

// HasFiles says whether the export has any of the files that messages speak of.
func (e *Export) HasFiles() bool {
	e.index()
	return len(e.files) > 0
}

// Attach fills in the bytes of a file that a message speaks of by an id, and its name and type where they are not known; it
// leaves media as they are where the export does not have the file.
func (e *Export) Attach(media *core.Media, id string) {
	e.index()
	a, ok := e.files[fileID.FindString(id)]
	if !ok {
		return
	}
	data, err := a.read()
	if err != nil {
		e.file.Problem(0, a.name+": "+err.Error())
		return
	}
	media.Data, media.URI, media.SizeBytes = data, "", int64(len(data))
	if media.Name == "" {
		media.Name = path.Base(filepath.ToSlash(a.name))
	}
	if media.MimeType == "" {
		media.MimeType = typeOf(a.name, data)
	}
}

// typeOf trusts the bytes more than the name: newer exports call every file .dat.
func typeOf(name string, data []byte) string {
	found := http.DetectContentType(data)
	if found != "application/octet-stream" && !strings.HasPrefix(found, "text/plain") {
		return found
	}
	if byName := mime.TypeByExtension(path.Ext(name)); byName != "" {
		return byName
	}
	return found
}

// index finds the files of the export: those in the zip, or those in the folder of conversations.json and the folders in it.
func (e *Export) index() {
	if e.files != nil {
		return
	}
	e.files = map[string]attached{}
	add := func(a attached) {
		if id := fileID.FindString(path.Base(a.name)); id != "" {
			e.files[id] = a
		}
	}
	if e.zip != nil {
		for _, f := range e.zip.File {
			add(attached{name: f.Name, zipped: f})
		}
		return
	}
	if !conversationsFile.MatchString(filepath.Base(e.file.Path)) {
		return // what lies beside it is not its own
	}
	folders := []string{filepath.Dir(e.file.Path)}
	for n := 0; n < len(folders); n++ {
		entries, _ := os.ReadDir(folders[n]) // what cannot be read is not there
		for _, entry := range entries {
			at := filepath.Join(folders[n], entry.Name())
			switch {
			case entry.IsDir() && n == 0:
				folders = append(folders, at)
			case entry.Type().IsRegular():
				add(attached{name: entry.Name(), path: at})
			}
		}
	}
}

func (a *attached) read() ([]byte, error) {
	var in io.ReadCloser
	var err error
	if a.zipped != nil {
		in, err = a.zipped.Open()
	} else {
		in, err = os.Open(a.path)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFileBytes {
		return nil, core.E(core.Invalid, "larger than 64 MB, left out")
	}
	return data, nil
}
