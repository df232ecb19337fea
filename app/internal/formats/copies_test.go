package formats

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/importertest"
	"coppice/backend/importer/importertest/fixture"
	"coppice/backend/sqlite"
)

// importAll imports paths with every format.
func importAll(t *testing.T, db *sqlite.DB, paths ...string) core.Report {
	t.Helper()
	im := importer.Importer{Library: db, Formats: All()}
	return apptest.Must(im.Import(t.Context(), paths, ""))(t)
}

// files maps the slash-separated names of files to their contents.
type files map[string][]byte

func (f files) write(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, data := range f {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestCopiesAreOneSession imports a conversation in two forms that tools write, in both orders. The result must be one
// session without duplicate messages.
func TestCopiesAreOneSession(t *testing.T) {
	t.Parallel()
	const claude = "86ab6c1d-9a53-4d8a-8a4c-0f7d2d0f3c11"
	generated := files(fixture.All())
	for name, forms := range map[string]func(*testing.T) (one, other files){
		"claude code: lines and the web's document": func(*testing.T) (files, files) {
			lines := generated["claude-code/rewind-shape/three-branches.jsonl"]
			return files{claude + ".jsonl": lines}, files{"session_web.json": asMember(lines, "loglines")}
		},
		"claude code: a resumed copy with the same uuids": func(*testing.T) (files, files) {
			return files{"a.jsonl": generated["claude-code/rewind-shape/three-branches.jsonl"]},
				files{"b.jsonl": generated["claude-code/rewind-shape/branch-copy.jsonl"]}
		},
		"codex: plain and compressed": func(t *testing.T) (files, files) {
			data := generated["codex/tools.jsonl"]
			name := "rollout-2026-01-02T03-04-05-" + claude + ".jsonl"
			return files{"sessions/" + name: data}, files{"archived_sessions/" + name + ".zst": zstdOf(t, data)}
		},
		"gemini cli: one document and lines": func(t *testing.T) (files, files) {
			data := generated["gemini-cli/session-document.json"]
			return files{"chats/session-1.json": data}, files{"chats/session-1.jsonl": geminiLines(t, data)}
		},
		"opencode: its files and an export": func(t *testing.T) (files, files) {
			storage := files{}
			for name, data := range generated {
				if below, ok := strings.CutPrefix(name, "opencode/agent-sessions/storage_v2/"); ok && strings.Contains(name, "ses_garden") {
					storage["storage/"+below] = data
				}
			}
			return storage, files{"export.json": openCodeExport(t, storage)}
		},
		"pi: a copy under another name": func(*testing.T) (files, files) {
			data := generated["pi/version-3.jsonl"]
			return files{"a.jsonl": data}, files{"elsewhere/b.jsonl": data}
		},
		"chatgpt: unpacked and zipped": func(t *testing.T) (files, files) {
			data := []byte(`[{"conversation_id":"c1","title":"Beds","create_time":1.7e9,"current_node":"b","mapping":{
				"r":{"id":"r","children":["a"],"message":null},
				"a":{"id":"a","parent":"r","children":["b","c"],"message":{"author":{"role":"user"},"create_time":1.7e9,"content":{"content_type":"text","parts":["Plan"]}}},
				"b":{"id":"b","parent":"a","children":[],"message":{"author":{"role":"assistant"},"create_time":1.7e9,"content":{"content_type":"text","parts":["Five"]}}},
				"c":{"id":"c","parent":"a","children":[],"message":{"author":{"role":"assistant"},"create_time":1.7e9,"content":{"content_type":"text","parts":["Six"]}}}}}]`)
			return files{"conversations.json": data}, files{"export.zip": zipOf(t, "conversations.json", data)}
		},
		"claude.ai: unpacked and zipped": func(t *testing.T) (files, files) {
			data := []byte(`[{"uuid":"c1","name":"Beds","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z","account":{"uuid":"u"},"chat_messages":[
				{"uuid":"a","text":"Plan","sender":"human","created_at":"2026-01-02T03:04:05Z","content":[{"type":"text","text":"Plan"}]},
				{"uuid":"b","text":"Five","sender":"assistant","created_at":"2026-01-02T03:04:06Z","content":[{"type":"text","text":"Five"}]}]}]`)
			return files{"conversations.json": data}, files{"data.zip": zipOf(t, "conversations.json", data)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := forms(t)
			for _, order := range [][2]files{{one, other}, {other, one}} {
				db := importertest.Open(t)
				if first := importAll(t, db, order[0].write(t)); first.Imported != 1 || len(first.Problems) != 0 {
					t.Fatalf("first: %+v", first)
				}
				before := apptest.Must(db.Sessions(t.Context(), core.SessionFilter{}))(t)[0]
				folder := order[1].write(t)
				if second := importAll(t, db, folder); second.Imported != 0 || len(second.Problems) != 0 {
					t.Errorf("second: %+v", second)
				}
				all := apptest.Must(db.Sessions(t.Context(), core.SessionFilter{Children: true}))(t)
				if len(all) != 1 {
					t.Fatalf("%d sessions", len(all))
				}
				if s := all[0]; s.MessageCount != before.MessageCount || s.BranchCount != before.BranchCount || s.InputTokens != before.InputTokens ||
					s.OutputTokens != before.OutputTokens {
					t.Errorf("%d messages, %d branches, %d + %d tokens; before %d, %d, %d + %d", s.MessageCount, s.BranchCount, s.InputTokens, s.OutputTokens,
						before.MessageCount, before.BranchCount, before.InputTokens, before.OutputTokens)
				}
				if again := importAll(t, db, folder); len(again.Sessions) != 0 || again.Imported+again.Updated != 0 {
					t.Errorf("again: %+v", again)
				}
			}
		})
	}
}

// asMember returns an object whose only member is a list of the objects on lines.
func asMember(lines []byte, key string) []byte {
	all := bytes.Split(bytes.TrimSpace(lines), []byte("\n"))
	return slices.Concat([]byte(`{"`+key+`":[`), bytes.Join(all, []byte(",\n")), []byte("]}"))
}

func zstdOf(t *testing.T, data []byte) []byte {
	t.Helper()
	encoder := apptest.Must(zstd.NewWriter(nil))(t)
	defer encoder.Close() //nolint:errcheck // it holds no resources
	return encoder.EncodeAll(data, nil)
}

func zipOf(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	file := apptest.Must(w.Create(name))(t)
	if _, err := file.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// geminiLines converts a document of Gemini CLI to the form of its later versions: a line for the session, then one for
// each message.
func geminiLines(t *testing.T, doc []byte) []byte {
	t.Helper()
	var head map[string]json.RawMessage
	if err := json.Unmarshal(doc, &head); err != nil {
		t.Fatal(err)
	}
	var messages []json.RawMessage
	if err := json.Unmarshal(head["messages"], &messages); err != nil {
		t.Fatal(err)
	}
	delete(head, "messages")
	var out bytes.Buffer
	for _, record := range append([]json.RawMessage{apptest.Must(json.Marshal(head))(t)}, messages...) {
		if err := json.Compact(&out, record); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// openCodeExport returns what "opencode export" prints for the files of a session.
func openCodeExport(t *testing.T, storage files) []byte {
	t.Helper()
	type exported struct {
		Info  json.RawMessage   `json:"info"`
		Parts []json.RawMessage `json:"parts"`
	}
	var out struct {
		Info     json.RawMessage `json:"info"`
		Messages []exported      `json:"messages"`
	}
	var names []string
	for name := range storage {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch {
		case strings.Contains(name, "/session/"):
			out.Info = storage[name]
		case strings.Contains(name, "/message/"):
			var info struct{ ID string }
			if err := json.Unmarshal(storage[name], &info); err != nil {
				t.Fatal(err)
			}
			one := exported{Info: storage[name], Parts: []json.RawMessage{}}
			for _, part := range names {
				if strings.Contains(part, "/part/"+info.ID+"/") {
					one.Parts = append(one.Parts, storage[part])
				}
			}
			out.Messages = append(out.Messages, one)
		}
	}
	return apptest.Must(json.Marshal(out))(t)
}
