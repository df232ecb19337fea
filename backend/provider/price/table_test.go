package price_test

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/price"
)

func open(t *testing.T, own price.Own, free func(_, _ string) bool) *price.Table {
	t.Helper()
	table, err := price.Open(own, free)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The expected values were computed by the package that the data comes from, in floating point; see
// generate/vectors.mjs. COPPICE_PRICE_VECTORS names a file with more of them: node generate/vectors.mjs --all.
func TestCostsAreThoseOfThePackage(t *testing.T) {
	path := os.Getenv("COPPICE_PRICE_VECTORS")
	if path == "" {
		path = "testdata/vectors.tsv"
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table := open(t, nil, nil)
	count, wrong := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		f := strings.Split(lines.Text(), "\t")
		n := func(i int) int64 {
			v, err := strconv.ParseInt(f[i], 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", lines.Text(), err)
			}
			return v
		}
		usage := core.Usage{InputTokens: n(2), OutputTokens: n(3), CacheReadTokens: n(4), CacheWriteTokens: n(5), ReasoningTokens: n(6)}
		got, known := table.Cost(f[0], f[1], usage, n(7))
		if !same(got, known, f[1], f[8]) {
			wrong++
			t.Errorf("%s: got %d, known %v", lines.Text(), got, known)
		}
	}
	t.Logf("%d of %d costs are the same", count-wrong, count)
	if count < 200 {
		t.Errorf("only %d cases", count)
	}
}

func same(got int64, known bool, model, dollars string) bool {
	if dollars == "unknown" {
		return got == 0 && known == strings.HasSuffix(model, ":free")
	}
	want, err := strconv.ParseFloat(dollars, 64)
	if err != nil || !known {
		return false
	}
	return math.Abs(float64(got)-want*1e9) <= 0.5+want*1e9*1e-12
}

func TestTimesChooseAmongPrices(t *testing.T) {
	table := open(t, nil, nil)
	million := core.Usage{InputTokens: 1_000_000}
	const hour = int64(3_600_000)
	const midnight = int64(1_798_675_200_000) // 2026-12-31T00:00:00Z
	cases := []struct {
		atMs int64
		want int64
	}{
		{0, 140_000_000}, // before the first date
		{midnight, 220_000_000},
		{midnight + hour, 440_000_000},
		{midnight + 4*hour - 1, 440_000_000},
		{midnight + 4*hour, 220_000_000},
		{midnight + 7*hour, 440_000_000},
		{midnight + 10*hour, 220_000_000},
	}
	for _, c := range cases {
		if got, known := table.Cost("deepseek", "deepseek-v4-flash", million, c.atMs); got != c.want || !known {
			t.Errorf("at %d: got %d, %v, want %d", c.atMs, got, known, c.want)
		}
	}
}

func TestNamesFindTheirModel(t *testing.T) {
	table := open(t, nil, nil)
	cases := []struct {
		provider, model string
		known           bool
	}{
		{"anthropic", "claude-sonnet-4-6", true},
		{"Anthropic", " CLAUDE-sonnet-4-6 ", true},
		{"openai-chat", "gpt-5", true},
		{"github-copilot", "gpt-5.4-20260301", true}, // the table writes the date with dashes
		{"xai", "grok-4.3", true},
		{"azure", "gpt-5", true}, // sold by azure, priced by openai
		{"openrouter", "anthropic/claude-sonnet-4.5", true},
		{"google", "gemini-2.5-pro", true},
		{"openai", "no-such-model", false},
		{"someone", "gpt-5", false}, // a proxy can charge any price
		{"openai", "", false},
		{"", "", false},
	}
	for _, c := range cases {
		cost, known := table.Cost(c.provider, c.model, core.Usage{InputTokens: 1000, OutputTokens: 1000}, 1_790_000_000_000)
		if known != c.known || known == (cost == 0) {
			t.Errorf("%s/%s: got %d, known %v", c.provider, c.model, cost, known)
		}
	}
}

// A speech model does not match the name of a text model: gemini-2.5-pro is not gemini-2.5-pro-preview-tts.
func TestLookAheadIsKept(t *testing.T) {
	table := open(t, nil, nil)
	text, speech := table.Find("google", "gemini-2.5-pro-002", 0), table.Find("google", "gemini-2.5-pro-preview-tts", 0)
	if text.InputNanoUSD == nil || *text.InputNanoUSD != 1_250_000_000 {
		t.Errorf("text: %+v", text)
	}
	if speech.InputNanoUSD != nil && *speech.InputNanoUSD == *text.InputNanoUSD {
		t.Error("the model for speech costs as much as the one for text")
	}
}

func TestProvidersAreFree(t *testing.T) {
	table := open(t, nil, func(p, _ string) bool { return p == "ollama" })
	usage := core.Usage{InputTokens: 5, OutputTokens: 5}
	if got, known := table.Cost("ollama", "whatever", usage, 0); got != 0 || !known {
		t.Errorf("ollama: got %d, known %v", got, known)
	}
	if listing := table.Find("ollama", "whatever", 0); listing.InputNanoUSD == nil || *listing.InputNanoUSD != 0 {
		t.Errorf("ollama: %+v", listing)
	}
	if _, known := table.Cost("lmstudio", "whatever", usage, 0); known {
		t.Error("lmstudio is known")
	}
}

func TestBrokenUsageCostsNoLessThanItsParts(t *testing.T) {
	table := open(t, price.Own{}, nil)
	cases := []struct {
		usage core.Usage
		want  int64
	}{
		{core.Usage{InputTokens: 10, CacheReadTokens: 1_000_000}, 300_000_000},
		{core.Usage{InputTokens: -5, OutputTokens: -5, CacheReadTokens: -5}, 0},
		{core.Usage{InputTokens: math.MaxInt64}, 6 * (math.MaxInt64 / 1000)}, // saturated below
	}
	for _, c := range cases[:2] {
		if got, known := table.Cost("anthropic", "claude-sonnet-4-6", c.usage, 0); got != c.want || !known {
			t.Errorf("%+v: got %d, want %d", c.usage, got, c.want)
		}
	}
	if got, _ := table.Cost("anthropic", "claude-sonnet-4-6", cases[2].usage, 0); got != math.MaxInt64 {
		t.Errorf("got %d", got)
	}
}

func BenchmarkCost(b *testing.B) {
	table, err := price.Open(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		table.Cost("openrouter", "z-ai/glm-5.2", core.Usage{InputTokens: 1000}, 0)
	}
}
