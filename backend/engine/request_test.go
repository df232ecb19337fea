package engine_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"coppice/backend/core"
)

// rebuilds checks that every request that was sent to the library's models can be rebuilt from the library. It returns how many those
// are.
func (b *bench) rebuilds(tb testing.TB) int {
	tb.Helper()
	ctx := context.Background() // it is called when the test has ended
	sessions, err := b.db.Sessions(ctx, core.SessionFilter{})
	check(tb, err)
	n := 0
	for _, s := range sessions {
		requests, err := b.db.Requests(ctx, s.ID)
		check(tb, err)
		for i := range requests {
			n++
			if _, err := b.Rebuild(ctx, s.ID, &requests[i]); err != nil {
				tb.Errorf("request %d of session %s: %v", i, s.ID, err)
			}
		}
	}
	return n
}

// TestRequestsAreRebuilt compares what a model received with what the library returns for it, value by value and not only by hash.
func TestRequestsAreRebuilt(t *testing.T) {
	b := newBench(t)
	answer := calling("c1:read:a", "c2:write:b")
	answer.Parts[0].Arguments = json.RawMessage("{\n  \"text\" : \"a <b> & c\" }")
	model := says(answer, calling("c3:run:x"), text("Done."))
	task := b.task(model, "do it")
	for i := range task.Tools {
		described, _ := task.Tools[i].(tool)
		described.parameters = json.RawMessage(`{ "type": "object", "description": "a <b> & c" }`)
		task.Tools[i] = described
	}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	requests, err := b.db.Requests(t.Context(), result.SessionID)
	check(t, err)
	if len(requests) != 3 || len(model.requests) != 3 {
		t.Fatalf("%d requests are recorded, %d were sent", len(requests), len(model.requests))
	}
	for i := range requests {
		q, err := b.Rebuild(t.Context(), result.SessionID, &requests[i])
		check(t, err)
		sent := model.requests[i]
		if !reflect.DeepEqual(q.Tools, sent.Tools) || q.System != sent.System || q.Model != sent.Model || q.CacheKey != sent.CacheKey || len(q.Messages) != len(sent.Messages) {
			t.Fatalf("request %d is\n%+v\nwas\n%+v", i, q, sent)
		}
		for j := range q.Messages {
			if !reflect.DeepEqual(plainParts(q.Messages[j].Parts), plainParts(sent.Messages[j].Parts)) {
				t.Errorf("request %d, message %d is\n%+v\nwas\n%+v", i, j, q.Messages[j].Parts, sent.Messages[j].Parts)
			}
		}
		if requests[i].State.Mode != core.ModeYolo || requests[i].StateHash != requests[0].StateHash || requests[i].MessageUID == "" {
			t.Errorf("request %d: %+v", i, requests[i])
		}
	}
}

// plainParts removes the difference between no result and an empty one.
func plainParts(parts []core.Part) []string {
	var out []string
	for _, p := range parts {
		out = append(out, string(p.Type)+"|"+p.Text+"|"+p.ID+"|"+p.Name+"|"+string(p.Arguments)+"|"+string(p.Structured)+"|"+string(p.Native))
		out = append(out, plainParts(p.Result)...)
	}
	return out
}
