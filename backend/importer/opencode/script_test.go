package opencode

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/importer/foreigndb/foreigndbtest"
)

const startMs = 1_772_600_400_000

type fields map[string]any

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// message is a message of 1.x with its parts.
type message struct {
	id    string
	info  fields
	parts []fields
}

// talk writes messages in the shapes of 1.x.
type talk struct {
	session  fields
	messages []message
	seconds  int64
}

func begin(id string) *talk {
	return &talk{session: fields{
		"id": id, "projectID": "prj", "directory": "/home/ada/garden", "title": "the garden", "version": "1.3.17", "time": fields{"created": startMs, "updated": startMs},
	}}
}

func (k *talk) add(role string, more fields, parts ...fields) *message {
	k.seconds++
	info := fields{"role": role, "time": fields{"created": startMs + 1000*k.seconds}}
	for key, v := range more {
		info[key] = v
	}
	m := message{id: fmt.Sprintf("msg_%s_%03d", k.session["id"], len(k.messages)), info: info, parts: parts}
	k.messages = append(k.messages, m)
	return &k.messages[len(k.messages)-1]
}

func (k *talk) prompt(words string) {
	k.add("user", fields{"agent": "build"}, fields{"type": "text", "text": words})
}

func (k *talk) reply(words string) {
	k.add("assistant", answer(), fields{"type": "step-start"}, fields{"type": "text", "text": words}, stepFinish("stop", 100, 10, 0.001))
}

func answer() fields {
	return fields{"modelID": "claude-sonnet-4", "providerID": "anthropic", "mode": "build", "cost": 0.001, "finish": "stop", "tokens": tokens(100, 10)}
}

func tokens(input, output int) fields {
	return fields{"input": input, "output": output, "reasoning": 3, "cache": fields{"read": 50, "write": 7}}
}

func stepFinish(reason string, input, output int, cost float64) fields {
	return fields{"type": "step-finish", "reason": reason, "tokens": tokens(input, output), "cost": cost}
}

func toolPart(id, name string, state fields) fields {
	return fields{"type": "tool", "callID": id, "tool": name, "state": state}
}

func completed(input fields, output string) fields {
	return fields{"status": "completed", "input": input, "output": output, "title": "a title", "metadata": fields{"exit": 0, "output": output}, "time": fields{"start": startMs + 5000, "end": startMs + 6500}}
}

// works appends an answer of two calls of the model, the first of which runs a tool.
func (k *talk) works(words string) {
	k.add("assistant", answer(),
		fields{"type": "step-start"}, fields{"type": "reasoning", "text": "hm"}, toolPart("call_"+words, "write", completed(fields{"filePath": "/home/ada/garden/a.md"}, "out "+words)), stepFinish("tool-calls", 100, 10, 0.001),
		fields{"type": "step-start"}, fields{"type": "text", "text": words}, stepFinish("stop", 200, 20, 0.002), fields{"type": "patch", "hash": "h", "files": []string{"/home/ada/garden/b.md"}})
}

// inFiles writes a conversation as a file for each message and part, long ago, and returns the session's.
func (k *talk) inFiles(t testing.TB, root string) string {
	t.Helper()
	path := writeOld(t, filepath.Join(root, "session", "prj", fmt.Sprint(k.session["id"], ".json")), k.session)
	for _, m := range k.messages {
		info := fields{"id": m.id, "sessionID": k.session["id"]}
		for key, v := range m.info {
			info[key] = v
		}
		writeOld(t, filepath.Join(root, "message", fmt.Sprint(k.session["id"]), m.id+".json"), info)
		for i, p := range m.parts {
			writeOld(t, filepath.Join(root, "part", m.id, fmt.Sprintf("prt_%03d.json", i)), p)
		}
	}
	return path
}

func writeOld(t testing.TB, path string, v any) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text(v)), 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.UnixMilli(startMs)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	return path
}

// exported writes a conversation as "opencode export" does.
func (k *talk) exported() []byte {
	all := []fields{}
	for _, m := range k.messages {
		info := fields{"id": m.id, "sessionID": k.session["id"]}
		for key, v := range m.info {
			info[key] = v
		}
		all = append(all, fields{"info": info, "parts": m.parts})
	}
	return []byte(text(fields{"info": k.session, "messages": all}))
}

const legacySchema = `CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT, version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)`

const currentSchema = `CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, fork_session_id TEXT, fork_boundary TEXT, directory TEXT, title TEXT, agent TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT)`

func do(sql string, args ...any) foreigndbtest.Statement {
	return foreigndbtest.Statement{SQL: sql, Args: args}
}

// create makes an OpenCode database and leaves it open.
func create(t testing.TB, path string, schemas ...string) *foreigndbtest.DB {
	t.Helper()
	db := foreigndbtest.Open(t, path)
	for _, s := range schemas {
		foreigndbtest.Run(t, db, do(s))
	}
	return db
}

// inTables writes a conversation into a database of 1.x, replacing what is there.
func (k *talk) inTables(t testing.TB, db *foreigndbtest.DB) {
	t.Helper()
	var revert any
	if r := k.session["revert"]; r != nil {
		revert = text(r)
	}
	foreigndbtest.Run(t, db, do(`INSERT OR REPLACE INTO session VALUES (?,?,?,?,?,?,?,?,?,?)`,
		k.session["id"], "prj", k.session["parentID"], "slug", k.session["directory"], k.session["title"], "1.3.17", revert, startMs, startMs))
	for _, m := range k.messages {
		created := m.info["time"].(fields)["created"]
		foreigndbtest.Run(t, db, do(`INSERT OR REPLACE INTO message VALUES (?,?,?,?,?)`, m.id, k.session["id"], created, created, text(m.info)))
		for i, p := range m.parts {
			foreigndbtest.Run(t, db, do(`INSERT OR REPLACE INTO part VALUES (?,?,?,?,?,?)`, fmt.Sprintf("prt_%s_%03d", m.id, i), m.id, k.session["id"], created, created, text(p)))
		}
	}
}

// row is a message of 2.x.
type row struct {
	id, kind string
	data     fields
}

// inCurrent writes a conversation into a database of 2.x.
func inCurrent(t testing.TB, db *foreigndbtest.DB, session fields, rows ...row) {
	t.Helper()
	foreigndbtest.Run(t, db, do(`INSERT OR REPLACE INTO session_v2 VALUES (?,?,?,?,?,?,?,?,?,?,?)`,
		session["id"], "prj", session["parent"], session["fork"], session["boundary"], "/home/ada/garden", session["title"], "build", session["revert"], startMs, startMs))
	for i, r := range rows {
		created := startMs + int64(1000*(i+1))
		r.data["time"] = fields{"created": created}
		foreigndbtest.Run(t, db, do(`INSERT OR REPLACE INTO session_message VALUES (?,?,?,?,?,?,?)`, r.id, session["id"], r.kind, i, created, created, text(r.data)))
	}
}
