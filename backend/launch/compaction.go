package launch

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"coppice/backend/compact"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/provider"
)

// contextPlan resolves when and how the context of a run is compacted: as the request asks for, else as in the former state, else as it is
// configured. It returns the model that writes the summaries; nil: the run's own.
//
// A conversation with a server that the user named for it is never sent to the configured model of another server: the run's own
// model writes its summaries, and a notice states so.
func (o *RunEnv) contextPlan(ctx context.Context, request RunRequest, former core.RunState, agent core.Agent, info core.ModelInfo, baseURL string) (core.ContextPlan, *engine.Summarizer, []string, error) {
	if err := CheckCompaction(request.Compaction); err != nil {
		return core.ContextPlan{}, nil, nil, err
	}
	settings := agent.Compaction
	settings.Strategy = cmp.Or(core.CompactionStrategy(request.Compaction), settings.Strategy)
	plan, err := compact.Plan(settings, info.ContextTokens > 0, provider.Writes(info.Provider) || settings.Model != "")
	// The plan of an imported run could name a model that sends the conversation elsewhere.
	if stays := !former.Imported && request.Compaction == "" && request.Agent == "" && former.Model == info.Provider+"/"+info.ID; stays && former.Context.Strategy != "" {
		plan, err = former.Context, nil
	}
	if err != nil || plan.Model == "" || plan.Strategy != core.CompactLLM || plan.Model == info.Provider+"/"+info.ID {
		return plan, nil, nil, err
	}
	name, _, _ := strings.Cut(plan.Model, "/")
	if baseURL != "" && name != info.Provider {
		notice := fmt.Sprintf("compaction.model %s is not used: this conversation stays on the server %s", plan.Model, baseURL)
		plan.Model = ""
		return plan, nil, []string{notice}, nil
	}
	model, other, err := o.Registry.Open(ctx, plan.Model, baseURL)
	if err != nil {
		return plan, nil, nil, core.Wrap(core.CodeOf(err), err, "open compaction.model")
	}
	return plan, &engine.Summarizer{Ref: other.Provider + "/" + other.ID, Model: model, Info: other}, nil, nil
}
