package anthropic

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// modelsPerPage is the most that the protocol allows per page.
const modelsPerPage = 1000

// modelPage is one page of the list of models.
type modelPage struct {
	Data    []model `json:"data"`
	HasMore bool    `json:"has_more"`
	LastID  string  `json:"last_id"`
}

type model struct {
	ID           string `json:"id"`
	DisplayName  string `json:"display_name"`
	MaxInput     int64  `json:"max_input_tokens"`
	MaxOutput    int64  `json:"max_tokens"`
	Capabilities *struct {
		ImageInput supported `json:"image_input"`
		Thinking   supported `json:"thinking"`
	} `json:"capabilities"`
}

type supported struct {
	Supported bool `json:"supported"`
}

// Models lists the models of the endpoint in its order: the newest first.
func (c *Client) Models(ctx context.Context) ([]core.ModelInfo, error) {
	models := []core.ModelInfo{}
	query := url.Values{"limit": {strconv.Itoa(modelsPerPage)}}
	for {
		var page modelPage
		r := wire.Request{Method: http.MethodGet, Path: "v1/models", Query: query}
		if err := c.server.Decode(ctx, failure.Call{Endpoint: c.endpoint}, r, &page); err != nil {
			return nil, err
		}
		for _, m := range page.Data {
			models = append(models, c.info(m))
		}
		if !page.HasMore || len(page.Data) == 0 || page.LastID == query.Get("after_id") {
			return models, nil
		}
		query.Set("after_id", page.LastID)
	}
}

func (c *Client) info(m model) core.ModelInfo {
	info := core.ModelInfo{
		Provider: c.endpoint.Provider, ID: m.ID, Name: m.DisplayName,
		ContextTokens: m.MaxInput, MaxOutputTokens: m.MaxOutput,
		Images: true, Tools: true, Reasoning: generationOf(m.ID) >= 307, // all models that are still served
	}
	if m.Capabilities != nil {
		info.Images = m.Capabilities.ImageInput.Supported
		info.Reasoning = m.Capabilities.Thinking.Supported
	}
	return info
}
