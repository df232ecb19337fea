package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const replicated = `{"type":"user","uuid":"aaaaaaaa-0000-4000-8000-000000000001","message":{"role":"user","content":"Why does the teapot leak when it is full?\nEscape \u0007 \"quoted\" teapot"}}
{"type":"assistant","uuid":"aaaaaaaa-0000-4000-8000-000000000002","message":{"role":"assistant","content":"The teapot has a crack below the handle, as it seems"}}
`

func TestReplicateGivesCopiesOtherIdsAndWords(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	paths := []string{filepath.Join(folder, "a.jsonl")}
	// The words of the other files, without "teapot": it is not a shared word.
	for _, name := range []string{"b.jsonl", "c.jsonl", "d.jsonl", "e.jsonl"} {
		paths = append(paths, filepath.Join(folder, name))
		text := strings.NewReplacer("teapot", "kettle", "crack", "flaw").Replace(replicated)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(paths[0], []byte(replicated), 0o600); err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	written, err := replicate(paths, to, int64(len(replicated))*8)
	if err != nil {
		t.Fatal(err)
	}
	first, second := readFile(t, filepath.Join(to, "copy-0", "a.jsonl")), readFile(t, filepath.Join(to, "copy-1", "a.jsonl"))
	if written < int64(len(replicated))*8 || first != replicated {
		t.Errorf("the first copy differs from its source, or %d bytes are too few", written)
	}
	if len(second) != len(first) || strings.Contains(second, "teapot") || strings.Contains(second, "aaaaaaaa-") {
		t.Errorf("the second copy shares words or ids with the first:\n%s", second)
	}
	for _, kept := range []string{`"type":"assistant"`, "when", `\u0007 \"`, "handle", `full?\n`} {
		if !strings.Contains(second, kept) {
			t.Errorf("the second copy has lost %s:\n%s", kept, second)
		}
	}
	for line := range strings.Lines(second) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not valid JSON: %s", line)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
