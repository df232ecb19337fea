package pi

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

func text(s importertest.Session, uid string) string {
	for _, m := range s.Messages {
		if m.UID == uid {
			return m.Preview(40)
		}
	}
	return ""
}

// shape writes the tree without white space at its ends.
func shape(s importertest.Session) string { return strings.TrimSpace(s.Shape()) }

// TestVersions reads the same conversation in every version: it is the same, down to the ids.
func TestVersions(t *testing.T) {
	write := func(version int) importertest.Session {
		s := begin(version)
		s.entry("e0", "model_change", object{"provider": "anthropic", "modelId": "m"})
		s.prompt("q1")
		s.works("a1")
		s.entry("e1", "thinking_level_change", object{"thinkingLevel": "high"})
		s.prompt("q2")
		s.reply("a2")
		return read(t, s)
	}
	first := write(3)
	if got := shape(first); got != "q1 | edit {\"path\":\"/g/0.md\"} | out a10 | q2 | a2" || text(first, first.Head) != "a2" || len(first.Records) != 2 {
		t.Errorf("%s, head %s, records %v", got, text(first, first.Head), first.Records)
	}
	for _, version := range []int{1, 2, 4} {
		s := write(version)
		if len(s.Messages) != len(first.Messages) {
			t.Fatalf("version %d: %s", version, shape(s))
		}
		for i, m := range s.Messages {
			if w := first.Messages[i]; m.UID != w.UID || m.ParentUID != w.ParentUID || m.CreatedAtMs != w.CreatedAtMs {
				t.Errorf("version %d: message %d is another one", version, i)
			}
		}
		if s.SourceID != scriptSession || s.WorkspacePath != "/home/ada/garden" || s.CreatedAtMs != 1772600400000 || s.Title != "q1" || s.Model != "claude-opus-4-5" {
			t.Errorf("version %d: %+v", version, s.Session)
		}
	}
}

// TestTree checks the trees that going back, summaries and lanes produce.
func TestTree(t *testing.T) {
	for _, test := range []struct {
		name       string
		version    int
		write      func(s *script)
		want, head string
	}{
		{"going back", 3, func(s *script) {
			s.prompt("q1")
			at := s.reply("a1")
			s.prompt("q2")
			s.reply("a2")
			s.last = at
			s.prompt("q3")
		}, "q1 | a1 (q2 | a2) (q3)", "q3"},
		{"going back with a summary", 3, func(s *script) {
			s.prompt("q1")
			at := s.reply("a1")
			s.prompt("q2")
			left := s.reply("a2")
			s.last = at
			s.entry("b", "branch_summary", object{"fromId": left, "summary": "went to q2"})
			s.prompt("q3")
		}, "q1 | a1 (q2 | a2) (went to q2 | q3)", "q3"},
		{"going back before the first prompt", 3, func(s *script) { s.prompt("q1"); s.last = ""; s.prompt("q2") }, "(q1) (q2)", "q2"},
		{"going back, and a setting changed there", 3, func(s *script) {
			at := s.prompt("q1")
			s.reply("a1")
			s.last = at
			s.entry("e", "model_change", object{"modelId": "m"})
		}, "q1 | a1", "q1"},
		{"a compaction", 3, func(s *script) {
			s.prompt("q1")
			s.reply("a1")
			s.entry("c", "compaction", object{"summary": "so far", "firstKeptEntryId": "a1", "tokensBefore": 5})
			s.prompt("q2")
		}, "q1 | a1 | so far | q2", "q2"},
		{"going back between results", 3, func(s *script) {
			s.prompt("q1")
			s.works("a1")
			s.last = "a1r0"
			s.prompt("q2")
			s.last = "a1r0"
			s.result("other", "a11", false)
		}, "q1 | edit {\"path\":\"/g/0.md\"} | out a10 (q2) (out a11)", "out a11"},
		{"lanes", 4, func(s *script) {
			s.prompt("q1")
			at := s.reply("a1")
			s.lane = "side"
			s.prompt("s1")
			s.lane, s.last = "main", at
			s.prompt("q2")
			s.lane, s.last = "side", "s1"
			s.reply("s2")
		}, "q1 | a1 (s1 | s2) (q2)", "q2"},
		{"a lane that was moved", 4, func(s *script) {
			at := s.prompt("q1")
			s.reply("a1")
			s.raw(object{"kind": "lane", "seq": 9, "lane": "main", "leafId": at})
		}, "q1 | a1", "q1"},
		{"a lane that was moved before everything", 4, func(s *script) {
			s.prompt("q1")
			s.raw(object{"kind": "lane", "seq": 9, "lane": "main", "leafId": nil})
		}, "q1", ""},
		{"an entry that hangs on a damaged one", 3, func(s *script) {
			s.prompt("q1")
			s.last = "gone"
			s.prompt("q2")
		}, "q1 | q2", "q2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin(test.version)
			test.write(s)
			r := read(t, s)
			if got := shape(r); got != test.want || text(r, r.Head) != test.head {
				t.Errorf("got  %s, head %q\nwant %s, head %q", got, text(r, r.Head), test.want, test.head)
			}
		})
	}
}

// TestLabels sets names, removes them and sets others, also on entries that are not messages.
func TestLabels(t *testing.T) {
	s := begin(3)
	s.entry("e0", "model_change", object{"modelId": "m"})
	s.prompt("q1")
	s.entry("l0", "label", object{"targetId": "e0", "label": "nowhere"})
	s.entry("l1", "label", object{"targetId": "q1", "label": "first"})
	s.entry("e1", "model_change", object{"modelId": "m"})
	s.entry("l2", "label", object{"targetId": "e1", "label": "newer"})
	s.prompt("q2")
	s.entry("l3", "label", object{"targetId": "q2", "label": "taken back"})
	s.entry("l4", "label", object{"targetId": "q2"})
	r := read(t, s)
	if len(r.Labels) != 2 || r.Labels[1].Text != "newer" || text(r, r.Labels[1].UID) != "q1" || r.Labels[1].CreatedAtMs != 1772600406000 || len(r.Records) != 2 {
		t.Errorf("%+v, %d records", r.Labels, len(r.Records))
	}
	if r.Labels[0].Text != "" || text(r, r.Labels[0].UID) != "q2" {
		t.Errorf("taken back: %+v", r.Labels[0])
	}
	f := begin(4)
	f.prompt("q1")
	f.raw(object{"kind": "fact", "seq": 2, "fact": "label", "targetId": "q1", "label": "named"})
	f.raw(object{"kind": "fact", "seq": 3, "fact": "name", "name": "the garden"})
	if r := read(t, f); len(r.Labels) != 1 || r.Labels[0].Text != "named" || r.Title != "the garden" {
		t.Errorf("%+v %q", r.Labels, r.Title)
	}
}

// TestCopy copies a conversation's beginning into a new file as pi does to fork it: one session with a branch for each.
func TestCopy(t *testing.T) {
	for _, version := range []int{1, 3} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			original := begin(version)
			original.prompt("q1")
			original.works("a1")
			const id = "0199a000-0000-7000-8000-000000000002"
			fork := &script{version: version, lines: bytes.ReplaceAll(original.lines, []byte(scriptSession), []byte(id)), seconds: 500, last: original.last}
			original.prompt("q2")
			fork.prompt("q3")
			folder := t.TempDir()
			one, two := put(t, filepath.Join(folder, "a_"+scriptSession+".jsonl"), original.lines), put(t, filepath.Join(folder, "b_"+id+".jsonl"), fork.lines)
			for _, order := range [][]string{{one, two}, {two, one}} {
				db := importertest.Open(t)
				importertest.Import(t, db, Format(), order...)
				for _, ref := range []string{scriptSession, id} {
					s, err := db.Session(t.Context(), ref)
					if err != nil || s.BranchCount != 2 || s.MessageCount != 5 || s.InputTokens != 157 {
						t.Errorf("%v: %d branches, %d messages, %d tokens", err, s.BranchCount, s.MessageCount, s.InputTokens)
					}
				}
				if report := importertest.Import(t, db, Format(), order...); report.Unchanged != 2 {
					t.Errorf("again: %+v", report)
				}
			}
		})
	}
}

// TestRandomTreesComeBack writes random trees, and reads the same back, also when they grew.
func TestRandomTreesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin(rapid.SampledFrom([]int{2, 3, 4}).Draw(t, "version"))
		all, want := []string{""}, map[string]string{}
		settings := map[string]string{} // the message that a setting comes after
		cuts := []int64{int64(len(s.lines))}
		for n := range rapid.IntRange(1, 25).Draw(t, "entries") {
			parent := rapid.SampledFrom(all).Draw(t, "parent")
			s.last = parent
			message, isSetting := settings[parent]
			if !isSetting {
				message = parent
			}
			id := fmt.Sprint("m", n)
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				s.entry(id, "thinking_level_change", object{"thinkingLevel": "high"})
				settings[id] = message
			} else {
				s.prompt(id)
				want[id] = message
			}
			all = append(all, id)
			cuts = append(cuts, int64(len(s.lines)))
		}
		sessions, problems := importertest.Read(t, Format(), scriptPath, s.lines)
		if len(problems) != 0 || len(sessions) != min(1, len(want)) {
			t.Fatal(problems, len(sessions))
		}
		if len(sessions) == 0 {
			return
		}
		r := sessions[0]
		said := map[string]string{"": ""}
		for _, m := range r.Messages {
			said[m.UID] = m.Preview(20)
		}
		for _, m := range r.Messages {
			if said[m.ParentUID] != want[said[m.UID]] {
				t.Fatalf("%s under %s, want %s", said[m.UID], said[m.ParentUID], want[said[m.UID]])
			}
		}
		last := all[len(all)-1]
		if message, isSetting := settings[last]; isSetting {
			last = message
		}
		if len(r.Messages) != len(want) || said[r.Head] != last {
			t.Fatalf("%d messages, want %d; head %s, want %s", len(r.Messages), len(want), said[r.Head], last)
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
	for _, version := range []int{1, 3, 4} {
		s := begin(version)
		s.prompt("q1")
		s.works("a1")
		s.entry("l1", "label", object{"targetId": "q1", "label": "first"})
		s.entry("x", "invented", object{"a": 1})
		s.prompt("q2")
		s.entry("c", "compaction", object{"summary": "so far"})
		s.entry("l2", "label", object{"targetId": "q2", "label": "second"})
		s.entry("l3", "label", object{"targetId": "q1"})
		s.entry("l4", "label", object{"targetId": "q2", "label": "second thoughts"})
		s.works("a2")
		var lines, within []int
		for i, c := range s.lines {
			if c == '\n' {
				lines = append(lines, i+1)
			}
			if i%499 == 0 && len(lines) > 0 {
				within = append(within, i)
			}
		}
		t.Run(fmt.Sprint("lines ", version), func(t *testing.T) { importertest.Grow(t, Format(), "g.jsonl", s.lines, lines) })
		t.Run(fmt.Sprint("within lines ", version), func(t *testing.T) { importertest.Grow(t, Format(), "g.jsonl", s.lines, within) })
	}
}

// TestBroughtToNewVersion rewrites a file as a newer pi does: the session in the library stays as it is.
func TestBroughtToNewVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	db := importertest.Open(t)
	for _, version := range []int{1, 3} {
		s := begin(version)
		s.prompt("q1")
		s.works("a1")
		put(t, path, s.lines)
		importertest.Import(t, db, Format(), path)
	}
	s, err := db.Session(t.Context(), scriptSession)
	if err != nil || s.MessageCount != 3 || s.BranchCount != 1 {
		t.Errorf("%d messages, %d branches, %v", s.MessageCount, s.BranchCount, err)
	}
	if s.Relation != core.RelationNone {
		t.Error(s.Relation)
	}
}

// FuzzRead reads arbitrary bytes. The result is always a valid tree.
func FuzzRead(f *testing.F) {
	for _, version := range []int{1, 3, 4} {
		s := begin(version)
		s.prompt("q1")
		s.works("a1")
		s.last = "q1"
		s.entry("b", "branch_summary", object{"fromId": "a1", "summary": "s"})
		s.entry("l", "label", object{"targetId": "b", "label": "x"})
		s.raw(object{"kind": "lane", "lane": "main", "leafId": "q1"})
		f.Add(s.lines, 0)
		f.Add(s.lines, len(s.lines)/2)
	}
	f.Fuzz(func(t *testing.T, data []byte, from int) {
		Format().Sniff("x", data)
		importertest.Read(t, Format(), "/p/x_1.jsonl", data)
		importertest.ReadFrom(t, Format(), "/p/x_1.jsonl", data, int64(max(0, min(from, len(data)))))
	})
}
