package sqlite

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestCheckStates damages run states, their texts, and what refers to them.
func TestCheckStates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ query, want string }{
		"a text":                 {`UPDATE state_texts SET body = CAST('other' AS BLOB) WHERE key = (SELECT system FROM run_states LIMIT 1)`, "the text sha256:"},
		"a state":                {`UPDATE run_states SET body = CAST('{}' AS BLOB)`, "the run state sha256:"},
		"a hash":                 {`UPDATE run_states SET hash = randomblob(32)`, "the run state sha256:"},
		"a missing state":        {`DELETE FROM run_states`, "the run states of 1 requests are missing"},
		"a missing text":         {`DELETE FROM state_texts`, "the texts of 1 run states are missing"},
		"a request":              {`UPDATE requests SET parent = 9999`, "the messages of 1 requests are missing"},
		"a checkpoint's message": {`UPDATE named_checkpoints SET message = 9999`, "1 checkpoints refer to what is missing"},
		"a restore's message":    {`UPDATE restores SET message = 9999`, "1 restored checkpoints refer to what is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, db := t.Context(), openTest(t)
			id := begun(t, db, "r1")
			state := stateOf(core.ModeYolo)
			check(t, db.BeginRequest(ctx, core.SentRequest{RunID: "r1", ParentUID: "p", State: state, RequestHash: core.Hash(nil), SentAtMs: startMs}))
			must(db.AppendStep(ctx, "r1", say("a", "p", core.RoleAssistant), nil))(t)
			check(t, db.EndRun(ctx, "r1", core.StatusSuccess, core.StopDone, ""))
			must(db.NameCheckpoint(ctx, id, "a", "here"))(t)
			must(db.RestoreCheckpoint(ctx, id, "here"))(t)
			if found := must(db.CheckStates(ctx))(t); len(found) > 0 {
				t.Fatalf("before: %q", found)
			}
			raw(t, db.FilePath(), `PRAGMA foreign_keys = 0`, c.query)
			if found := strings.Join(must(db.CheckStates(ctx))(t), "\n"); !strings.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}
