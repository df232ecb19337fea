package claudecode

import (
	"encoding/json"
	"time"
)

// script writes records in the forms that Claude Code writes. Every method appends one and returns its uuid, which is
// its name.
type script struct {
	lines   []byte
	seconds int
}

type fieldsOf map[string]any

const scriptSession = "11111111-2222-4333-8444-555555555555"

// record appends a record; parent "" means null.
func (s *script) record(uuid, parent string, fields fieldsOf) string {
	all := fieldsOf{
		"uuid": uuid, "parentUuid": parent, "sessionId": scriptSession, "isSidechain": false, "userType": "external", "cwd": "/home/ada/garden",
		"version": "2.1.42", "gitBranch": "main", "timestamp": s.tick(),
	}
	if parent == "" {
		all["parentUuid"] = nil
	}
	for k, v := range fields {
		all[k] = v
	}
	s.raw(all)
	return uuid
}

// raw appends an object as it is.
func (s *script) raw(object any) {
	b, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	s.lines = append(append(s.lines, b...), '\n')
}

func (s *script) tick() string {
	s.seconds++
	return time.Date(2026, 3, 4, 5, 0, s.seconds, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}

func (s *script) user(uuid, parent, text string) string {
	return s.record(uuid, parent, fieldsOf{"type": "user", "message": fieldsOf{"role": "user", "content": text}})
}

func (s *script) metaUser(uuid, parent, text string) string {
	return s.record(uuid, parent, fieldsOf{"type": "user", "isMeta": true, "message": fieldsOf{"role": "user", "content": text}})
}

// reply appends one record of the model's message id.
func (s *script) reply(uuid, parent, id string, block fieldsOf) string {
	return s.record(uuid, parent, fieldsOf{"type": "assistant", "requestId": "req_" + id, "message": fieldsOf{
		"id": id, "type": "message", "role": "assistant", "model": "claude-opus-4-6", "content": []any{block}, "stop_reason": nil,
		"usage": fieldsOf{"input_tokens": 3, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 1000, "output_tokens": len(s.lines)},
	}})
}

func (s *script) says(uuid, parent, text string) string {
	return s.reply(uuid, parent, "msg_"+uuid, fieldsOf{"type": "text", "text": text})
}

func (s *script) calls(uuid, parent, id, tool string) string {
	return s.reply(uuid, parent, id, fieldsOf{"type": "tool_use", "id": tool, "name": "Bash", "input": fieldsOf{"command": "ls"}})
}

func (s *script) result(uuid, parent, tool string) string {
	return s.record(uuid, parent, fieldsOf{
		"type": "user", "toolUseResult": fieldsOf{"stdout": "out", "stderr": "", "interrupted": false, "isImage": false},
		"message": fieldsOf{"role": "user", "content": []any{fieldsOf{"type": "tool_result", "tool_use_id": tool, "content": "out"}}},
	})
}

func (s *script) progress(uuid, parent, kind string) string {
	return s.record(uuid, parent, fieldsOf{"type": "progress", "data": fieldsOf{"type": kind}, "toolUseID": "p", "parentToolUseID": "p"})
}

func (s *script) attachment(uuid, parent, kind string) string {
	return s.record(uuid, parent, fieldsOf{"type": "attachment", "attachment": fieldsOf{"type": kind}})
}

func (s *script) system(uuid, parent, subtype string, fields fieldsOf) string {
	all := fieldsOf{"type": "system", "subtype": subtype, "isMeta": false}
	for k, v := range fields {
		all[k] = v
	}
	return s.record(uuid, parent, all)
}

// rewound appends the record of an explicit rewind; leaf "" means the empty conversation.
func (s *script) rewound(leaf string) {
	all := fieldsOf{"type": "last-prompt", "leafUuid": leaf, "explicit": true, "rewound": true, "sessionId": scriptSession}
	if leaf == "" {
		all["leafUuid"] = nil
	}
	s.raw(all)
}

// turn appends the prompt qN and its answer aN, and returns the answer.
func (s *script) turn(n, parent string) string {
	return s.says("a"+n, s.user("q"+n, parent, "prompt "+n), "answer "+n)
}
