package codex

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
	"coppice/backend/importer/importertest"
)

// turnShape is the expected shape of a turn of the script.
func turnShape(name string) string {
	return fmt.Sprintf("q%s | t%s | out %s | a%s", name, name, name, name)
}

func TestRollback(t *testing.T) {
	for _, test := range []struct {
		name string
		back int
		want string
	}{
		{"one turn", 1, turnShape("1") + " (" + turnShape("2") + ") (" + turnShape("3") + ")"},
		{"two turns", 2, "(" + turnShape("1") + " | " + turnShape("2") + ") (" + turnShape("3") + ")"},
		{"more than there are", 9, "(" + turnShape("1") + " | " + turnShape("2") + ") (" + turnShape("3") + ")"},
	} {
		for _, ids := range []bool{true, false} {
			t.Run(fmt.Sprint(test.name, ids), func(t *testing.T) {
				id := func(n int) int {
					if ids {
						return n
					}
					return 0
				}
				s := begin(scriptThread, nil)
				s.turn(id(1), "1")
				s.turn(id(2), "2")
				s.rolledBack(test.back)
				r := read(t, s)
				if test.back == 1 && text(r, r.Head) != "a1" || test.back > 1 && r.Head != "" {
					t.Errorf("head after the rollback: %q", text(r, r.Head))
				}
				s.turn(id(3), "3")
				r = read(t, s)
				if got := strings.TrimSpace(r.Shape()); got != test.want {
					t.Errorf("got  %s\nwant %s", got, test.want)
				}
				if text(r, r.Head) != "a3" {
					t.Errorf("head %q", text(r, r.Head))
				}
			})
		}
	}
}

func text(s importertest.Session, uid string) string {
	for _, m := range s.Messages {
		if m.UID == uid {
			return m.Text()
		}
	}
	return ""
}

// TestRollbackCountsPrompts checks that what Codex adds in the user's name does not count as a turn.
func TestRollbackCountsPrompts(t *testing.T) {
	s := begin(scriptThread, nil)
	s.says("developer", "input_text", "<permissions instructions>all</permissions instructions>")
	s.says("user", "input_text", "<environment_context><cwd>/x</cwd></environment_context>")
	s.turn(1, "1")
	s.says("user", "input_text", "<turn_aborted>stopped</turn_aborted>")
	s.turn(2, "2")
	s.rolledBack(1)
	s.turn(3, "3")
	want := "<permissions instructions>all</permissi… | <environment_context><cwd>/x</cwd></env… | " + turnShape("1") +
		" | <turn_aborted>stopped</turn_aborted> (" + turnShape("2") + ") (" + turnShape("3") + ")"
	r := read(t, s)
	if got := r.Shape(); strings.ReplaceAll(got, " (", "(") != strings.ReplaceAll(want, " (", "(") {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFork copies a conversation as "codex fork" does, with times of its own, and imports both: one
// session with a branch for each.
func TestFork(t *testing.T) {
	for _, ids := range []int{1, 0} {
		t.Run(fmt.Sprint("turn ids ", ids), func(t *testing.T) {
			original := begin(scriptThread, nil)
			original.turn(ids, "1")
			fork := begin(forkThread, object{"forked_from_id": scriptThread})
			fork.seconds = 1000
			for l := range bytes.Lines(original.lines) { // the session's own metadata are copied, too
				var r map[string]any
				if err := json.Unmarshal(l, &r); err != nil {
					t.Fatal(err)
				}
				fork.record(r["type"].(string), r["payload"].(map[string]any))
			}
			fork.input, fork.output = original.input, original.output
			original.turn(2*ids, "2")
			fork.turn(3*ids, "3")
			folder := t.TempDir()
			first := put(t, folder, scriptThread, original.lines)
			second := put(t, folder, forkThread, fork.lines)
			for _, order := range [][]string{{first, second}, {second, first}} {
				db := importertest.Open(t)
				importertest.Import(t, db, Format(), order...)
				one, err := db.Session(t.Context(), scriptThread)
				if err != nil {
					t.Fatal(err)
				}
				other, err := db.Session(t.Context(), forkThread)
				if err != nil {
					t.Fatal(err)
				}
				if one.ID != other.ID || one.BranchCount != 2 || one.MessageCount != 12 || one.InputTokens != 900 {
					t.Errorf("%s and %s: %d branches, %d messages, %d tokens", one.ID, other.ID, one.BranchCount, one.MessageCount, one.InputTokens)
				}
				if report := importertest.Import(t, db, Format(), order...); report.Unchanged != 2 {
					t.Errorf("again: %+v", report)
				}
			}
		})
	}
}

func put(t *testing.T, folder, id string, lines []byte) string {
	t.Helper()
	return putAs(t, filepath.Join(folder, "rollout-2026-03-04T05-00-00-"+id+".jsonl"), lines)
}

func putAs(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPages reverts a paginated thread twice: each time a new file continues from a position in the previous one.
func TestPages(t *testing.T) {
	const second, third = "0198c5a4-0000-7000-8000-00000000000b", "0198c5a4-0000-7000-8000-00000000000c"
	home := t.TempDir()
	paginated := func(base object) object {
		more := object{"history_mode": "paginated"}
		if base != nil {
			more["history_base"] = base
		}
		return more
	}
	one := begin(scriptThread, paginated(nil))
	one.turn(1, "1")
	afterFirst := one.ordinal
	one.turn(2, "2")
	two := begin(scriptThread, paginated(object{"thread_id": scriptThread, "end_ordinal_exclusive": afterFirst}))
	two.ordinal, two.input, two.output, two.seconds = afterFirst, 300, 30, 1000
	two.turn(3, "3")
	afterThird := two.ordinal
	two.turn(4, "4")
	three := begin(scriptThread, paginated(object{"thread_id": second, "end_ordinal_exclusive": afterThird}))
	three.ordinal, three.input, three.output, three.seconds = afterThird, 600, 60, 2000
	three.turn(5, "5")
	name := func(ids string) string {
		return filepath.Join(home, "sessions", "2026", "03", "04", "rollout-2026-03-04T05-00-00-"+ids+".jsonl")
	}
	first := putAs(t, name(scriptThread)+".zst", compress(one.lines))
	next := putAs(t, name(scriptThread+"_"+second), two.lines)
	last := putAs(t, filepath.Join(home, "archived_sessions", "rollout-2026-03-05T05-00-00-"+scriptThread+"_"+third+".jsonl"), three.lines)
	want := turnShape("1") + " (" + turnShape("2") + ") (" + turnShape("3") + " (" + turnShape("4") + ") (" + turnShape("5") + "))"
	for _, order := range [][]string{{first, next, last}, {last, first, next}} {
		db := importertest.Open(t)
		if report := importertest.Import(t, db, Format(), order...); len(report.Problems) != 0 {
			t.Fatal(report.Problems)
		}
		s, err := db.Session(t.Context(), scriptThread)
		if err != nil {
			t.Fatal(err)
		}
		if s.BranchCount != 3 || s.MessageCount != 20 || s.InputTokens != 1500 {
			t.Errorf("%d branches, %d messages, %d tokens", s.BranchCount, s.MessageCount, s.InputTokens)
		}
		var all []core.Message
		for m, err := range db.Messages(t.Context(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		if got := importertest.Shape(all); order[0] == first && got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		head, err := db.Message(t.Context(), s.ID, s.HeadUID)
		if err != nil || head.Text() != "a5" {
			t.Errorf("head %q, %v", head.Text(), err)
		}
	}
}

// TestMissingPage reports which part of a conversation is missing, and reads the rest.
func TestMissingPage(t *testing.T) {
	s := begin(scriptThread, object{"history_mode": "paginated", "history_base": object{"thread_id": forkThread, "end_ordinal_exclusive": 5}})
	s.turn(1, "1")
	all, problems := importertest.Read(t, Format(), filepath.Join(t.TempDir(), "rollout-x.jsonl"), s.lines)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, forkThread) || len(all) != 1 || len(all[0].Messages) != 4 {
		t.Errorf("%d sessions, problems %v", len(all), problems)
	}
}

// TestCircle checks that reading files that continue each other ends.
func TestCircle(t *testing.T) {
	folder := t.TempDir()
	page := func(id, of string) []byte {
		s := begin(id, object{"history_mode": "paginated", "history_base": object{"thread_id": of, "end_ordinal_exclusive": 99}})
		s.turn(1, "1")
		return s.lines
	}
	path := put(t, folder, scriptThread, page(scriptThread, forkThread))
	put(t, folder, forkThread, page(forkThread, scriptThread))
	_, problems := importertest.Read(t, Format(), path, page(scriptThread, forkThread))
	if len(problems) != 1 {
		t.Errorf("problems %v", problems)
	}
}

// TestSubagent makes the session of a subagent a child of the one that runs it, and leaves out what it inherited.
func TestSubagent(t *testing.T) {
	parent := begin(scriptThread, nil)
	parent.turn(1, "1")
	child := begin(forkThread, object{
		"history_mode": "paginated", "subagent_history_start_ordinal": 9, "agent_nickname": "Averroes", "thread_source": "subagent",
		"source": object{"subagent": object{"thread_spawn": object{"parent_thread_id": scriptThread, "depth": 1, "agent_role": "explorer"}}},
	})
	child.starts(1)
	child.prompt("q1")
	child.reply("inherited")
	child.ordinal = 9
	child.turn(2, "2")
	folder := t.TempDir()
	db := importertest.Open(t)
	importertest.Import(t, db, Format(), put(t, folder, scriptThread, parent.lines), put(t, folder, forkThread, child.lines))
	p, err := db.Session(t.Context(), scriptThread)
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Session(t.Context(), forkThread)
	if err != nil {
		t.Fatal(err)
	}
	if c.ParentID != p.ID || c.Relation != core.RelationSubagent || c.Agent != "Averroes" || c.MessageCount != 4 || c.Title != "q2" {
		t.Errorf("%+v", c)
	}
}

// TestRandomTreesComeBack writes random turns and rollbacks, and reads the same tree back, also when it grew.
func TestRandomTreesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin(scriptThread, nil)
		path := []string{""} // the last message of each turn on the path
		want := map[string]string{}
		ids := rapid.Bool().Draw(t, "ids")
		var cuts []int64
		for n := range rapid.IntRange(1, 10).Draw(t, "turns") {
			if back := rapid.IntRange(0, 3).Draw(t, "back"); back > 0 && n > 0 {
				s.rolledBack(back)
				path = path[:max(1, len(path)-back)]
			}
			name, id := fmt.Sprint(n), 0
			if ids {
				id = n + 1
			}
			s.turn(id, name)
			want["q"+name] = path[len(path)-1]
			want["a"+name] = "out " + name
			path = append(path, "a"+name)
			cuts = append(cuts, int64(len(s.lines)))
		}
		r := read(t, s)
		said := map[string]string{"": ""}
		for _, m := range r.Messages {
			said[m.UID] = m.Preview(20)
		}
		for _, m := range r.Messages {
			if parent, told := want[said[m.UID]]; told && said[m.ParentUID] != parent {
				t.Fatalf("%s under %s, want %s\n%s", said[m.UID], said[m.ParentUID], parent, r.Shape())
			}
		}
		if said[r.Head] != path[len(path)-1] {
			t.Fatalf("head %s, want %s", said[r.Head], path[len(path)-1])
		}
		grown := importertest.ReadFrom(t, Format(), scriptPath, s.lines, rapid.SampledFrom(cuts).Draw(t, "from"))
		for i, m := range grown {
			if m.UID != r.Messages[i].UID || m.ParentUID != r.Messages[i].ParentUID {
				t.Fatalf("message %d is another one after growth", i)
			}
		}
	})
}

// TestGrowth grows files line by line and within lines.
func TestGrowth(t *testing.T) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	s.turn(2, "2")
	s.event(object{"type": "mcp_tool_call_end", "call_id": "only-shown", "invocation": object{"server": "s", "tool": "t"}, "result": object{"Ok": object{"content": []object{{"type": "text", "text": "found"}}}}})
	s.rolledBack(1)
	s.turn(3, "3")
	var lines, within []int
	for i, c := range s.lines {
		if c == '\n' {
			lines = append(lines, i+1)
		}
		if i%997 == 0 && len(lines) > 0 {
			within = append(within, i)
		}
	}
	t.Run("lines", func(t *testing.T) { importertest.Grow(t, Format(), "rollout-g.jsonl", s.lines, lines) })
	t.Run("within lines", func(t *testing.T) { importertest.Grow(t, Format(), "rollout-g.jsonl", s.lines, within) })
}

// TestGrowthBetweenTurns grows a file whose next turn is announced before its prompt: what is only shown on the screen in the
// previous turn stays where it is.
func TestGrowthBetweenTurns(t *testing.T) {
	s := begin(scriptThread, nil)
	picture := "data:image/png;base64,iVBORw0KGgo="
	s.event(object{"type": "user_message", "message": "", "images": []string{picture}})
	s.item(object{"type": "message", "role": "user", "content": []object{{"type": "input_image", "image_url": picture}}})
	s.turn(1, "1")
	s.starts(2)
	s.prompt("q2")
	s.calls("c")
	s.event(object{"type": "mcp_tool_call_end", "call_id": "only-shown", "invocation": object{"server": "s", "tool": "t"}, "result": object{"Ok": object{"content": []object{{"type": "text", "text": "found"}}}}})
	s.answers("c", "out")
	s.ends(2)
	s.record("turn_context", object{"cwd": "/home/ada/garden", "model": "gpt-5-codex", "turn_id": turnID(3)})
	s.says("developer", "input_text", "be kind")
	s.prompt("q3")
	s.ends(3)
	importertest.Grow(t, Format(), "rollout-g.jsonl", s.lines, lineEnds(s.lines))
}

// TestIDsThatComeAgain connects results with the nearest call above them: some models restart numbering with every
// answer.
func TestIDsThatComeAgain(t *testing.T) {
	s := begin(scriptThread, nil)
	for _, tool := range []string{"ls", "cat"} {
		s.item(object{"type": "function_call", "name": tool, "arguments": "{}", "call_id": "call_0"})
		s.item(object{"type": "function_call_output", "call_id": "call_0", "output": "of " + tool})
	}
	var names []string
	for _, m := range read(t, s).Messages {
		if p := m.Parts[0]; p.Type == core.PartToolResult {
			names = append(names, p.Name)
		}
	}
	if strings.Join(names, " ") != "ls cat" {
		t.Errorf("results of %q", names)
	}
}

func lineEnds(text []byte) []int {
	var ends []int
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// FuzzRead reads arbitrary bytes. The result is always a valid tree.
func FuzzRead(f *testing.F) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	s.rolledBack(1)
	s.turn(0, "2")
	s.record("compacted", object{"message": "so far", "replacement_history": []object{{"type": "message"}}})
	f.Add(s.lines, 0)
	f.Add(s.lines, len(s.lines)/2)
	f.Add(compress(s.lines), 0)
	f.Add([]byte(`{"session":{"id":"x","instructions":""},"items":[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}]}`), 0)
	f.Add([]byte(`{"timestamp":"2025-09-10T12:00:00Z","role":"user","content":"q"}{"type":"tool_call","name":"x","arguments":"{}"}`), 0)
	f.Fuzz(func(t *testing.T, data []byte, from int) {
		Format().Sniff("x", data)
		importertest.Read(t, Format(), "/p/rollout-x.jsonl", data)
		importertest.ReadFrom(t, Format(), "/p/rollout-x.jsonl", data, int64(max(0, min(from, len(data)))))
	})
}
