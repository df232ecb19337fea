package archive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// three returns an archive of three small sessions, and the lines in which it differs.
func three(t testing.TB, asLines bool) []byte {
	t.Helper()
	s := newMemoryLibrary()
	for i := range 3 {
		if err := s.merge(small(i)); err != nil {
			t.Fatal(err)
		}
	}
	return write(t, s, s.ids, asLines, archive.Options{})
}

// small returns the i-th of several sessions of three messages.
func small(i int) core.Incoming {
	prefix := fmt.Sprintf("s%d-", i)
	return core.Incoming{
		Header: core.Header{Session: core.Session{
			ID: fmt.Sprintf("session-%d", i), Title: fmt.Sprintf("Number %d", i), Source: core.SourceCoppice, Status: core.StatusIdle,
			FilesModified: []string{}, HeadUID: prefix + "2",
		}},
		Messages: func(yield func(core.IncomingMessage, error) bool) {
			parent := ""
			for n, role := range []core.Role{core.RoleUser, core.RoleAssistant, core.RoleUser} {
				m := core.Message{UID: fmt.Sprint(prefix, n), ParentUID: parent, Role: role, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: fmt.Sprintf("words %d", n)}}}
				parent = m.UID
				if !yield(core.IncomingMessage{Message: m}, nil) {
					return
				}
			}
		},
		Head:    func() string { return prefix + "2" },
		Records: func(func(core.Record) bool) {},
	}
}

// TestDamage damages one session of three: it is reported with its line, the others are imported.
func TestDamage(t *testing.T) {
	tests := []struct {
		name     string
		old, new string // replaced once
		keeps    []string
		problem  string // with the line
	}{
		{"broken JSON in a message", `"parentUid":"s1-0"`, `"parentUid":"s1-0`, []string{"session-0", "session-2"}, `22: session "Number 1" was not imported: not valid JSON`},
		{"a word that is none", `"seq":1,"turn":0,"branch":0,"depth":1,"parentUid":"s1-0"`, `"seq":one`, []string{"session-0", "session-2"}, `22: session "Number 1" was not imported: not valid JSON`},
		{"blobs that are no list", `"blobs":[]`, `"blobs":0`, []string{"session-1", "session-2"}, `session "Number 0" was not imported: a list of blobs is expected`},
		{"a field of the wrong type", `"uid":"s1-1","seq":1`, `"uid":"s1-1","seq":"one"`, []string{"session-0", "session-2"}, `22: session "Number 1" was not imported: field "seq"`},
		{"an unknown parent", `"parentUid":"s1-0"`, `"parentUid":"nobody"`, []string{"session-0", "session-2"}, `22: session "Number 1" was not imported: the parent "nobody" of message "s1-1"`},
		{"a uid twice", `"uid":"s1-1"`, `"uid":"s1-0"`, []string{"session-0", "session-2"}, `22: session "Number 1" was not imported: duplicate message "s1-0"`},
		{"an unknown role", `"uid":"s1-1","seq":1,"turn":0,"branch":0,"depth":1,"parentUid":"s1-0","siblings":0,"siblingIndex":0,"role":"assistant"`, `"uid":"s1-1","parentUid":"s1-0","role":"narrator"`, []string{"session-0", "session-2"}, `22: session "Number 1" was not imported: message "s1-1": its role "narrator"`},
		{"messages that are no list", "\"messages\":[\n{\"uid\":\"s1-0\"", "\"messages\":{\"x\":[\n{\"uid\":\"s1-0\"", []string{"session-0", "session-2"}, `Number 1" was not imported`},
		{"no id", `"session":{"id":"session-1"`, `"session":{"id":""`, []string{"session-0", "session-2"}, `16: session "Number 1" was not imported: it has neither id nor sourceId`},
		{"no session object", `{"session":{"id":"session-1"`, `{"generator":{"id":"session-1"`, []string{"session-0", "session-2"}, `16: the session was not imported: no session object`},
		{"an unknown status", `"title":"Number 1","task":"","source":"coppice","sourceId":"","sourcePath":"","status":"idle"`, `"title":"Number 1","status":"asleep"`, []string{"session-0", "session-2"}, `its status "asleep" is unknown`},
		{"a head that is nowhere", `"headUid":"s1-2"`, `"headUid":"gone"`, []string{"session-0", "session-1", "session-2"}, `16: session "Number 1": its head "gone" is no message of it; the last message is taken`},
		{"a label on nothing", "\"labels\":[]", `"labels":[{"uid":"gone","text":"lost"}]`, []string{"session-0", "session-1", "session-2"}, `the label "lost" is on no message of it`},
		{"something new", `"checkpoints":[]`, `"checkpoints":[],"later":[{"id":1}]`, []string{"session-0", "session-1", "session-2"}, `"later" is unknown to this version`},
		{"a session that is none", "\n{\"session\":{\"id\":\"session-1\"", "\n7,{\"session\":{\"id\":\"session-1\"", []string{"session-0", "session-1", "session-2"}, `an object is expected`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := strings.Replace(string(three(t, false)), test.old, test.new, 1)
			if !strings.Contains(data, test.new) {
				t.Fatalf("nothing was replaced in\n%s", data)
			}
			s := newMemoryLibrary()
			problems := s.read(t, []byte(data))
			if !slices.Equal(s.ids, test.keeps) {
				t.Errorf("imported %v, want %v", s.ids, test.keeps)
			}
			if len(problems) != 1 || !mentions(problems, test.problem) {
				t.Errorf("problems %q, want %q", problems, test.problem)
			}
		})
	}
}

// TestCut reads every beginning of a document: never half a session, and never without a report.
func TestCut(t *testing.T) {
	whole := three(t, false)
	all := newMemoryLibrary()
	all.read(t, whole)
	for length := 0; length < len(whole); length += 5 {
		s := newMemoryLibrary()
		problems := s.read(t, whole[:length])
		for _, id := range s.ids {
			if got := len(s.books[id].messages); got != len(all.books[id].messages) {
				t.Fatalf("cut at %d: %d messages of session %s", length, got, id)
			}
		}
		if len(s.ids) < 3 && len(problems) == 0 && length > 0 {
			t.Fatalf("cut at %d: %d sessions and no problem", length, len(s.ids))
		}
	}
}

// TestCutLines reads every beginning of files of lines: all messages whose lines are whole are imported, and what is missing is
// reported. Afterwards the whole file adds the rest.
func TestCutLines(t *testing.T) {
	for name, whole := range map[string][]byte{"three": three(t, true), "one of each line": golden(t, "lines.v2.jsonl")} {
		all := newMemoryLibrary()
		all.read(t, whole)
		for length := 1; length <= len(whole); length++ {
			if length%23 == 0 || bytes.Contains(whole[max(0, length-2):min(length+3, len(whole))], []byte("\n")) {
				checkCut(t, name, whole, length, all)
			}
		}
	}
}

func checkCut(t *testing.T, name string, whole []byte, length int, all *memoryLibrary) {
	t.Helper()
	kept := wholeLines(whole[:length])
	messages := bytes.Count(append([]byte("\n"), kept...), []byte("\n{\"uid\":"))
	s := newMemoryLibrary()
	problems := s.read(t, whole[:length])
	got := 0
	for _, id := range s.ids {
		got += len(s.books[id].messages)
	}
	if got != messages {
		t.Fatalf("%s cut at %d: %d messages of %d whole lines, %q", name, length, got, messages, problems)
	}
	half := whole[len(kept):length]
	isCut := len(half) > 0 && !json.Valid(append(bytes.Clone(half), '}')) // without its last brace, a line has lost nothing
	for _, id := range s.ids {
		isCut = isCut || len(s.books[id].messages) < len(all.books[id].messages)
	}
	if isCut && len(problems) == 0 {
		t.Fatalf("%s cut at %d: no report", name, length)
	}
	if problems := s.read(t, whole); len(problems) > 0 || !slices.Equal(s.ids, all.ids) {
		t.Fatalf("%s after a cut at %d: %q, %q", name, length, s.ids, problems)
	}
	for _, id := range s.ids {
		if got, want := len(s.books[id].messages), len(all.books[id].messages); got != want {
			t.Fatalf("%s after a cut at %d: %d messages of %d in %s", name, length, got, want, id)
		}
	}
}

// wholeLines returns the lines that end, or that are JSON without their end.
func wholeLines(data []byte) []byte {
	at := bytes.LastIndexByte(data, '\n') + 1
	if json.Valid(data[at:]) { // it has all but its end
		return data
	}
	return data[:at]
}

func TestDamagedLine(t *testing.T) {
	data := bytes.Replace(three(t, true), []byte(`{"uid":"s1-1"`), []byte(`{"uid:"s1-1"`), 1)
	s := newMemoryLibrary()
	problems := s.read(t, data)
	if !slices.Equal(s.ids, []string{"session-0", "session-2"}) || len(problems) != 1 || !mentions(problems, `7: session "Number 1" was not imported: not valid JSON`) {
		t.Fatalf("imported %v, problems %q", s.ids, problems)
	}
}

func TestVersions(t *testing.T) {
	tests := []struct{ data, want string }{
		{`{"format":"coppice.session","version":3,"session":{}}`, "too_new: written by a newer Coppice: version 3 of coppice.session"},
		{`{"format":"coppice.archive","version":9,"sessions":[`, "too_new"},
		{`{"format":"coppice.lines","version":3}`, "too_new"},
		{`{"format":"coppice.session","version":0}`, "invalid: coppice.session has no valid version"},
		{`{"format":"coppice.poem","version":1}`, `invalid: unknown format "coppice.poem"`},
		{`{"version":1,"messages":[]}`, `invalid: not a file of Coppice`},
		{`{"format":7,"version":1}`, "cannot unmarshal number"},
		{`[]`, "an object is expected"},
		{`{"format":"coppice.session","version":1,"session":{"id":"a"},"session":{"id":"b"}}`, "a second session object"},
	}
	for _, test := range tests {
		s := newMemoryLibrary()
		problems := s.read(t, []byte(test.data))
		if len(s.ids) != 0 || len(problems) != 1 || !mentions(problems, test.want) {
			t.Errorf("%s\ngives %v, %q, want %q", test.data, s.ids, problems, test.want)
		}
	}
}

// TestOtherLayouts reads our files as other programs rewrite them: indented, with members in another order,
// concatenated, with a byte order mark.
func TestOtherLayouts(t *testing.T) {
	want := three(t, false)
	var indented bytes.Buffer
	if err := json.Indent(&indented, want, "", "    "); err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(want, &value); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	single := newMemoryLibrary()
	single.read(t, want)
	apart := slices.Concat(
		write(t, single, []string{"session-0"}, false, archive.Options{}),
		write(t, single, []string{"session-1"}, true, archive.Options{}),
	)
	apart = slices.Concat(apart, write(t, single, []string{"session-2"}, true, archive.Options{}))
	for name, data := range map[string][]byte{
		"indented": indented.Bytes(), "sorted": sorted, "put together": apart,
		"byte order mark": append([]byte("\ufeff"), want...), "windows lines": bytes.ReplaceAll(want, []byte("\n"), []byte("\r\n")),
	} {
		t.Run(name, func(t *testing.T) {
			s := newMemoryLibrary()
			if problems := s.read(t, data); len(problems) > 0 {
				t.Fatalf("problems %q", problems)
			}
			if got := write(t, s, s.ids, false, archive.Options{}); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestSniff(t *testing.T) {
	tests := map[string]bool{
		string(three(t, false)):                                     true,
		string(three(t, true)):                                      true,
		string(three(t, false)[:60]):                                true,
		"\ufeff{\n  \"format\": \"coppice.session\"":                true,
		`{"generator":"x","version":1,"format":"coppice.archive"}`:  true,
		`{"type":"user","text":"{\"format\":\"coppice.session\"}"}`: false,
		`{"a":{"format":"coppice.session"}}`:                        false,
		`{"format":"coppice.poem"}`:                                 false,
		`["format"]`:                                                false,
		``:                                                          false,
		`{`:                                                         false,
	}
	for head, want := range tests {
		if got := archive.Sniff("x.json", []byte(head)); got != want {
			t.Errorf("Sniff(%.60q) = %v", head, got)
		}
	}
}

func TestBlobThatIsAnother(t *testing.T) {
	data := bytes.Replace(golden(t, "session.v1.json"), []byte(`"data":"iVBO`), []byte(`"data":"AAAA`), 1)
	s := newMemoryLibrary()
	problems := s.read(t, data)
	if len(s.ids) != 1 || len(s.blobs) != 0 || len(problems) != 1 || !mentions(problems, "27: session \"Say <hello>\": a blob is not what its hash says") {
		t.Fatalf("%d sessions, %d blobs, %q", len(s.ids), len(s.blobs), problems)
	}
	if again := write(t, s, s.ids, false, archive.Options{}); !bytes.Contains(again, []byte(`"blobs":[]`)) {
		t.Error("a lost blob ends the export")
	}
}
