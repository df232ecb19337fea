package geminicli

import (
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const (
	snapshotText = "<state_snapshot>\n  <overall_goal>mend</overall_goal>\n</state_snapshot>"
	scratchText  = "<scratchpad>\nnothing is left out\n</scratchpad>\n\n" + snapshotText
	thanksText   = "Got it. Thanks for the additional context!"
)

// texts returns a content in the form of a checkpoint: a list of parts of the API.
func texts(words ...string) []object {
	parts := []object{}
	for _, w := range words {
		parts = append(parts, object{"text": w})
	}
	return parts
}

// compressed is the checkpoint that /compress writes: the first message, a snapshot, its acknowledgment, and the turns that it
// retains, all but the first one with new ids.
func (s *script) compressed(n string, summary string, retained ...object) {
	all := []object{
		s.message("ctx", "user", texts("<session_context>\nToday is"), nil),
		s.message("sum"+n, "user", texts(summary), nil), s.message("ack"+n, "gemini", texts(thanksText), nil),
	}
	s.raw(object{"$set": object{"messages": append(all, retained...)}})
	s.raw(s.message("note"+n, "info", "", nil))
}

// twoTurns begins a session with two turns, the first of which calls a tool.
func (s *script) twoTurns() {
	s.raw(object{"$set": object{"messages": []object{s.message("ctx", "user", texts("<session_context>\nToday is"), nil)}}})
	s.prompt("q1")
	s.works("a1")
	s.prompt("q2")
	s.reply("a2")
}

// TestCompress keeps a compressed conversation on one path: the summary follows what it replaces, and retained turns are not repeated.
func TestCompress(t *testing.T) {
	for _, test := range []struct {
		name       string
		write      func(s *script)
		want, head string
	}{
		{"without retained turns", func(s *script) {
			s.compressed("", scratchText)
			s.prompt("q3")
		}, "<session_context> Today is | q1 | a1 | out a1 | q2 | a2 | <scratchpad> nothing is left out </scra… | " + thanksText[:39] + "… | - | q3", "q3"},
		{"with retained turns", func(s *script) {
			s.compressed("", snapshotText, s.message("r1", "user", texts("q2"), nil), s.message("r2", "gemini", texts("a2"), nil))
			s.prompt("q3")
		}, "<session_context> Today is | q1 | a1 | out a1 | q2 | a2 | <state_snapshot> <overall_goal>mend</ov… | " + thanksText[:39] + "… | - | q3", "q3"},
		{"with a retained tool call", func(s *script) {
			s.compressed("", snapshotText,
				s.message("r1", "gemini", []object{{"text": "a1"}, {"functionCall": object{"name": "write_file", "args": object{"file_path": "a.md"}}}}, nil),
				s.message("r2", "user", []object{{"functionResponse": object{"name": "write_file", "response": object{"output": "out a1"}}}}, nil),
				s.message("r3", "user", texts("q2"), nil), s.message("r4", "gemini", texts("a2"), nil))
			s.prompt("q3")
		}, "<session_context> Today is | q1 | a1 | out a1 | q2 | a2 | <state_snapshot> <overall_goal>mend</ov… | " + thanksText[:39] + "… | - | q3", "q3"},
		{"resumed at once", func(s *script) {
			retained := s.message("r1", "user", texts("q2"), nil)
			s.compressed("", snapshotText, retained)
			s.raw(object{"$set": object{"messages": []object{
				s.message("ctx", "user", texts("<session_context>\nToday is"), nil), s.message("sum", "user", texts(snapshotText), nil),
				s.message("ack", "gemini", texts(thanksText), nil), retained,
			}}})
			s.prompt("q3")
		}, "<session_context> Today is | q1 | a1 | out a1 | q2 | a2 | <state_snapshot> <overall_goal>mend</ov… | " + thanksText[:39] + "… (-) (q3)", "q3"},
		{"twice", func(s *script) {
			s.compressed("", snapshotText)
			s.prompt("q3")
			s.compressed("2", snapshotText, s.message("r1", "user", texts("q3"), nil))
			s.prompt("q4")
		}, "<session_context> Today is | q1 | a1 | out a1 | q2 | a2 | <state_snapshot> <overall_goal>mend</ov… | " + thanksText[:39] +
			"… | - | q3 | <state_snapshot> <overall_goal>mend</ov… | " + thanksText[:39] + "… | - | q4", "q4"},
		{"a rewind to a retained turn", func(s *script) {
			s.compressed("", snapshotText, s.message("r1", "user", texts("q2"), nil), s.message("r2", "gemini", texts("a2"), nil))
			s.rewind("r1")
			s.prompt("q3")
		}, "<session_context> Today is | q1 | a1 | out a1 (q2 | a2 | <state_snapshot> <overall_goal>mend</ov… | " + thanksText[:39] + "… | -) (q3)", "q3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin()
			s.twoTurns()
			test.write(s)
			r := read(t, s)
			if got := shape(&r); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if r.Head != test.head || r.Title != "q1" {
				t.Errorf("head %s, title %s", r.Head, r.Title)
			}
		})
	}
}

// TestSummaryParts checks the messages of a compression: a summary that opens no turn, and no model call.
func TestSummaryParts(t *testing.T) {
	s := begin()
	s.twoTurns()
	s.compressed("", scratchText)
	all := read(t, s).Messages
	sum, ack := all[6], all[7]
	if sum.Kind != core.KindCompaction || sum.Parts[0].Type != core.PartSummary || sum.Parts[0].Text != scratchText {
		t.Errorf("summary %+v", sum.Message)
	}
	if ack.Kind != core.KindMeta || ack.Role != core.RoleAssistant || ack.Model != "" {
		t.Errorf("acknowledgment %+v", ack.Message)
	}
}

// TestResumeThoughts shows a thought once that a checkpoint repeats as a part.
func TestResumeThoughts(t *testing.T) {
	thoughts := []object{{"subject": "Greeting", "description": "a friend"}, {"subject": "Words", "description": "few"}}
	for _, test := range []struct {
		name    string
		content []object
		want    string
	}{
		{"one part for all", []object{{"text": "**Greeting** a friend\n**Words** few", "thought": true, "thoughtSignature": "sig"}, {"text": "hi"}}, `assistant reasoning "**Greeting**\n\na friend" reasoning "**Words**\n\nfew" text "hi"`},
		{"a part for each", []object{{"text": "**Greeting**\na friend", "thought": true}, {"text": "**Words** few", "thought": true}, {"text": "hi"}}, `assistant reasoning "**Greeting**\n\na friend" reasoning "**Words**\n\nfew" text "hi"`},
		{"another thought", []object{{"text": "something else", "thought": true}, {"text": "hi"}}, `assistant reasoning "**Greeting**\n\na friend" reasoning "**Words**\n\nfew" reasoning "something else" text "hi"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin()
			s.raw(s.message("a", "gemini", "hi", object{"thoughts": thoughts}))
			s.raw(object{"$set": object{"messages": []object{s.message("a", "gemini", test.content, object{"thoughts": thoughts})}}})
			r := read(t, s)
			if got := r.Parts(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if strings.Contains(test.name, "one") && !strings.Contains(string(r.Messages[0].Parts[0].Native), "sig") {
				t.Errorf("the signature is lost: %s", r.Messages[0].Parts[0].Native)
			}
		})
	}
}

// TestRecordings reads sessions of 2026 that were compressed and resumed.
func TestRecordings(t *testing.T) {
	for _, path := range importertest.Samples(t, "recordings/gemini-cli/*.jsonl") {
		r := importertest.One(t, Format(), path, importertest.File(t, path))
		branches := int64(1)
		if strings.Contains(path, "rewind") {
			branches = 2
		}
		if got := r.Count().Branches; got != branches {
			t.Errorf("%s: %d branches\n%s", filepath.Base(path), got, r.Shape())
		}
		for _, m := range r.Messages {
			reasoning := map[string]bool{}
			for _, p := range m.Parts {
				if text := plainThought(p.Text); p.Type == core.PartReasoning {
					if reasoning[text] {
						t.Errorf("%s: thought %q twice", filepath.Base(path), text)
					}
					reasoning[text] = true
				}
				if m.IsPrompt() && (strings.HasPrefix(p.Text, "<state_snapshot>") || strings.HasPrefix(p.Text, "<scratchpad>")) {
					t.Errorf("%s: a snapshot as a prompt", filepath.Base(path))
				}
			}
		}
	}
}

// TestCompressGrowth imports a compressed session line by line: the library is the same as after one import.
func TestCompressGrowth(t *testing.T) {
	s := begin()
	s.twoTurns()
	s.compressed("", snapshotText, s.message("r1", "user", texts("q2"), nil), s.message("r2", "gemini", texts("a2"), nil))
	s.prompt("q3")
	var lines []int
	for i, c := range s.lines {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	importertest.Grow(t, Format(), "session-g.jsonl", s.lines, lines)
}

// TestCompressAgain reads a file again that an older version read: the turns that it took for new ones go to the session's trash.
func TestCompressAgain(t *testing.T) {
	s := begin()
	s.twoTurns()
	s.compressed("", snapshotText, s.message("r1", "user", texts("q2"), nil), s.message("r2", "gemini", texts("a2"), nil))
	s.prompt("q3")
	now := read(t, s)
	before := []core.Message{now.Messages[0].Message}
	add := func(uid, parent string, role core.Role) {
		before = append(before, core.Message{UID: uid, ParentUID: parent, Role: role, Kind: core.KindMessage, CreatedAtMs: 1, Parts: []core.Part{{Type: core.PartText, Text: uid}}})
	}
	add("q1", "ctx", core.RoleUser)
	add("a1", "q1", core.RoleAssistant)
	add("a1/results", "a1", core.RoleTool)
	add("q2", "a1/results", core.RoleUser)
	add("a2", "q2", core.RoleAssistant)
	add("sum", "ctx", core.RoleUser)
	add("ack", "sum", core.RoleAssistant)
	add("r1", "ack", core.RoleUser)
	add("r2", "r1", core.RoleAssistant)
	add("note", "r2", core.RoleSystem)
	add("q3", "note", core.RoleUser)
	db := importertest.Open(t)
	old := core.Incoming{
		Header: core.Header{Session: now.Session},
		Head:   func() string { return "q3" },
		Messages: func(yield func(core.IncomingMessage, error) bool) {
			for _, m := range before {
				if !yield(core.IncomingMessage{Message: m}, nil) {
					return
				}
			}
		},
	}
	folder, err := filepath.EvalSymlinks(t.TempDir()) // an import stores resolved paths
	if err != nil {
		t.Fatal(err)
	}
	old.Session.SourcePath = filepath.Join(folder, "session-a.jsonl")
	if _, err := core.Merge(t.Context(), db, old); err != nil {
		t.Fatal(err)
	}
	importertest.Import(t, db, Format(), put(t, old.Session.SourcePath, s.lines))
	session, err := db.Session(t.Context(), scriptSession)
	if err != nil {
		t.Fatal(err)
	}
	note, err := db.Message(t.Context(), session.ID, "note")
	if err != nil {
		t.Fatal(err)
	}
	if session.HiddenCount != 2 || note.ParentUID != "ack" || note.Siblings != 1 || session.HeadUID != "q3" {
		t.Errorf("%d hidden, %d messages below %s, head %s", session.HiddenCount, note.Siblings, note.ParentUID, session.HeadUID)
	}
	if problems, err := db.Check(t.Context(), nil); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}
