package google

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// modelPage is one page of the list of models.
type modelPage struct {
	Models        []model `json:"models"`
	NextPageToken string  `json:"nextPageToken"`
}

type model struct {
	Name        string   `json:"name"` // models/ID
	DisplayName string   `json:"displayName"`
	Input       int64    `json:"inputTokenLimit"`
	Output      int64    `json:"outputTokenLimit"`
	Methods     []string `json:"supportedGenerationMethods"`
	Thinking    bool     `json:"thinking"`
}

// Models lists the models of the endpoint that generate content, in its order.
func (c *Client) Models(ctx context.Context) ([]core.ModelInfo, error) {
	models := []core.ModelInfo{}
	query := url.Values{}
	for {
		var page modelPage
		r := wire.Request{Method: http.MethodGet, Path: apiVersion + "/models", Query: query}
		if err := c.server.Decode(ctx, failure.Call{Endpoint: c.endpoint}, r, &page); err != nil {
			return nil, err
		}
		for _, m := range page.Models {
			if slices.Contains(m.Methods, "generateContent") {
				models = append(models, c.info(m))
			}
		}
		if page.NextPageToken == "" || page.NextPageToken == query.Get("pageToken") {
			return models, nil
		}
		query.Set("pageToken", page.NextPageToken)
	}
}

func (c *Client) info(m model) core.ModelInfo {
	id := strings.TrimPrefix(m.Name, "models/")
	talks := strings.HasPrefix(id, "gemini") && !special.MatchString(id)
	return core.ModelInfo{
		Provider: c.endpoint.Provider, ID: id, Name: cmp.Or(m.DisplayName, id),
		ContextTokens: m.Input, MaxOutputTokens: m.Output,
		Images: strings.HasPrefix(id, "gemini"), Tools: talks, Reasoning: m.Thinking,
	}
}
