package claudecode

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"coppice/backend/importer/importertest"
	"coppice/backend/importer/jsonl"
)

// TestTree covers the ways in which a record gets several children. The first ones are artifacts of recording and give
// one chain; the later ones are the user's rewinds.
func TestTree(t *testing.T) {
	const session = "<command-name>/exit</command-name>\n<command-message>exit</command-message>\n<command-args></command-args>"
	tests := []struct {
		name  string
		write func(s *script)
		want  string
		head  string // empty: the last message of want
	}{
		{name: "hooks and progress beside a tool result", write: func(s *script) {
			s.calls("a1", s.user("q1", s.progress("p0", "", "hook_progress"), "go"), "m1", "t1")
			s.progress("p1", "a1", "bash_progress")
			s.progress("p2", "p1", "bash_progress")
			s.says("a2", s.result("r1", "a1", "t1"), "done")
			s.attachment("x1", "a2", "hook_success")
			s.system("s1", "a2", "turn_duration", nil)
			s.turn("5", "s1")
		}, want: "q1 a1 r1 a2 q5 a5"},
		{name: "conversation goes on behind the progress records", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.progress("p1", "a1", "hook_progress")
			s.result("r1", "a1", "t1")
			s.says("a2", s.progress("p2", "p1", "hook_progress"), "done")
		}, want: "q1 a1 r1 a2"},
		{name: "tool result beside one structural child and one reply", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.progress("p1", s.result("r1", "a1", "t1"), "hook_progress")
			s.says("a2", "a1", "and so on")
			s.turn("5", "a2")
		}, want: "q1 a1 r1 a2 q5 a5"},
		{name: "parallel calls of one message", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.calls("b1", "a1", "m1", "t2")
			s.calls("c1", "b1", "m1", "t3")
			s.result("r1", "a1", "t1")
			s.result("r2", "b1", "t2")
			s.says("a2", s.result("r3", "c1", "t3"), "done")
		}, want: "q1 a1 r1 r2 r3 a2"},
		{name: "a message whose records stand apart", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.result("r1", "a1", "t1")
			s.calls("b1", "a1", "m1", "t2")
			s.says("a2", s.result("r2", "b1", "t2"), "done")
		}, want: "q1 a1 r1 r2 a2"},
		{name: "a message that still grows behind its first result", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.result("r1", "a1", "t1")
			s.calls("b1", "a1", "m1", "t2")
		}, want: "q1 a1 r1"},
		{name: "dead end of a tool call", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.turn("2", "q1")
			s.turn("3", "a2")
		}, want: "q1 a1 q2 a2 q3 a3"},
		{name: "lagging result behind the continuation", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.calls("a2", "a1", "m2", "t2")
			s.result("r1", "a1", "t1")
			s.says("a3", s.result("r2", "a2", "t2"), "done")
		}, want: "q1 a1 a2 r1 r2 a3"},
		{name: "exit and resumed", write: func(s *script) {
			s.turn("1", "")
			s.metaUser("c1", "a1", "<local-command-caveat>Caveat: The messages below were generated …</local-command-caveat>")
			s.user("c2", "c1", session)
			s.user("c3", "c2", "<local-command-stdout>Bye!</local-command-stdout>")
			s.record("n1", "c1", fieldsOf{"type": "assistant", "message": fieldsOf{
				"id": "n", "model": "<synthetic>", "role": "assistant",
				"content": []any{fieldsOf{"type": "text", "text": "No response requested."}},
			}})
			s.turn("2", "n1")
		}, want: "q1 a1 c1 c2 c3 n1 q2 a2"},
		{name: "comment on a rejected edit", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.result("r1", "a1", "t1")
			s.turn("2", "a1")
		}, want: "q1 a1 r1 q2 a2"},
		{name: "interrupted and asked again", write: func(s *script) {
			s.turn("1", "")
			s.user("i1", s.user("q2", "a1", "typo"), "[Request interrupted by user]")
			s.turn("3", "a1")
		}, want: "q1 a1 q2 i1 q3 a3"},
		{name: "an interrupted answer resumed", write: func(s *script) {
			s.says("a1", s.user("q1", "", "go"), "half an ans")
			s.turn("2", "q1")
		}, want: "q1 a1 q2 a2"},
		{name: "compaction goes on", write: func(s *script) {
			s.turn("1", "")
			s.system("b1", "", "compact_boundary", fieldsOf{"logicalParentUuid": "lost", "compactMetadata": fieldsOf{"trigger": "auto"}})
			s.record("k1", "b1", fieldsOf{"type": "user", "isCompactSummary": true, "message": fieldsOf{"role": "user", "content": "summary"}})
			s.turn("2", "k1")
		}, want: "q1 a1 k1 q2 a2"},
		{name: "copies a compaction wrote at one time", write: func(s *script) {
			s.turn("1", "")
			at := fieldsOf{"timestamp": "2026-03-04T06:00:00.000Z"}
			for _, n := range []string{"2", "3"} {
				all := fieldsOf{"type": "user", "message": fieldsOf{"role": "user", "content": "copied"}}
				all["timestamp"] = at["timestamp"]
				s.says("a"+n+"c", s.record("q"+n, "a1", all), "answer")
			}
		}, want: "q1 a1 q2 a2c q3 a3c"},
		{name: "a second start of the tool", write: func(s *script) {
			s.turn("1", s.progress("p0", "", "hook_progress"))
			s.turn("2", s.progress("p1", "", "hook_progress"))
		}, want: "q1 a1 q2 a2"},
		{name: "a lost parent", write: func(s *script) {
			s.turn("1", "gone")
			s.turn("2", "gone too")
		}, want: "q1 a1 q2 a2"},
		{name: "a record that names itself", write: func(s *script) {
			s.turn("1", "q1")
		}, want: "q1 a1"},

		{name: "rewind to an earlier turn", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", s.attachment("x1", "a1", "prompt_snapshot"))
			s.turn("3", "x1")
		}, want: "q1 a1 (q2 a2) (q3 a3)"},
		{name: "rewind and not yet answered", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", "a1")
			s.user("q3", "a1", "instead")
		}, want: "q1 a1 (q2 a2) (q3)"},
		{name: "an unanswered prompt between two ways stays with the one before", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", "a1")
			s.user("q3", "a1", "typo")
			s.turn("4", "a1")
		}, want: "q1 a1 (q2 a2 q3) (q4 a4)"},
		{name: "rewind behind a lagging result", write: func(s *script) {
			s.calls("a1", s.user("q1", "", "go"), "m1", "t1")
			s.result("r1", "a1", "t1")
			s.turn("2", "a1")
			s.turn("3", "a1")
		}, want: "q1 a1 r1 (q2 a2) (q3 a3)"},
		{name: "exit stub behind a rewind", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", "a1")
			s.turn("3", "a1")
			s.user("c1", "a1", session)
		}, want: "q1 a1 (q2 a2) (q3 a3 c1)"},
		{name: "rewind within a rewind", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", "a1")
			s.turn("3", "a1")
			s.turn("4", "a3")
			s.turn("5", "a3")
			s.turn("6", "a1")
		}, want: "q1 a1 (q2 a2) (q3 a3 (q4 a4) (q5 a5)) (q6 a6)"},
		{name: "rewind before the first prompt, told by the start of the tool", write: func(s *script) {
			s.turn("1", s.progress("p0", "", "hook_progress"))
			s.turn("2", "p0")
		}, want: "(q1 a1) (q2 a2)"},
		{name: "explicit rewind to the empty conversation", write: func(s *script) {
			s.turn("1", "")
			s.rewound("")
			s.turn("2", "")
		}, want: "(q1 a1) (q2 a2)"},
		{name: "explicit rewind, nothing said after it", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", "a1")
			s.rewound("a1")
		}, want: "q1 a1 q2 a2", head: "a1"},
		{name: "explicit rewind makes an unanswered prompt a way", write: func(s *script) {
			s.turn("1", "")
			s.user("q2", "a1", "never answered")
			s.rewound("a1")
			s.turn("3", "a1")
		}, want: "q1 a1 (q2) (q3 a3)"},
		{name: "an anchor that is not explicit says nothing", write: func(s *script) {
			s.turn("1", "")
			s.turn("2", "a1")
			s.raw(fieldsOf{"type": "last-prompt", "leafUuid": "a1", "sessionId": scriptSession})
		}, want: "q1 a1 q2 a2"},
		{name: "rewind of a custom command that was answered", write: func(s *script) {
			s.turn("1", "")
			s.user("c1", "a1", "<command-name>/review</command-name>")
			s.says("a2", s.metaUser("m1", "c1", "Review the code."), "reviewed")
			s.turn("3", "a1")
		}, want: "q1 a1 (c1 m1 a2) (q3 a3)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s script
			test.write(&s)
			r := readOne(t, s.lines)
			if got := r.shape(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if test.head == "" {
				test.head = r.messages[len(r.messages)-1].UID
			}
			if r.head != test.head {
				t.Errorf("head %s, want %s", r.head, test.head)
			}
		})
	}
}

// TestLongTrees arranges chains and alternatives far longer than any real session.
func TestLongTrees(t *testing.T) {
	const n = 100_000
	chain, star, stairs := make([]position, n+1), make([]position, n+1), make([]position, n+1)
	base := int32(0)
	for i := int32(1); i <= n; i++ {
		way := position{class: reply, timeMs: int64(i), parent: i - 1}
		if i%2 == 1 {
			way.class = prompt
		}
		chain[i], star[i], stairs[i] = way, way, way
		if i%2 == 1 { // every prompt starts a new conversation
			star[i].parent = 0
		}
		if i%4 == 1 { // every prompt is repeated, and the second one continues
			base = i - 1
		}
		if i%2 == 1 {
			stairs[i].parent = base
		}
	}
	for _, test := range []struct {
		name           string
		positions      []position
		depth, regions int
	}{{"chain", chain, n, 1}, {"star", star, 2, n/2 + 1}, {"stairs", stairs, n / 2, n/2 + 1}} {
		built := arrange(test.positions)
		if got := depth(built); got != test.depth || len(built.tail) != test.regions {
			t.Errorf("%s: depth %d, %d chains; want %d, %d", test.name, got, len(built.tail), test.depth, test.regions)
		}
	}
}

func depth(t *tree) int {
	depths := make([]int, len(t.parents))
	deepest := 0
	for i := 1; i < len(depths); i++ {
		depths[i] = depths[t.parents[i]] + 1
		deepest = max(deepest, depths[i])
	}
	return deepest
}

// TestSniff distinguishes Claude Code's files from those of other tools.
func TestSniff(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"user","timestamp":"2024-01-01T10:00:00Z","message":{"content":"hello"},"cwd":"/p"}`:         true,
		`{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}`:             true,
		`{"type":"summary","summary":"s","leafUuid":"l"}`:                                                     true,
		"not json\n{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"s\"}":                               true,
		`{"parentUuid":null,"sessionId":"s","type":"user","message":{"content":"` + strings.Repeat("long", 9): true,
		`{"type":"session_meta","payload":{"id":"x"},"timestamp":"2025-01-01T00:00:00Z"}`:                     false,
		`{"type":"message","id":"1","message":{"role":"user"}}`:                                               false,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","parts":[{"text":"qwen"}]}}`:      false,
		`{"format":"coppice.session","version":1}`:                                                            false,
		`[1,2]`: false,
		``:      false,
	} {
		if got := Format().Sniff("x.jsonl", []byte(head)); got != want {
			t.Errorf("%s: %v", head, got)
		}
	}
}

// TestSniffOthers checks that the files of other tools are left to their own formats.
func TestSniffOthers(t *testing.T) {
	for _, pattern := range []string{"[^c]*/*.json*", "c[^l]*/*.json*", "claude-ai/*.json"} {
		for _, path := range importertest.Samples(t, pattern) {
			data := importertest.File(t, path)
			if Format().Sniff(path, data[:min(len(data), 64<<10)]) {
				t.Errorf("%s is taken for Claude Code's", path)
			}
		}
	}
}

func TestReadTime(t *testing.T) {
	want := time.Date(2026, 3, 4, 5, 6, 7, 8e6, time.UTC).UnixMilli()
	for _, raw := range []string{`"2026-03-04T05:06:07.008Z"`, `"2026-03-04T07:06:07.008+02:00"`, strconv.FormatInt(want, 10)} {
		if got := jsonl.Millis(jsonl.Parse([]byte(`{"t":` + raw + `}`))[0].Get("t")); got != want {
			t.Errorf("%s: %d, want %d", raw, got, want)
		}
	}
	for _, raw := range []string{`"yesterday"`, `null`, `-1`, `{}`} {
		if got := jsonl.Millis(jsonl.Parse([]byte(`{"t":` + raw + `}`))[0].Get("t")); got != 0 {
			t.Errorf("%s: %d, want 0", raw, got)
		}
	}
}
