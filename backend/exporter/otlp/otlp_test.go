package otlp_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
	"coppice/backend/exporter/otlp"
)

var update = flag.Bool("update", false, "write the golden file")

// document is what the tests read of an export.
type document struct {
	ResourceSpans []struct {
		ScopeSpans []struct {
			Spans []span `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

type span struct {
	TraceID      string `json:"traceId"`
	SpanID       string `json:"spanId"`
	ParentSpanID string `json:"parentSpanId"`
	Name         string `json:"name"`
	Start        string `json:"startTimeUnixNano"`
	End          string `json:"endTimeUnixNano"`
}

func stream(messages []core.Message) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func write(t *testing.T, session core.Session, turns []core.Turn, messages []core.Message) []byte {
	t.Helper()
	var out bytes.Buffer
	w := otlp.NewWriter(&out, "1.0.0")
	if err := w.Session(session, turns, stream(messages)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// conversation is a turn with a call, an answer that failed, and a second turn with a call without a result.
func conversation() (core.Session, []core.Turn, []core.Message) {
	text := func(text string) []core.Part { return []core.Part{{Type: core.PartText, Text: text}} }
	cost := int64(1_250_000)
	session := core.Session{ID: "0199f0c0-0000-7000-8000-000000000001", Title: "A \"quoted\" title", Source: core.SourceCoppice}
	return session, []core.Turn{{Number: 0, Parent: -1}, {Number: 1, Parent: 0}}, []core.Message{
		{UID: "a", Turn: 0, Role: core.RoleUser, Kind: core.KindMessage, Parts: text("What time is it?"), CreatedAtMs: 1_790_000_000_000},
		{
			UID: "b", Turn: 0, Role: core.RoleAssistant, Kind: core.KindMessage, Agent: "coder", Model: "gpt-5.5", CreatedAtMs: 1_790_000_001_000, FinishedAtMs: 1_790_000_002_000,
			Origin: &core.Origin{Provider: "openai", RequestModel: "gpt-5.5", ResponseID: "resp_1"}, FinishReason: "tool_call", CostNanoUSD: &cost,
			Usage: &core.Usage{InputTokens: 100, OutputTokens: 20, CacheReadTokens: 60, ReasoningTokens: 5},
			Parts: []core.Part{{Type: core.PartReasoning, Text: "I look."}, {Type: core.PartToolCall, ID: "c1", Name: "clock", Arguments: json.RawMessage(`{"zone":"UTC"}`)}},
		},
		{
			UID: "c", Turn: 0, Role: core.RoleTool, Kind: core.KindMessage, CreatedAtMs: 1_790_000_003_000,
			Parts: []core.Part{{Type: core.PartToolResult, ID: "c1", Name: "clock", DurationMs: 400, Result: text("12:00")}},
		},
		{UID: "d", Turn: 0, Role: core.RoleAssistant, Kind: core.KindMessage, Model: "gpt-5.5", CreatedAtMs: 1_790_000_004_000, Error: "the server broke off", Parts: text("It is")},
		{UID: "e", Turn: 1, Role: core.RoleUser, Kind: core.KindMessage, Parts: text("Again."), CreatedAtMs: 1_790_000_010_000},
		{
			UID: "f", Turn: 1, Role: core.RoleAssistant, Kind: core.KindMessage, Model: "gpt-5.5", CreatedAtMs: 1_790_000_011_000,
			Parts: []core.Part{{Type: core.PartToolCall, ID: "c2", Name: "clock", Arguments: json.RawMessage(`{}`)}},
		},
	}
}

func TestGolden(t *testing.T) {
	session, turns, messages := conversation()
	got := write(t, session, turns, messages)
	path := filepath.Join("testdata", "spans.json")
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the export differs from %s, see it with -update:\n%s", path, got)
	}
}

// TestSpansAreATree checks what viewers rely on: ids of the right length, each once, parents of the same trace, and times in order.
func TestSpansAreATree(t *testing.T) {
	session, turns, messages := conversation()
	var doc document
	if err := json.Unmarshal(write(t, session, turns, messages), &doc); err != nil {
		t.Fatal(err)
	}
	spans := doc.ResourceSpans[0].ScopeSpans[0].Spans
	traceOf := map[string]string{}
	for _, s := range spans {
		if len(s.TraceID) != 32 || len(s.SpanID) != 16 || traceOf[s.SpanID] != "" || s.Start > s.End {
			t.Errorf("span %+v", s)
		}
		traceOf[s.SpanID] = s.TraceID
	}
	roots := 0
	for _, s := range spans {
		switch {
		case s.ParentSpanID == "":
			roots++
		case traceOf[s.ParentSpanID] != s.TraceID:
			t.Errorf("the parent of %s is not in its trace", s.Name)
		}
	}
	if len(spans) != 7 || roots != 2 {
		t.Errorf("%d spans, %d of them turns", len(spans), roots)
	}
}

func TestNoSession(t *testing.T) {
	var out bytes.Buffer
	if err := otlp.NewWriter(&out, "").Close(); err != nil || out.String() != "{\"resourceSpans\":[]}\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
