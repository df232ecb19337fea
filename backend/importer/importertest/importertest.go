// Package importertest reads session files in the tests of formats, and checks what must hold for every result.
package importertest

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"os"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer"
)

// Tester is a test, a fuzz target or a property.
type Tester interface {
	Helper()
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Session is the result of reading a file, for one session.
type Session struct {
	core.Session
	ParentSourceID string
	Messages       []core.IncomingMessage
	Head           string
	Records        []core.Record
	Labels         []core.Label
	Cursor         *core.Cursor
}

// Read reads contents as a file of the format.
func Read(t Tester, f importer.Format, path string, data []byte) ([]Session, []core.Problem) {
	t.Helper()
	return ReadAfter(t, f, path, data, nil)
}

// ReadAfter reads contents for a library that holds messages of the session already.
func ReadAfter(t Tester, f importer.Format, path string, data []byte, stored []core.Message) ([]Session, []core.Problem) {
	t.Helper()
	var problems []core.Problem
	file := core.SourceFile{
		Path: path, SizeBytes: int64(len(data)), ModifiedMs: 1_790_000_000_000, Data: bytes.NewReader(data), Progress: func(int64) {},
		Problem: func(line int64, message string) {
			problems = append(problems, core.Problem{Path: path, Line: line, Message: message})
		},
		Stored: func(context.Context, core.Source, string) iter.Seq2[core.Message, error] {
			return func(yield func(core.Message, error) bool) {
				for _, m := range stored {
					if !yield(m, nil) {
						return
					}
				}
			}
		},
	}
	var out []Session
	for in, err := range f.Read(context.Background(), file) {
		if err != nil {
			problems = append(problems, core.Problem{Path: path, Message: err.Error(), Hint: core.HintOf(err)})
			break
		}
		out = append(out, gather(t, in, stored))
	}
	if n := len(out); n > 0 && len(problems) == 0 && out[n-1].Cursor == nil {
		t.Fatalf("%s: the last session has no cursor", path)
	}
	return out, problems
}

func gather(t Tester, in core.Incoming, stored []core.Message) Session {
	t.Helper()
	s := Session{Session: in.Session, ParentSourceID: in.ParentSourceID, Labels: in.Labels, Cursor: in.Cursor}
	known := map[string]bool{"": true}
	for _, m := range stored {
		known[m.UID] = true
	}
	came := map[string]bool{}
	for m, err := range in.Messages {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case m.UID == "" || came[m.UID]:
			t.Fatalf("uid %q twice, or none", m.UID)
		case !known[m.ParentUID]:
			t.Fatalf("%s comes before its parent %s", m.UID, m.ParentUID)
		case m.Meta != nil && !json.Valid(m.Meta):
			t.Fatalf("%s: meta is not JSON", m.UID)
		case m.Parts == nil:
			t.Fatalf("%s: nil parts", m.UID)
		case m.Role == "":
			t.Fatalf("%s: no role", m.UID)
		}
		came[m.UID], known[m.UID] = true, true
		s.Messages = append(s.Messages, m)
	}
	if in.Head != nil {
		s.Head = in.Head()
	}
	if !known[s.Head] {
		t.Fatalf("unknown head %s", s.Head)
	}
	if in.Records != nil {
		for r := range in.Records {
			if !json.Valid(r.Body) {
				t.Fatalf("record of line %d is not JSON", r.Line)
			}
			s.Records = append(s.Records, r)
		}
	}
	if s.Meta != nil && !json.Valid(s.Meta) {
		t.Fatal("the session's meta is not JSON")
	}
	return s
}

// One reads contents that hold one session without problems.
func One(t Tester, f importer.Format, path string, data []byte) Session {
	t.Helper()
	all, problems := Read(t, f, path, data)
	if len(all) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, problems %v", len(all), problems)
	}
	return all[0]
}

// Shape writes the tree with each message's preview as one line: a chain in a row, alternatives in parentheses.
func (s Session) Shape() string {
	var all []core.Message
	for _, m := range s.Messages {
		all = append(all, m.Message)
	}
	return Shape(all)
}

// Shape writes the tree of messages as Session.Shape does.
func Shape(messages []core.Message) string {
	words, children := map[string]string{}, map[string][]string{}
	for _, m := range messages {
		words[m.UID] = m.Preview(40)
		if words[m.UID] == "" {
			words[m.UID] = "-"
		}
		children[m.ParentUID] = append(children[m.ParentUID], m.UID)
	}
	var below func(uid string) string
	below = func(uid string) string {
		out := ""
		for kids := children[uid]; len(kids) > 0; kids = children[uid] {
			if len(kids) > 1 {
				for _, k := range kids {
					out += " (" + words[k] + below(k) + ")"
				}
				return out
			}
			uid = kids[0]
			out += " | " + words[uid]
		}
		return out
	}
	return strings.TrimPrefix(below(""), " | ")
}

// Counts is what is counted in a file with and without the importer.
type Counts struct {
	Messages, Calls, Results, Reasoning, Media, Branches, Input, Output int64
}

// Count counts in what the importer made of a session. Branches are leaves.
func (s Session) Count() Counts {
	var c Counts
	parents := map[string]bool{}
	for _, m := range s.Messages {
		parents[m.ParentUID] = true
		c.Messages++
		if m.Usage != nil {
			c.Input += m.Usage.InputTokens
			c.Output += m.Usage.OutputTokens
		}
		for _, p := range m.Parts {
			switch p.Type {
			case core.PartToolCall:
				c.Calls++
			case core.PartToolResult:
				c.Results++
			case core.PartReasoning:
				c.Reasoning++
			case core.PartMedia:
				c.Media++
			default:
			}
		}
	}
	for _, m := range s.Messages {
		if !parents[m.UID] {
			c.Branches++
		}
	}
	return c
}

// File reads a file.
func File(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
