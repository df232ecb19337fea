package pi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// countTruth counts in a raw file, without the importer. All of the samples are one chain.
func countTruth(data []byte) (n importertest.Counts, damaged int) {
	n.Branches = 1
	before := ""
	for l := range bytes.Lines(data) {
		var e struct {
			Type    string
			Message struct {
				Role    string
				Content []struct{ Type string }
				Usage   struct{ Input, Output, CacheRead, CacheWrite int64 }
			}
		}
		if err := json.Unmarshal(l, &e); err != nil {
			damaged++
			continue
		}
		role := e.Message.Role
		switch e.Type {
		case "message":
			if role != "toolResult" || before != "toolResult" {
				n.Messages++
			}
			before = role
		case "compaction", "branch_summary", "custom_message":
			n.Messages++
			before = e.Type
		case "session", "model_change", "thinking_level_change":
			if e.Type != "session" {
				before = ""
			}
		}
		if role == "toolResult" {
			n.Results++
		}
		n.Input += e.Message.Usage.Input + e.Message.Usage.CacheRead + e.Message.Usage.CacheWrite
		n.Output += e.Message.Usage.Output
		for _, c := range e.Message.Content {
			switch c.Type {
			case "toolCall":
				n.Calls++
			case "thinking":
				n.Reasoning++
			case "image":
				if role != "toolResult" {
					n.Media++
				}
			}
		}
	}
	return n, damaged
}

// TestSamples compares what the importer makes of the samples with a count of their lines.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "pi/*.jsonl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := importertest.File(t, path)
			if !Format().Sniff(path, data[:min(len(data), 64<<10)]) {
				t.Fatal("not recognised")
			}
			all, problems := importertest.Read(t, Format(), path, data)
			want, damaged := countTruth(data)
			if len(all) != 1 || len(problems) != damaged {
				t.Fatalf("%d sessions, problems %v", len(all), problems)
			}
			if got := all[0].Count(); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if all[0].Task == "" || all[0].Model == "" || all[0].WorkspacePath == "" || all[0].CreatedAtMs == 0 {
				t.Errorf("%+v", all[0].Session)
			}
		})
	}
}

// TestCounts writes random sessions of one chain, with damage, and compares what the importer makes of them with a count of
// their lines.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin(rapid.IntRange(1, 3).Draw(t, "version"))
		s.prompt("q")
		damage := 0
		for n := range rapid.IntRange(0, 10).Draw(t, "entries") {
			id := fmt.Sprint("m", n)
			switch rapid.IntRange(0, 4).Draw(t, "entry") {
			case 0:
				s.entry(id, "thinking_level_change", object{"thinkingLevel": "high"})
			case 1:
				s.lines = append(s.lines, "{\"type\":\"message\n"...)
				damage++
			case 2:
				s.works(id)
			case 3:
				s.reply(id)
			default:
				s.prompt(id)
			}
		}
		all, problems := importertest.Read(t, Format(), scriptPath, s.lines)
		want, damaged := countTruth(s.lines)
		if len(all) != 1 || len(problems) != damage || damaged != damage {
			t.Fatalf("%d sessions, problems %v, damaged lines %d", len(all), problems, damage)
		}
		if got := all[0].Count(); got != want {
			t.Fatalf("got  %+v\nwant %+v\n%s", got, want, s.lines)
		}
	})
}

// TestSamplesTwice imports the samples into a library, twice.
func TestSamplesTwice(t *testing.T) {
	paths := importertest.Samples(t, "pi/*.jsonl")
	db := importertest.Open(t)
	if first := importertest.Import(t, db, Format(), paths...); first.Imported != int64(len(paths)) {
		t.Errorf("%+v", first)
	}
	if again := importertest.Import(t, db, Format(), paths...); again.Unchanged != int64(len(paths)) {
		t.Errorf("%+v", again)
	}
	if problems, err := db.Check(t.Context(), nil); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}
