package jsonl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20) // longer than the reader's buffer
	for name, c := range map[string]struct {
		text string
		want []Line
	}{
		"nothing":         {"", nil},
		"one":             {"a\n", []Line{{Number: 1, End: 2, Text: []byte("a")}}},
		"torn":            {"a\nbc", []Line{{Number: 1, End: 2, Text: []byte("a")}, {Number: 2, Offset: 2, End: 4, Text: []byte("bc"), Torn: true}}},
		"carriage return": {"a\r\nb\r\n", []Line{{Number: 1, End: 3, Text: []byte("a")}, {Number: 2, Offset: 3, End: 6, Text: []byte("b")}}},
		"empty ones":      {"\n\na\n", []Line{{Number: 1, End: 1}, {Number: 2, Offset: 1, End: 2}, {Number: 3, Offset: 2, End: 4, Text: []byte("a")}}},
		"a long one":      {long + "\na\n", []Line{{Number: 1, End: 3<<20 + 1, Text: []byte(long)}, {Number: 2, Offset: 3<<20 + 1, End: 3<<20 + 3, Text: []byte("a")}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := allLines(t, strings.NewReader(c.text))
			if len(got) != len(c.want) {
				t.Fatalf("%d lines, want %d", len(got), len(c.want))
			}
			for i, l := range got {
				w := c.want[i]
				if l.Number != w.Number || l.Offset != w.Offset || l.End != w.End || l.Torn != w.Torn || l.TooLong || !bytes.Equal(l.Text, w.Text) {
					t.Errorf("line %d: %d to %d, torn %t, %d bytes; want %d to %d, torn %t, %d bytes",
						l.Number, l.Offset, l.End, l.Torn, len(l.Text), w.Offset, w.End, w.Torn, len(w.Text))
				}
			}
		})
	}
}

// A line that is too long is skipped, and the next one has the right offset.
func TestLinesTooLong(t *testing.T) {
	text := io.MultiReader(io.LimitReader(endless('x'), MaxLine+7), strings.NewReader("\n{}\n"))
	got := allLines(t, text)
	if len(got) != 2 || !got[0].TooLong || got[0].Text != nil {
		t.Fatalf("%d lines, the first too long: %t", len(got), got[0].TooLong)
	}
	if got[1].TooLong || string(got[1].Text) != "{}" || got[1].Offset != MaxLine+8 || got[1].Number != 2 {
		t.Errorf("line %d at %d: %q", got[1].Number, got[1].Offset, got[1].Text)
	}
}

// The lines hold all bytes of the file, whatever the sizes of the reads.
func TestLinesKeepEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.StringMatching(`[a\r{}" ]{0,20}`)).Draw(t, "lines"), "\n")
		whole := allLines(t, strings.NewReader(text))
		end := int64(0)
		for i, l := range whole {
			if l.Offset != end || l.Number != int64(i+1) {
				t.Fatalf("line %d begins at %d, the former one ends at %d", l.Number, l.Offset, end)
			}
			if want := strings.TrimRight(text[l.Offset:l.End], "\r\n"); string(l.Text) != want {
				t.Fatalf("line %d is %q, in the file %q", l.Number, l.Text, want)
			}
			end = l.End
		}
		if end != int64(len(text)) {
			t.Fatalf("the lines end at %d of %d", end, len(text))
		}
		if pieces := allLines(t, iotest.OneByteReader(strings.NewReader(text))); len(pieces) != len(whole) {
			t.Fatalf("%d lines read byte by byte, %d at once", len(pieces), len(whole))
		}
	})
}

func TestScan(t *testing.T) {
	text := "{}\n{}\n{"
	read := func(ctx context.Context, most int) (n int, endBytes int64, err error) {
		endBytes, err = Scan(ctx, strings.NewReader(text), int64(len(text)), func(Line) bool {
			n++
			return n <= most
		})
		return n, endBytes, err
	}
	if n, end, err := read(t.Context(), 9); n != 3 || end != 6 || err != nil {
		t.Errorf("a torn line belongs to no end: %d lines, end %d, %v", n, end, err)
	}
	if n, end, err := read(t.Context(), 1); n != 2 || end != 3 || err != nil {
		t.Errorf("a line that is not taken is not passed: %d lines, end %d, %v", n, end, err)
	}
	text = strings.Repeat("{}\n", 3*cancelLines)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, _, err := read(ctx, len(text)); n >= cancelLines || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled after %d lines: %v", n, err)
	}
	broken := iotest.ErrReader(errors.New("the disk is gone"))
	if _, err := Scan(t.Context(), readerAt{broken}, 10, func(Line) bool { return true }); err == nil {
		t.Error("an error of the disk is an end")
	}
}

func TestRecords(t *testing.T) {
	var told []int64
	file := core.SourceFile{FromBytes: 100, Problem: func(line int64, _ string) { told = append(told, line) }}
	for _, c := range []struct {
		line    Line
		objects int
		isTold  bool
	}{
		{Line{Number: 1, Offset: 100}, 0, false},
		{Line{Number: 2, Offset: 100, Text: []byte(`{"a":1}`)}, 1, false},
		{Line{Number: 3, Offset: 100, Text: []byte(`{"a":1}{"b":2}`)}, 2, true},
		{Line{Number: 4, Offset: 100, Text: []byte(`{"a":`)}, 0, true},
		{Line{Number: 5, Offset: 100, Text: []byte(`{"a":`), Torn: true}, 0, false},
		{Line{Number: 6, Offset: 99, Text: []byte(`{"a":`)}, 0, false},
		{Line{Number: 7, Offset: 100, TooLong: true}, 0, true},
		{Line{Number: 8, Offset: 100, Text: []byte(`[1]`)}, 0, true},
	} {
		told = nil
		if got := Records(c.line, &file); len(got) != c.objects || (len(told) == 1 && told[0] == c.line.Number) != c.isTold {
			t.Errorf("line %d: %d objects, told of %v", c.line.Number, len(got), told)
		}
	}
}

// tester is what tests and properties share.
type tester interface {
	Helper()
	Fatal(args ...any)
}

func allLines(t tester, r io.Reader) []Line {
	t.Helper()
	var lines []Line
	for l, err := range Lines(r) {
		if err != nil {
			t.Fatal(err)
		}
		l.Text = bytes.Clone(l.Text)
		lines = append(lines, l)
	}
	return lines
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

type readerAt struct{ io.Reader }

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return r.Read(p) }

// TestLongLineCost counts what the longest lines cost: reading and parsing one takes twice its length.
func TestLongLineCost(t *testing.T) {
	const size = 32 << 20
	text := []byte(`{"text":"` + strings.Repeat("0123456789abcde\\n", size/16) + "\"}\n{}\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := 0
	_, err := Scan(t.Context(), bytes.NewReader(text), int64(len(text)), func(l Line) bool {
		found += len(Parse(l.Text))
		return true
	})
	runtime.ReadMemStats(&after)
	if err != nil || found != 2 {
		t.Fatalf("%d objects: %v", found, err)
	}
	if times := float64(after.TotalAlloc-before.TotalAlloc) / size; times > 2.3 {
		t.Errorf("a line takes %.1f times its length", times)
	}
}
