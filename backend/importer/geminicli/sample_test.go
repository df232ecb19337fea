package geminicli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// countTruth counts in a raw file, without the importer. The last message of an id counts; nothing is rewound.
func countTruth(t importertest.Tester, data []byte) importertest.Counts {
	type part struct {
		InlineData *struct{} `json:"inlineData"`
	}
	type message struct {
		ID, Type, Role string
		Parts          []part
		Thoughts       []struct{ Subject, Description string }
		ToolCalls      []struct{ Result json.RawMessage } `json:"toolCalls"`
		Tokens         struct{ Input, Output, Thoughts, Tool int64 }
	}
	var all []message
	var file struct{ Messages, History []message }
	if err := json.Unmarshal(data, &file); err == nil {
		all = append(file.Messages, file.History...)
	} else {
		for l := range bytes.Lines(data) {
			var m message
			if err := json.Unmarshal(l, &m); err != nil {
				t.Fatal(err)
			}
			if m.ID == "" || m.Type == "" {
				continue
			}
			if i := slices.IndexFunc(all, func(before message) bool { return before.ID == m.ID }); i >= 0 {
				all[i] = m
				continue
			}
			all = append(all, m)
		}
	}
	n := importertest.Counts{Messages: int64(len(all)), Branches: min(1, int64(len(all)))}
	for _, m := range all {
		n.Input += m.Tokens.Input + m.Tokens.Tool
		n.Output += m.Tokens.Output + m.Tokens.Thoughts
		n.Reasoning += int64(len(m.Thoughts))
		n.Calls += int64(len(m.ToolCalls))
		results := int64(0)
		for _, c := range m.ToolCalls {
			if len(c.Result) > 0 {
				results++
			}
		}
		n.Results += results
		n.Messages += min(1, results) // the message that holds them
		for _, p := range m.Parts {
			if p.InlineData != nil {
				n.Media++
			}
		}
	}
	return n
}

// TestSamples compares what the importer makes of the samples with a count of their messages.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "gemini-cli/*.json*") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := importertest.File(t, path)
			if !Format().Sniff(path, data) {
				t.Fatal("not recognised")
			}
			r := importertest.One(t, Format(), path, data)
			if got, want := r.Count(), countTruth(t, data); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if len(r.Records) != 0 || r.Source != core.SourceGeminiCLI || r.CreatedAtMs == 0 {
				t.Errorf("%+v, records %v", r.Session, r.Records)
			}
		})
	}
}

// TestCounts writes random sessions of both forms that are not rewound, and compares what the importer makes of them with a
// count of their messages.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin()
		s.prompt("q")
		whole := &script{}
		messages := []object{whole.message("q", "user", "q", nil)}
		for n := range rapid.IntRange(0, 10).Draw(t, "records") {
			id := fmt.Sprint("m", n)
			switch rapid.IntRange(0, 3).Draw(t, "record") {
			case 0:
				s.raw(s.message(id, "error", "no network", nil))
				messages = append(messages, whole.message(id, "error", "no network", nil))
			case 1:
				s.works(id)
				messages = append(messages, whole.message(id, "gemini", id, object{"model": "gemini-3-pro", "tokens": spent(100, 10), "toolCalls": []object{call("call_"+id, "out")}}))
			case 2:
				s.reply(id)
			default:
				s.prompt(id)
				messages = append(messages, whole.message(id, "user", id, nil))
			}
		}
		for path, data := range map[string][]byte{scriptPath: s.lines, "/g/session-a.json": old(messages...)} {
			r := importertest.One(t, Format(), path, data)
			if got, want := r.Count(), countTruth(t, data); got != want {
				t.Fatalf("%s: got  %+v\nwant %+v\n%s", path, got, want, data)
			}
		}
	})
}

// TestSamplesTwice imports the samples into a library, twice.
func TestSamplesTwice(t *testing.T) {
	paths := importertest.Samples(t, "gemini-cli/*.json*")
	db := importertest.Open(t)
	first := importertest.Import(t, db, Format(), paths...)
	if first.Imported+first.Updated != int64(len(paths)) || len(first.Problems) != 0 {
		t.Errorf("%+v", first)
	}
	if again := importertest.Import(t, db, Format(), paths...); again.Unchanged != int64(len(paths)) {
		t.Errorf("%+v", again)
	}
	if problems, err := db.Check(t.Context(), nil); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}
