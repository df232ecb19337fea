package line

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// typist returns an Editor whose user types one chunk each time the editor waits for input.
func typist(out io.Writer, chunks ...string) *Editor {
	return &Editor{
		Out: out, Size: func() (int, int) { return 40, 10 },
		In: func() ([]byte, error) {
			if len(chunks) == 0 {
				return nil, io.ErrUnexpectedEOF
			}
			next := chunks[0]
			chunks = chunks[1:]
			return []byte(next), nil
		},
	}
}

func TestRead(t *testing.T) {
	for _, tc := range []struct{ name, typed, want string }{
		{"plain", "hello\r", "hello"},
		{"in the middle", "hllo\x01\x06e\r", "hello"},
		{"arrows", "helo\x1b[D\x1b[Dl\x1bOC\x1b[C!\r", "hello!"},
		{"backspace takes a whole character", "a👩‍💻é\x7f\x7fb\r", "ab"},
		{"a combining mark joins", "e\u0301\x7fx\r", "x"},
		{"words", "one two three\x17\x1bb\x1b\x7f\r", "two "},
		{"to the ends", "one two\x1bb\x0b\x1bbx\x15y\r", "yone "},
		{"delete", "abc\x01\x1b[3~\x04\r", "c"},
		{"pasted lines are one text", "a \x1b[200~b\r\nc\td\x1b[31m\x1b[201~ e\r", "a b\nc\td[31m e"},
		{"Alt and Enter", "a\x1b\rb\x1b[A\r", "a\nb"},
		{"unknown keys do nothing", "a\x1b[99~\x1b[25;7~\x00b\r", "ab"},
		{"home and end are those of a row", "a\x1b\rbc\x01x\x05y\r", "a\nxbcy"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			whole, err := typist(io.Discard, tc.typed).Read("> ", "")
			if err != nil || whole != tc.want {
				t.Errorf("got %q, %v; want %q", whole, err, tc.want)
			}
			pieces := strings.Split(tc.typed, "")
			split := make([]string, 0, len(tc.typed))
			for _, p := range pieces { // byte by byte, as over a slow line
				for i := range len(p) {
					split = append(split, p[i:i+1])
				}
			}
			if slow, err := typist(io.Discard, split...).Read("> ", ""); err != nil || slow != tc.want {
				t.Errorf("byte by byte: got %q, %v; want %q", slow, err, tc.want)
			}
		})
	}
}

func TestReadEnds(t *testing.T) {
	for typed, want := range map[string]error{"ab\x03": ErrInterrupted, "\x04": io.EOF, "ab": io.ErrUnexpectedEOF} {
		if _, err := typist(io.Discard, typed).Read("> ", ""); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", typed, err, want)
		}
	}
	e := typist(io.Discard, "one\rtwo\rthr", "ee\r")
	for _, want := range []string{"one", "two", "three"} {
		if got, err := e.Read("> ", ""); err != nil || got != want {
			t.Errorf("typed ahead: %q, %v; want %q", got, err, want)
		}
	}
	if got, err := typist(io.Discard, "!\r").Read("> ", "given"); err != nil || got != "given!" {
		t.Errorf("a text to begin with: %q, %v", got, err)
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	open := func() *History {
		t.Helper()
		h, err := OpenHistory(path)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := open()
	for _, entry := range []string{"first", "/tree", "second\nline", "second\nline", " ", "/label x"} {
		if err := h.Add(entry); err != nil {
			t.Fatal(err)
		}
	}
	for typed, want := range map[string]string{
		"\x1b[A\x1b[A\r": "second\nline", "\x1b[A\x1b[A\x1b[B\r": "/label x", "/t\x1b[A\r": "/tree", "ne\x1b[A\r": "ne",
		"w\x1b[A\x1b[B\r": "w", "\x10\x10\x10\x10\x10\x10\r": "first", "\x1b[A\x1b[A\x1b[B\x1b[Bx\r": "x",
	} {
		e := typist(io.Discard, typed)
		e.Past = open()
		if got, err := e.Read("> ", ""); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", typed, got, err, want)
		}
	}
	for range 2*keptEntries + 1 {
		h.entries = append(h.entries, "x")
	}
	if err := h.rewrite(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first time shortens the file
		if n := open().len(); n != keptEntries {
			t.Errorf("%d entries are kept, want %d", n, keptEntries)
		}
	}
}

func TestComplete(t *testing.T) {
	words := []string{"/tree", "/tools", "/label"}
	for typed, want := range map[string]string{"/la\t\r": "/label ", "/t\t\r": "/t", "/to\tx\r": "/tools x", "\t\r": "/", "?\t\r": "?"} {
		var out bytes.Buffer
		e := typist(&out, typed)
		e.Hint = func(before string) (int, []string) {
			return 0, slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, before) })
		}
		if got, err := e.Read("> ", ""); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", typed, got, err, want)
		}
		if listed := strings.Contains(out.String(), "/tree  /tools\r\n"); listed != (typed == "/t\t\r") {
			t.Errorf("%q: listed %v: %q", typed, listed, out.String())
		}
	}
}

// TestRows checks that no text is lost, that the terminal itself wraps no row, and that the cursor is where the text
// continues.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab \n\t你👩é"))).Draw(t, "text")
		width := rapid.IntRange(8, 30).Draw(t, "width")
		b := buffer{}
		b.set(text, "")
		b.at = rapid.IntRange(0, len(b.characters)).Draw(t, "at")
		shown, row, column := rows("> ", &b, width)
		var all strings.Builder
		for i, line := range shown {
			if uniseg.StringWidth(line) >= width {
				t.Fatalf("row %d of %q is too wide: %q", i, text, line)
			}
			all.WriteString(line[2:])
		}
		want := strings.ReplaceAll(strings.ReplaceAll(text, "\n", ""), "\t", "    ")
		if all.String() != want {
			t.Fatalf("shows %q, want %q", all.String(), want)
		}
		if row >= len(shown) || column > uniseg.StringWidth(shown[row]) {
			t.Fatalf("the cursor is at %d, %d of %q", row, column, shown)
		}
	})
}

// FuzzRead checks that no input makes the editor fail or splits a character.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a\x1b[D\x7f\x17\x1b[200~x"), 20)
	f.Add([]byte("\xff\xf0\x9f\x1b[\x1bO\t\x0c"), 3)
	f.Fuzz(func(t *testing.T, typed []byte, width int) {
		e := typist(io.Discard, string(typed))
		e.Size = func() (int, int) { return width, width }
		e.Hint = func(before string) (int, []string) { return len(before), []string{"x", "xy"} }
		text, _ := e.Read("> ", "")
		if strings.ContainsAny(text, "\x1b\x00\x7f") {
			t.Errorf("%q became %q", typed, text)
		}
	})
}
