package pi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/importer/importertest"
)

const (
	scriptSession = "0199a000-0000-7000-8000-000000000001"
	scriptPath    = "/p/sessions/--home-ada-garden--/2026-03-04T05-00-00-000Z_" + scriptSession + ".jsonl"
)

type object map[string]any

// script writes entries in the shapes that pi writes, of any version.
type script struct {
	version int
	lines   []byte
	seconds int
	last    string // the parent of the next entry
	lane    string
	seq     int
}

func begin(version int) *script {
	s := &script{version: version, lane: mainLane}
	switch version {
	case 4:
		s.raw(object{"kind": "header", "version": 4, "id": scriptSession, "createdAt": s.at().UnixMilli(), "cwd": "/home/ada/garden"})
	case 1:
		s.raw(object{"type": "session", "id": scriptSession, "timestamp": s.now(), "cwd": "/home/ada/garden", "provider": "anthropic", "modelId": "m0"})
	default:
		s.raw(object{"type": "session", "version": version, "id": scriptSession, "timestamp": s.now(), "cwd": "/home/ada/garden"})
	}
	return s
}

func (s *script) at() time.Time { return time.Date(2026, 3, 4, 5, 0, s.seconds, 0, time.UTC) }
func (s *script) now() string   { return s.at().Format("2006-01-02T15:04:05.000Z") }

func (s *script) raw(line any) {
	b, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	s.lines = append(append(s.lines, b...), '\n')
}

// entry appends an entry with an id and returns that.
func (s *script) entry(id, kind string, more object) string {
	s.seconds++
	s.seq++
	e := object{"type": kind}
	for k, v := range more {
		e[k] = v
	}
	if s.version == 4 {
		e["kind"], e["lane"], e["seq"], e["timestamp"] = "entry", s.lane, s.seq, s.at().UnixMilli()
	} else {
		e["timestamp"] = s.now()
	}
	if s.version > 1 {
		e["id"], e["parentId"] = id, any(nil)
		if s.last != "" {
			e["parentId"] = s.last
		}
	}
	s.last = id
	s.raw(e)
	return id
}

func (s *script) message(id string, m object) string {
	m["timestamp"] = s.at().UnixMilli()
	return s.entry(id, "message", object{"message": m})
}

func (s *script) prompt(id string) string {
	return s.message(id, object{"role": "user", "content": []object{{"type": "text", "text": id}}})
}

func (s *script) reply(id string) string {
	return s.message(id, object{"role": "assistant", "content": []object{{"type": "text", "text": id}}, "api": "anthropic-messages", "provider": "anthropic", "model": "claude-opus-4-5", "usage": spent(), "stopReason": "stop"})
}

func spent() object {
	return object{"input": 100, "output": 10, "cacheRead": 50, "cacheWrite": 7, "totalTokens": 167, "cost": object{"input": 0.1, "total": 0.25}}
}

// works appends an answer with two calls, and their results.
func (s *script) works(id string) string {
	calls := []object{}
	for i := range 2 {
		calls = append(calls, object{"type": "toolCall", "id": fmt.Sprint(id, i), "name": "edit", "arguments": object{"path": fmt.Sprint("/g/", i, ".md")}})
	}
	s.message(id, object{"role": "assistant", "content": calls, "provider": "anthropic", "model": "claude-opus-4-5", "usage": spent(), "stopReason": "toolUse"})
	for i := range 2 {
		s.result(fmt.Sprint(id, "r", i), fmt.Sprint(id, i), i == 1)
	}
	return s.last
}

func (s *script) result(id, call string, failed bool) string {
	return s.message(id, object{"role": "toolResult", "toolCallId": call, "toolName": "edit", "content": []object{{"type": "text", "text": "out " + call}}, "details": object{"diff": "+a"}, "isError": failed})
}

func read(t importertest.Tester, s *script) importertest.Session {
	t.Helper()
	return importertest.One(t, Format(), scriptPath, s.lines)
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
