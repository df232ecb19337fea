package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
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

// TestImportedCallsWait imports a session whose run was killed before its calls. They are not run, even in a mode that permits everything:
// a stranger may have written them.
func TestImportedCallsWait(t *testing.T) {
	ctx := t.Context()
	here, there := newBench(t), newBench(t)
	s, err := here.db.CreateSession(ctx, core.Session{WorkspacePath: "/work"})
	check(t, err)
	_, err = here.db.StartRun(ctx, core.Run{ID: "r", SessionID: s.ID, Model: "demo/one", Mode: core.ModeYolo, WorkspacePath: "/work"})
	check(t, err)
	_, err = here.db.AppendInput(ctx, "r", core.Message{UID: "p", Role: core.RoleUser, Kind: core.KindMessage, Parts: text("do it").Parts})
	check(t, err)
	answer := calling("c1:write:a", "c2:read:b")
	answer.UID, answer.ParentUID, answer.Role, answer.Kind = "a", "p", core.RoleAssistant, core.KindMessage
	_, err = here.db.AppendStep(ctx, "r", answer, []core.ToolExec{{Position: 0, CallID: "c1", Name: "write"}, {Position: 1, CallID: "c2", Name: "read"}})
	check(t, err)
	check(t, here.db.BeginExec(ctx, core.ToolExec{RunID: "r", MessageUID: "a", Position: 1, Idempotent: true, StartedAtMs: 1}))
	here.exportTo(t, there.db)
	task := there.task(says(answer, text("Done.")), "")
	task.SessionID = s.ID
	ran := 0
	for i := range task.Tools {
		described, _ := task.Tools[i].(tool)
		described.run = func(context.Context, core.ToolCall) core.ToolResult { ran++; return core.TextResult("") }
		task.Tools[i] = described
	}
	result, err := there.Run(ctx, task)
	check(t, err)
	path, err := there.db.Conversation(ctx, s.ID, "")
	check(t, err)
	if result.Answer != "Done." || ran > 0 || len(path) != 4 || !strings.HasPrefix(path[2].Parts[0].Result[0].Text, "[not executed]") ||
		!strings.HasPrefix(path[2].Parts[1].Result[0].Text, "[interrupted]") {
		t.Errorf("answer %q, %d calls ran, results %+v", result.Answer, ran, path[2:])
	}
}

// travels checks that everything of the library can be exported, imported into an empty library, and exported again with the same
// bytes, and that every request can be rebuilt there.
func (b *bench) travels(tb testing.TB) {
	tb.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, libraryIn(tb, tb.TempDir()), sqlite.Options{})
	check(tb, err)
	defer db.Close()
	other := bench{Engine: &engine.Engine{Store: db}, db: db}
	if file, again := b.exportTo(tb, db), other.exported(tb); !bytes.Equal(again, file) {
		tb.Errorf("exported again:\n%s\nwas\n%s", again, file)
	}
	other.rebuilds(tb)
}

// exported returns an archive of the whole library.
func (b *bench) exported(tb testing.TB) []byte {
	tb.Helper()
	ctx := context.Background()
	sessions, err := b.db.Sessions(ctx, core.SessionFilter{Children: true, Sort: core.SortCreated})
	check(tb, err)
	ids := []string{}
	for _, s := range slices.Backward(sessions) { // parents first
		ids = append(ids, s.ID)
	}
	var out bytes.Buffer
	check(tb, archive.Write(ctx, &out, b.db, ids, archive.Options{}))
	return out.Bytes()
}

// exportTo imports an archive of the library into another one, and returns it.
func (b *bench) exportTo(tb testing.TB, db *sqlite.DB) []byte {
	tb.Helper()
	ctx := context.Background()
	file := b.exported(tb)
	source := core.SourceFile{Data: bytes.NewReader(file), SizeBytes: int64(len(file)), Problem: func(line int64, m string) { tb.Errorf("line %d: %s", line, m) }}
	for in, err := range archive.Read(ctx, source) {
		check(tb, err)
		_, err = core.Merge(ctx, db, in)
		check(tb, err)
	}
	return file
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

// TestCheckRequests compares what was sent with what can be rebuilt. A request that an export or an import has changed is no damage.
func TestCheckRequests(t *testing.T) {
	b := newBench(t)
	must(b.Run(t.Context(), b.task(says(calling("c1:read:a"), text("one")), "go")))(t)
	sample := must(b.db.SampleRequests(t.Context(), 0))(t)
	if done := must(b.CheckRequests(t.Context(), sample, nil))(t); done.Checked != 2 || len(done.Problems) > 0 || done.Redacted+done.Changed > 0 {
		t.Errorf("%+v", done)
	}
	if few := must(b.db.SampleRequests(t.Context(), 1))(t); len(few) != 1 || few[0].MessageUID != sample[0].MessageUID || !few[0].Native {
		t.Errorf("a sample of one: %+v", few)
	}
	for i := range sample {
		sample[i].RequestHash = core.Hash(nil)
	}
	sample[1].Redacted = true
	if done := must(b.CheckRequests(t.Context(), sample, nil))(t); done.Checked != 2 || len(done.Problems) != 1 || done.Redacted != 1 {
		t.Errorf("%+v", done)
	}
	sample[0].Native = false
	if done := must(b.CheckRequests(t.Context(), sample, nil))(t); done.Changed != 1 || len(done.Problems) > 0 {
		t.Errorf("%+v", done)
	}
}
