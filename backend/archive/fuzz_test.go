package archive_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// FuzzImport imports arbitrary bytes. It must not panic; a session that it yields must be sound to its last message, so
// that none is half-written; and it must be a fixed point: exported, imported into an empty library and exported again,
// the bytes are the same. It uses the library in memory, because the real one is so large that fuzzing it is slow;
// TestRoundTrip is its counterpart.
func FuzzImport(f *testing.F) {
	for _, name := range []string{"session.v1.json", "archive.v1.json", "lines.v1.jsonl", "session.v2.json", "lines.v2.jsonl"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":"coppice.session","version":1,"session":{"id":"a"},"messages":[{"uid":"1","role":"user"},{"uid":"2","parentUid":"1","role":"assistant","parts":[{"type":"x","y":1}]}]}`))
	f.Add([]byte(`{"format":"coppice.lines","version":1,"session":{"id":"b","source":"pi"}}` + "\n" + `{"uid":"1","role":"user","createdAtMs":-5}` + "\n" + `{"record":{"line":3,"body":{}}}`))
	f.Add([]byte(`{"format":"coppice.session","version":2,"session":{"id":"a","status":"running"},"runs":[{"id":"r","mode":"plan","status":"running","lane":1},{"id":"r"}],` +
		`"states":[{"hash":"x","state":{"mode":"plan","Mode":1}}],"approvals":[{"id":"1","decision":"deny","ID":2}],"messages":[{"uid":"1","role":"user"}],` +
		`"requests":[{"runId":"r","parentUid":"1","stateHash":"x","requestHash":"sha256:` + strings.Repeat("0", 64) + `"}],"drafts":[{"runId":"r","message":{"role":"assistant"}}],` +
		`"toolExecutions":[{"runId":"r","messageUid":"1","state":"done","result":{"type":"tool_result","structured":[1]}}],"fileChanges":[{"messageUid":"1","path":"a/b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first := newMemoryLibrary()
		file := core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data))}
		for in, err := range archive.Read(context.Background(), file) {
			if err != nil {
				continue
			}
			if err := first.merge(in); err != nil {
				t.Fatalf("a session that was found sound is not: %v", err)
			}
		}
		for _, asLines := range []bool{false, true} {
			want := write(t, first, first.ids, asLines, archive.Options{})
			second := newMemoryLibrary()
			if problems := second.read(t, want); len(problems) > 0 {
				t.Fatalf("our own export is refused: %q\n%s", problems, want)
			}
			if got := write(t, second, first.ids, asLines, archive.Options{}); !bytes.Equal(got, want) {
				t.Fatal(difference(want, got))
			}
		}
	})
}
