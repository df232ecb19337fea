package price_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/price"
)

func TestOwnPricesGoFirst(t *testing.T) {
	own, err := price.ParseOwn("pricing.json", []byte(`{
		"gpt-5": [0.00125, 0.01],
		"proxy/GPT-5": {"input": 2, "output": 4.5, "cacheRead": 0.1, "cacheWrite": 3e0},
		"anthropic/claude-x": [1, 2]
	}`))
	if err != nil {
		t.Fatal(err)
	}
	table := open(t, own, func(p, _ string) bool { return p == "here" })
	usage := core.Usage{InputTokens: 1000, OutputTokens: 100, CacheReadTokens: 500, CacheWriteTokens: 200}
	cases := []struct {
		provider, model string
		want            int64
	}{
		{"openai", "gpt-5", 1000*1250 + 100*10_000}, // cached tokens cost as much as input
		{"proxy", "gpt-5", 300*2000 + 500*100 + 200*3000 + 100*4500},
		{"here", "gpt-5", 1000*1250 + 100*10_000}, // also if the provider would be free
		{"anthropic", "claude-x", 1000*1_000_000 + 100*2_000_000},
		{"openrouter", "anthropic/claude-x", 1000*1_000_000 + 100*2_000_000},
	}
	for _, c := range cases {
		if got, known := table.Cost(c.provider, c.model, usage, 0); got != c.want || !known {
			t.Errorf("%s/%s: got %d, %v, want %d", c.provider, c.model, got, known, c.want)
		}
	}
}

func TestHalvesAreRoundedUpOnce(t *testing.T) {
	own, err := price.ParseOwn("pricing.json", []byte(`{"m": {"input": 0.0005, "output": 0.0004}}`))
	if err != nil {
		t.Fatal(err)
	}
	table := open(t, own, nil)
	for usage, want := range map[[2]int64]int64{{1, 0}: 1, {0, 1}: 0, {1, 1}: 1, {2, 0}: 1, {3, 0}: 2, {0, 2}: 1} {
		if got, _ := table.Cost("p", "m", core.Usage{InputTokens: usage[0], OutputTokens: usage[1]}, 0); got != want {
			t.Errorf("%v: got %d, want %d", usage, got, want)
		}
	}
}

func TestErrorsNameFileLineAndKey(t *testing.T) {
	cases := []struct{ text, want string }{
		{"", "p.json:1: the JSON ends too early"},
		{"[]", "p.json:1: expected an object from model to price"},
		{"{\n\"a\": [1]\n}", "p.json:2: a: expected two numbers, the price of input and of output, found 1"},
		{"{\n\"a\": [1, 2, 3]\n}", "p.json:2: a: expected two numbers, the price of input and of output, found 3"},
		{"{\"a\": [1, \"x\"]}", "p.json:1: a: expected a number"},
		{"{\"a\": [1, -1]}", "p.json:1: a: a price must not be negative"},
		{"{\"a\": 3}", "p.json:1: a: expected [input, output] or an object"},
		{"{\n\n\"a\": {\"inptu\": 3}}", `p.json:3: a: unknown key "inptu"; there are input, output, cacheRead and cacheWrite`},
		{"{\"a\": {\"input\": 3,\n\"input\": 3}}", `p.json:2: a: duplicate key "input"`},
		{"{\"a\": {\"input\": 3}}", "p.json:1: a: input and output are required"},
		{"{\"a\": {\"input\": 3, \"output\": null}}", "p.json:1: a: output: expected a number"},
		{"{\"a\": [1e999999999, 2]}", "p.json:1: a: the number is too long"},
		{"{\"a\": [1e9, 2]}", "p.json:1: a: the price is more than a million dollars for a million tokens"},
		{"{\"a\": [1, 2],\n\"A\": [1, 2]}", `p.json:2: duplicate key "A"`},
		{"{\"a\": [1, 2],\n,}", "p.json:2: invalid character ',' "},
		{"{\"a\": [1, 2]} {}", "p.json:1: text after the end of the object"},
		{"{\"a\": [1, 2]", "p.json:1: the JSON ends too early"},
	}
	for _, c := range cases {
		_, err := price.ParseOwn("p.json", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestReadOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pricing.json")
	if own, err := price.ReadOwn(path); own != nil || err != nil {
		t.Errorf("without a file: %v, %v", own, err)
	}
	if err := os.WriteFile(path, []byte(`{"a": [1, 2]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if own, err := price.ReadOwn(path); len(own) != 1 || err != nil {
		t.Errorf("got %v, %v", own, err)
	}
}

func FuzzParseOwn(f *testing.F) {
	f.Add([]byte(`{"a": [1, 2], "b": {"input": 1.5e1, "output": 0}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		own, err := price.ParseOwn("p.json", data)
		if (err != nil) && own != nil {
			t.Errorf("prices beside the error %v", err)
		}
		for key, r := range own {
			if r == nil || key != strings.ToLower(key) {
				t.Errorf("key %q", key)
			}
		}
	})
}
