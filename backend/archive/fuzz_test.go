package archive_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// FuzzImport feeds the importer anything. It must not panic; what it refuses must leave nothing behind;
// and what it takes must be a fixed point: exported, imported into an empty file and exported, the bytes stay.
func FuzzImport(f *testing.F) {
	for _, name := range []string{"session.v1.json", "archive.v1.json", "lines.v1.jsonl"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":"coppice.session","version":1,"session":{"id":"a"},"messages":[{"uid":"1","role":"user"},{"uid":"2","parentUid":"1","role":"assistant","parts":[{"type":"x","y":1}]}]}`))
	f.Add([]byte(`{"format":"coppice.lines","version":1,"session":{"sourceId":"a","source":"pi"}}` + "\n" + `{"uid":"1","role":"user","createdAtMs":-5}` + "\n" + `{"record":{"line":3,"body":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := context.Background()
		first := openLibrary(t)
		ids := map[string]bool{}
		var order []string
		for in, err := range (archive.Format{}).Read(ctx, core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data))}) {
			if err != nil {
				continue
			}
			merged, err := first.Merge(ctx, in)
			if err != nil {
				continue
			}
			if !ids[merged.SessionID] {
				ids[merged.SessionID] = true
				order = append(order, merged.SessionID)
			}
		}
		stats, err := first.Stats(ctx)
		if err != nil || stats.Sessions != int64(len(order)) {
			t.Fatalf("%d sessions, %d were reported: %v", stats.Sessions, len(order), err)
		}
		if len(order) == 0 {
			return
		}
		want := write(t, first, order, false, archive.Options{})
		second := openLibrary(t)
		readInto(t, second, want)
		if got := write(t, second, order, false, archive.Options{}); !bytes.Equal(got, want) {
			t.Fatal(difference(want, got))
		}
	})
}
