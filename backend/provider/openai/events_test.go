package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/openai/openai-go/v3/packages/ssestream"
	"pgregory.net/rapid"
)

// read returns the events of a stream, each as NAME=DATA.
func read(t rapid.TB, r io.Reader) []string {
	t.Helper()
	e := events{source: bufio.NewReaderSize(r, 16)}
	var list []string
	for {
		next, err := e.next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, next.name+"="+string(next.data))
	}
}

// The reader reads what the SDK's reader reads, however the bytes arrive. Only the errors that llama.cpp wrote are no events
// there, and a stream that ends with a lone carriage return has an empty line.
func TestEventsAreThoseOfTheSDK(t *testing.T) {
	tokens := rapid.SampledFrom([]string{
		"data", "event", ":", ": ", " ", "\n", "\n\n", "\r\n", "\r", "data: {}\n", "data:x\n\n", "event: a\n", "id: 1\n", "é", "\x00", strings.Repeat("long", 10),
	})
	rapid.Check(t, func(t *rapid.T) {
		stream := []byte(strings.Join(rapid.SliceOf(tokens).Draw(t, "stream"), "") + "\n\n")
		var want []string
		decoder := ssestream.NewDecoder(&http.Response{Body: io.NopCloser(bytes.NewReader(stream))})
		for decoder.Next() {
			e := decoder.Event()
			want = append(want, e.Type+"="+strings.TrimSuffix(string(e.Data), "\n"))
		}
		for _, r := range []io.Reader{bytes.NewReader(stream), iotest.OneByteReader(bytes.NewReader(stream))} {
			if got := read(t, r); strings.Join(got, "\x00") != strings.Join(want, "\x00") {
				t.Fatalf("%q, want %q", got, want)
			}
		}
	})
}

func TestEventsDropHalfAnEvent(t *testing.T) {
	for _, stream := range []string{"data: 1\n\ndata: 2", "data: 1\n\ndata: 2\n", "data: 1\n\nevent: x\n"} {
		if got := read(t, strings.NewReader(stream)); len(got) != 1 || got[0] != "=1" {
			t.Errorf("%q: %q", stream, got)
		}
	}
}

// An event without an end does not fill the memory.
func TestEventsAreBounded(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"a line":     endless("data: x"),
		"many lines": endless("data: " + strings.Repeat("x", 1<<16) + "\n"),
	} {
		e := events{source: bufio.NewReader(r)}
		if _, err := e.next(); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless repeats a text for ever.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }
