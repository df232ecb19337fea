package launch

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/engine"
)

// delegation returns how the agents of a run give jobs to others: agents of the configuration, in sessions of their own. The engine lets a
// job do no more than its parent.
func (o *RunEnv) delegation() *engine.Delegation {
	return &engine.Delegation{
		Mode: func(agent string) core.Mode {
			resolved, err := o.Resolve(agent)
			if err != nil { // Prepare reports it
				return core.ModePlan
			}
			return resolved.Mode
		},
		Prepare: func(ctx context.Context, agent string, parent *engine.Task) (engine.Task, func(), error) {
			request := RunRequest{Agent: agent, Workspace: o.Workspace, Confirmed: []string{"wide:" + o.Workspace}} // the user has confirmed it for the parent
			resolved, err := o.Resolve(agent)
			if err != nil {
				return engine.Task{}, func() {}, err
			}
			if resolved.Model == "" {
				request.Model = parent.ModelRef
			}
			if model := resolved.Model; parent.BaseURL != "" && (model == "" || providerOf(model) == providerOf(parent.ModelRef)) {
				request.BaseURL = parent.BaseURL
			}
			return o.Task(ctx, request, core.Session{})
		},
	}
}
