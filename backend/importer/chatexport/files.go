package chatexport

import (
	"archive/zip"
	"cmp"
	"io"
	"math"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
)

// fileID matches the beginning of a file's name in an export: the id by which messages refer to it.
var fileID = lazyregexp.New(`^file[-_][A-Za-z0-9]+`)

// attached is a file that belongs to the export.
type attached struct {
	name   string
	zipped *zip.File // nil: a file beside conversations.json
	path   string
}

// HasFiles reports whether the export has any of the files that messages refer to.
func (e *Export) HasFiles() bool {
	e.index()
	return len(e.files) > 0
}

// Attachments are the files of one conversation. Each is read once: further references name it by its hash.
type Attachments struct {
	export *Export
	read   map[string]taken // by id
	left   int64            // what the message may still have, in bytes
}

// taken is a file that was read.
type taken struct {
	hash, mimeType string
	sizeBytes      int64
}

// Attachments returns the attachments of a conversation.
func (c *Conversation) Attachments() *Attachments {
	return &Attachments{export: c.Export, read: map[string]taken{}}
}

// NextMessage begins a message, which has its own size limit.
func (all *Attachments) NextMessage() { all.left = core.MaxMessageMediaBytes }

// Attach fills in the bytes of a file that a message refers to by an id, and its name and type if they are not known. It
// leaves media as they are if the export does not have the file, and adds to their name why a file is not imported.
func (all *Attachments) Attach(media *core.Media, id string) {
	all.export.index()
	id = fileID.FindString(id)
	a, ok := all.export.files[id]
	if !ok {
		return
	}
	if media.Name == "" {
		media.Name = path.Base(filepath.ToSlash(a.name))
	}
	if before, ok := all.read[id]; ok {
		media.Blob, media.URI, media.SizeBytes = before.hash, "", before.sizeBytes
		media.MimeType = cmp.Or(media.MimeType, before.mimeType)
		return
	}
	data, err := a.read(min(core.MaxAttachmentBytes, all.left))
	if err != nil {
		all.export.file.Problem(0, a.name+": "+err.Error())
		media.Name += " (" + err.Error() + ")"
		return
	}
	all.left -= int64(len(data))
	media.Data, media.URI, media.SizeBytes = data, "", int64(len(data))
	found := typeOf(a.name, data)
	media.MimeType = cmp.Or(media.MimeType, found)
	if len(data) > 0 {
		all.read[id] = taken{core.Hash(data), found, media.SizeBytes}
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

// index finds the files of the export: those in the zip, or those in the folder of conversations.json and in its folders.
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
		return // files beside it do not belong to it
	}
	folders := []string{filepath.Dir(e.file.Path)}
	for n := 0; n < len(folders); n++ {
		entries, _ := os.ReadDir(folders[n]) // unreadable folders count as empty
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

// read returns the bytes of a file of at most limit bytes.
func (a *attached) read(limit int64) ([]byte, error) {
	var in io.ReadCloser
	var err error
	if size := a.sizeBytes(); size > limit {
		return nil, tooLarge(size, limit)
	}
	if a.zipped != nil {
		in, err = a.zipped.Open()
	} else {
		in, err = core.OpenRegular(a.path)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, tooLarge(int64(len(data)), limit)
	}
	return data, nil
}

// sizeBytes returns the size that the file declares; 0 if unknown.
func (a *attached) sizeBytes() int64 {
	if a.zipped != nil {
		return int64(min(a.zipped.UncompressedSize64, math.MaxInt64)) //nolint:gosec // clamped
	}
	info, err := os.Stat(a.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func tooLarge(sizeBytes, limit int64) error {
	if limit < core.MaxAttachmentBytes {
		return core.E(core.Invalid, "attachment of %s not imported: the attachments of a message may have %s",
			humanize.IBytes(uint64(sizeBytes)), humanize.IBytes(core.MaxMessageMediaBytes)) //nolint:gosec // positive
	}
	return core.E(core.Invalid, "attachment of %s not imported: larger than the limit of %s",
		humanize.IBytes(uint64(sizeBytes)), humanize.IBytes(core.MaxAttachmentBytes)) //nolint:gosec // positive
}
