package architect

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const path = "/home/ada/garden/.architect/sessions/20260223-143022-a1b2c3.json"

type object = map[string]any

func system() object          { return object{"role": "system", "content": "You are an agent."} }
func user(text string) object { return object{"role": "user", "content": text} }

func call(n int) object {
	return object{"role": "assistant", "content": nil, "tool_calls": []any{object{
		"id": fmt.Sprint("call_", n), "type": "function", "function": object{"name": "read_file", "arguments": fmt.Sprintf(`{"path": "f%d.go"}`, n)},
	}}}
}

func result(n int, text string) object {
	return object{"role": "tool", "tool_call_id": fmt.Sprint("call_", n), "name": "read_file", "content": text}
}

// run is the messages of a run after n steps.
func run(task string, n int) []object {
	all := []object{system(), user(task)}
	for i := range n {
		all = append(all, call(i), result(i, "contents"))
	}
	return all
}

// file writes a session as architect does.
func file(messages []object, fields object) []byte {
	all := object{
		"session_id": "20260223-143022-a1b2c3", "task": "tidy up", "agent": "build", "model": "gpt-4o", "status": "running", "steps_completed": len(messages) / 2,
		"messages": messages, "files_modified": []string{"b.go", "a.go"}, "total_cost": 0.009000000000000001,
		"started_at": 1795227414.6580071, "updated_at": 1795227420.674341, "stop_reason": nil, "metadata": object{},
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

func TestSession(t *testing.T) {
	s := importertest.One(t, Format(), path, file(run("tidy up", 2), object{"status": "success", "stop_reason": "llm_done", "new": 1}))
	if s.SourceID != "20260223-143022-a1b2c3" || s.Task != "tidy up" || s.Agent != "build" || s.Model != "gpt-4o" || s.WorkspacePath != filepath.FromSlash("/home/ada/garden") {
		t.Errorf("%+v", s.Session)
	}
	if s.Status != core.StatusSuccess || s.StopReason != "llm_done" || s.CreatedAtMs != 1795227414658 || strings.Join(s.FilesModified, " ") != "a.go b.go" {
		t.Errorf("%+v", s.Session)
	}
	if s.Shape() != "You are an agent. | tidy up | read_file {\"path\": \"f0.go\"} | contents | read_file {\"path\": \"f1.go\"} | contents" {
		t.Error(s.Shape())
	}
	last := s.Messages[len(s.Messages)-1]
	if last.CreatedAtMs != 1795227420674 || s.Messages[0].CreatedAtMs != 1795227414658 {
		t.Errorf("times %d to %d", s.Messages[0].CreatedAtMs, last.CreatedAtMs)
	}
	if cost := s.Messages[4].CostNanoUSD; cost == nil || *cost != 9_000_000 {
		t.Errorf("cost %v", cost)
	}
	if !strings.Contains(string(s.Meta), `"new":1`) || strings.Contains(string(s.Meta), "incompleteStart") {
		t.Errorf("meta %s", s.Meta)
	}
}

func TestStatus(t *testing.T) {
	for word, want := range map[string]core.Status{
		"running": core.StatusInterrupted, "success": core.StatusSuccess, "partial": core.StatusPartial, "failed": core.StatusFailed, "odd": core.StatusInterrupted,
	} {
		if s := importertest.One(t, Format(), path, file(run("x", 1), object{"status": word})); s.Status != want {
			t.Errorf("%s is %s", word, s.Status)
		}
	}
}

func TestTaskIsUnwrapped(t *testing.T) {
	wrap := func(task string, steps int) string {
		return fmt.Sprintf("You are resuming an interrupted session.\nOriginal task: %s\nSteps completed: %d\nFiles modified: none\n\nContinue the task from where it left off.", task, steps)
	}
	for prompt, want := range map[string]string{
		"tidy up":                               "tidy up",
		wrap("tidy up", 3):                      "tidy up",
		wrap(wrap("two\nlines", 3), 5):          "two\nlines",
		wrap("a\nSteps completed: 2\nof b", 12): "a\nSteps completed: 2\nof b",
	} {
		if s := importertest.One(t, Format(), path, file(run(prompt, 1), object{"task": prompt})); s.Task != want {
			t.Errorf("%q gives %q", prompt, s.Task)
		}
	}
}

func TestMessages(t *testing.T) {
	odd := call(7)
	odd["tool_calls"].([]any)[0].(object)["function"].(object)["arguments"] = "{broken"
	s := importertest.One(t, Format(), path, file([]object{
		system(), user("go"), user("[Hook context]: lint"),
		{"role": "assistant", "content": "[Summary of previous steps]\nmuch"},
		odd, result(7, "Error: gone"), user("[SYSTEM] sum up"),
		{"role": "poet", "content": "?"},
		{"role": "user", "content": []any{object{"type": "text", "text": "block"}}},
	}, nil))
	var got []string
	for _, m := range s.Messages {
		got = append(got, fmt.Sprint(m.Role, " ", m.Kind))
	}
	want := "system message,user message,user meta,assistant compaction,assistant message,tool message,user meta,user message"
	if strings.Join(got, ",") != want {
		t.Error(got)
	}
	if p := s.Messages[4].Parts[0]; p.Text != "{broken" || p.Arguments != nil || p.ID != "call_7" {
		t.Errorf("%+v", p)
	}
	if p := s.Messages[5].Parts[0]; !p.IsError || p.Name != "read_file" || p.ID != "call_7" || p.Result[0].Text != "Error: gone" {
		t.Errorf("%+v", p)
	}
	if len(s.Records) != 1 || s.Records[0].AfterUID != s.Messages[6].UID || s.Records[0].Known || s.Records[0].Line == 0 {
		t.Errorf("records %+v", s.Records)
	}
}

// A run is imported while it continues, past the 30 messages that architect keeps: nothing is lost, nothing duplicated,
// and the cost is the session's.
func TestGrowsBeyondWhatIsKept(t *testing.T) {
	var library importertest.Stored
	for n := 1; n <= 40; n += 3 {
		all := run("tidy up", n)
		library.Put(t, Format(), path, file(all[max(0, len(all)-30):], object{"total_cost": float64(n) / 1000}))
	}
	if len(library.Messages) != 82 || strings.Contains(importertest.Shape(library.Messages), "(") {
		t.Errorf("%d messages: %s", len(library.Messages), importertest.Shape(library.Messages))
	}
	if _, _, cost := library.Totals(); cost != 40_000_000 {
		t.Errorf("cost %d", cost)
	}
	whole := importertest.Stored{}
	whole.Put(t, Format(), path, file(run("tidy up", 40), nil))
	if importertest.Shape(whole.Messages) != importertest.Shape(library.Messages) || whole.Head != library.Head {
		t.Error("not the same as the whole at once")
	}
	all := run("tidy up", 40)
	library.Put(t, Format(), path, file(all[len(all)-30:], object{"total_cost": 0.04}))
	if n := len(library.Added); library.Added[n-1] != 0 || library.Changed[n-1] != 0 {
		t.Errorf("the same again adds %d, changes %d", library.Added[n-1], library.Changed[n-1])
	}
	all = run("tidy up", 90) // nothing of it has been seen
	library.Put(t, Format(), path, file(all[len(all)-30:], object{"total_cost": 0.09}))
	if _, _, cost := library.Totals(); strings.Contains(importertest.Shape(library.Messages), "(") || cost != 90_000_000 {
		t.Errorf("after a gap: %s, cost %d", importertest.Shape(library.Messages), cost)
	}
}

// architect replaces old messages by a summary.
func TestSummaryReplaces(t *testing.T) {
	all := run("tidy up", 9)
	summary := object{"role": "assistant", "content": "[Resumen de pasos anteriores]\nmuch"}
	short := append([]object{all[0], all[1], summary}, all[8:]...)
	var library importertest.Stored
	library.Put(t, Format(), path, file(all, nil)).Put(t, Format(), path, file(short, nil))
	longer := append(short, call(9), result(9, "contents"))
	library.Put(t, Format(), path, file(longer, nil)).Put(t, Format(), path, file(longer, nil))
	if got := importertest.Shape(library.Messages); strings.Contains(got, "(") || !strings.HasSuffix(got, `| [Resumen de pasos anteriores] much | read_file {"path": "f9.go"} | contents`) {
		t.Error(got)
	}
	if fmt.Sprint(library.Added) != "[20 1 2 0]" || library.Changed[3] != 0 {
		t.Errorf("added %v, changed %v", library.Added, library.Changed)
	}
	fresh := importertest.One(t, Format(), path, file(longer, nil))
	if strings.Contains(fresh.Shape(), "(") || len(fresh.Messages) != len(longer) {
		t.Error(fresh.Shape())
	}
}

// A resume overwrites the file of the run it resumes.
func TestResumeIsABranch(t *testing.T) {
	var library importertest.Stored
	library.Put(t, Format(), path, file(run("tidy up", 3), object{"total_cost": 0.003}))
	library.Put(t, Format(), path, file(run("You are resuming an interrupted session.\nOriginal task: tidy up\nSteps completed: 3\n", 2), object{"total_cost": 0.002}))
	if got := importertest.Shape(library.Messages); !strings.HasPrefix(got, "You are an agent. (tidy up | read_file") || strings.Count(got, "(") != 2 {
		t.Error(got)
	}
	if _, _, cost := library.Totals(); cost != 5_000_000 {
		t.Errorf("cost %d", cost)
	}
}

func TestCut(t *testing.T) {
	all := run("tidy up", 40)
	for name, data := range map[string][]byte{
		"loop":    file(all[len(all)-30:], nil),
		"tool":    file(all[len(all)-29:], nil),
		"manager": file(all[:30], object{"messages_truncated": true}),
	} {
		s := importertest.One(t, Format(), path, data)
		if !strings.Contains(string(s.Meta), `"incompleteStart":true`) || s.Task != "tidy up" {
			t.Errorf("%s: %s", name, s.Meta)
		}
	}
}

func TestHalfWritten(t *testing.T) {
	data := file(run("tidy up", 3), nil)
	for n := 1; n < len(data); n += 7 {
		all, problems := importertest.Read(t, Format(), path, data[:n])
		if len(problems) != 1 || problems[0].Line == 0 || len(all) > 1 {
			t.Fatalf("after %d bytes: %d sessions, %v", n, len(all), problems)
		}
	}
	all, problems := importertest.Read(t, Format(), path, []byte(strings.Replace(string(data), `"You are an agent."`, `nul`, 1)))
	if len(problems) != 1 || len(all) != 1 || len(all[0].Messages) != 7 {
		t.Errorf("a damaged message: %v", problems)
	}
}

func TestSniff(t *testing.T) {
	long := file(run(strings.Repeat("long ", 50_000), 1), nil)
	for name, test := range map[string]struct {
		head string
		want bool
	}{
		"whole": {string(file(run("x", 1), nil)), true}, "cut": {`{"session_id":"a","task":"` + string(long[:60_000]), true},
		"agentzero": {`{"version":1,"session_id":"x","model":"m","messages":[]}`, false}, "list": {`[1]`, false}, "nothing": {``, false},
		"half": {`{"session_id":"x","task":"y","agent":"b`, true},
	} {
		if got := Format().Sniff("x.json", []byte(test.head)); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestSamples counts in the raw files and compares.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "seeds/architect/*.json") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var raw struct {
				Messages []struct {
					Role  string
					Calls []any `json:"tool_calls"`
				}
				Cost float64 `json:"total_cost"`
			}
			data := importertest.File(t, path)
			if err := json.Unmarshal(data, &raw); err != nil {
				t.Fatal(err)
			}
			if !Format().Sniff(path, data) {
				t.Error("not recognised")
			}
			want := importertest.Counts{Messages: int64(len(raw.Messages)), Branches: 1}
			for _, m := range raw.Messages {
				want.Calls += int64(len(m.Calls))
				if m.Role == "tool" {
					want.Results++
				}
			}
			s := importertest.One(t, Format(), path, data)
			if got := s.Count(); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			library := importertest.Stored{}
			library.Put(t, Format(), path, data).Put(t, Format(), path, data)
			if _, _, cost := library.Totals(); cost != int64(raw.Cost*1e9+0.5) || library.Added[1] != 0 || library.Changed[1] != 0 {
				t.Errorf("cost %d; again: %d added, %d changed", cost, library.Added[1], library.Changed[1])
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(run("x", 2), nil))
	f.Add(file([]object{{"role": "tool"}}, object{"messages_truncated": true})[:300])
	f.Add([]byte(`{"session_id":1,"task":[],"messages":[{"role":"user","content":{"a":[]}},5,{"role":"assistant","tool_calls":{"a":1}}]}x`))
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff("x", data)
		var library importertest.Stored
		library.Put(t, Format(), path, data).Put(t, Format(), path, data)
		if library.Added[1]+library.Changed[1] != 0 {
			t.Fatalf("the same again: %d added, %d changed", library.Added[1], library.Changed[1])
		}
	})
}
