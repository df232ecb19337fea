package price

import (
	"hash/fnv"
	"log/slog"
	"strings"
	"sync"

	"coppice/backend/core"
)

// estimateRules is the version of the rules in this file. A change lets libraries estimate again.
const estimateRules = 1

// Estimator estimates model calls of other tools at list price. It opens the table when it estimates the first call, which
// takes some milliseconds. It may be used concurrently.
type Estimator struct {
	key   int64
	table func() (*Table, error)

	mu    sync.Mutex
	rates map[[2]string]priced
}

// priced is the price of a model: its entry in the table, or a rate that does not depend on the time.
type priced struct {
	entry *model
	fixed *rate
}

// NewEstimator returns an estimator for the table and the user's own prices. free reports which models cost nothing; nil:
// none.
func NewEstimator(own File, free func(provider, model string) bool) *Estimator {
	h := fnv.New64a()
	_, _ = h.Write(embedded) // a hash never fails
	_, _ = h.Write([]byte{estimateRules})
	_, _ = h.Write(own.text)
	return &Estimator{
		key: int64(h.Sum64() | 1), rates: map[[2]string]priced{}, //nolint:gosec // bits, not a number
		table: sync.OnceValues(func() (*Table, error) { return Open(own.Own, free) }),
	}
}

// PriceKey identifies the table, the user's own prices and the rules. It is never 0.
func (e *Estimator) PriceKey() int64 { return e.key }

// Estimate returns the list price of an answer at the time it was created. The output of an answer with a placeholder for the
// number of its tokens is not counted.
func (e *Estimator) Estimate(m *core.Message) core.Estimate {
	if m.Usage == nil {
		return core.Estimate{}
	}
	p := e.find(providerOf(m), modelOf(m))
	r := p.fixed
	if p.entry != nil {
		r = p.entry.at(m.CreatedAtMs)
	}
	if r == nil || p.fixed == nil && !r.counts() {
		return core.Estimate{}
	}
	usage, partial := *m.Usage, m.HasPlaceholderOutput()
	if partial {
		usage.OutputTokens, usage.ReasoningTokens = 0, 0
	}
	cost := r.cost(usage)
	return core.Estimate{NanoUSD: &cost, Partial: partial}
}

// find returns the price of a model, which it looks up in the table once.
func (e *Estimator) find(provider, model string) priced {
	name := [2]string{provider, model}
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, ok := e.rates[name]; ok {
		return p
	}
	table, err := e.table()
	if err != nil {
		slog.Error("reading the price table", slog.Any("error", err)) // it is part of the program
		e.rates[name] = priced{}
		return priced{}
	}
	p := priced{}
	if own, ok := table.own.find(provider, model); ok {
		p.fixed = own
	} else if table.free(provider, model) {
		p.fixed = &rate{}
	} else {
		p.entry = table.find(provider, model)
	}
	e.rates[name] = p
	return p
}

func modelOf(m *core.Message) string {
	if m.Model != "" || m.Origin == nil {
		return m.Model
	}
	return m.Origin.ResponseModel
}

// providerOf returns the provider of an answer. If the tool did not record it, it is the vendor of the model's family.
func providerOf(m *core.Message) string {
	if m.Origin != nil && m.Origin.Provider != "" {
		return m.Origin.Provider
	}
	name := strings.ToLower(modelOf(m))
	for _, family := range []struct{ prefix, vendor string }{
		{"claude-", "anthropic"},
		{"gpt-", "openai"},
		{"chatgpt-", "openai"},
		{"codex-", "openai"},
		{"o1", "openai"},
		{"o3", "openai"},
		{"o4-", "openai"},
		{"gemini-", "google"},
		{"grok-", "x-ai"},
		{"deepseek-", "deepseek"},
		{"mistral-", "mistral"},
	} {
		if strings.HasPrefix(name, family.prefix) {
			return family.vendor
		}
	}
	return ""
}
