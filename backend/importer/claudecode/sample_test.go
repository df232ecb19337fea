package claudecode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// truth is what a raw file holds, counted without the importer.
type truth struct {
	messages int
	results  map[string]bool // tool_use_id
	calls    map[string]bool
	input    int64 // tokens, including cached ones, by the last record of each message
	output   int64 // tokens, the largest of each message
	words    int   // characters of text and thinking
	damaged  []int64
}

func countTruth(data []byte) truth {
	out := truth{results: map[string]bool{}, calls: map[string]bool{}}
	tokens, input := map[string]int64{}, map[string]int64{}
	for i, l := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		var rec struct {
			Type        string
			IsSidechain bool
			Message     struct {
				ID      string
				Content any
				Usage   struct {
					Input      int64 `json:"input_tokens"`
					CacheRead  int64 `json:"cache_read_input_tokens"`
					CacheWrite int64 `json:"cache_creation_input_tokens"`
					Output     int64 `json:"output_tokens"`
				}
			}
		}
		if err := json.Unmarshal(l, &rec); err != nil {
			out.damaged = append(out.damaged, int64(i+1))
			continue
		}
		if rec.IsSidechain || (rec.Type != "user" && rec.Type != "assistant") {
			continue
		}
		if _, seen := tokens[rec.Message.ID]; rec.Type == "user" || !seen || rec.Message.ID == "" {
			out.messages++
		}
		if rec.Type == "assistant" {
			u := rec.Message.Usage
			tokens[rec.Message.ID] = max(tokens[rec.Message.ID], u.Output)
			input[rec.Message.ID] = u.Input + u.CacheRead + u.CacheWrite
		}
		out.count(rec.Message.Content)
	}
	for id, n := range tokens {
		out.output += n
		out.input += input[id]
	}
	return out
}

func (c *truth) count(content any) {
	if s, ok := content.(string); ok {
		c.words += len([]rune(s))
	}
	blocks, _ := content.([]any)
	for _, b := range blocks {
		block := b.(map[string]any)
		switch block["type"] {
		case "tool_use":
			c.calls[block["id"].(string)] = true
		case "tool_result":
			c.results[block["tool_use_id"].(string)] = true
		case "text":
			c.words += len([]rune(block["text"].(string)))
		case "thinking":
			c.words += len([]rune(block["thinking"].(string)))
		}
	}
}

// countReading counts the same in the importer's result.
func countReading(r reading) truth {
	out := truth{messages: len(r.messages), results: map[string]bool{}, calls: map[string]bool{}}
	for _, m := range r.messages {
		if m.Usage != nil {
			out.input += m.Usage.InputTokens
			out.output += m.Usage.OutputTokens
		}
		for _, p := range m.Parts {
			switch p.Type {
			case core.PartToolCall:
				out.calls[p.ID] = true
			case core.PartToolResult:
				out.results[p.ID] = true
			default:
				out.words += len([]rune(p.Text))
			}
		}
	}
	return out
}

// TestRealSessionsHaveNoBranch compares the real sessions with their counts: nothing lost, no branch.
func TestRealSessionsHaveNoBranch(t *testing.T) {
	for _, path := range append(samples(t, "real/*.jsonl"), samples(t, "growth/*.jsonl")...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compareCounts(t, path, data)
		})
	}
}

// TestCounts writes random sessions of one chain, with parallel calls, injected records, summaries and damage, and compares
// what the importer makes of them with a count of their lines.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s script
		tip, end := "", ""
		for n := range rapid.IntRange(1, 8).Draw(t, "turns") {
			switch rapid.IntRange(0, 5).Draw(t, "before") {
			case 0:
				tip = s.metaUser(fmt.Sprint("meta", n), tip, "<ide_opened_file>a.md</ide_opened_file> ö")
				end = tip
			case 1:
				tip = s.record(fmt.Sprint("sum", n), tip, fieldsOf{"type": "user", "isCompactSummary": true, "message": fieldsOf{"role": "user", "content": "what was said"}})
				end = tip
			case 2:
				s.lines = append(s.lines, "{\"type\":\"user\",\"uuid\":\"torn\n"...)
			}
			tip, end = randomTurn(t, &s, n, tip, end, map[string]string{})
		}
		compareCounts(t, "/p/"+scriptSession+".jsonl", s.lines)
	})
}

// compareCounts compares a session without a branch with a count of its lines: nothing is lost.
func compareCounts(t errorTester, path string, data []byte) {
	t.Helper()
	all, problems := readings(t, path, data, 0)
	want, got := countTruth(data), countReading(all[0])
	if got.messages != want.messages || got.input != want.input || got.output != want.output || got.words != want.words {
		t.Errorf("messages %d, tokens %d + %d, characters %d; the file holds %d, %d + %d, %d",
			got.messages, got.input, got.output, got.words, want.messages, want.input, want.output, want.words)
	}
	for id := range want.results {
		if !got.results[id] {
			t.Errorf("result of %s lost", id)
		}
	}
	for id := range want.calls {
		if !got.calls[id] {
			t.Errorf("call %s lost", id)
		}
	}
	var lines []int64
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if !equal(lines, want.damaged) {
		t.Errorf("problems at lines %v, want %v", lines, want.damaged)
	}
	for _, r := range all {
		if s := r.shape(); strings.Contains(s, "(") {
			t.Errorf("%s has a branch: %s", r.SourceID, s)
		}
		if r.head != r.messages[len(r.messages)-1].UID {
			t.Errorf("%s: head %s is not the last message", r.SourceID, r.head)
		}
	}
}

// errorTester is a tester that continues after an error.
type errorTester interface {
	tester
	Errorf(format string, args ...any)
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestRewindShape checks that every branch of the generated rewinds appears.
func TestRewindShape(t *testing.T) {
	for _, test := range []struct{ file, source, head string }{
		{"three-branches.jsonl", "0f0e0d0c-1111-4222-8333-444455556666", "Answer C"},
		{"rewound-to-empty.jsonl", "0f0e0d0c-1111-4222-8333-444455556666", ""},
		{"branch-copy.jsonl", "99999999-1111-4222-8333-444455556666", "Answer C"},
	} {
		for _, path := range samples(t, "rewind-shape/"+test.file) {
			all, problems := readFile(t, path)
			if len(all) != 1 || len(problems) != 0 {
				t.Fatalf("%d sessions, problems %v", len(all), problems)
			}
			r := all[0]
			if r.SourceID != test.source {
				t.Errorf("source id %s", r.SourceID)
			}
			const want = "First question|First answer (Second question (branch A)|Answer A)(Third question (branch B)|Answer B)" +
				"(Fourth question (branch C, active)|Answer C)"
			if got := r.words(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			head := ""
			if r.head != "" {
				head = r.byUID[r.head].Parts[0].Text
			}
			if head != test.head {
				t.Errorf("head %q, want %q", head, test.head)
			}
		}
	}
}

// words is the shape with the messages' texts.
func (r reading) words() string {
	s := r.shape()
	for _, m := range r.messages {
		s = strings.ReplaceAll(s, m.UID, m.Parts[0].Text+"|")
	}
	return strings.NewReplacer("| ", "|", "|)", ")").Replace(strings.ReplaceAll(strings.ReplaceAll(s, "| (", " ("), ") (", ")("))
}
