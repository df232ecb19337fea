package launch

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// TestFormerStateFallsBack continues sessions whose run state is whole, missing and damaged.
func TestFormerStateFallsBack(t *testing.T) {
	state := core.RunState{
		Agent: core.Agent{Name: "plan", Prompt: "You plan."}, Model: "demo/one", BaseURL: "http://private", Effort: "high", Mode: core.ModePlan, Limits: core.Budget{Steps: 3},
		System: "Be careful.",
	}
	for name, c := range map[string]struct {
		isMissing, isDamaged bool
		effort               core.Effort // the part that only the run state has
		from                 core.ResumedFrom
	}{
		"whole":   {false, false, "high", core.ResumedCheckpoint},
		"missing": {true, false, "", core.ResumedMessages},
		"damaged": {false, true, "", core.ResumedMessages},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, path := t.Context(), filepath.Join(t.TempDir(), "coppice.db")
			db, err := sqlite.Open(ctx, path, sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			session, err := db.CreateSession(ctx, core.Session{})
			if err != nil {
				t.Fatal(err)
			}
			run := core.Run{ID: "r", SessionID: session.ID, Agent: "plan", Model: "demo/one", BaseURL: "http://private", Mode: core.ModePlan, Budget: core.Budget{Steps: 3}, State: &state}
			if c.isMissing { // an older version wrote the run
				run.State = nil
			}
			if _, err = db.StartRun(ctx, run); err != nil {
				t.Fatal(err)
			}
			if err := db.EndRun(ctx, "r", core.StatusInterrupted, core.StopTerminated, ""); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if encrypted, err := sqlite.IsEncrypted(path); c.isDamaged && (encrypted || err != nil) {
				t.Skip("the text of an encrypted library cannot be changed:", err)
			}
			if c.isDamaged {
				data = bytes.ReplaceAll(data, []byte("careful"), []byte("fearful"))
			}
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if db, err = sqlite.Open(ctx, path, sqlite.Options{}); err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			former, lost, err := formerState(ctx, db, session, "")
			if err != nil {
				t.Fatal(err)
			}
			if former.Agent.Name != "plan" || former.Model != "demo/one" || former.BaseURL != "http://private" || former.Mode != core.ModePlan || former.Limits.Steps != 3 || former.Effort != c.effort {
				t.Errorf("the state is %+v", former)
			}
			if (len(lost) > 0) != (c.from == core.ResumedMessages) || resumedFrom(session, former, lost) != c.from {
				t.Errorf("it continues from the %s, with the notices %q", resumedFrom(session, former, lost), lost)
			}
		})
	}
	if from := resumedFrom(core.Session{}, core.RunState{}, nil); from != "" {
		t.Errorf("a new session continues from %s", from)
	}
	if from := resumedFrom(core.Session{ID: "imported"}, core.RunState{}, nil); from != core.ResumedMessages {
		t.Errorf("an imported session continues from %q", from)
	}
}

// TestChooseAgent chooses the agent of sessions with several former states, and of requests that name one.
func TestChooseAgent(t *testing.T) {
	local := core.Agent{Name: "build", Prompt: "Local.", Mode: core.ModeConfirmSensitive, Limits: core.Budget{Steps: 50}}
	review := core.Agent{Name: "review", Prompt: "Review.", Mode: core.ModePlan, Limits: core.Budget{Steps: 20}}
	env := &RunEnv{Settings: &config.Settings{Config: config.Config{Agent: "build"}, Agents: []config.Agent{{Agent: local}, {Agent: review}}}}
	recorded := core.RunState{
		Agent: core.Agent{Name: "build", Prompt: "Recorded.", Mode: core.ModeConfirmAll}, Effort: "high", Mode: core.ModeYolo,
		Limits: core.Budget{CostNanoUSD: 7, Tokens: 9, Steps: 3},
	}
	imported, unnamed := recorded, recorded
	imported.Imported = true
	unnamed.Agent.Name = "gone"
	for name, c := range map[string]struct {
		request RunRequest
		former  core.RunState
		prompt  string
		mode    core.Mode
		effort  core.Effort
		limits  core.Budget
	}{
		"a new session":    {RunRequest{}, core.RunState{}, "Local.", core.ModeConfirmSensitive, "", local.Limits},
		"the state":        {RunRequest{}, recorded, "Recorded.", core.ModeYolo, "high", recorded.Limits},
		"a removed agent":  {RunRequest{}, unnamed, "Recorded.", core.ModeYolo, "high", recorded.Limits},
		"an imported one":  {RunRequest{}, imported, "Local.", core.ModeConfirmSensitive, "high", recorded.Limits},
		"another is named": {RunRequest{Agent: "review"}, recorded, "Review.", core.ModePlan, "", core.Budget{CostNanoUSD: 7, Tokens: 9, Steps: 20}},
		"it is named":      {RunRequest{Agent: "build"}, recorded, "Local.", core.ModeConfirmSensitive, "", core.Budget{CostNanoUSD: 7, Tokens: 9, Steps: 50}},
	} {
		t.Run(name, func(t *testing.T) {
			agent, err := env.ChooseAgent(c.request, c.former)
			if err != nil || agent.Prompt != c.prompt || agent.Mode != c.mode || agent.Effort != c.effort || agent.Limits != c.limits {
				t.Errorf("%v, agent %+v", err, agent)
			}
		})
	}
}

// TestContextPlan continues with the plan of the former state, unless it was imported.
func TestContextPlan(t *testing.T) {
	env := &RunEnv{}
	info := core.ModelInfo{Provider: "demo", ID: "one"}
	former := core.RunState{Model: "demo/one", Context: core.ContextPlan{Strategy: core.CompactWindow, KeepTurns: 3}}
	agent := core.Agent{Compaction: core.CompactionSettings{Strategy: core.CompactSimple}}
	for imported, want := range map[bool]core.CompactionStrategy{false: core.CompactWindow, true: core.CompactSimple} {
		former.Imported = imported
		plan, _, _, err := env.contextPlan(t.Context(), RunRequest{}, former, agent, info, "")
		if err != nil || plan.Strategy != want {
			t.Errorf("imported %t: %v, plan %+v", imported, err, plan)
		}
	}
}
