package anthropic

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/provider/failure"

	sdk "github.com/anthropics/anthropic-sdk-go"
)

// Models lists the models of the endpoint as it orders them: the newest first.
func (c *Client) Models(ctx context.Context) ([]core.ModelInfo, error) {
	models := []core.ModelInfo{}
	pages := c.models.ListAutoPaging(ctx, sdk.ModelListParams{Limit: sdk.Int(1000)})
	for pages.Next() {
		models = append(models, c.info(pages.Current()))
	}
	if err := pages.Err(); err != nil {
		call := failure.Call{Endpoint: c.endpoint}
		return nil, failed(ctx, call, err, call.Network)
	}
	return models, nil
}

func (c *Client) info(m sdk.ModelInfo) core.ModelInfo {
	info := core.ModelInfo{
		Provider: c.endpoint.Provider, ID: m.ID, Name: m.DisplayName,
		ContextTokens: m.MaxInputTokens, MaxOutputTokens: m.MaxTokens,
		Images: true, Tools: true, Reasoning: versionOf(m.ID) >= 307, // all that are still served
	}
	if m.JSON.Capabilities.Valid() {
		info.Images = m.Capabilities.ImageInput.Supported
		info.Reasoning = m.Capabilities.Thinking.Supported
	}
	return info
}
