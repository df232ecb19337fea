package codex

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"coppice/backend/importer/importertest"
)

const (
	scriptThread = "0198c5a4-0000-7000-8000-000000000001"
	forkThread   = "0198c5a4-0000-7000-8000-000000000002"
	scriptPath   = "/c/sessions/2026/03/04/rollout-2026-03-04T05-00-00-" + scriptThread + ".jsonl"
)

type object map[string]any

// script writes records in the shapes that Codex writes.
type script struct {
	lines   []byte
	seconds int
	ordinal int64 // -1: the legacy mode, without ordinals
	input   int64
	output  int64
}

// begin starts a rollout with its first record.
func begin(thread string, more object) *script {
	s := &script{ordinal: -1}
	if more["history_mode"] == "paginated" {
		s.ordinal = 0
	}
	meta := object{
		"id": thread, "timestamp": "2026-03-04T05:00:00.000Z", "cwd": "/home/ada/garden", "cli_version": "0.153.4", "originator": "codex_cli_rs",
		"source": "cli", "model_provider": "openai", "git": object{"branch": "main"},
	}
	for k, v := range more {
		meta[k] = v
	}
	s.record("session_meta", meta)
	return s
}

func (s *script) record(kind string, payload object) {
	s.seconds++
	all := object{"timestamp": time.Date(2026, 3, 4, 5, 0, s.seconds, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), "type": kind, "payload": payload}
	if s.ordinal >= 0 {
		all["ordinal"] = s.ordinal
		s.ordinal++
	}
	s.raw(all)
}

func (s *script) raw(line any) {
	b, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	s.lines = append(append(s.lines, b...), '\n')
}

func (s *script) item(payload object)  { s.record("response_item", payload) }
func (s *script) event(payload object) { s.record("event_msg", payload) }

func turnID(n int) string { return fmt.Sprintf("0198c5a4-1111-7000-8000-%012d", n) }

// starts begins a turn; 0 is for versions that gave turns no ids.
func (s *script) starts(n int) {
	context := object{"cwd": "/home/ada/garden", "model": "gpt-5-codex", "effort": "high"}
	if n > 0 {
		s.event(object{"type": "task_started", "turn_id": turnID(n), "model_context_window": 272000})
		context["turn_id"] = turnID(n)
	}
	s.record("turn_context", context)
}

func (s *script) ends(n int) { s.event(object{"type": "task_complete", "turn_id": turnID(n)}) }

func (s *script) says(role, kind, text string) {
	s.item(object{"type": "message", "role": role, "content": []object{{"type": kind, "text": text}}})
}

func (s *script) prompt(text string) {
	s.says("user", "input_text", text)
	s.event(object{"type": "user_message", "message": text, "images": []string{}})
}

func (s *script) reply(text string) {
	s.event(object{"type": "agent_message", "message": text})
	s.says("assistant", "output_text", text)
}

func (s *script) thinks(text string) {
	s.event(object{"type": "agent_reasoning", "text": text})
	s.item(object{"type": "reasoning", "summary": []object{{"type": "summary_text", "text": text}}, "encrypted_content": "sealed " + text})
}

func (s *script) calls(id string) {
	s.item(object{"type": "function_call", "name": "exec_command", "arguments": `{"cmd":"ls"}`, "call_id": id})
}

func (s *script) answers(id, output string) {
	s.event(object{
		"type": "exec_command_end", "call_id": id, "stdout": output, "aggregated_output": output, "formatted_output": output,
		"exit_code": 0, "duration": object{"secs": 1, "nanos": 5000000}, "command": []string{"ls"},
	})
	s.item(object{"type": "function_call_output", "call_id": id, "output": output})
}

// spends appends the totals after one more call, twice.
func (s *script) spends(input, output int64) {
	s.input, s.output = s.input+input, s.output+output
	for range 2 {
		s.event(object{"type": "token_count", "info": object{
			"total_token_usage": object{"input_tokens": s.input, "cached_input_tokens": s.input / 2, "output_tokens": s.output, "reasoning_output_tokens": s.output / 2},
			"last_token_usage":  object{"input_tokens": input, "cached_input_tokens": input / 2, "output_tokens": output, "reasoning_output_tokens": output / 2},
		}})
	}
}

// turn appends a whole turn, the n-th; its texts are "q<name>" and "a<name>".
func (s *script) turn(n int, name string) {
	s.starts(n)
	s.prompt("q" + name)
	s.thinks("t" + name)
	s.calls("call_" + name)
	s.spends(100, 10)
	s.answers("call_"+name, "out "+name)
	s.reply("a" + name)
	s.spends(200, 20)
	if n > 0 {
		s.ends(n)
	}
}

func (s *script) rolledBack(turns int) {
	s.event(object{"type": "thread_rolled_back", "num_turns": turns})
}

func compress(data []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return z.EncodeAll(data, nil)
}

func read(t importertest.Tester, s *script) importertest.Session {
	t.Helper()
	return importertest.One(t, Format(), scriptPath, s.lines)
}
