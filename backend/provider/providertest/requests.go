package providertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Recorded returns a handler that passes requests to h, and fails the test for each request that is not in
// testdata/requests.jsonl. With the flag -update it adds the missing requests.
func Recorded(t testing.TB, h http.Handler) http.Handler {
	t.Helper()
	known := recording(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client left
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		known.check(t, recorded(t, r, body))
		h.ServeHTTP(w, r)
	})
}

// recordingFile has one request per line, in order.
var recordingFile = filepath.Join("testdata", "requests.jsonl")

// lines is a recording of requests.
type lines map[string]bool

func recording(t testing.TB) lines {
	t.Helper()
	data, err := os.ReadFile(recordingFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	known := lines{}
	for line := range strings.Lines(string(data)) {
		known[strings.TrimSuffix(line, "\n")] = true
	}
	return known
}

// check compares a request with the recording.
func (l lines) check(t testing.TB, line string) {
	t.Helper()
	if l[line] {
		return
	}
	if f := flag.Lookup("update"); f == nil || f.Value.String() != "true" {
		t.Errorf("the request is not in %s:\n%s", recordingFile, line)
		return
	}
	all := recording(t) // another handler may have added to it
	all[line] = true
	text := strings.Join(slices.Sorted(maps.Keys(all)), "\n") + "\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(recordingFile), 0o750), os.WriteFile(recordingFile, []byte(text), 0o600)); err != nil {
		t.Error(err)
	}
}

// recorded returns a request as one line of JSON with sorted keys. Numbers keep their digits.
func recorded(t testing.TB, r *http.Request, body []byte) string {
	t.Helper()
	line := map[string]any{"test": t.Name(), "method": r.Method, "url": r.URL.RequestURI(), "header": headers(r.Header)}
	if len(body) > 0 {
		var value any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Errorf("the body of the request is no JSON: %v: %s", err, body)
		}
		line["body"] = value
	}
	text, err := json.Marshal(line)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// headers returns the headers that matter to the server, without those that describe the client or the connection.
func headers(h http.Header) map[string]string {
	kept := map[string]string{}
	for name, values := range h {
		switch {
		case strings.HasPrefix(name, "X-Stainless-"):
		case slices.Contains([]string{"User-Agent", "X-Goog-Api-Client", "Accept-Encoding", "Content-Length"}, name):
		default:
			kept[name] = strings.Join(values, ", ")
		}
	}
	return kept
}
