package fuseraft

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const path = "/home/ada/.fuseraft/sessions/a3f92c1d.json"

type object = map[string]any

// turn is a message of an agent, or of the user.
func turn(n int, agent, text string, tokens int) object {
	m := object{"AgentName": agent, "Content": text, "Timestamp": fmt.Sprintf("2026-04-01T10:%02d:05.1234567Z", n), "TurnIndex": n, "Role": "assistant", "IsCompactionSummary": false}
	if agent == "Human" {
		m["Role"] = "user"
	}
	if tokens > 0 {
		m["Usage"] = object{"InputTokens": tokens, "OutputTokens": tokens / 10, "TotalTokens": tokens + tokens/10, "CostUsd": float64(tokens) / 1e6}
	}
	return m
}

func summary(n, tokens int) object {
	m := turn(n, "System", "[CONVERSATION SUMMARY — covers turns 0–2]", tokens)
	m["Role"], m["IsCompactionSummary"], m["ToolCalls"] = "user", true, []object{{"Name": "old", "Succeeded": true}}
	return m
}

func file(fields object, messages ...object) []byte {
	all := object{
		"SessionId": "a3f92c1d", "Task": "Refactor <payment>", "ConfigPath": "/home/ada/garden/.fuseraft/config/o.yaml", "Messages": messages,
		"StartedAt": "2026-04-01T10:00:00Z", "LastUpdatedAt": "2026-04-01T10:30:00.5Z", "IsComplete": false,
	}
	for k, v := range fields {
		all[k] = v
	}
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err)
	}
	return b
}

func TestCheckpoint(t *testing.T) {
	called := turn(0, "Planner", "Plan", 1200)
	called["ToolCalls"] = []object{{"Name": "write_file", "ArgsSummary": "path=a.go", "Succeeded": false, "ArgsCharCount": 8}, {"Name": "read_file", "Succeeded": true}}
	odd := turn(4, "X", "?", 0)
	odd["Role"] = "alien"
	orders := turn(3, "Orchestrator", "go on", 0)
	orders["Role"] = "user"
	s := importertest.One(t, Format(), path, file(object{"CurrentStateName": "Testing"}, called, turn(1, "Human", "faster", 0), orders, odd))
	if s.SourceID != "a3f92c1d" || s.Task != "Refactor <payment>" || s.WorkspacePath != "/home/ada/garden" || s.Status != core.StatusInterrupted || s.CreatedAtMs != 1775037600000 {
		t.Errorf("%+v", s.Session)
	}
	if want := (importertest.Counts{Messages: 3, Calls: 2, Branches: 1, Input: 1200, Output: 120}); s.Count() != want || len(s.Records) != 1 {
		t.Errorf("%+v, records %v", s.Count(), s.Records)
	}
	m := s.Messages[0]
	if m.Agent != "Planner" || m.CreatedAtMs != 1775037605123 || *m.CostNanoUSD != 1_200_000 {
		t.Errorf("%+v", m)
	}
	if p := m.Parts[1]; p.Text != "path=a.go" || p.ID == "" || p.ID == m.Parts[2].ID || string(p.Extra["Succeeded"]) != "false" {
		t.Errorf("%+v", p)
	}
	if s.Messages[1].Kind != core.KindMessage || s.Messages[2].Kind != core.KindMeta || s.Messages[2].Name != "Orchestrator" {
		t.Errorf("%+v", s.Messages)
	}
	if !strings.Contains(string(s.Meta), `"CurrentStateName":"Testing"`) || !strings.Contains(string(s.Meta), "ConfigPath") {
		t.Errorf("meta %s", s.Meta)
	}
	if s := importertest.One(t, Format(), path, file(object{"IsComplete": true, "WorkingDirectory": "/w"}, called)); s.Status != core.StatusSuccess || s.WorkspacePath != "/w" {
		t.Errorf("%+v", s.Session)
	}
}

// A summary holds the usage of the turns it replaced: they are not counted twice, nor lost.
func TestSummaryAndWhatItReplaced(t *testing.T) {
	all := []object{turn(0, "A", "one", 1000), turn(1, "B", "two", 2000), turn(2, "A", "three", 3000), turn(3, "B", "four", 4000)}
	compacted := []object{summary(2, 6500), all[3], turn(4, "A", "five", 5000)}
	const tokens = 6500 + 4000 + 5000
	fresh := importertest.One(t, Format(), path, file(nil, compacted...))
	if c := fresh.Count(); c.Input != tokens || c.Calls != 0 || fresh.Messages[0].Kind != core.KindCompaction || !strings.Contains(string(fresh.Messages[0].Meta), `"old"`) {
		t.Errorf("%+v %s", c, fresh.Messages[0].Meta)
	}
	var library importertest.Stored
	library.Put(t, Format(), path, file(nil, all...)).Put(t, Format(), path, file(nil, compacted...)).Put(t, Format(), path, file(nil, compacted...))
	input, output, cost := library.Totals()
	if input != tokens || output != tokens/10 || cost != tokens*1000 {
		t.Errorf("%d in, %d out, %d nano", input, output, cost)
	}
	if got := importertest.Shape(library.Messages); !strings.HasPrefix(got, "one | two | three | four | [CONVERSATION") || !strings.HasSuffix(got, "| five") {
		t.Error(got)
	}
	again := []object{summary(4, 16000), compacted[2], turn(5, "B", "six", 6000)} // all before, and 500 for the summary
	library.Put(t, Format(), path, file(nil, again...)).Put(t, Format(), path, file(nil, again...))
	if input, _, _ := library.Totals(); input != 16000+5000+6000 || library.Added[4]+library.Changed[4] != 0 {
		t.Errorf("%d in; again %v %v: %s", input, library.Added, library.Changed, importertest.Shape(library.Messages))
	}
}

const replText = `{"SessionId":"a3f92c1d","ModelId":"claude-sonnet-4-6","Cwd":"/home/ada/garden","StartedAt":"2026-05-25T14:32:00Z","LastUpdatedAt":"2026-05-25T14:40:00Z","TurnIndex":1,
"History":[{"Role":"system","Contents":[{"Type":"text","Text":"prompt"}]},
{"Role":"user","Contents":[{"Type":"text","Text":"list"},{"Type":"image","MediaType":"image/png","ImageId":"abc","ImageName":"shot.png"},{"Type":"skip"}]},
{"Role":"assistant","Contents":[{"Type":"function_call","CallId":"c1","FunctionName":"list_files","ArgumentsJson":"{\u0022d\u0022:\u0022.\u0022}"},{"Type":"function_call","CallId":"c2","FunctionName":"x","ArgumentsJson":"nothing"}]},
{"Role":"tool","Contents":[{"Type":"function_result","CallId":"c1","ResultJson":"\u0022README.md\u0022"},{"Type":"function_result","CallId":"c2","ResultJson":"{\u0022a\u0022:1}"}]},
{"Role":"assistant","Contents":[{"Type":"text","Text":"README.md"}]}],"TodoItems":[{"Content":"x","Status":"pending"}]}`

func TestREPL(t *testing.T) {
	s := importertest.One(t, Format(), path, []byte(replText))
	if want := (importertest.Counts{Messages: 5, Calls: 2, Results: 2, Media: 1, Branches: 1}); s.Count() != want {
		t.Errorf("%+v", s.Count())
	}
	if s.SourceID != "repl-a3f92c1d" || s.Model != "claude-sonnet-4-6" || s.WorkspacePath != "/home/ada/garden" || !strings.Contains(string(s.Meta), "TodoItems") {
		t.Errorf("%+v", s.Session)
	}
	calls, results := s.Messages[2].Parts, s.Messages[3].Parts
	if string(calls[0].Arguments) != `{"d":"."}` || calls[1].Text != "nothing" || results[0].Result[0].Text != "README.md" || results[0].Name != "list_files" || string(results[1].Structured) != `{"a":1}` {
		t.Errorf("%+v %+v", calls, results)
	}
	if img := s.Messages[1].Parts[1]; img.Media.Name != "shot.png" || string(img.Extra["ImageId"]) != `"abc"` || s.Messages[1].Parts[2].Type != core.PartOther {
		t.Errorf("%+v", img)
	}
}

// Rewinding and going another way makes a branch.
func TestREPLRewind(t *testing.T) {
	var library importertest.Stored
	other := strings.Replace(replText, `{"Type":"text","Text":"README.md"}`, `{"Type":"text","Text":"another answer"}`, 1)
	library.Put(t, Format(), path, []byte(replText)).Put(t, Format(), path, []byte(other))
	if got := importertest.Shape(library.Messages); !strings.HasSuffix(got, "(README.md) (another answer)") {
		t.Error(got)
	}
}

func TestHalfWritten(t *testing.T) {
	for _, data := range [][]byte{file(nil, turn(0, "A", "one", 10), summary(2, 5)), []byte(replText)} {
		for n := 1; n < len(data); n += 3 {
			if all, problems := importertest.Read(t, Format(), path, data[:n]); len(problems) != 1 || problems[0].Line == 0 || len(all) > 1 {
				t.Fatalf("after %d bytes: %d sessions, %v", n, len(all), problems)
			}
		}
	}
}

// TestSamples counts in the raw files and compares.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "seeds/fuseraft/*") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := importertest.File(t, path)
			var raw struct {
				SessionID string `json:"SessionId"`
				Messages  []struct {
					IsCompactionSummary bool
					Usage               struct{ InputTokens, OutputTokens int64 }
					ToolCalls           []any
				}
				History []struct{ Contents []struct{ Type string } }
			}
			_ = json.Unmarshal(data, &raw) // the log is not one object
			if got := Format().Sniff(path, data); got != (raw.SessionID != "") {
				t.Fatalf("recognised: %v", got)
			}
			if raw.SessionID == "" {
				return
			}
			want := importertest.Counts{Messages: int64(len(raw.Messages) + len(raw.History)), Branches: 1}
			for _, m := range raw.Messages {
				want.Input += m.Usage.InputTokens
				want.Output += m.Usage.OutputTokens
				if !m.IsCompactionSummary {
					want.Calls += int64(len(m.ToolCalls))
				}
			}
			for _, m := range raw.History {
				for _, c := range m.Contents {
					switch c.Type {
					case "function_call":
						want.Calls++
					case "function_result":
						want.Results++
					case "image":
						want.Media++
					}
				}
			}
			s := importertest.One(t, Format(), path, data)
			if s.Count() != want {
				t.Errorf("%+v, want %+v", s.Count(), want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(nil, summary(1, 100), turn(2, "A", "x", 10)))
	f.Add([]byte(replText))
	f.Add([]byte(`{"SessionId":[],"Messages":[{"Role":"user","IsCompactionSummary":true,"Usage":{"InputTokens":-1e300}},4]}`))
	f.Add([]byte(`{"Messages":[ {"IsCompactionSummary":1}`)) // a summary of nobody
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff("x", data)
		var library importertest.Stored
		library.Put(t, Format(), path, data).Put(t, Format(), path, data)
		if library.Added[1]+library.Changed[1] != 0 {
			t.Fatalf("the same again: %d added, %d changed", library.Added[1], library.Changed[1])
		}
	})
}
