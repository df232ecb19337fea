package claudecode

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// tester is a test, a fuzz target or a property.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// reading is the result of reading a file, for one session.
type reading struct {
	core.Session
	parentSourceID string
	messages       []core.IncomingMessage
	byUID          map[string]core.IncomingMessage
	head           string
	records        []core.Record
	cursor         *core.Cursor
}

// readings reads a file's contents and checks what must hold for every result, for instance that a small file and one that is too
// large to be kept are read alike.
func readings(t tester, path string, data []byte, from int64) ([]reading, []core.Problem) {
	t.Helper()
	size := int64(len(data))
	all, problems := readingsOf(t, path, data, from, max(size, keptBytes+1))
	if size > keptBytes {
		return all, problems
	}
	small, same := readingsOf(t, path, data, from, size)
	if !reflect.DeepEqual(small, all) || !reflect.DeepEqual(same, problems) {
		t.Fatalf("%s is read in two ways: %+v with %v, %+v with %v", path, small, same, all, problems)
	}
	return all, problems
}

// readingsOf reads contents that are the beginning of a file of sizeBytes.
func readingsOf(t tester, path string, data []byte, from, sizeBytes int64) ([]reading, []core.Problem) {
	t.Helper()
	var problems []core.Problem
	file := core.SourceFile{
		Path: path, SizeBytes: sizeBytes, FromBytes: from, Data: bytes.NewReader(data), Progress: func(int64) {},
		Problem: func(line int64, message string) {
			problems = append(problems, core.Problem{Path: path, Line: line, Message: message})
		},
	}
	var out []reading
	for in, err := range Format().Read(context.Background(), file) {
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, gather(t, in))
	}
	return out, problems
}

func gather(t tester, in core.Incoming) reading {
	t.Helper()
	r := reading{Session: in.Session, parentSourceID: in.ParentSourceID, byUID: map[string]core.IncomingMessage{}, cursor: in.Cursor}
	for m, err := range in.Messages {
		if err != nil {
			t.Fatal(err)
		}
		if m.UID == "" {
			t.Fatal("a message without a uid")
		}
		if _, twice := r.byUID[m.UID]; twice {
			t.Fatalf("uid %s twice", m.UID)
		}
		if _, known := r.byUID[m.ParentUID]; m.ParentUID != "" && !known {
			t.Fatalf("%s comes before its parent %s", m.UID, m.ParentUID)
		}
		if m.Meta != nil && !json.Valid(m.Meta) {
			t.Fatalf("%s: meta is not JSON", m.UID)
		}
		if !m.Known && m.Parts == nil {
			t.Fatalf("%s: nil parts", m.UID)
		}
		r.byUID[m.UID] = m
		r.messages = append(r.messages, m)
	}
	r.head = in.Head()
	if _, known := r.byUID[r.head]; r.head != "" && !known {
		t.Fatalf("unknown head %s", r.head)
	}
	for rec := range in.Records {
		if !json.Valid(rec.Body) {
			t.Fatalf("record of line %d is not JSON", rec.Line)
		}
		r.records = append(r.records, rec)
	}
	return r
}

// readOne reads contents that hold one session.
func readOne(t tester, data []byte) reading {
	t.Helper()
	all, problems := readings(t, "/p/11111111-2222-4333-8444-555555555555.jsonl", data, 0)
	if len(all) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, problems %v", len(all), problems)
	}
	return all[0]
}

// readFile reads a file.
func readFile(t testing.TB, path string) ([]reading, []core.Problem) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return readings(t, abs, data, 0)
}

// shape writes the tree as one line: a chain in a row, alternatives in parentheses.
func (r reading) shape() string {
	children := map[string][]string{}
	for _, m := range r.messages {
		children[m.ParentUID] = append(children[m.ParentUID], m.UID)
	}
	var below func(uid string) string
	below = func(uid string) string {
		out := ""
		for kids := children[uid]; len(kids) > 0; kids = children[uid] {
			if len(kids) > 1 {
				for _, k := range kids {
					out += " (" + k + below(k) + ")"
				}
				return out
			}
			uid = kids[0]
			out += " " + uid
		}
		return out
	}
	return strings.TrimSpace(below(""))
}

// samples returns generated sessions and, if they exist, the sample sessions beside the repository.
func samples(t testing.TB, pattern string) []string {
	t.Helper()
	return importertest.Samples(t, "claude-code/"+pattern)
}
