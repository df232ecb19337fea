package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/wire"
)

// modelEntry is the union of what servers report about a model.
type modelEntry struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Type     string `json:"type"`               // LM Studio: llm, vlm, embeddings
	Context  number `json:"context_length"`     // OpenRouter, Together
	Window   number `json:"context_window"`     // Groq
	Most     number `json:"max_context_length"` // Mistral
	Length   number `json:"max_model_len"`      // vLLM
	Output   number `json:"max_completion_tokens"`
	Provider struct {
		Context number `json:"context_length"`
		Output  number `json:"max_completion_tokens"`
	} `json:"top_provider"` // OpenRouter
	Meta struct {
		Context number `json:"n_ctx"`
		Trained number `json:"n_ctx_train"`
	} `json:"meta"` // llama.cpp
	Architecture struct {
		Inputs  []string `json:"input_modalities"`
		Outputs []string `json:"output_modalities"`
	} `json:"architecture"`
	Parameters []string `json:"supported_parameters"`
	Pricing    struct {
		Prompt     string `json:"prompt"` // US dollars for one token
		Completion string `json:"completion"`
	} `json:"pricing"`
	Capabilities json.RawMessage `json:"capabilities"` // Mistral: an object; others: a list
}

// number is a count that some servers set to null or to another type.
type number int64

func (n *number) UnmarshalJSON(data []byte) error {
	var count int64
	if json.Unmarshal(data, &count) == nil {
		*n = number(max(count, 0))
	}
	return nil
}

// Models lists the models of the endpoint that support conversations, by id.
func (c *client) Models(ctx context.Context) ([]core.ModelInfo, error) {
	raw, err := c.server.Read(ctx, c.call(""), wire.Request{Method: http.MethodGet, Path: "models"})
	if err != nil {
		return nil, err
	}
	var list struct {
		Data []json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &list) != nil || list.Data == nil {
		if json.Unmarshal(raw, &list.Data) != nil { // Together sends only the list
			return nil, c.call("").Answer(404, nil, []byte("no list of models")) // a page, or other data
		}
	}
	local := isLocal(c.endpoint.BaseURL)
	models := []core.ModelInfo{}
	for _, data := range list.Data {
		var e modelEntry
		if json.Unmarshal(data, &e) != nil && e.ID == "" || !e.talks() {
			continue
		}
		info := e.info()
		info.Provider, info.Local = c.endpoint.Provider, local
		models = append(models, info)
	}
	slices.SortFunc(models, func(a, b core.ModelInfo) int { return cmp.Compare(a.ID, b.ID) })
	return models, nil
}

// mute lists parts of the ids of models that do not support conversations.
var mute = []string{
	"embed", "whisper", "tts", "dall-e", "moderation", "transcribe", "realtime", "-image", "sora", "rerank",
	"babbage", "davinci", "-audio", "computer-use", "-instruct-0914", "speech",
}

func (e *modelEntry) talks() bool {
	if e.ID == "" || e.Type == "embeddings" || len(e.Architecture.Outputs) > 0 && !slices.Contains(e.Architecture.Outputs, "text") {
		return false
	}
	id := strings.ToLower(e.ID)
	return !slices.ContainsFunc(mute, func(part string) bool { return strings.Contains(id, part) })
}

func (e *modelEntry) info() core.ModelInfo {
	can := func(what string) bool { return strings.Contains(string(e.Capabilities), what) }
	return core.ModelInfo{
		ID:              e.ID,
		Name:            e.Name,
		ContextTokens:   int64(cmp.Or(e.Provider.Context, e.Context, e.Window, e.Length, e.Most, e.Meta.Context, e.Meta.Trained)),
		MaxOutputTokens: int64(cmp.Or(e.Provider.Output, e.Output)),
		Images:          slices.Contains(e.Architecture.Inputs, "image") || e.Type == "vlm" || can(`"vision":true`) || can(`"multimodal"`),
		Tools:           slices.Contains(e.Parameters, "tools") || can(`"function_calling":true`) || can(`"tool_use"`),
		Reasoning:       slices.Contains(e.Parameters, "reasoning") || can(`"reasoning":true`),
		InputNanoUSD:    perMillion(e.Pricing.Prompt),
		OutputNanoUSD:   perMillion(e.Pricing.Completion),
	}
}

// perMillion returns the price of a million tokens in billionths of a US dollar; nil if unknown: a router whose price
// depends on the chosen model reports -1.
func perMillion(usd string) *int64 {
	if nano, ok := nanoUSD(usd); !ok || nano > 1_000_000_000 {
		return nil
	}
	price, ok := new(big.Rat).SetString(usd)
	if !ok {
		return nil
	}
	price.Mul(price, big.NewRat(1_000_000_000_000_000, 1))
	nano := new(big.Int).Quo(price.Num(), price.Denom()).Int64()
	return &nano
}

// isLocal reports whether an address is on this machine.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
}
