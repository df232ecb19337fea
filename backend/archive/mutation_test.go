package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// checksOf returns how many cases of a slow property are checked: few, unless -rapid.checks demands more than its default.
func checksOf(few int) int {
	n, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil || n <= 100 {
		return few
	}
	return n
}

// scratchLibrary is a library that is closed when done is called, because a property opens many.
func scratchLibrary(t *rapid.T) (db *sqlite.DB, done func()) {
	folder, err := os.MkdirTemp("", "coppice-archive")
	if err == nil {
		db, err = sqlite.Open(context.Background(), filepath.Join(folder, "coppice.db"), sqlite.Options{Now: func() int64 { return now }})
	}
	if err != nil {
		t.Fatal(err)
	}
	return db, func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	}
}

// TestMutatedFiles changes a golden file at random positions of its structure. What can be imported of it is exported, imported and exported
// again with the same bytes, by the library in memory and, in the first cases, by the real one.
func TestMutatedFiles(t *testing.T) {
	var golden []any
	for _, name := range []string{"session.v2.json", "archive.v1.json", "restored.v2.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		var file any
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&file); err != nil {
			t.Fatal(err)
		}
		golden = append(golden, file)
	}
	inLibrary, checked := checksOf(15), 0
	rapid.Check(t, func(r *rapid.T) {
		file := clone(rapid.SampledFrom(golden).Draw(r, "file"))
		for range rapid.IntRange(1, 4).Draw(r, "mutations") {
			file = mutate(r, file)
		}
		data, err := json.Marshal(file)
		if err != nil {
			r.Fatal(err)
		}
		memory := newMemoryLibrary()
		fixedPoint(t, r, memory, func() (archive.Library, func(), reader) {
			s := newMemoryLibrary()
			return s, func() {}, s
		}, data)
		if checked++; checked > inLibrary {
			return
		}
		db, done := scratchLibrary(r)
		defer done()
		fixedPoint(t, r, libraryReader{db}, func() (archive.Library, func(), reader) {
			other, done := scratchLibrary(r)
			return other, done, libraryReader{other}
		}, data)
	})
}

// reader imports files.
type reader interface {
	archive.Library
	take(r *rapid.T, data []byte, sound bool) (ids []string)
}

type libraryReader struct{ *sqlite.DB }

func (l libraryReader) take(r *rapid.T, data []byte, sound bool) (ids []string) {
	for in, err := range archive.Read(context.Background(), core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data))}) {
		if err == nil {
			var m core.Merged
			if m, err = core.Merge(context.Background(), l.DB, in); err == nil && !slices.Contains(ids, m.SessionID) {
				ids = append(ids, m.SessionID)
			}
		}
		if err != nil && sound {
			r.Fatalf("our own export is refused: %v\n%s", err, data)
		}
	}
	return ids
}

func (s *memoryLibrary) take(r *rapid.T, data []byte, sound bool) []string {
	for in, err := range archive.Read(context.Background(), core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data))}) {
		if err == nil {
			err = s.merge(in)
			if err != nil {
				r.Fatalf("a session that was found sound is not: %v", err)
			}
		}
		if err != nil && sound {
			r.Fatalf("our own export is refused: %v\n%s", err, data)
		}
	}
	return s.ids
}

// fixedPoint imports a file and checks that its export is a fixed point.
func fixedPoint(t *testing.T, r *rapid.T, first reader, another func() (archive.Library, func(), reader), data []byte) {
	ids := first.take(r, data, false)
	if len(ids) == 0 {
		return
	}
	for _, asLines := range []bool{false, true} {
		want := write(t, first, ids, asLines, archive.Options{})
		_, done, second := another()
		if got := second.take(r, want, true); !slices.Equal(got, ids) {
			r.Fatalf("sessions %v became %v", ids, got)
		}
		if got := write(t, second, ids, asLines, archive.Options{}); !bytes.Equal(got, want) {
			r.Fatalf("%s\nof %s", difference(want, got), data)
		}
		done()
	}
}

// clone copies a decoded JSON value.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = clone(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = clone(e)
		}
		return out
	default:
		return v
	}
}

// mutate changes one random value somewhere in a decoded JSON value: it is removed, repeated, replaced by a value of another kind or by
// one from elsewhere in the file.
func mutate(r *rapid.T, root any) any {
	var at []func(any)   // sets the value at each position
	var drop []func()    // removes it
	var twice []func()   // repeats it
	var values []any     // the values
	var walk func(v any) // collects them
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(v))
			for k := range v {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				at, values = append(at, func(n any) { v[k] = n }), append(values, v[k])
				drop, twice = append(drop, func() { delete(v, k) }), append(twice, func() { v[k+"2"] = v[k] })
				walk(v[k])
			}
		case []any:
			for i := range v {
				at, values = append(at, func(n any) { v[i] = n }), append(values, v[i])
				drop, twice = append(drop, func() { v[i] = nil }), append(twice, func() { v[i] = clone(v[(i+1)%len(v)]) })
				walk(v[i])
			}
		}
	}
	walk(root)
	if len(at) == 0 {
		return root
	}
	i := rapid.IntRange(0, len(at)-1).Draw(r, "at")
	switch rapid.IntRange(0, 4).Draw(r, "how") {
	case 0:
		drop[i]()
	case 1:
		twice[i]()
	case 2:
		at[i](clone(values[rapid.IntRange(0, len(values)-1).Draw(r, "from")]))
	case 3:
		at[i](rapid.SampledFrom([]any{
			nil, true, "", "x", "\x00", "é\u202e", json.Number("0"), json.Number("-1"), json.Number("1.5"), json.Number("9223372036854775807"), json.Number("1e400"),
			[]any{},
			map[string]any{},
			map[string]any{"a": json.Number("1")},
		}).Draw(r, "value"))
	default:
		if text, ok := values[i].(string); ok {
			at[i](text + fmt.Sprint(rapid.IntRange(0, 3).Draw(r, "suffix")))
		} else {
			drop[i]()
		}
	}
	return root
}
