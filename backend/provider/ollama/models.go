package ollama

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// facts is what a server reports about one of its models.
type facts struct {
	contextTokens int64 // its maximum; 0 if unknown
	chosenTokens  int64 // the value in the model file; 0 if it has none
	capabilities  []string
	remote        bool // it runs on another machine, and costs money
}

// can reports whether the model has a capability. If the server reports none, as old servers do, nothing is known.
func (f facts) can(capability string) bool { return slices.Contains(f.capabilities, capability) }

// shown is the answer of /api/show.
type shown struct {
	Parameters   string                     `json:"parameters"` // lines of a name and a value
	ModelInfo    map[string]json.RawMessage `json:"model_info"`
	Capabilities []string                   `json:"capabilities"`
	RemoteHost   string                     `json:"remote_host"`
}

func (s shown) facts() facts {
	f := facts{capabilities: s.Capabilities, remote: s.RemoteHost != ""}
	for name, value := range s.ModelInfo { // llama.context_length, qwen3.context_length …
		if strings.HasSuffix(name, ".context_length") {
			_ = json.Unmarshal(value, &f.contextTokens) // not a number: unknown
		}
	}
	for line := range strings.Lines(s.Parameters) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "num_ctx" {
			f.chosenTokens, _ = strconv.ParseInt(words[1], 10, 64) // not a number: none
		}
	}
	return f
}

// about returns the facts of a model, and queries the server once per model. A server without this API returns no
// facts, which is not an error.
func (c *Client) about(ctx context.Context, model string) (facts, error) {
	c.mu.Lock()
	known, ok := c.facts[model]
	c.mu.Unlock()
	if ok {
		return known, nil
	}
	var s shown
	r := wire.Request{Method: http.MethodPost, Path: "api/show", Body: map[string]string{"model": model}}
	err := c.server.Decode(ctx, failure.Call{Endpoint: c.endpoint, Model: model}, r, &s)
	switch core.CodeOf(err) {
	case "":
	case core.NotFound, core.TruncatedStream, core.Invalid: // the call itself will report it
		return facts{}, nil
	default:
		return facts{}, err
	}
	known = s.facts()
	c.mu.Lock()
	c.facts[model] = known
	c.mu.Unlock()
	return known, nil
}

// Models lists the models of the server by name, with their facts. A model that the server cannot describe is listed
// without facts.
func (c *Client) Models(ctx context.Context) ([]core.ModelInfo, error) {
	var tags struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	r := wire.Request{Method: http.MethodGet, Path: "api/tags"}
	if err := c.server.Decode(ctx, failure.Call{Endpoint: c.endpoint}, r, &tags); err != nil {
		return nil, err
	}
	models := []core.ModelInfo{}
	for _, tag := range tags.Models {
		f, err := c.about(ctx, tag.Name)
		if ctx.Err() != nil {
			return nil, err
		}
		if len(f.capabilities) > 0 && !f.can("completion") { // it makes embeddings
			continue
		}
		models = append(models, core.ModelInfo{
			Provider: c.endpoint.Provider, ID: tag.Name, Name: tag.Name, ContextTokens: f.contextTokens,
			Images: f.can("vision"), Tools: f.can("tools"), Reasoning: f.can("thinking"), Local: !f.remote,
		})
	}
	return models, nil
}
