package local

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"coppice/backend/core"
)

const (
	// askedAtOnce is how many models are queried at the same time.
	askedAtOnce = 8
	// usualContext limits the context of a model that sets none. Ollama allocates memory for the whole context of a
	// call, and the maximum of a model often exceeds the memory of a machine.
	usualContext = 32 << 10
)

// ollama lists Ollama's models: the loaded ones first, then the newest first, as Ollama orders them.
func ollama(ctx context.Context, c *caller) ([]core.ModelInfo, error) {
	var version struct {
		Version string `json:"version"`
	}
	if err := c.first(ctx, "/api/version", &version); err != nil {
		return nil, err
	}
	if version.Version == "" {
		return nil, core.E(core.Unavailable, "%s is not Ollama", c.endpoint.URL)
	}
	names, err := ollamaNames(ctx, c, "/api/tags")
	if err != nil {
		return nil, err
	}
	if loaded, err := ollamaNames(ctx, c, "/api/ps"); err == nil {
		slices.SortStableFunc(names, func(a, b string) int {
			return rank(loaded, a) - rank(loaded, b)
		})
	}
	return ollamaModels(ctx, c, names), nil
}

// rank is 0 for a loaded model, 1 for any other.
func rank(loaded []string, name string) int {
	if slices.Contains(loaded, name) {
		return 0
	}
	return 1
}

func ollamaNames(ctx context.Context, c *caller, path string) ([]string, error) {
	var list struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if err := c.get(ctx, path, &list); err != nil {
		return nil, err
	}
	names := []string{}
	for _, m := range list.Models {
		if m.Name != "" {
			names = append(names, m.Name)
		}
	}
	return names, nil
}

// ollamaModels queries each model. A model that cannot be queried is listed by its name alone; a model that generates
// no text is left out.
func ollamaModels(ctx context.Context, c *caller, names []string) []core.ModelInfo {
	models := make([]*core.ModelInfo, len(names))
	slots := make(chan struct{}, askedAtOnce)
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			models[i] = ollamaModel(ctx, c, name)
		})
	}
	all.Wait()
	found := []core.ModelInfo{}
	for _, m := range models {
		if m != nil {
			found = append(found, *m)
		}
	}
	return found
}

func ollamaModel(ctx context.Context, c *caller, name string) *core.ModelInfo {
	var shown struct {
		Parameters   string                     `json:"parameters"`
		Capabilities []string                   `json:"capabilities"`
		ModelInfo    map[string]json.RawMessage `json:"model_info"`
	}
	info := &core.ModelInfo{ID: name}
	if c.post(ctx, "/api/show", map[string]string{"model": name}, &shown) != nil {
		return info
	}
	can := func(what string) bool { return slices.Contains(shown.Capabilities, what) }
	if len(shown.Capabilities) > 0 && !can("completion") {
		return nil
	}
	info.Tools, info.Images, info.Reasoning = can("tools"), can("vision"), can("thinking")
	info.ContextTokens = contextOf(shown.Parameters, shown.ModelInfo)
	return info
}

// contextOf returns the context that the model sets, else its maximum, up to usualContext. The field of the maximum is
// named after the model's architecture: llama.context_length.
func contextOf(parameters string, info map[string]json.RawMessage) int64 {
	for line := range strings.Lines(parameters) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "num_ctx" {
			if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil && n > 0 {
				return n
			}
		}
	}
	var architecture string
	if json.Unmarshal(info["general.architecture"], &architecture) != nil {
		return 0
	}
	var n int64
	if json.Unmarshal(info[architecture+".context_length"], &n) != nil || n < 0 {
		return 0
	}
	return min(n, usualContext)
}

// IsRemote reports whether a model that Ollama lists runs on Ollama's own servers, by its name.
func IsRemote(model string) bool {
	return strings.HasSuffix(model, ":cloud") || strings.HasSuffix(model, "-cloud")
}
