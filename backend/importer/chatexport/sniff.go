package chatexport

import (
	"archive/zip"
	"bytes"
	"io"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/transcript"
)

// headBytes is how much of the conversations in a zip is read.
const headBytes = 64 << 10

// First returns the beginning of the first conversation of an export; lists are the paths of its long members. It
// returns false if a file that begins with head is not an export.
func First(file string, head []byte, lists ...string) (transcript.Head, bool) {
	if isZip(head) {
		head = headInZip(file)
	}
	s := jsondoc.NewScanner(bytes.NewReader(head))
	if c, err := s.Peek(); err != nil || c != '[' {
		return transcript.Sniff(head, lists...)
	}
	if s.Enter() != nil {
		return transcript.Head{}, false
	}
	if _, more, err := s.Next(); err != nil || !more {
		return transcript.Head{}, false
	}
	if _, err := s.Peek(); err != nil {
		return transcript.Head{}, false
	}
	return transcript.Sniff(head[s.OffsetBytes():], lists...)
}

// headInZip returns the beginning of the conversations; nil for a zip without any.
func headInZip(file string) []byte {
	packed, err := core.OpenRegular(file)
	if err != nil {
		return nil
	}
	defer packed.Close() //nolint:errcheck // it was only read
	info, err := packed.Stat()
	if err != nil {
		return nil
	}
	z, err := zip.NewReader(packed, info.Size())
	if err != nil {
		return nil
	}
	files := conversationFiles(z)
	if len(files) == 0 {
		return nil
	}
	in, err := files[0].Open()
	if err != nil {
		return nil
	}
	defer in.Close()                                     //nolint:errcheck // it was only read
	head, _ := io.ReadAll(io.LimitReader(in, headBytes)) // what precedes the damage
	return head
}
