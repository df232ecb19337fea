package twopass

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// scan returns the objects of lines and their positions, and how many problems were reported.
func scan(t *testing.T, r Reader, data string) (raw []string, at []Position, problems int) {
	t.Helper()
	file := core.SourceFile{Problem: func(int64, string) { problems++ }}
	_, err := jsonl.Scan(t.Context(), strings.NewReader(data), int64(len(data)), func(l jsonl.Line) bool {
		return r.First(l, &file, 7, func(v gjson.Result, p Position) bool {
			raw, at = append(raw, v.Raw), append(at, p)
			return v.Get("stop").Type == gjson.Null
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return raw, at, problems
}

// TestAgain reads records by their positions: alone on a line, several on one, and after a line that is not JSON.
func TestAgain(t *testing.T) {
	const data = "{\"a\":1}\n{\"b\":2}{\"c\":3}\ntorn\n\xef\xbb\xbf{\"d\":\"ö\"}\n"
	r := NewReader()
	raw, at, problems := scan(t, r, data)
	if strings.Join(raw, " ") != `{"a":1} {"b":2} {"c":3} {"d":"ö"}` || problems != 2 {
		t.Fatalf("%q, %d problems", raw, problems)
	}
	if at[0].Part != -1 || at[1].Part != 0 || at[2].Part != 1 || at[3].Line != 4 || at[3].Source != 7 {
		t.Errorf("%+v", at)
	}
	var buffer Buffer
	for i := len(at) - 1; i >= 0; i-- {
		v, err := r.Again(strings.NewReader(data), at[i], &buffer)
		if err != nil || v.Raw != raw[i] {
			t.Errorf("record %d: %q, %v", i, v.Raw, err)
		}
	}
}

// TestStop ends the first pass at a record.
func TestStop(t *testing.T) {
	if raw, _, _ := scan(t, NewReader(), "{\"a\":1}\n{\"stop\":1}{\"b\":2}\n{\"c\":3}\n"); len(raw) != 2 {
		t.Errorf("%q", raw)
	}
}

// TestChanged reports a line that was rewritten or cut between the passes.
func TestChanged(t *testing.T) {
	r := NewReader()
	_, at, _ := scan(t, r, "{\"a\":1}\n")
	for _, now := range []string{"{\"a\":2}\n", "{\"a\"", ""} {
		if _, err := r.Again(strings.NewReader(now), at[0], &Buffer{}); core.CodeOf(err) != core.Invalid {
			t.Errorf("%q: %v", now, err)
		}
	}
}

// TestBuffer holds on to no buffer of a long line.
func TestBuffer(t *testing.T) {
	long := bytes.Repeat([]byte("x"), reusedBytes)
	data := `{"a":"` + string(long) + "\"}\n"
	r := NewReader()
	_, at, _ := scan(t, r, data)
	var buffer Buffer
	if _, err := r.Again(strings.NewReader(data), at[0], &buffer); err != nil || buffer.bytes != nil {
		t.Errorf("%d bytes are held, %v", len(buffer.bytes), err)
	}
}

// TestRecords leaves out what was imported before and what is not stored, and reports what has changed.
func TestRecords(t *testing.T) {
	var problems []int64
	file := core.SourceFile{FromBytes: 10, Problem: func(line int64, _ string) { problems = append(problems, line) }}
	position := func(n int32) (Position, bool) { return Position{Offset: int64(n) * 10, Line: n + 1}, n != 2 }
	build := func(n int32) (core.Record, error) {
		if n == 3 {
			return core.Record{}, core.E(core.Invalid, "changed")
		}
		return core.Record{Type: "x"}, nil
	}
	var lines []int64
	for r := range Records(&file, 5, position, build) {
		lines = append(lines, r.Line)
	}
	if len(lines) != 2 || lines[0] != 2 || lines[1] != 5 || len(problems) != 1 || problems[0] != 4 {
		t.Errorf("lines %v, problems %v", lines, problems)
	}
}
