package render

import (
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
)

func TestListPrices(t *testing.T) {
	nano := func(n int64) *int64 { return &n }
	usage := core.Usage{InputTokens: 10, OutputTokens: 5}
	for _, test := range []struct {
		name    string
		message core.Message
		want    string // among the facts; empty: no price
	}{
		{"billed", core.Message{Usage: &usage, CostNanoUSD: nano(2_000_000_000), Estimate: core.Estimate{NanoUSD: nano(5)}}, "$2"},
		{"listed", core.Message{Usage: &usage, Estimate: core.Estimate{NanoUSD: nano(2_000_000_000)}}, "at list price"},
		{"listed in part", core.Message{Usage: &usage, Estimate: core.Estimate{NanoUSD: nano(2_000_000_000), Partial: true}}, "+ at list price"},
		{"unknown", core.Message{Usage: &usage}, ""},
	} {
		facts := slices.DeleteFunc(messageFacts(&test.message), func(fact string) bool { return !strings.Contains(fact, "$") })
		if test.want == "" && len(facts) > 0 || test.want != "" && (len(facts) != 1 || !strings.Contains(facts[0], test.want)) {
			t.Errorf("%s: %q, want %q", test.name, facts, test.want)
		}
	}
}
