package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"coppice/app/cli"
	"coppice/app/term"
	"coppice/app/window"
)

// hostileText contains a window title and colors as 7-bit and 8-bit escape sequences, and characters that change the
// direction of text.
const hostileText = "bad\x1b[31m\x1b]0;owned\x07\u009b32m\u202egnp\u2066\x7f\x08"

// TestNoCommandPrintsHostileText imports a session with such text in every field and runs the commands that print.
func TestNoCommandPrintsHostileText(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(folder, "config"))
	t.Chdir(folder)
	library := filepath.Join(folder, "coppice.db")
	file := filepath.Join(folder, "session.json")
	writeHostile(t, file, hostileSession(t))
	problem := filepath.Join(folder, "bad\x1b[31m\u202e.json")
	writeHostile(t, problem, []byte(`{"format":"coppice.session","version":1,"session":{"id":"`))
	if err := os.MkdirAll(filepath.Join(folder, ".coppice"), 0o700); err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]string{"model": "script/" + hostileText, "agent": hostileText})
	if err != nil {
		t.Fatal(err)
	}
	writeHostile(t, filepath.Join(folder, ".coppice", "config.yaml"), config) // JSON is YAML

	const id = "019a9f00"
	for _, args := range [][]string{
		{"import", file},
		{"import", file, "--json"},
		{"import", problem},
		{"import", problem, "--json"},
		{"import", hostileText},
		{"sessions"},
		{"sessions", "--json"},
		{"sessions", "--all"},
		{"show", id},
		{"show", id, "--json"},
		{"tree", id},
		{"tree", id, "--json"},
		{"compare", id, "n0", "n1"},
		{"compare", id, "n0", "n1", "--json"},
		{"compare", id, "n0", hostileText},
		{"search", "word"},
		{"search", "word", "--json"},
		{"search", hostileText},
		{"stats"},
		{"stats", "--json"},
		{"stats", "--by", "model"},
		{"stats", "--by", "workspace"},
		{"stats", "--by", "tool"},
		{"label", id, "n1", hostileText},
		{"label", id, "n1"},
		{"branch", id, "n0"},
		{"branch", id, hostileText},
		{"config"},
		{"config", "list"},
		{"config", "get", "model"},
		{"config", "get", "agent"},
		{"config", "get", "model", "--json"},
		{"config", "agents"},
		{"models"},
		{"models", hostileText},
		{"hide", id, "n1"},
		{"tree", id},
		{"hide", id, "--undo"},
		{"graft", id, "n1", id},
		{"split", id, "n1"},
		{"sessions"},
		{"export", id, "--format", "md"},
		{"export", id, "--format", "html", "--scope", "tree"},
		{"export", id, "--format", hostileText},
		{"export", id, "--output", filepath.Join(folder, hostileText)},
		{"resume", id, "--mode", "plan"},
		{"run", "word", "--model", "script/" + hostileText},
		{"run", "word", "--agent", hostileText},
		{"run", "word", "--tools", hostileText},
		{"delete", hostileText},
		{"delete", id},
		{"trash"},
		{"trash", "--json"},
		{"trash", "restore", id},
		{"cleanup"},
		{"db", "check"},
		{"db", "info"},
		{hostileText},
		{"--" + hostileText},
		{"show", "--limit", hostileText},
	} {
		for _, color := range []bool{false, true} {
			var out, errs bytes.Buffer
			console := term.Terminal{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now, Color: color, ErrIsTerminal: color}
			code := cli.Run(t.Context(), console, window.Open, append([]string{"--db", library}, args...))
			for stream, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
				text = withoutOwn(text, color)
				if at := strings.IndexFunc(text, isHostile); at >= 0 {
					t.Errorf("coppice %q (exit code %d) prints to %s: %q", args, code, stream, text[max(at-80, 0):min(at+40, len(text))])
				}
			}
			if args[0] == "import" && args[1] == file && code != 0 || args[0] == "tree" && code != 0 {
				t.Errorf("coppice %q: exit code %d: %s", args, code, errs.String())
			}
		}
	}
}

// withoutOwn returns an output without the escape sequences that the program itself sends to a terminal.
func withoutOwn(text string, color bool) string {
	if !color {
		return text
	}
	for _, own := range []string{"\r\x1b[K", "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[31mcoppice:"} { // the hostile text contains other red text
		text = strings.ReplaceAll(text, own, "")
	}
	return text
}

func isHostile(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func writeHostile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// hostileSession returns a session of two branches as JSON, with hostile text in every field that accepts any string.
func hostileSession(t *testing.T) []byte {
	t.Helper()
	const at = 1763712000000
	text := func(text string) map[string]any {
		return map[string]any{"type": "text", "text": text + " " + hostileText}
	}
	message := func(uid, parent string, seq, turn, branch, depth int, role string, parts ...any) map[string]any {
		return map[string]any{
			"uid": uid, "parentUid": parent, "seq": seq, "turn": turn, "branch": branch, "depth": depth, "role": role, "kind": "message", "name": hostileText,
			"agent": hostileText, "model": hostileText, "error": hostileText, "finishReason": hostileText, "finishRaw": hostileText, "parts": parts, "createdAtMs": at + seq,
			"usage": map[string]int{"inputTokens": 1, "outputTokens": 1},
		}
	}
	call := map[string]any{"type": "tool_call", "id": "c1", "name": hostileText, "arguments": map[string]string{"command": hostileText, hostileText: hostileText}}
	edit := map[string]any{"type": "tool_call", "id": "c2", "name": "write_file", "arguments": map[string]string{"path": hostileText, "content": hostileText}}
	result := func(id string) map[string]any {
		return map[string]any{"type": "tool_result", "id": id, "name": hostileText, "result": []any{text("word")}, "isError": id == "c1"}
	}
	media := map[string]any{"type": "media", "media": map[string]string{"mimeType": hostileText, "name": hostileText, "uri": hostileText}}
	odd := map[string]any{"type": "odd" + hostileText, "native": map[string]string{"x": hostileText}}
	data, err := json.Marshal(map[string]any{
		"format": "coppice.session", "version": 1, "generator": hostileText, "exportedAtMs": at,
		"session": map[string]any{
			"id": "019a9f00-0000-7000-8000-000000000001", "name": hostileText, "title": hostileText, "task": hostileText, "source": "coppice", "sourceId": hostileText,
			"sourcePath": hostileText, "status": "success", "stopReason": hostileText, "agent": hostileText, "model": hostileText, "workspacePath": "/tmp/" + hostileText,
			"filesModified": []string{hostileText}, "headUid": "m-3", "createdAtMs": at, "updatedAtMs": at + 9,
		},
		"branches": []any{
			map[string]any{"number": 0, "parent": -1, "forkDepth": -1, "tipDepth": 3, "createdAtMs": at},
			map[string]any{"number": 1, "parent": 0, "forkDepth": 0, "tipDepth": 1, "createdAtMs": at},
		},
		"messages": []any{
			message("m-0", "", 0, 0, 0, 0, "user", text("word"), media),
			message("m-1", "m-0", 1, 0, 0, 1, "assistant", text("word"), call, edit, odd),
			message("m-2", "m-1", 2, 0, 0, 2, "tool", result("c1"), result("c2")),
			message("m-3", "m-2", 3, 0, 0, 3, "assistant", map[string]any{"type": "reasoning", "text": hostileText}, text("word")),
			message("m-4", "m-0", 4, 1, 1, 1, "assistant", text("word"), call),
		},
		"labels": []any{map[string]any{"turn": 1, "uid": "m-4", "text": hostileText, "createdAtMs": at}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
