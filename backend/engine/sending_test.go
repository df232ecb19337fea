package engine_test

import (
	"encoding/json"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
)

// Sending returns what the model gets, wherever a run continues.
func TestSendingIsWhatIsSent(t *testing.T) {
	b := newBench(t)
	first := must(b.Run(t.Context(), b.task(says(calling("c1:read:a"), text("one")), "go")))(t)
	second := b.task(says(text("two")), "more")
	second.SessionID = first.SessionID
	must(b.Run(t.Context(), second))(t)
	summed := b.task(says(text("three")), "and more")
	summed.SessionID, summed.Summary = first.SessionID, true
	must(b.Run(t.Context(), summed))(t)
	path := must(b.db.Conversation(t.Context(), first.SessionID, ""))(t)
	image := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: []byte("png"), SizeBytes: 3}}
	for _, one := range []struct {
		name   string
		change func(*engine.Task)
		want   engine.Sending // except for Request and estimates
	}{
		{"a new session", func(task *engine.Task) { task.SessionID = "" }, engine.Sending{FirstTurn: -1, LastTurn: -1}},
		{"a new tree", func(task *engine.Task) { task.Root = true }, engine.Sending{FirstTurn: -1, LastTurn: -1}},
		{
			"with an image", func(task *engine.Task) { task.Root, task.Prompt = true, append(task.Prompt, image) },
			engine.Sending{FirstTurn: -1, LastTurn: -1, Images: 1},
		},
		{"a branch", func(task *engine.Task) { task.From = path[3].UID }, engine.Sending{Path: 4, FirstTurn: 0, LastTurn: 0, Turns: 1, Counted: true}},
		{
			"an answer anew", func(task *engine.Task) { task.From, task.Prompt = path[4].UID, nil },
			engine.Sending{Path: 5, FirstTurn: 0, LastTurn: 1, Turns: 2, Counted: true},
		},
		{
			"an answer aside", func(task *engine.Task) { task.From, task.Prompt, task.Aside = path[0].UID, nil, true },
			engine.Sending{Path: 1, FirstTurn: 0, LastTurn: 0, Turns: 1},
		},
		{
			"going on", func(task *engine.Task) { task.From, task.Prompt = path[5].UID, nil },
			engine.Sending{Path: 6, FirstTurn: 0, LastTurn: 1, Turns: 2, Counted: true},
		},
		{
			"after a summary", func(task *engine.Task) { task.From = path[len(path)-1].UID },
			engine.Sending{Path: len(path), Hidden: 6, FirstTurn: path[6].Turn, LastTurn: path[len(path)-1].Turn, Turns: 2, Counted: true},
		},
		{
			"by a summary", func(task *engine.Task) { task.From, task.Summary = path[3].UID, true },
			engine.Sending{Path: 4, Hidden: 4, FirstTurn: -1, LastTurn: -1},
		},
	} {
		t.Run(one.name, func(t *testing.T) {
			model := says()
			task := b.task(model, "say it")
			task.SessionID = first.SessionID
			one.change(&task)
			got := must(b.Sending(t.Context(), &task))(t)
			must(b.Run(t.Context(), task))(t)
			sent := model.requests[0]
			sameRequest(t, got.Request, sent)
			mode := core.ModeYolo
			if task.Aside {
				mode = core.ModePlan
			}
			if got.Mode != mode || got.SystemTokens == 0 || got.ToolTokens == 0 || got.Tokens < got.PromptTokens ||
				(got.PromptTokens > 0) != (one.name != "an answer anew" && one.name != "an answer aside") {
				t.Errorf("guessed: %+v", got)
			}
			got.Request, got.Mode, got.SystemTokens, got.ToolTokens, got.PathTokens, got.PromptTokens, got.Tokens = core.Request{}, "", 0, 0, 0, 0, 0
			same(t, []string{jsonOf(t, got)}, jsonOf(t, one.want))
		})
	}
}

// sameRequest compares what a provider uses: what is not written yet has no position in the tree.
func sameRequest(t *testing.T, got, want core.Request) {
	t.Helper()
	for _, q := range []*core.Request{&got, &want} {
		q.CacheKey = ""
		for i, m := range q.Messages {
			q.Messages[i] = core.Message{Role: m.Role, Kind: m.Kind, Parts: m.Parts, Origin: m.Origin}
		}
	}
	same(t, []string{jsonOf(t, got)}, jsonOf(t, want))
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	return string(must(json.Marshal(v))(t))
}
