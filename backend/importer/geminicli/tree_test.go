package geminicli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// TestTree checks the trees that rewinding and checkpoints produce.
func TestTree(t *testing.T) {
	for _, test := range []struct {
		name       string
		write      func(s *script)
		want, head string
	}{
		{"a line", func(s *script) { s.prompt("q1"); s.works("a1"); s.prompt("q2"); s.reply("a2") }, "q1 | a1 | out a1 | q2 | a2", "a2"},
		{"a rewind", func(s *script) {
			s.prompt("q1")
			s.works("a1")
			s.prompt("q2")
			s.reply("a2")
			s.rewind("q2")
			s.prompt("q3")
			s.reply("a3")
		}, "q1 | a1 | out a1 (q2 | a2) (q3 | a3)", "a3"},
		{"a rewind, and nothing since", func(s *script) { s.prompt("q1"); s.works("a1"); s.prompt("q2"); s.rewind("q2") }, "q1 | a1 | out a1 | q2", "a1/results"},
		{"a rewind to what is not there", func(s *script) { s.prompt("q1"); s.reply("a1"); s.rewind("nowhere"); s.prompt("q2") }, "(q1 | a1) (q2)", "q2"},
		{"a rewind to what was left", func(s *script) {
			s.prompt("q1")
			s.reply("a1")
			s.rewind("q1")
			s.prompt("q2")
			s.rewind("a1")
			s.prompt("q3")
		}, "(q1 | a1) (q2) (q3)", "q3"},
		{"a checkpoint that says the same", func(s *script) {
			s.prompt("q1")
			s.reply("a1")
			s.raw(object{"$set": object{"messages": []object{s.message("q1", "user", "q1", nil), s.message("a1", "gemini", "a1", nil)}}})
			s.prompt("q2")
		}, "q1 | a1 | q2", "q2"},
		{"a checkpoint that drops the last turn", func(s *script) {
			s.prompt("q1")
			s.reply("a1")
			s.prompt("q2")
			s.raw(object{"$set": object{"messages": []object{s.message("q1", "user", "q1", nil), s.message("a1", "gemini", "a1 at length", nil)}}})
			s.prompt("q3")
		}, "q1 | a1 at length (q2) (q3)", "q3"},
		{"a checkpoint with messages of its own", func(s *script) {
			s.raw(object{"$set": object{"messages": []object{s.message("q1", "user", "q1", nil), s.message("a1", "gemini", "a1", object{"toolCalls": []object{call("c", "out")}})}}})
			s.prompt("q2")
		}, "q1 | a1 | out | q2", "q2"},
		{"ids like those of results", func(s *script) {
			s.prompt("q1")
			s.works("a1")
			s.reply("a1/results")
			s.reply("a1/results/message")
			s.rewind("a1/results/message")
		}, "q1 | a1 | out a1 | a1/results | a1/results/message", "a1/results/message"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin()
			test.write(s)
			r := read(t, s)
			if got := shape(&r); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if r.Head != test.head {
				t.Errorf("head %s, want %s", r.Head, test.head)
			}
		})
	}
}

// TestRandomTreesComeBack writes random turns, rewinds and checkpoints, and reads the same tree back, also when it grew.
func TestRandomTreesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin()
		path := []string{""}
		want := map[string]string{}
		cuts := []int64{int64(len(s.lines))}
		for n := range rapid.IntRange(1, 25).Draw(t, "messages") {
			id := fmt.Sprint("m", n)
			switch step := rapid.IntRange(0, 9).Draw(t, "step"); {
			case step == 0 && len(path) > 1:
				to := rapid.IntRange(1, len(path)-1).Draw(t, "to")
				s.rewind(path[to])
				path = path[:to]
				continue
			case step == 1:
				keep := rapid.IntRange(1, len(path)).Draw(t, "keep")
				all := []object{}
				for _, id := range path[1:keep] {
					all = append(all, s.message(id, "user", id, nil))
				}
				s.raw(object{"$set": object{"messages": all}})
				path = path[:keep]
				continue
			default:
				s.prompt(id)
			}
			want[id] = path[len(path)-1]
			path = append(path, id)
			cuts = append(cuts, int64(len(s.lines)))
		}
		all, problems := importertest.Read(t, Format(), scriptPath, s.lines)
		if len(problems) != 0 || len(all) != min(1, len(want)) {
			t.Fatal(problems, len(all))
		}
		if len(all) == 0 {
			return
		}
		r := all[0]
		for _, m := range r.Messages {
			if m.ParentUID != want[m.UID] {
				t.Fatalf("%s under %s, want %s", m.UID, m.ParentUID, want[m.UID])
			}
		}
		if len(r.Messages) != len(want) || r.Head != path[len(path)-1] {
			t.Fatalf("%d messages, want %d; head %s, want %s", len(r.Messages), len(want), r.Head, path[len(path)-1])
		}
		grown := importertest.ReadFrom(t, Format(), scriptPath, s.lines, rapid.SampledFrom(cuts).Draw(t, "from"))
		for i, m := range grown {
			if m.UID != r.Messages[i].UID || m.ParentUID != r.Messages[i].ParentUID {
				t.Fatalf("message %d is another one after growth", i)
			}
		}
	})
}

func TestGrowth(t *testing.T) {
	s := begin()
	s.prompt("q1")
	s.works("a1")
	s.prompt("q2")
	s.reply("a2")
	s.rewind("q2")
	s.prompt("q3")
	s.works("a3")
	s.raw(object{"$set": object{"summary": "the garden"}})
	s.raw(object{"$set": object{"messages": []object{s.message("q1", "user", "q1", nil)}}})
	s.prompt("q4")
	var lines, within []int
	for i, c := range s.lines {
		if c == '\n' {
			lines = append(lines, i+1)
		}
		if i%499 == 0 && len(lines) > 0 {
			within = append(within, i)
		}
	}
	t.Run("lines", func(t *testing.T) { importertest.Grow(t, Format(), "session-g.jsonl", s.lines, lines) })
	t.Run("within lines", func(t *testing.T) { importertest.Grow(t, Format(), "session-g.jsonl", s.lines, within) })
}

// TestContinuedElsewhere reads a session once that a newer version took over from an older one.
func TestContinuedElsewhere(t *testing.T) {
	folder := t.TempDir()
	s := begin()
	s.prompt("q1")
	put(t, filepath.Join(folder, "session-x.json"), old(s.message("q1", "user", "q1", nil)))
	put(t, filepath.Join(folder, "session-x.jsonl"), s.lines)
	db := importertest.Open(t)
	if report := importertest.Import(t, db, Format(), folder); report.Imported != 1 || report.Skipped != 1 || len(report.Problems) != 0 {
		t.Errorf("%+v", report)
	}
}

func put(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSubagent imports a session and its subagent in either order: it is a child of the message that started it.
func TestSubagent(t *testing.T) {
	parent := begin()
	parent.prompt("q1")
	c := call("call", "out")
	c["agentId"] = "child-1"
	parent.raw(parent.message("a1", "gemini", "a1", object{"toolCalls": []object{c}}))
	child := &script{}
	child.raw(object{"sessionId": "child-1", "projectHash": "abc", "startTime": child.now(), "kind": "subagent"})
	child.prompt("look around")
	for _, childFirst := range []bool{false, true} {
		chats := filepath.Join(t.TempDir(), "garden", "chats")
		paths := []string{put(t, filepath.Join(chats, "session-a.jsonl"), parent.lines), put(t, filepath.Join(chats, scriptSession, "child-1.jsonl"), child.lines)}
		if childFirst {
			slices.Reverse(paths)
		}
		db := importertest.Open(t)
		for _, path := range paths {
			importertest.Import(t, db, Format(), path)
		}
		p, err := db.Session(t.Context(), scriptSession)
		if err != nil {
			t.Fatal(err)
		}
		c, err := db.Session(t.Context(), "child-1")
		if err != nil {
			t.Fatal(err)
		}
		if c.ParentID != p.ID || c.ParentUID != "a1" || c.Relation != core.RelationSubagent || c.Title != "look around" {
			t.Errorf("child first: %v: %+v", childFirst, c)
		}
	}
}

// FuzzRead reads arbitrary bytes. The result is always a valid tree.
func FuzzRead(f *testing.F) {
	s := begin()
	s.prompt("q1")
	s.works("a1")
	s.rewind("a1")
	s.raw(object{"$set": object{"messages": []object{s.message("a1/results", "user", "q", nil), {"type": "odd"}}}})
	f.Add(s.lines, 0)
	f.Add(s.lines, len(s.lines)/2)
	f.Add(old(s.message("q", "user", "q", nil), s.message("a", "gemini", []object{{"inlineData": object{"data": "AAAA"}}}, nil)), 0)
	f.Add([]byte(`{"history":[{"role":"user","parts":[{"text":"q"},{"functionResponse":{"response":{"error":"e"}}}]},5]}`), 0)
	f.Fuzz(func(t *testing.T, data []byte, from int) {
		Format().Sniff("x", data)
		importertest.Read(t, Format(), "/p/chats/x.jsonl", data)
		importertest.ReadFrom(t, Format(), "/p/chats/x.jsonl", data, int64(max(0, min(from, len(data)))))
	})
}
