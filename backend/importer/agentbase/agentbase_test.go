package agentbase

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const path = "/home/ada/.agent/sessions/2025-11-21-10-30-00.json"

var local = Format(time.UTC)

type object = map[string]any

// file writes a session as agent-base does.
func file(name string, thread any) []byte {
	b, err := json.MarshalIndent(object{
		"name": name, "description": "Auto-saved session", "created_at": "2026-11-21T02:17:53.165296", "updated_at": "2026-11-21T02:17:53.165306",
		"message_count": 0, "first_message": "", "thread": thread,
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	return b
}

func thread(messages ...object) object {
	return object{"type": "agent_thread_state", "service_thread_id": nil, "chat_message_store_state": object{"type": "chat_message_store_state", "messages": messages}}
}

func said(role any, contents ...object) object {
	return object{"type": "chat_message", "role": role, "contents": contents, "author_name": nil, "message_id": nil, "additional_properties": object{}}
}

func role(name string) object { return object{"type": "role", "value": name} }

func conversation() []object {
	answer := said(role("assistant"), object{"type": "text_reasoning", "text": "hm"}, object{"type": "text", "text": "Sure — done."},
		object{"type": "usage", "details": object{"input_token_count": 30, "output_token_count": 4}})
	answer["author_name"], answer["message_id"] = "Agent", "resp_1"
	return []object{
		said("user", object{"type": "text", "text": "Hello", "annotations": nil}, object{"type": "data", "uri": "data:image/png;base64,aGk=", "media_type": "image/png"}),
		said(role("assistant"), object{"type": "function_call", "call_id": "c1", "name": "hello_world", "arguments": `{"name":"Ada"}`},
			object{"type": "function_call", "call_id": "c2", "name": "greet", "arguments": object{"n": 1}}, object{"type": "function_call", "call_id": "c3", "name": "x", "arguments": "{bro"}),
		said(role("tool"), object{"type": "function_result", "call_id": "c1", "result": object{"success": false, "message": "no"}}),
		said(role("tool"), object{"type": "function_result", "call_id": "c2", "result": "plain"}, object{"type": "function_result", "call_id": "c3", "exception": "boom"}),
		answer,
	}
}

func TestFramework(t *testing.T) {
	s := importertest.One(t, local, path, file("2025-11-21-10-30-00", thread(conversation()...)))
	if want := (importertest.Counts{Messages: 5, Calls: 3, Results: 3, Reasoning: 1, Media: 1, Branches: 1, Input: 30, Output: 4}); s.Count() != want {
		t.Errorf("%+v", s.Count())
	}
	if s.SourceID != "2025-11-21-10-30-00" || s.Title != "" || s.CreatedAtMs != time.Date(2025, 11, 21, 10, 30, 0, 0, time.UTC).UnixMilli() {
		t.Errorf("%+v", s.Session)
	}
	calls := s.Messages[1].Parts
	if string(calls[0].Arguments) != `{"name":"Ada"}` || string(calls[1].Arguments) != `{
                "n": 1
              }` || calls[2].Text != "{bro" {
		t.Errorf("%+v", calls)
	}
	one, two, three := s.Messages[2].Parts[0], s.Messages[3].Parts[0], s.Messages[3].Parts[1]
	if !one.IsError || one.Name != "hello_world" || one.Structured == nil || two.IsError || two.Result[0].Text != "plain" || !three.IsError || three.Name != "x" {
		t.Errorf("%+v %+v %+v", one, two, three)
	}
	if m := s.Messages[4]; m.Agent != "Agent" || m.Origin.ResponseID != "resp_1" {
		t.Errorf("%+v", m)
	}
	if img := s.Messages[0].Parts[1].Media; string(img.Data) != "hi" || img.URI != "" {
		t.Errorf("%+v", img)
	}
}

func TestFallbackForms(t *testing.T) {
	fallen := object{"messages": []object{
		{"role": "user", "content": "Hello"},
		{"role": "assistant", "content": "", "tool_calls": []object{{"name": "read", "arguments": object{"p": "x"}}}},
		{"role": "tool", "content": ""},
		{"role": "assistant", "content": "Sure."},
	}, "metadata": object{"fallback": true, "version": "1.0"}}
	s := importertest.One(t, local, path, file("mine", fallen))
	if want := (importertest.Counts{Messages: 4, Calls: 1, Results: 1, Branches: 1}); s.Count() != want || s.Title != "mine" {
		t.Errorf("%+v %q", s.Count(), s.Title)
	}
	if !strings.Contains(string(s.Meta), `"fallback"`) {
		t.Errorf("meta %s", s.Meta)
	}
	fallen["metadata"].(object)["manual_tracking"] = true
	if s := importertest.One(t, local, path, file("mine", fallen)); len(s.Messages) != 4 { // message_count says 0
		t.Errorf("%d messages", len(s.Messages))
	}
}

func TestServiceThread(t *testing.T) {
	data := file("x", object{"type": "agent_thread_state", "service_thread_id": "thread_abc", "chat_message_store_state": nil})
	all, problems := importertest.Read(t, local, path, data)
	if len(all) != 0 || len(problems) != 1 || !strings.Contains(problems[0].Message, "thread_abc") || !local.Sniff(path, data) {
		t.Errorf("%d sessions, %v", len(all), problems)
	}
}

// A session is saved repeatedly, each time with a new created_at; a resumed one starts over.
func TestSavedAgain(t *testing.T) {
	var library importertest.Stored
	all := conversation()
	library.Put(t, local, path, file("mine", thread(all[:3]...)))
	later := strings.Replace(string(file("mine", thread(all...))), "2026-11-21T02:17:53.165296", "2026-11-22T02:17:53", 1)
	library.Put(t, local, path, []byte(later)).Put(t, local, path, []byte(later))
	if len(library.Messages) != 5 || library.Changed[1] != 0 || library.Added[2]+library.Changed[2] != 0 {
		t.Errorf("%v added, %v changed", library.Added, library.Changed)
	}
	library.Put(t, local, path, file("mine", thread(said("user", object{"type": "text", "text": "Again"}))))
	if got := importertest.Shape(library.Messages); !strings.Contains(got, "(Again)") || len(library.Messages) != 6 {
		t.Error(got)
	}
}

func TestDamage(t *testing.T) {
	data := file("x", thread(conversation()...))
	for n := 1; n < len(data); n += 11 {
		all, problems := importertest.Read(t, local, path, data[:n])
		if len(problems) != 1 || problems[0].Line == 0 || len(all) > 1 {
			t.Fatalf("after %d bytes: %d sessions, %v", n, len(all), problems)
		}
	}
	for _, side := range []string{
		`{"conversations":{"a":{"name":"a","created_at":"x"}}}`, `{"version":"1.0","saved_at":"x","memory_count":0,"memories":[]}`,
		`{"metadata":{"id":"a","createdAt":"x","lastActivityAt":"x"},"messages":[]}`,
	} {
		if local.Sniff("x.json", []byte(side)) {
			t.Errorf("%s is taken for a session", side)
		}
	}
}

// TestSamples counts in the raw files and compares.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "seeds/agent-template/*/*.json") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := importertest.File(t, path)
			var raw struct {
				Thread *struct {
					Messages []struct{ Role string }
					Store    *struct {
						Messages []struct{ Contents []struct{ Type string } }
					} `json:"chat_message_store_state"`
				}
			}
			broken := json.Unmarshal(data, &raw) != nil
			if got, want := local.Sniff(path, data), raw.Thread != nil || broken; got != want {
				t.Fatalf("recognised: %v", got)
			}
			if raw.Thread == nil && !broken {
				return
			}
			var want importertest.Counts
			if raw.Thread != nil {
				for _, m := range raw.Thread.Messages {
					want.Messages++
					if m.Role == "tool" {
						want.Results++
					}
				}
				if raw.Thread.Store != nil {
					for _, m := range raw.Thread.Store.Messages {
						want.Messages++
						for _, c := range m.Contents {
							switch c.Type {
							case "function_call":
								want.Calls++
							case "function_result":
								want.Results++
							}
						}
					}
				}
			}
			all, problems := importertest.Read(t, local, path, data)
			if want.Messages == 0 {
				if len(all) != 0 || len(problems) != 1 {
					t.Errorf("%d sessions, %v", len(all), problems)
				}
				return
			}
			want.Branches = 1
			if len(all) != 1 || all[0].Count() != want || len(problems) != 0 || all[0].Source != core.SourceAgentBase {
				t.Errorf("%+v, want %+v; %v", all, want, problems)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file("x", thread(conversation()...)))
	f.Add(file("2025-11-21-10-30-00", object{"messages": []any{object{"role": "tool", "content": 1}, 7, nil}})[:200])
	f.Fuzz(func(t *testing.T, data []byte) {
		local.Sniff("x", data)
		var library importertest.Stored
		library.Put(t, local, path, data).Put(t, local, path, data)
		if library.Added[1]+library.Changed[1] != 0 {
			t.Fatalf("the same again: %d added, %d changed", library.Added[1], library.Changed[1])
		}
	})
}
