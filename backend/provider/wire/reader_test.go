package wire

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read returns the events of a stream, each as NAME=DATA.
func read(t testing.TB, source io.Reader, format Format) []string {
	t.Helper()
	r := newReader(nil, io.NopCloser(source), format)
	var list []string
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e.Name+"="+string(e.Data))
	}
}

func TestFormats(t *testing.T) {
	tests := []struct {
		name, stream         string
		events, loose, lines []string
	}{
		{"standard", "event: a\ndata: 1\ndata:2\n\ndata: 3\r\n\r\n", []string{"a=1\n2", "=3"}, []string{"a=1\n2", "=3"}, []string{"=event: a", "=data: 1", "=data:2", "=data: 3"}},
		{"comments and other fields", ": wait\n\nid: 1\nretry: 2\ndata: x\n\n", []string{"=x"}, []string{"=x"}, nil},
		{"an event without data", "event: a\n\ndata: x\n\n", []string{"=x"}, []string{"=x"}, nil},
		{"empty data", "data:\n\ndata\n\n", []string{"=", "="}, []string{"=", "="}, nil},
		{"half an event", "data: 1\n\ndata: 2\n", []string{"=1"}, []string{"=1", "=2"}, nil},
		{"half a line", "data: 1\n\ndata: 2", []string{"=1"}, []string{"=1", "=2"}, nil},
		{"llama.cpp", "error: {}\n\n", []string{"error={}"}, []string{"error={}"}, nil},
		{"a bare error", "{\"error\":\n{}}\n", nil, []string{"={\"error\":\n{}}"}, []string{`={"error":`, "={}}"}},
		{"lines", "{}\n\n \r\n{\"a\":1}\r\n{2", nil, []string{"={}", "= \n{\"a\":1}\n{2"}, []string{"={}", `={"a":1}`, "={2"}},
		{"nothing", "", nil, nil, nil},
	}
	for _, test := range tests {
		for format, want := range map[Format][]string{Events: test.events, LooseEvents: test.loose, Lines: test.lines} {
			if got := read(t, strings.NewReader(test.stream), format); (format != Lines || want != nil) && !slices.Equal(got, want) {
				t.Errorf("%s, format %d: %q, want %q", test.name, format, got, want)
			}
		}
	}
}

// An event without an end does not fill the memory.
func TestEventsAreBounded(t *testing.T) {
	for name, source := range map[string]io.Reader{
		"a line":     endless("data: x"),
		"many lines": endless("data: " + strings.Repeat("x", 1<<16) + "\n"),
	} {
		if _, err := newReader(nil, io.NopCloser(source), Events).Next(); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless repeats a text without end.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, format := range []Format{Events, LooseEvents, Lines} {
		r := newReader(nil, io.NopCloser(io.MultiReader(strings.NewReader("data: 1\n\ndata: 2"), iotest.ErrReader(broken))), format)
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, broken) {
			t.Errorf("format %d: %v", format, err)
		}
	}
}

// FuzzReader checks that the events of a stream do not depend on how its bytes arrive.
func FuzzReader(f *testing.F) {
	f.Add("event: a\r\ndata: 1\n\n: c\n\ndata: 2\n\nerror: x\n\n{\"error\":1}\ndata: 3", 7)
	f.Add("data: "+strings.Repeat("x", 1<<16)+"\n\n\r\n\rdata\n\n", 1)
	f.Fuzz(func(t *testing.T, stream string, at int) {
		if at < 0 || at > len(stream) {
			at = len(stream) / 2
		}
		for _, format := range []Format{Events, LooseEvents, Lines} {
			whole := read(t, strings.NewReader(stream), format)
			cut := read(t, io.MultiReader(strings.NewReader(stream[:at]), strings.NewReader(stream[at:])), format)
			bytewise := read(t, iotest.OneByteReader(strings.NewReader(stream)), format)
			if !slices.Equal(whole, cut) || !slices.Equal(whole, bytewise) {
				t.Fatalf("format %d: %q, cut at %d %q, bytewise %q", format, whole, at, cut, bytewise)
			}
		}
	})
}
