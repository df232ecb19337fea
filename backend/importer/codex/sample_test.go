package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// truth is what a raw file holds, counted without the importer.
type truth struct {
	prompts, replies, calls, results, input, output int64
}

// countTruth counts the items that are written for the model, and the tools that are recorded only for the screen.
// Totals of tokens only grow in the samples.
func countTruth(data []byte) truth {
	var n truth
	ids, shown := map[string]bool{}, map[string]bool{}
	for l := range bytes.Lines(data) {
		var rec struct {
			Type, Role string
			Payload    struct {
				Type, Role string
				CallID     string `json:"call_id"`
				Item       struct{ Type, ID string }
				Info       struct {
					Total struct {
						Input  int64 `json:"input_tokens"`
						Output int64 `json:"output_tokens"`
					} `json:"total_token_usage"`
				}
			}
		}
		json.Unmarshal(l, &rec)
		p := rec.Payload
		kind, role := p.Type, p.Role
		if kind == "" && role == "" {
			kind, role = rec.Type, rec.Role
		}
		switch {
		case rec.Type == "event_msg":
			n.input, n.output = max(n.input, p.Info.Total.Input), max(n.output, p.Info.Total.Output)
			switch p.Item.Type {
			case "CommandExecution", "McpToolCall", "FileChange", "Extension":
				shown[p.Item.ID] = true
			}
			switch kind {
			case "exec_command_end", "patch_apply_end", "mcp_tool_call_end", "image_generation_end", "dynamic_tool_call_response", "view_image_tool_call":
				shown[p.CallID] = true
			}
		case strings.HasSuffix(kind, "_call"):
			n.calls++
			ids[p.CallID] = true
		case strings.HasSuffix(kind, "_output"), strings.HasSuffix(kind, "_result"):
			n.results++
		case role == "user" && !bytes.Contains(l, []byte("<environment_context>")):
			n.prompts++
		case role == "assistant":
			n.replies++
		}
	}
	for id := range shown {
		if !ids[id] {
			n.calls++
			n.results++
		}
	}
	return n
}

// TestSamples compares the importer's result for the samples with a count of their lines. One of them is not a session but
// a collection of record forms whose texts and ids are all the same.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "codex/*.jsonl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := importertest.File(t, path)
			if collection := bytes.Index(data, []byte(`{"timestamp":"[trimmed`)); collection >= 0 {
				data = data[:collection]
			}
			all, problems := importertest.Read(t, Format(), path, data)
			want := countTruth(data)
			if len(problems) != 0 {
				t.Errorf("problems %v", problems)
			}
			if len(all) == 0 {
				want.input, want.output = 0, 0 // there is no message to carry them
				if want != (truth{}) {
					t.Errorf("no session of %+v", want)
				}
				return
			}
			if got := countSession(&all[0]); got != want {
				t.Errorf("%+v, the file holds %+v", got, want)
			}
			if c := all[0].Count(); c.Branches != 1 {
				t.Errorf("%d branches", c.Branches)
			}
		})
	}
}

// TestCounts writes random rollouts without rollbacks and compares what the importer makes of them with a count of their
// lines.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin(scriptThread, nil)
		for n := range rapid.IntRange(1, 8).Draw(t, "events") {
			name := fmt.Sprint(n)
			switch rapid.IntRange(0, 3).Draw(t, "event") {
			case 0:
				s.event(object{"type": "error", "message": "no network"})
				s.starts(n + 1)
				s.prompt("q" + name)
				s.item(object{"type": "custom_tool_call", "name": "apply_patch", "call_id": "c" + name, "input": "*** Begin Patch\n*** Update File: a.md\n*** End Patch"})
				s.event(object{"type": "patch_apply_end", "call_id": "c" + name, "success": true, "changes": object{"/garden/a.md": object{"type": "update"}}})
				s.item(object{"type": "custom_tool_call_output", "call_id": "c" + name, "output": "ö"})
			default:
				s.turn(n+1, name)
			}
		}
		got, want := read(t, s), countTruth(s.lines)
		if count := countSession(&got); count != want {
			t.Fatalf("%+v, the file holds %+v\n%s", count, want, s.lines)
		}
		if c := got.Count(); c.Branches != 1 {
			t.Fatalf("%d branches", c.Branches)
		}
	})
}

func countSession(s *importertest.Session) truth {
	c := s.Count()
	n := truth{calls: c.Calls, results: c.Results, input: c.Input, output: c.Output}
	for _, m := range s.Messages {
		if m.IsPrompt() {
			n.prompts++
		}
		for _, p := range m.Parts {
			if m.Role == core.RoleAssistant && p.Type == core.PartText {
				n.replies++
			}
		}
	}
	return n
}

// TestAllShapes reads every record shape there is.
func TestAllShapes(t *testing.T) {
	for _, path := range importertest.Samples(t, "codex/a*s-small.jsonl") {
		all, problems := importertest.Read(t, Format(), path, importertest.File(t, path))
		if len(all) != 1 || len(problems) != 0 {
			t.Fatalf("%s: %d sessions, problems %v", path, len(all), problems)
		}
		for _, r := range all[0].Records {
			if !r.Known {
				t.Errorf("%s: record %s of line %d is unknown", path, r.Type, r.Line)
			}
		}
	}
}
