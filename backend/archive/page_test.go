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

// page returns a page that carries sessions of a library.
func page(t *testing.T, from archive.Library, ids ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("<!doctype html>\n<html><head>\n" + archive.PageMark() + "\n</head><body><p>&lt;script&gt;</p>\n")
	if err := archive.WritePageBlock(context.Background(), &out, from, ids, archive.Options{NowMs: now}); err != nil {
		t.Fatal(err)
	}
	out.WriteString("<script>1</script></body></html>\n")
	return out.Bytes()
}

// TestPagesComeBackExactly writes pages that carry every sample file, and a session with runs, labels and a trash.
func TestPagesComeBackExactly(t *testing.T) {
	files, err := filepath.Glob("samples/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "testdata/session.v2.json", "testdata/restored.v2.json", "testdata/archive.v1.json", "") {
		db := openLibrary(t)
		ids := []string{ran}
		if name == "" {
			worked(t, db)
		} else {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			ids = readInto(t, db, data)
		}
		want := write(t, db, ids, false, archive.Options{NowMs: now})
		data := page(t, db, ids...)
		if !archive.Sniff("page.html", data[:min(len(data), 64<<10)]) {
			t.Errorf("%s: the page is not recognised", name)
		}
		other := openLibrary(t)
		if got := write(t, other, readInto(t, other, data), false, archive.Options{NowMs: now}); !bytes.Equal(got, want) {
			t.Errorf("%s: %s", name, difference(want, got))
		}
	}
}

func TestDamagedPages(t *testing.T) {
	db := openLibrary(t)
	worked(t, db)
	whole := page(t, db, ran)
	block := bytes.Index(whole, []byte("<script type"))
	for name, data := range map[string][]byte{
		"cut":        whole[:block+len(whole[block:])/2],
		"not base64": bytes.Replace(whole, []byte("archive\">\nH4sI"), []byte("archive\">\n%%%%"), 1),
		"not gzip":   bytes.Replace(whole, []byte("archive\">\nH4sI"), []byte("archive\">\nAAAA"), 1),
		"no block":   whole[:block],
	} {
		var problems []string
		file := core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data)), Problem: func(_ int64, message string) { problems = append(problems, message) }}
		for in, err := range archive.Read(context.Background(), file) {
			t.Errorf("%s: %v, %v", name, in.Session.ID, err)
		}
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "the JSON in the page is damaged: ") {
			t.Errorf("%s: %q", name, problems)
		}
	}
	if archive.Sniff("page.html", []byte("<!doctype html>\n<html><head><title>"+"coppice-archive</title>")) {
		t.Error("a page without JSON is taken for one")
	}
}
