package local

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
)

// lister returns the models of a server. An Auth error means that the server runs and requires a key, any other error
// that no server of its kind runs there.
type lister func(ctx context.Context, c *caller) ([]core.ModelInfo, error)

// openAIModels is the list of models of servers that implement OpenAI's protocol. vLLM adds the context length.
type openAIModels struct {
	Object string `json:"object"`
	Data   []struct {
		ID          string `json:"id"`
		OwnedBy     string `json:"owned_by"`
		MaxModelLen int64  `json:"max_model_len"`
	} `json:"data"`
}

func (l *openAIModels) infos() []core.ModelInfo {
	models := []core.ModelInfo{}
	for _, m := range l.Data {
		if m.ID != "" {
			models = append(models, core.ModelInfo{ID: m.ID, ContextTokens: m.MaxModelLen, Tools: true})
		}
	}
	return models
}

// listOpenAI also checks the form of the list, because any web server may listen at these ports.
func listOpenAI(ctx context.Context, c *caller) (*openAIModels, error) {
	var list openAIModels
	if err := c.first(ctx, "/v1/models", &list); err != nil {
		return nil, err
	}
	if list.Object != "list" && len(list.infos()) == 0 {
		return nil, core.E(core.Unavailable, "%s has no list of models", c.endpoint.URL)
	}
	return &list, nil
}

func openAI(ctx context.Context, c *caller) ([]core.ModelInfo, error) {
	list, err := listOpenAI(ctx, c)
	if err != nil {
		return nil, err
	}
	return list.infos(), nil
}

// lmStudio uses LM Studio's own API, which reports which models are loaded and their context length.
func lmStudio(ctx context.Context, c *caller) ([]core.ModelInfo, error) {
	var list struct {
		Data []struct {
			ID            string   `json:"id"`
			Type          string   `json:"type"` // llm, vlm, embeddings
			State         string   `json:"state"`
			MaxContext    int64    `json:"max_context_length"`
			LoadedContext int64    `json:"loaded_context_length"`
			Capabilities  []string `json:"capabilities"`
		} `json:"data"`
	}
	if err := c.first(ctx, "/api/v0/models", &list); err != nil {
		if core.CodeOf(err) == core.Auth {
			return nil, err
		}
		return openAI(ctx, c)
	}
	if list.Data == nil {
		return openAI(ctx, c)
	}
	loaded, rest := []core.ModelInfo{}, []core.ModelInfo{}
	for _, m := range list.Data {
		info := core.ModelInfo{ID: m.ID, ContextTokens: m.MaxContext, Images: m.Type == "vlm", Tools: slices.Contains(m.Capabilities, "tool_use")}
		switch {
		case m.ID == "" || m.Type == "embeddings":
		case m.State == "loaded":
			if m.LoadedContext > 0 {
				info.ContextTokens = m.LoadedContext
			}
			loaded = append(loaded, info)
		default:
			rest = append(rest, info)
		}
	}
	return append(loaded, rest...), nil
}

// props is what only llama.cpp's server reports.
type props struct {
	Settings *struct {
		ContextTokens int64 `json:"n_ctx"` // of one slot
	} `json:"default_generation_settings"`
	Modalities struct {
		Vision bool `json:"vision"`
	} `json:"modalities"`
}

func llamaCPP(ctx context.Context, c *caller) ([]core.ModelInfo, error) {
	var p props
	if err := c.first(ctx, "/props", &p); err != nil {
		return nil, err
	}
	if p.Settings == nil {
		return nil, core.E(core.Unavailable, "%s is not llama.cpp", c.endpoint.URL)
	}
	list, err := listOpenAI(ctx, c)
	if err != nil {
		return nil, err
	}
	models := list.infos()
	for i := range models {
		models[i].ContextTokens, models[i].Images = p.Settings.ContextTokens, p.Modalities.Vision
	}
	return models, nil
}

// localAI uses the same port as llama.cpp, and lists models without their settings.
func localAI(ctx context.Context, c *caller) ([]core.ModelInfo, error) {
	list, err := listOpenAI(ctx, c)
	if err != nil {
		return nil, err
	}
	var p props
	if c.first(ctx, "/props", &p) == nil && p.Settings != nil {
		return nil, core.E(core.Unavailable, "%s is llama.cpp", c.endpoint.URL)
	}
	for _, m := range list.Data {
		if strings.Contains(strings.ToLower(m.OwnedBy), "llamacpp") {
			return nil, core.E(core.Unavailable, "%s is llama.cpp", c.endpoint.URL)
		}
	}
	return list.infos(), nil
}

func koboldCPP(ctx context.Context, c *caller) ([]core.ModelInfo, error) {
	var version struct {
		Result string `json:"result"`
	}
	if err := c.first(ctx, "/api/extra/version", &version); err != nil {
		return nil, err
	}
	if !strings.EqualFold(version.Result, "KoboldCpp") {
		return nil, core.E(core.Unavailable, "%s is not KoboldCpp", c.endpoint.URL)
	}
	list, err := listOpenAI(ctx, c)
	if err != nil {
		return nil, err
	}
	var longest struct {
		Value int64 `json:"value"`
	}
	models := list.infos()
	if c.get(ctx, "/api/extra/true_max_context_length", &longest) == nil {
		for i := range models {
			models[i].ContextTokens = longest.Value
		}
	}
	return models, nil
}
