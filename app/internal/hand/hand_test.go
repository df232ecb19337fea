package hand_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/hand"
	"coppice/backend/core"
	"coppice/backend/exporter/geminicli"
	"coppice/backend/importer/claudecode"
	"coppice/backend/importer/importertest"
	"coppice/backend/sqlite"
)

const (
	sessionID = "11111111-1111-4111-8111-111111111111"
	prompt1   = "aaaaaaaa-0000-4000-8000-000000000001"
	answer1   = "aaaaaaaa-0000-4000-8000-000000000002"
	result1   = "aaaaaaaa-0000-4000-8000-000000000003"
	secret    = "sk-ant-api03-" + "Zk3vQ8xN1mB7cR5tY2uW9pL4aS6dF0gHjKlZxCvBnMqWeRtYuIoPaSdFgHjKlZxCvBnMqWeRtYuIoPaSdFgHjK1-2AbCdEfGAA"
)

func line(fields map[string]any) string {
	for key, value := range map[string]any{"sessionId": sessionID, "cwd": "/home/ada/garden", "version": "2.1.30", "timestamp": "2026-03-04T05:00:00.000Z"} {
		if fields[key] == nil {
			fields[key] = value
		}
	}
	text, _ := json.Marshal(fields) // it always encodes
	return string(text) + "\n"
}

func says(role, uuid, parent string, content any) string {
	message := map[string]any{"role": role, "content": content}
	if role == "assistant" {
		message["id"], message["model"], message["type"] = "msg_"+uuid, "claude-opus-4-5", "message"
	}
	fields := map[string]any{"type": role, "uuid": uuid, "parentUuid": parent, "message": message}
	if parent == "" {
		fields["parentUuid"] = nil
	}
	return line(fields)
}

// library returns a library with a session of Claude Code of two turns.
func library(t *testing.T) (*sqlite.DB, core.Session) {
	t.Helper()
	db := importertest.Open(t)
	path := filepath.Join(t.TempDir(), sessionID+".jsonl")
	importertest.Write(t, path, []byte(
		says("user", prompt1, "", "The key is "+secret)+
			says("assistant", answer1, prompt1, []any{
				map[string]any{"type": "thinking", "thinking": "hm", "signature": "c2ln"},
				map[string]any{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": map[string]any{"command": "echo " + secret}},
			})+
			says("user", result1, answer1, []any{map[string]any{"type": "tool_result", "tool_use_id": "toolu_1", "content": secret}})+
			says("user", "aaaaaaaa-0000-4000-8000-000000000004", result1, "More")+
			says("assistant", "aaaaaaaa-0000-4000-8000-000000000005", "aaaaaaaa-0000-4000-8000-000000000004", []any{map[string]any{"type": "text", "text": "Done."}})))
	importertest.Import(t, db, claudecode.Format(), path)
	session, err := db.Session(t.Context(), sessionID)
	if err != nil {
		t.Fatal(err)
	}
	return db, session
}

// store writes a file, and its folder.
func store(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	importertest.Write(t, path, data)
}

func plan(t *testing.T, session core.Session, to string) hand.Plan {
	t.Helper()
	return hand.Plan{
		Session: session, To: to, Workspace: t.TempDir(), Home: t.TempDir(), Env: func(string) string { return "" }, NowMs: 1_795_000_000_000,
	}
}

func write(t *testing.T, db *sqlite.DB, p hand.Plan) (hand.Handed, string) {
	t.Helper()
	handed, err := p.Write(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(handed.Path)
	if err != nil {
		t.Fatal(err)
	}
	return handed, string(data)
}

// TestContinuation continues a copy in Claude Code as Claude Code would: what it adds becomes a branch of the session, at the node
// that was handed over.
func TestContinuation(t *testing.T) {
	db, session := library(t)
	p := plan(t, session, "claude")
	p.LeafUID = result1
	handed, data := write(t, db, p)
	if !strings.Contains(data, `"signature":"c2ln"`) || strings.Contains(data, "Done.") {
		t.Errorf("wrote\n%s", data)
	}
	importertest.Import(t, db, claudecode.Format(), handed.Path)
	same, err := db.Session(t.Context(), session.ID)
	if err != nil || same.MessageCount != session.MessageCount || same.BranchCount != 1 || same.HeadUID != session.HeadUID {
		t.Fatalf("the copy changed the session: %+v, %v", same, err)
	}
	const more = "bbbbbbbb-0000-4000-8000-000000000001"
	data += says("user", more, result1, "Another way") + says("assistant", "bbbbbbbb-0000-4000-8000-000000000002", more, []any{map[string]any{"type": "text", "text": "Another answer"}})
	importertest.Write(t, handed.Path, []byte(strings.ReplaceAll(data, sessionID, handed.ID)))
	importertest.Import(t, db, claudecode.Format(), handed.Path)
	grown, err := db.Session(t.Context(), handed.ID)
	if err != nil || grown.ID != session.ID || grown.MessageCount != session.MessageCount+2 || grown.BranchCount != 2 {
		t.Fatalf("got %+v, %v", grown, err)
	}
	added, err := db.Node(t.Context(), session.ID, more)
	if err != nil || added.ParentUID != result1 {
		t.Errorf("%s is below %s, %v", more, added.ParentUID, err)
	}
}

// TestTargets writes a session for each tool where the tool looks for it.
func TestTargets(t *testing.T) {
	db, session := library(t)
	for to, want := range map[string]struct{ path, command string }{
		"claude": {".claude/projects/*/ID.jsonl", "cd WORKSPACE && claude --resume ID"},
		"codex":  {".codex/sessions/2026/11/*/rollout-2026-11-*-ID.jsonl", "cd WORKSPACE && codex resume ID"},
		"pi":     {".pi/agent/sessions/--*--/*_ID.jsonl", "cd WORKSPACE && pi --session PATH"},
		"gemini": {".gemini/tmp/garden/chats/session-2026-11-*.jsonl", "cd WORKSPACE && gemini --resume ID"},
	} {
		t.Run(to, func(t *testing.T) {
			p := plan(t, session, to)
			store(t, filepath.Join(p.Home, ".gemini", "tmp", "garden", ".project_root"), []byte(p.Workspace+"\n"))
			handed, data := write(t, db, p)
			fill := strings.NewReplacer("ID", handed.ID, "WORKSPACE", p.Workspace, "PATH", handed.Path).Replace
			fits, err := filepath.Match(filepath.Join(p.Home, fill(want.path)), handed.Path)
			if err != nil || !fits || handed.Command != fill(want.command) || handed.Folder != p.Workspace {
				t.Errorf("got %+v, want %s and %s", handed, fill(want.path), fill(want.command))
			}
			if !strings.Contains(data, handed.ID) || !strings.Contains(data, "Coppice") || !strings.Contains(data, secret) {
				t.Errorf("wrote\n%s", data)
			}
			info, err := os.Stat(handed.Path)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestRedact(t *testing.T) {
	db, session := library(t)
	for _, to := range hand.Targets() {
		p := plan(t, session, to)
		p.Output, p.Redact = t.TempDir(), true
		handed, data := write(t, db, p)
		if strings.Contains(data, secret) || strings.Contains(data, "c2ln") || strings.Contains(data, prompt1) {
			t.Errorf("%s: a secret, a signature or an id of the source is in\n%s", handed.Path, data)
		}
	}
}

func TestErrors(t *testing.T) {
	db, session := library(t)
	there := filepath.Join(t.TempDir(), "there.jsonl")
	importertest.Write(t, there, []byte("mine"))
	cases := []struct {
		name   string
		change func(*hand.Plan)
		want   string
	}{
		{"an unknown tool", func(p *hand.Plan) { p.To = "emacs" }, `unknown tool "emacs"`},
		{"a file that exists", func(p *hand.Plan) { p.Output = there }, "the file exists"},
		{"no workspace", func(p *hand.Plan) { p.Workspace = "" }, "its workspace /home/ada/garden does not exist on this machine"},
		{"no project", func(p *hand.Plan) { p.To = "gemini" }, "Gemini CLI has no folder for the workspace"},
		{"no messages", func(p *hand.Plan) { p.Session.HeadUID = "" }, "it has no messages on the path"},
		{"the library", func(p *hand.Plan) { p.Output = db.FilePath() }, "this is a file of the library"},
	}
	for _, c := range cases {
		p := plan(t, session, "claude")
		c.change(&p)
		if _, err := p.Write(t.Context(), db); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if data, err := os.ReadFile(there); err != nil || !bytes.Equal(data, []byte("mine")) {
		t.Errorf("the file holds %s, %v", data, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(there), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestGeminiProjects finds the folder of a workspace by the list of projects and by the workspace's hash.
func TestGeminiProjects(t *testing.T) {
	db, session := library(t)
	p := plan(t, session, "gemini")
	project := filepath.Join(p.Home, ".gemini", "tmp", geminicli.Hash(p.Workspace))
	store(t, filepath.Join(project, "logs.json"), []byte("[]"))
	if handed, _ := write(t, db, p); filepath.Dir(filepath.Dir(handed.Path)) != project {
		t.Errorf("by hash: %s", handed.Path)
	}
	list, err := json.Marshal(map[string]any{"projects": map[string]string{p.Workspace: "my-garden"}})
	if err != nil {
		t.Fatal(err)
	}
	store(t, filepath.Join(p.Home, ".gemini", "projects.json"), list)
	store(t, filepath.Join(p.Home, ".gemini", "tmp", "my-garden", "logs.json"), []byte("[]"))
	if handed, _ := write(t, db, p); filepath.Base(filepath.Dir(filepath.Dir(handed.Path))) != "my-garden" {
		t.Errorf("by the list: %s", handed.Path)
	}
}

// TestFailedScanWritesNothing requires that a session that cannot be scanned for secrets is not handed over.
func TestFailedScanWritesNothing(t *testing.T) {
	for _, to := range hand.Targets() {
		db, session := library(t)
		apptest.DamageMessage(t, db, "aaaaaaaa-0000-4000-8000-000000000005")
		p := plan(t, session, to)
		p.Redact, p.Output = true, filepath.Join(t.TempDir(), "out")
		handed, err := p.Write(t.Context(), db)
		if left := apptest.Files(t, filepath.Dir(p.Output)); err == nil || handed.Path != "" || len(left) > 0 {
			t.Errorf("%s: %+v, %v, wrote %q", to, handed, err, left)
		}
	}
}
