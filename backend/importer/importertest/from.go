package importertest

import (
	"bytes"
	"context"

	"coppice/backend/core"
	"coppice/backend/importer"
)

// ReadFrom reads contents of which everything before an offset is in the library, and fails if the result is not a
// valid tree. It returns the messages; those that the library has are only named.
func ReadFrom(t Tester, f importer.Format, path string, data []byte, from int64) []core.IncomingMessage {
	t.Helper()
	file := core.SourceFile{
		Path: path, SizeBytes: int64(len(data)), FromBytes: from, Data: bytes.NewReader(data), Progress: func(int64) {}, Problem: func(int64, string) {},
	}
	var all []core.IncomingMessage
	for in, err := range f.Read(context.Background(), file) {
		if err != nil {
			t.Fatal(err)
		}
		came := map[string]bool{"": true}
		for m, err := range in.Messages {
			switch {
			case err != nil:
				t.Fatal(err)
			case came[m.UID] || !came[m.ParentUID]:
				t.Fatalf("%s comes twice, or before its parent %s", m.UID, m.ParentUID)
			case !m.Known && m.Parts == nil:
				t.Fatalf("%s: nil parts", m.UID)
			}
			came[m.UID] = true
			all = append(all, m)
		}
		if in.Head != nil && !came[in.Head()] {
			t.Fatalf("unknown head %s", in.Head())
		}
		if in.Records != nil {
			for range in.Records { // they are read, too
			}
		}
	}
	return all
}
