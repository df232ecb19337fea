package spreadsheet_test

import (
	"bytes"
	"iter"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/exporter/spreadsheet"
)

func stream(messages ...core.Message) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func TestUsage(t *testing.T) {
	nano := func(n int64) *int64 { return &n }
	answer := func(uid string, m core.Message) core.Message {
		m.UID, m.Role, m.Kind, m.Turn = uid, core.RoleAssistant, core.KindMessage, 3
		return m
	}
	var out bytes.Buffer
	u, err := spreadsheet.NewUsage(&out)
	if err != nil {
		t.Fatal(err)
	}
	err = u.Session(core.Session{ID: "s1", Title: "=cmd|' /C calc'!A0", Source: core.SourceCodex}, stream(
		core.Message{UID: "p", Role: core.RoleUser, Kind: core.KindMessage},
		answer("billed", core.Message{
			CreatedAtMs: 1_790_000_000_123, Agent: "coder", Model: "gpt-5.5", FinishReason: "stop", CostNanoUSD: nano(1_250_000_001),
			Usage: &core.Usage{InputTokens: 100, OutputTokens: 20, CacheReadTokens: 60, CacheWriteTokens: 7, ReasoningTokens: 5},
		}),
		answer("listed", core.Message{Model: "claude-opus-4-5", Usage: &core.Usage{InputTokens: 1}, Estimate: core.Estimate{NanoUSD: nano(5)}}),
		answer("unknown", core.Message{}),
		answer("placeholder", core.Message{
			Origin: &core.Origin{Protocol: "anthropic"}, Usage: &core.Usage{InputTokens: 9, OutputTokens: 1},
			Parts: []core.Part{{Type: core.PartText, Text: strings.Repeat("long ", 100)}},
		}),
	))
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	const want = `time,session,title,source,node,message,agent,provider,model,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,reasoning_tokens,cost_usd,estimated_cost_usd,finish_reason
2026-09-21T14:13:20.123Z,s1,'=cmd|' /C calc'!A0,codex,n3,billed,coder,openai,gpt-5.5,100,20,60,7,5,1.250000001,,stop
,s1,'=cmd|' /C calc'!A0,codex,n3,listed,,anthropic,claude-opus-4-5,1,0,0,0,0,,0.000000005,
,s1,'=cmd|' /C calc'!A0,codex,n3,unknown,,unknown,,,,,,,,,
,s1,'=cmd|' /C calc'!A0,codex,n3,placeholder,,unknown,,9,,0,0,0,,,
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
