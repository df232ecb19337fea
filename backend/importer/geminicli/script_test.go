package geminicli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"coppice/backend/importer/importertest"
)

const (
	scriptSession = "5b1f0c9a-0000-4000-8000-000000000001"
	scriptPath    = "/g/.gemini/tmp/garden/chats/session-2026-03-04T05-00-5b1f0c9a.jsonl"
)

type object map[string]any

// script writes records in the shapes that Gemini CLI writes.
type script struct {
	lines   []byte
	seconds int
}

func begin() *script {
	s := &script{}
	s.raw(object{"sessionId": scriptSession, "projectHash": "abc", "startTime": s.now(), "lastUpdated": s.now(), "kind": "main"})
	return s
}

func (s *script) now() string {
	return time.Date(2026, 3, 4, 5, 0, s.seconds, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}

func (s *script) raw(line any) {
	b, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	s.lines = append(append(s.lines, b...), '\n')
}

func (s *script) message(id, kind string, content any, more object) object {
	s.seconds++
	m := object{"id": id, "timestamp": s.now(), "type": kind, "content": content}
	for k, v := range more {
		m[k] = v
	}
	return m
}

func (s *script) prompt(id string) { s.raw(s.message(id, "user", []object{{"text": id}}, nil)) }

func (s *script) reply(id string) {
	s.raw(s.message(id, "gemini", id, object{"model": "gemini-3-pro", "tokens": spent(100, 10)}))
}

// works appends a reply that calls a tool: once before the tool has run and once after, as it is written.
func (s *script) works(id string) {
	m := s.message(id, "gemini", id, object{"model": "gemini-3-pro", "tokens": spent(100, 10)})
	s.raw(m)
	m["toolCalls"] = []object{call("call_"+id, "out "+id)}
	s.raw(m)
}

func spent(input, output int) object {
	return object{"input": input, "output": output, "cached": input / 2, "thoughts": 3, "tool": 2, "total": input + output + 5}
}

func call(id, output string) object {
	return object{
		"id": id, "name": "write_file", "args": object{"file_path": "a.md"}, "status": "success", "timestamp": "2026-03-04T06:00:00.000Z", "displayName": "WriteFile",
		"result": []object{{"functionResponse": object{"id": id, "name": "write_file", "response": object{"output": output}}}}, "resultDisplay": "shown",
	}
}

func (s *script) rewind(id string) { s.raw(object{"$rewindTo": id}) }

// old writes messages as an old file has them: one object over many lines.
func old(messages ...object) []byte {
	out := fmt.Sprintf("{\n  \"sessionId\": %q,\n  \"projectHash\": \"abc\",\n  \"startTime\": \"2026-03-04T05:00:00.000Z\",\n  \"messages\": [", scriptSession)
	for i, m := range messages {
		if i > 0 {
			out += ","
		}
		b, err := json.Marshal(m)
		if err != nil {
			panic(err)
		}
		out += "\n    " + string(b)
	}
	return []byte(out + "\n  ]\n}")
}

func read(t importertest.Tester, s *script) importertest.Session {
	t.Helper()
	return importertest.One(t, Format(), scriptPath, s.lines)
}

// shape is the tree without the outputs of tools.
func shape(s *importertest.Session) string { return strings.TrimSpace(s.Shape()) }
