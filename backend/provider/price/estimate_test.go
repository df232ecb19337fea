package price_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/price"
)

func call(provider, model string, atMs int64, usage core.Usage) *core.Message {
	return &core.Message{
		Role: core.RoleAssistant, Kind: core.KindMessage, Model: model, Usage: &usage, CreatedAtMs: atMs, FinishRaw: "end_turn",
		Origin: &core.Origin{Provider: provider},
	}
}

// The expected sums are computed by hand from the prices per million tokens that the providers publish.
func TestEstimatesOfCacheTiers(t *testing.T) {
	const (
		january = int64(1_767_225_600_000) // 2026-01-01
		april   = int64(1_775_001_600_000) // 2026-04-01
		may2025 = int64(1_746_057_600_000) // 2025-05-01, before o3 became cheaper on 2025-06-10
	)
	longWrites := json.RawMessage(`{"cache_creation":{"ephemeral_5m_input_tokens":1000,"ephemeral_1h_input_tokens":4000}}`)
	cases := []struct {
		name            string
		provider, model string
		atMs            int64
		usage           core.Usage
		want            int64
	}{
		{
			"anthropic: 2,000 uncached at $5, 100,000 read at $0.50, 5,000 written for five minutes at $6.25, 300 output at $25",
			"anthropic", "claude-opus-4-5-20251101", january,
			core.Usage{InputTokens: 107_000, CacheReadTokens: 100_000, CacheWriteTokens: 5_000, OutputTokens: 300},
			2_000*5_000 + 100_000*500 + 5_000*6_250 + 300*25_000,
		},
		{
			"anthropic: of 5,000 written, 4,000 for an hour at $10",
			"anthropic", "claude-opus-4-5-20251101", january,
			core.Usage{InputTokens: 107_000, CacheReadTokens: 100_000, CacheWriteTokens: 5_000, OutputTokens: 300, Native: longWrites},
			2_000*5_000 + 100_000*500 + 1_000*6_250 + 4_000*10_000 + 300*25_000,
		},
		{
			"anthropic: more hour tokens than were written count as written",
			"anthropic", "claude-opus-4-5", january,
			core.Usage{InputTokens: 3_000, CacheWriteTokens: 3_000, Native: longWrites},
			3_000 * 10_000,
		},
		{
			"anthropic: a prompt of more than 200,000 tokens costs twice as much before 2026-03-13",
			"anthropic", "claude-opus-4-6", january,
			core.Usage{InputTokens: 210_000, CacheReadTokens: 200_000, CacheWriteTokens: 10_000, OutputTokens: 100, Native: json.RawMessage(`{"cache_creation":{"ephemeral_1h_input_tokens":10000}}`)},
			200_000*1_000 + 10_000*20_000 + 100*37_500,
		},
		{
			"anthropic: and as much as any other after it",
			"anthropic", "claude-opus-4-6", april,
			core.Usage{InputTokens: 210_000, CacheReadTokens: 200_000, CacheWriteTokens: 10_000, OutputTokens: 100},
			200_000*500 + 10_000*6_250 + 100*25_000,
		},
		{
			"openai: 8,000 of 10,000 cached at $0.50, before the price of o3 fell",
			"openai", "o3", may2025,
			core.Usage{InputTokens: 10_000, CacheReadTokens: 8_000, OutputTokens: 1_000, ReasoningTokens: 600},
			2_000*10_000 + 8_000*500 + 1_000*40_000,
		},
		{
			"openai: and after",
			"openai", "o3", january,
			core.Usage{InputTokens: 10_000, CacheReadTokens: 8_000, OutputTokens: 1_000, ReasoningTokens: 600},
			2_000*2_000 + 8_000*500 + 1_000*8_000,
		},
		{
			"openai: gpt-5 at $1.25, cached $0.125, output $10",
			"openai", "gpt-5", january,
			core.Usage{InputTokens: 20_000, CacheReadTokens: 16_000, OutputTokens: 500},
			4_000*1_250 + 16_000*125 + 500*10_000,
		},
		{
			"google: gemini-2.5-pro at $1.25, cached $0.125, output $10",
			"google", "gemini-2.5-pro", january,
			core.Usage{InputTokens: 20_000, CacheReadTokens: 16_000, OutputTokens: 500, ReasoningTokens: 200},
			4_000*1_250 + 16_000*125 + 500*10_000,
		},
		{
			"google: above 200,000 tokens $2.50, cached $0.25, output $15",
			"google", "gemini-2.5-pro", january,
			core.Usage{InputTokens: 200_001, CacheReadTokens: 200_000, OutputTokens: 500},
			1*2_500 + 200_000*250 + 500*15_000,
		},
		{
			"a provider that the tool did not record",
			"", "claude-sonnet-4-5", january,
			core.Usage{InputTokens: 1_000, OutputTokens: 100},
			1_000*3_000 + 100*15_000,
		},
		{"a server on this machine", "local", "anything", january, core.Usage{InputTokens: 1_000, OutputTokens: 100}, 0},
	}
	e := price.NewEstimator(price.File{}, func(provider, _ string) bool { return provider == "local" })
	for _, c := range cases {
		got := e.Estimate(call(c.provider, c.model, c.atMs, c.usage))
		if got.NanoUSD == nil || *got.NanoUSD != c.want || got.Partial {
			t.Errorf("%s: got %+v (%v), want %d", c.name, got, value(got.NanoUSD), c.want)
		}
	}
}

func value(n *int64) int64 {
	if n == nil {
		return -1
	}
	return *n
}

func TestUnknownPricesStayUnknown(t *testing.T) {
	e := price.NewEstimator(price.File{}, nil)
	usage := core.Usage{InputTokens: 1_000, OutputTokens: 100}
	for _, m := range []*core.Message{
		call("anthropic", "no-such-model", 0, usage),
		call("someone", "gpt-5", 0, usage), // a proxy can charge any price
		call("", "", 0, usage),
		{Role: core.RoleAssistant, Kind: core.KindMessage, Model: "gpt-5"},
	} {
		if got := e.Estimate(m); got.NanoUSD != nil || got.Partial {
			t.Errorf("%q: got %d", m.Model, *got.NanoUSD)
		}
	}
}

func TestPlaceholdersAreNotCounted(t *testing.T) {
	e := price.NewEstimator(price.File{}, nil)
	answer := func(finish string, output int64, text string) *core.Message {
		m := call("anthropic", "claude-opus-4-5", 0, core.Usage{InputTokens: 1_000, OutputTokens: output})
		m.Origin.Protocol, m.FinishRaw, m.Parts = "anthropic", finish, []core.Part{{Type: core.PartText, Text: text}}
		return m
	}
	long := strings.Repeat("word ", 100)
	cases := []struct {
		name string
		m    *core.Message
		want core.Estimate
		cost int64
	}{
		{"one token with a long text", answer("", 1, long), core.Estimate{Partial: true}, 1_000 * 5_000},
		{"one token with a short text", answer("", 1, "yes"), core.Estimate{}, 1_000*5_000 + 25_000},
		{"a finished answer is believed", answer("end_turn", 1, long), core.Estimate{}, 1_000*5_000 + 25_000},
		{"as many tokens as the text needs", answer("", 110, long), core.Estimate{}, 1_000*5_000 + 110*25_000},
	}
	for _, c := range cases {
		got := e.Estimate(c.m)
		if value(got.NanoUSD) != c.cost || got.Partial != c.want.Partial {
			t.Errorf("%s: got %d, partial %v, want %d", c.name, value(got.NanoUSD), got.Partial, c.cost)
		}
	}
}

func TestOwnPricesChangeTheKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pricing.json")
	if err := os.WriteFile(path, []byte(`{"no-such-model": [0.001, 0.002]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := price.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, priced := price.NewEstimator(price.File{}, nil), price.NewEstimator(own, nil)
	if plain.PriceKey() == priced.PriceKey() || plain.PriceKey() == 0 {
		t.Errorf("keys %d and %d", plain.PriceKey(), priced.PriceKey())
	}
	got := priced.Estimate(call("anthropic", "no-such-model", 0, core.Usage{InputTokens: 10, OutputTokens: 1}))
	if value(got.NanoUSD) != 10*1_000+2_000 {
		t.Errorf("got %d", value(got.NanoUSD))
	}
}
