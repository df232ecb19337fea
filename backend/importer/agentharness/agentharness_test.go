package agentharness

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const path = "/home/ada/.agent/sessions/2026-01-05-10-30-00-123-aB3_.json"

type object = map[string]any

func message(n int, role, content string) object {
	return object{
		"role": role, "content": content, "id": fmt.Sprintf("11111111-2222-4333-8444-%012d", n), "turnIndex": n / 2,
		"timestamp": time.Date(2026, 1, 5, 10, 30, n, 5_000_000, time.UTC).Format("2006-01-02T15:04:05.000Z"),
	}
}

// file writes a session as agent-harness does.
func file(metadata object, messages ...object) []byte {
	all := object{
		"id": "2026-01-05-10-30-00-123-aB3_", "name": "2026-01-05-10-30-00-123-aB3_", "createdAt": "2026-01-05T10:30:00.000Z", "lastActivityAt": "2026-01-05T10:40:00.000Z",
		"messageCount": len(messages), "firstMessage": "hello", "provider": "openai", "model": "gpt-5",
	}
	for k, v := range metadata {
		all[k] = v
	}
	b, err := json.MarshalIndent(struct {
		Metadata       object   `json:"metadata"`
		Messages       []object `json:"messages"`
		ContextSummary string   `json:"contextSummary"`
	}{all, messages, "You are resuming"}, "", "  ")
	if err != nil {
		panic(err)
	}
	return b
}

func TestSession(t *testing.T) {
	tool := message(2, "tool", `{"success":false,"error":"x"}`)
	tool["name"], tool["toolCallId"] = "read", "call_1"
	data := file(object{"description": "tidy"}, message(0, "user", "hello"), message(1, "assistant", "hi"), tool, message(3, "alien", "?"), message(1, "user", "the same id"))
	s := importertest.One(t, Format(), path, data)
	if s.SourceID != "2026-01-05-10-30-00-123-aB3_" || s.Title != "tidy" || s.Model != "gpt-5" || s.CreatedAtMs != 1767609000000 || !Format().Sniff(path, data) {
		t.Errorf("%+v", s.Session)
	}
	if want := (importertest.Counts{Messages: 4, Results: 1, Branches: 1}); s.Count() != want || len(s.Records) != 1 {
		t.Errorf("%+v, records %v", s.Count(), s.Records)
	}
	if m := s.Messages[1]; m.UID != "11111111-2222-4333-8444-000000000001" || m.CreatedAtMs != 1767609001005 || m.Model != "gpt-5" || m.Role != core.RoleAssistant {
		t.Errorf("%+v", m)
	}
	if p := s.Messages[2].Parts[0]; !p.IsError || p.ID != "call_1" || p.Name != "read" {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(string(s.Meta), `"contextSummary"`) || !strings.Contains(string(s.Meta), `"provider":"openai"`) {
		t.Errorf("meta %s", s.Meta)
	}
	if s := importertest.One(t, Format(), path, file(object{"name": "my garden", "model": "unknown"}, message(0, "user", "x"))); s.Title != "my garden" || s.Model != "" {
		t.Errorf("%+v", s.Session)
	}
}

// The file keeps 100 messages, the library all of them.
func TestForgets(t *testing.T) {
	var all []object
	for i := range 250 {
		all = append(all, message(i, []string{"user", "assistant"}[i%2], fmt.Sprint("words ", i)))
	}
	var library importertest.Stored
	for n := 10; n <= len(all); n += 60 {
		library.Put(t, Format(), path, file(nil, all[max(0, n-100):n]...))
	}
	library.Put(t, Format(), path, file(nil, all[150:]...)).Put(t, Format(), path, file(nil, all[150:]...))
	n := len(library.Added) - 1
	if len(library.Messages) != 250 || strings.Contains(importertest.Shape(library.Messages), "(") || library.Added[n]+library.Changed[n] != 0 {
		t.Errorf("%d messages, added %v, changed %v", len(library.Messages), library.Added, library.Changed)
	}
}

// TestCounts compares the importer's result for any file with a count of its messages. agent-harness records no calls and no tokens.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []object
		for i := range rapid.IntRange(1, 40).Draw(t, "messages") {
			role := rapid.SampledFrom([]string{"user", "assistant", "tool", "system"}).Draw(t, "role")
			all = append(all, message(rapid.IntRange(0, 2*i).Draw(t, "id"), role, rapid.SampledFrom([]string{"words", "", `{"success":true}`}).Draw(t, "content")))
		}
		data := file(nil, all...)
		var raw struct{ Messages []struct{ Role string } }
		if err := json.Unmarshal(data, &raw); err != nil {
			t.Fatal(err)
		}
		want := importertest.Counts{Messages: int64(len(raw.Messages)), Branches: 1}
		for _, m := range raw.Messages {
			if m.Role == "tool" {
				want.Results++
			}
		}
		s := importertest.One(t, Format(), path, data)
		if got := s.Count(); got != want {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		`{"metadata":{"createdAt":"x","lastActivityAt":"y"},"messages":[{"ro`:     true,
		`{"version":"1.0","sessions":{"a":{"createdAt":"x"}},"updatedAt":"x"}`:    false,
		`{"metadata":{"createdAt":"x","lastActivityAt":"y"}}`:                     false,
		`{"name":"x","created_at":"y","thread":{"messages":[],"metadata":{}}}`:    false,
		`{"messages":[],"metadata":{"lastActivityAt":"2026","createdAt":"2026"}}`: true,
	} {
		if got := Format().Sniff("x", []byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestHalfWritten(t *testing.T) {
	data := file(nil, message(0, "user", "hello"), message(1, "assistant", "hi"))
	for n := 1; n < len(data); n++ {
		if all, problems := importertest.Read(t, Format(), path, data[:n]); len(problems) != 1 || len(all) > 1 {
			t.Fatalf("after %d bytes: %d sessions, %v", n, len(all), problems)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(nil, message(0, "user", "hello"), message(0, "tool", `{"success":false}`)))
	f.Add([]byte(`{"metadata":{"createdAt":1},"messages":[{"role":"user","id":"a","content":[]},{"role":"user","id":"a"},{"role":"user","id":""}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff("x", data)
		var library importertest.Stored
		library.Put(t, Format(), path, data).Put(t, Format(), path, data)
		if library.Added[1]+library.Changed[1] != 0 {
			t.Fatalf("the same again: %d added, %d changed", library.Added[1], library.Changed[1])
		}
	})
}
