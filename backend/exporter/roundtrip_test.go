package exporter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/exporter"
	"coppice/backend/exporter/claudecode"
	"coppice/backend/exporter/codex"
	"coppice/backend/exporter/geminicli"
	"coppice/backend/exporter/opencode"
	"coppice/backend/exporter/pi"
	"coppice/backend/importer"
	readclaude "coppice/backend/importer/claudecode"
	readcodex "coppice/backend/importer/codex"
	readgemini "coppice/backend/importer/geminicli"
	"coppice/backend/importer/importertest"
	readopencode "coppice/backend/importer/opencode"
	readpi "coppice/backend/importer/pi"
)

const (
	writtenMs = 1_795_000_000_000
	note      = "Handed over by a test."
)

// target is a tool that sessions are written for.
type target struct {
	source  core.Source
	format  importer.Format
	samples []string
	write   func(io.Writer, exporter.Conversation) error
	path    func(c *exporter.Conversation) string
}

func targets() []target {
	return []target{
		{
			core.SourceClaudeCode, readclaude.Format(),
			[]string{"claude-code/*.jsonl", "claude-code/*/*.jsonl", "recordings/claudecode/*.jsonl"},
			claudecode.Write, func(c *exporter.Conversation) string { return claudecode.Path("/c/projects", c) },
		},
		{
			core.SourceCodex, readcodex.Format(),
			[]string{"codex/*.jsonl", "recordings/codex/*.jsonl"},
			codex.Write, func(c *exporter.Conversation) string { return codex.Path("/c/sessions", c, time.UTC) },
		},
		{
			core.SourcePi, readpi.Format(),
			[]string{"pi/*.jsonl", "recordings/pi/*.jsonl"},
			pi.Write, func(c *exporter.Conversation) string { return pi.Path("/c/sessions", c) },
		},
		{
			core.SourceGeminiCLI, readgemini.Format(),
			[]string{"gemini-cli/*.json*", "recordings/gemini-cli/*.json*"},
			geminicli.Write, func(c *exporter.Conversation) string { return geminicli.Path("/c/tmp/garden", c) },
		},
		{
			core.SourceOpenCode, readopencode.Format(),
			[]string{"opencode/*/storage_*/session/*/*.json"},
			opencode.Write, func(c *exporter.Conversation) string { return "/c/" + opencode.FileName(c) },
		},
	}
}

// sources returns the formats whose samples are handed over, with their files.
func sources(t *testing.T) []target {
	all := targets()
	for i := range all {
		var files []string
		for _, pattern := range all[i].samples {
			for _, folder := range importertest.SampleFolders(t) {
				if all[i].source == core.SourceOpenCode {
					folder = old(t, folder, "opencode")
				}
				found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, found...)
			}
		}
		all[i].samples = files
	}
	return all
}

// old copies a sub-folder of the samples, with files that were last written long ago: OpenCode's importer gives a session whose files
// are recent no cursor, and a fresh checkout has recent files only.
func old(t *testing.T, folder, name string) string {
	t.Helper()
	copied := t.TempDir()
	if err := os.CopyFS(filepath.Join(copied, name), os.DirFS(filepath.Join(folder, name))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(copied, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.Chtimes(path, time.UnixMilli(writtenMs), time.UnixMilli(1_790_000_000_000))
	})
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// TestOpenCodeOrder checks that messages are in the order by which OpenCode sorts them: the time, then the id.
func TestOpenCodeOrder(t *testing.T) {
	path := []core.Message{prompt(text("first")), answer(text("second")), prompt(text("third"))}
	for i, ms := range []int64{1_790_000_002_000, 1_790_000_001_000, 1_790_000_001_000} {
		path[i].CreatedAtMs = ms
	}
	var written bytes.Buffer
	if err := opencode.Write(&written, conversation(stream(path), true)); err != nil {
		t.Fatal(err)
	}
	var session struct {
		Messages []struct {
			Info struct {
				ID   string
				Time struct{ Created int64 }
			}
		}
	}
	if err := json.Unmarshal(written.Bytes(), &session); err != nil || len(session.Messages) != 4 {
		t.Fatalf("%d messages, %v", len(session.Messages), err)
	}
	for i := 1; i < len(session.Messages); i++ {
		if before, m := session.Messages[i-1].Info, session.Messages[i].Info; m.Time.Created < before.Time.Created || m.ID <= before.ID {
			t.Errorf("message %d, %+v, is before %+v", i, m, before)
		}
	}
}

// TestAnswersInARow hands over answers without a result or a prompt between them, as those that called tools are for another tool.
// Codex's file returns them as one message with the same texts: nothing in it marks where an answer ends.
func TestAnswersInARow(t *testing.T) {
	path := []core.Message{prompt(text("q")), answer(text("one")), answer(text("two")), answer(text("three")), prompt(text("again")), answer(text("four"))}
	for i := range path {
		path[i].CreatedAtMs = int64(1_790_000_000_000 + i*1000)
		path[i].UID = core.DerivedID(path[i].CreatedAtMs, fmt.Sprint(i))
	}
	for _, to := range targets() {
		want := []string{"one", "two", "three", "four"}
		if to.source == core.SourceCodex {
			want = []string{"one\ntwo\nthree", "four"}
		}
		c := conversation(nil, false)
		sessions, _ := importertest.Read(t, to.format, to.path(&c), write(t, path, to, false))
		if got := answersOf(pathTo(sessions[0]), false); !slices.Equal(got, want) {
			t.Errorf("%s returns %q, want %q", to.source, got, want)
		}
	}
}

// TestSamples hands every sample to every tool, and reads what was written.
func TestSamples(t *testing.T) {
	for _, from := range sources(t) {
		if len(from.samples) == 0 {
			t.Errorf("no samples of %s", from.source)
		}
		for _, file := range from.samples {
			data, err := core.ReadRegular(file, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			sessions, _ := importertest.Read(t, from.format, file, data)
			for _, s := range sessions {
				path := pathTo(s)
				for _, to := range targets() {
					t.Run(fmt.Sprintf("%s/%s/%s", to.source, from.source, filepath.Base(file)), func(t *testing.T) {
						handOver(t, path, to, from.source == to.source)
					})
				}
			}
		}
	}
}

// pathTo returns the messages from the root to the head.
func pathTo(s importertest.Session) []core.Message {
	byUID := map[string]core.Message{}
	for _, m := range s.Messages {
		byUID[m.UID] = m.Message
	}
	var path []core.Message
	for uid := s.Head; uid != ""; uid = byUID[uid].ParentUID {
		path = append(path, byUID[uid])
	}
	slices.Reverse(path)
	return path
}

func stream(messages []core.Message) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func gather(t importertest.Tester, messages iter.Seq2[core.Message, error]) []core.Message {
	t.Helper()
	var all []core.Message
	for m, err := range messages {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// handOver writes a path for a tool, reads it with the tool's importer, and compares the two.
func handOver(t importertest.Tester, path []core.Message, to target, native bool) {
	t.Helper()
	written := write(t, path, to, native)
	c := conversation(nil, native)
	sessions, problems := importertest.Read(t, to.format, to.path(&c), written)
	paired := gather(t, exporter.Paired(stream(path)))
	var back []core.Message
	if len(sessions) == 1 {
		back = pathTo(sessions[0])
	}
	var got, want []string
	if native {
		got, want = everything(back), everything(paired)
	} else {
		got, want = wordsOf(back), wordsOf(path)
	}
	if len(want) == 0 && len(got) == 0 {
		return // a session without words
	}
	if len(sessions) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, problems %v\n%.3000s", len(sessions), problems, written)
	}
	if len(sessions[0].Messages) != len(back) {
		t.Fatalf("%d messages, %d of them on the path", len(sessions[0].Messages), len(back))
	}
	if sessions[0].SourceID != c.ID && sessions[0].SourceID != "ses_"+c.ID {
		t.Fatalf("id %s, want %s", sessions[0].SourceID, c.ID)
	}
	compare(t, got, want)
	if !native {
		paired = gather(t, exporter.Plain(stream(paired)))
	}
	compare(t, answersOf(back, false), answersOf(paired, to.source == core.SourceCodex))
}

func compare(t importertest.Tester, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("item %d:\ngot  %.600s\nwant %.600s\n", i, at(got, i), at(want, i))
		}
	}
}

// answersOf returns the texts and calls of each answer on a path. Joined, answers in a row are one, because records of Codex do not mark
// where an answer ends.
func answersOf(path []core.Message, joined bool) []string {
	var answers []string
	follows := false // the last message was an answer
	for _, m := range path {
		var items []string
		for i := range m.Parts {
			if p := &m.Parts[i]; p.Type == core.PartText && p.Text != "" {
				items = append(items, p.Text)
			} else if p.Type == core.PartToolCall && !p.Server {
				items = append(items, p.Name+" "+p.ID)
			}
		}
		isAnswer := m.Role == core.RoleAssistant && m.Kind == core.KindMessage
		if text := strings.Join(items, "\n"); text != "" && isAnswer {
			if joined && follows {
				answers[len(answers)-1] += "\n" + text
			} else {
				answers = append(answers, text)
			}
		}
		follows = isAnswer || follows && m.Role == core.RoleSystem // a notice is not written
	}
	return slices.DeleteFunc(answers, isTrimmed)
}

// isTrimmed reports whether an item has ids and texts that were removed from a sample, so that it is unknown which belong together.
func isTrimmed(item string) bool { return strings.Contains(item, "[trimmed for fixture]") }

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

func conversation(messages iter.Seq2[core.Message, error], native bool) exporter.Conversation {
	return exporter.Conversation{
		ID: "0190a0b1-c2d3-7e4f-8a5b-6c7d8e9fa0b1", Title: "A title", Folder: "/home/ada/my.garden", Note: note, WrittenMs: writtenMs,
		Native: native, Verbatim: native, Messages: messages,
	}
}

func write(t importertest.Tester, path []core.Message, to target, native bool) []byte {
	t.Helper()
	messages := exporter.Paired(stream(path))
	if !native {
		messages = exporter.Plain(messages)
	}
	var out bytes.Buffer
	if err := to.write(&out, conversation(messages, native)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// everything returns what a path holds: each text, call, result and file with its role and kind. Reasoning is bound to signatures,
// notices are not for the model.
func everything(path []core.Message) []string {
	var all []string
	for _, m := range path {
		if m.Role == core.RoleSystem || m.Role == core.RoleAssistant && m.Kind == core.KindMeta {
			continue
		}
		who := string(m.Role)
		if m.Role == core.RoleUser {
			who += " " + string(m.Kind)
		}
		if m.Kind == core.KindCompaction { // the author of summaries differs between tools
			who = string(m.Kind)
		}
		for i := range m.Parts {
			p := &m.Parts[i]
			switch p.Type {
			case core.PartText, core.PartSummary:
				if p.Text != "" && p.Text != note && !strings.HasPrefix(p.Text, "[Called ") { // as calls of a provider's own tools are written
					all = append(all, who+" wrote "+p.Text)
				}
			case core.PartToolCall:
				if !p.Server {
					all = append(all, who+" called "+p.Name+" "+p.ID+" "+canonical(p))
				}
			case core.PartToolResult:
				if !p.Server {
					all = append(all, fmt.Sprintf("%s got %s %s failed=%v %s", who, p.Name, p.ID, p.IsError, resultOf(p)))
				}
			case core.PartMedia:
				all = append(all, who+" sent "+mediaOf(p.Media))
			default:
			}
		}
	}
	for from, i := 0, 0; i <= len(all); i++ { // some tools store results with their calls, and so in their order
		if i == len(all) || !strings.HasPrefix(all[i], "tool got ") {
			slices.Sort(all[from:i])
			from = i + 1
		}
	}
	return slices.DeleteFunc(all, isTrimmed)
}

// resultOf returns what the model received; data that has no text is written as a text.
func resultOf(p *core.Part) string {
	var all []string
	if len(p.Result) == 0 && p.Structured != nil {
		return string(p.Structured)
	}
	for _, r := range p.Result {
		if r.Media != nil {
			all = append(all, mediaOf(r.Media))
		} else if r.Text != "" {
			all = append(all, r.Text)
		}
	}
	return strings.Join(all, "|")
}

func mediaOf(m *core.Media) string { return fmt.Sprintf("%s %s %d", m.MimeType, m.URI, len(m.Data)) }

func canonical(p *core.Part) string {
	if len(p.Arguments) == 0 && p.Text == "" {
		return "{}"
	} else if len(p.Arguments) == 0 {
		return p.Text
	}
	var v any
	if json.Unmarshal(p.Arguments, &v) != nil {
		return string(p.Arguments)
	}
	text, _ := json.Marshal(v) // it was JSON before
	return string(text)
}

// wordsOf returns the prompts and the texts of answers on a path, without the notes for calls and results.
func wordsOf(path []core.Message) []string {
	var all []string
	for _, m := range path {
		if m.Kind != core.KindMessage || m.Role != core.RoleUser && m.Role != core.RoleAssistant {
			continue
		}
		for _, p := range m.Parts {
			if p.Type == core.PartText && !p.Injected && p.Text != "" && !strings.HasPrefix(p.Text, "[") {
				all = append(all, string(m.Role)+": "+p.Text)
			}
		}
	}
	return all
}
