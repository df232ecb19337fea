package window

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/live"
	"coppice/backend/core"
	"coppice/backend/launch"
)

// writeScript writes a script for the model of these tests and returns its reference.
func writeScript(t *testing.T, steps ...map[string]any) string {
	t.Helper()
	return writeTurns(t, map[string]any{"alternatives": []any{steps}})
}

// writeTurns writes a script that answers several prompts.
func writeTurns(t *testing.T, turns ...map[string]any) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"name": "test", "turns": turns})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return "script/" + path
}

// writeSlowAnswer writes a script whose answer takes minutes.
func writeSlowAnswer(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "slow.json")
	script := `{"name": "slow", "tokensPerSecond": 5, "turns": [{"alternatives": [[{"text": "` + strings.Repeat("word ", 1000) + `"}]]}]}`
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return "script/" + path
}

// answering waits until the model of a run has begun its answer.
func answering(t *testing.T, b *bindings, id string) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		state, err := b.GetRun(id, "", 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(state.Blocks) > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the model does not answer")
}

// settled waits until a run has ended or waits for an answer.
func settled(t *testing.T, b *bindings, id string) live.State {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		state, err := b.GetRun(id, "", 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !state.Running || len(state.Questions) > 0 {
			return state
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the run does not end")
	return live.State{}
}

func TestRunFromTheWindow(t *testing.T) {
	b, h := openBindings(t)
	folder := t.TempDir()
	model := writeScript(t,
		map[string]any{"text": "I write it down.", "toolCalls": []any{map[string]any{"name": "write_file", "arguments": map[string]any{"path": "a.txt", "content": "hello\n"}}}},
		map[string]any{"text": "Done."})
	started, err := b.StartRun(launch.RunRequest{Text: "write a file", Model: model, Workspace: folder})
	if err != nil {
		t.Fatal(err)
	}
	state := settled(t, b, started.SessionID)
	if len(state.Questions) != 1 || state.Questions[0].ToolName != "write_file" || !strings.Contains(state.Questions[0].Preview, "+hello") {
		t.Fatalf("state %+v", state)
	}
	if err := b.AnswerRun(started.SessionID, "", state.Questions[0].ID+1, live.Answer{Allow: true}); core.CodeOf(err) != core.Conflict {
		t.Errorf("an answer to another question: %v", err)
	}
	if err := b.AnswerRun(started.SessionID, "", state.Questions[0].ID, live.Answer{Allow: true, Scope: core.ScopeSession}); err != nil {
		t.Fatal(err)
	}
	for state = settled(t, b, started.SessionID); state.Running; state = settled(t, b, started.SessionID) {
		time.Sleep(5 * time.Millisecond) // the answered question is being removed
	}
	if state.Run.Status != core.StatusSuccess || state.Error != "" {
		t.Fatalf("state %+v", state)
	}
	if data, err := os.ReadFile(filepath.Join(folder, "a.txt")); err != nil || string(data) != "hello\n" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	session, err := b.GetSession(started.SessionID)
	if err != nil || session.Status != core.StatusSuccess || len(session.FilesModified) != 1 || session.FilesModified[0] != "a.txt" {
		t.Errorf("session %+v, %v", session, err)
	}
	if approvals, err := b.ListApprovals(started.SessionID); err != nil || len(approvals) != 1 {
		t.Errorf("approvals %+v, %v", approvals, err)
	}
	for waited := 0; !h.heard(change.Run, started.SessionID) || !h.heard(change.Messages, started.SessionID); waited++ {
		if waited > 1000 {
			t.Fatal("the window was not told")
		}
		time.Sleep(live.NotifyEvery) // the notification follows within a frame
	}
}

func TestStopAndResumeFromTheWindow(t *testing.T) {
	b, _ := openBindings(t)
	model := writeScript(t, map[string]any{"text": strings.Repeat("word ", 400), "delayMs": 60_000})
	started, err := b.StartRun(launch.RunRequest{Text: "talk", Model: model, Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.StartRun(launch.RunRequest{SessionID: started.SessionID, Text: "me too", Model: model}); core.CodeOf(err) != core.Busy {
		t.Errorf("a second run: %v", err)
	}
	if n := b.runs.Count(); n != 1 {
		t.Errorf("%d runs", n)
	}
	if err := b.StopRun(started.SessionID, ""); err != nil {
		t.Fatal(err)
	}
	if state := settled(t, b, started.SessionID); state.Run.Status != core.StatusInterrupted {
		t.Errorf("state %+v", state.Run)
	}
	again, err := b.StartRun(launch.RunRequest{SessionID: started.SessionID, Model: writeScript(t, map[string]any{"text": "the end"})})
	if err != nil {
		t.Fatal(err)
	}
	if state := settled(t, b, again.SessionID); again.SessionID != started.SessionID || state.Run.Status != core.StatusSuccess {
		t.Errorf("state %+v", state)
	}
}

// TestStateAfterEachInterruption ends a run of the window in each way that a session can be continued from. The composer then offers the
// model, the mode, the effort and the budget of the run, and the next request of the session has them without a choice of the user.
func TestStateAfterEachInterruption(t *testing.T) {
	b, _ := openBindings(t)
	call := map[string]any{"text": "I look.", "toolCalls": []any{map[string]any{"name": "list_files", "arguments": map[string]any{}}}, "costNanoUsd": 1_000_000}
	slow := map[string]any{"text": "words", "delayMs": 60_000}
	failing := map[string]any{"text": "x", "error": map[string]any{"code": "auth", "message": "the key was refused"}}
	full := map[string]any{"text": "x", "error": map[string]any{"code": "context_overflow", "message": "too long"}}
	for _, test := range []struct {
		reason  core.StopReason
		steps   []map[string]any
		change  func(*launch.RunRequest)
		running func(id string, state live.State) error // while it runs, or asks
	}{
		{core.StopUserInterrupt, []map[string]any{slow}, nil, func(id string, _ live.State) error { return b.StopRun(id, "") }},
		{core.StopMaxSteps, []map[string]any{call, call, call}, func(r *launch.RunRequest) { r.MaxSteps = 1 }, nil},
		{core.StopBudget, []map[string]any{call, call}, func(r *launch.RunRequest) { r.BudgetUSD = "0.001" }, nil},
		{core.StopTimeout, []map[string]any{{"text": "words", "delayMs": 1000}}, func(r *launch.RunRequest) { r.TimeoutMs = 200 }, nil},
		{core.StopError, []map[string]any{failing}, nil, nil},
		{core.StopContextFull, []map[string]any{full}, nil, nil},
		{core.StopHibernated, []map[string]any{call}, func(r *launch.RunRequest) { r.Review, r.HibernateAfterMs = true, 50 }, nil},
		{core.StopHITLQuit, []map[string]any{{"text": "done"}}, func(r *launch.RunRequest) { r.Review = true }, func(id string, state live.State) error {
			return b.AnswerRun(id, "", state.Questions[0].ID, live.Answer{Allow: false})
		}},
	} {
		t.Run(string(test.reason), func(t *testing.T) {
			workspace := t.TempDir()
			request := launch.RunRequest{Text: "go", Model: writeScript(t, test.steps...), Mode: string(core.ModePlan), Effort: "high", BudgetUSD: "1.50", Workspace: workspace}
			if test.change != nil {
				test.change(&request)
			}
			started, err := b.StartRun(request)
			if err != nil {
				t.Fatal(err)
			}
			id := started.SessionID
			if test.reason == core.StopUserInterrupt {
				if err := test.running(id, live.State{}); err != nil {
					t.Fatal(err)
				}
			} else if test.running != nil {
				if err := test.running(id, settled(t, b, id)); err != nil {
					t.Fatal(err)
				}
			}
			statusOf(t, b, id, test.reason.Status())
			if session := apptest.Must(b.GetSession(id))(t); session.StopReason != string(test.reason) {
				t.Fatalf("stopped: %s", session.StopReason)
			}
			o := apptest.Must(b.GetComposerOptions(id, ""))(t)
			if o.Model != request.Model || o.Mode != request.Mode || o.Effort != request.Effort || o.BudgetUSD != request.BudgetUSD || o.Workspace != workspace {
				t.Errorf("the composer offers %s in mode %s with effort %q, $%s in %s", o.Model, o.Mode, o.Effort, o.BudgetUSD, o.Workspace)
			}
			sending := apptest.Must(b.GetSending(launch.RunRequest{SessionID: id}))(t)
			if sending.Model != request.Model || sending.Mode != request.Mode {
				t.Errorf("the next request is for %s in mode %s", sending.Model, sending.Mode)
			}
		})
	}
}

// TestNotices requires notifications of questions and ended runs, unless the user looks at the window.
func TestNotices(t *testing.T) {
	b, h := openBindings(t)
	play := func(text string) {
		t.Helper()
		model := writeScript(t, map[string]any{"text": "Here."})
		started, err := b.StartRun(launch.RunRequest{Text: text, Model: model, Workspace: t.TempDir(), Review: true})
		if err != nil {
			t.Fatal(err)
		}
		state := settled(t, b, started.SessionID)
		if len(state.Questions) != 1 {
			t.Fatalf("state %+v", state)
		}
		if err := b.AnswerRun(started.SessionID, "", state.Questions[0].ID, live.Answer{Allow: true}); err != nil {
			t.Fatal(err)
		}
		for settled(t, b, started.SessionID).Running {
			time.Sleep(5 * time.Millisecond)
		}
	}
	play("seen")
	if err := b.SetFocused(false); err != nil {
		t.Fatal(err)
	}
	play("not seen")
	for waited := 0; len(h.notices()) < 2; waited++ {
		if waited > 1000 {
			t.Fatalf("notices %q", h.notices())
		}
		time.Sleep(5 * time.Millisecond)
	}
	said := h.notices()
	if len(said) != 2 || said[0] != "not seen | Waits for you: build has answered" || !strings.HasPrefix(said[1], "not seen | The run is done · ") {
		t.Errorf("notices %q", said)
	}
}

// TestRunThatCannotBegin requires that such a run fails at once and leaves no session behind.
func TestRunThatCannotBegin(t *testing.T) {
	b, _ := openBindings(t)
	before, err := b.ListSessions(core.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for name, request := range map[string]launch.RunRequest{
		"no model":     {Text: "x", Model: "nobody/nothing"},
		"no script":    {Text: "x", Model: "script/there-is-none.json"},
		"no agent":     {Text: "x", Model: "script/demo", Agent: "nobody"},
		"no mode":      {Text: "x", Model: "script/demo", Mode: "bold"},
		"no amount":    {Text: "x", Model: "script/demo", BudgetUSD: "much"},
		"no text":      {Model: "script/demo"},
		"no workspace": {Text: "x", Model: "script/demo", Workspace: "/there/is/none"},
		"no session":   {SessionID: "nothing", Text: "x", Model: "script/demo"},
	} {
		if _, err := b.StartRun(request); err == nil {
			t.Errorf("%s: it began", name)
		} else if core.CodeOf(err) == core.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	after, err := b.ListSessions(core.SessionFilter{})
	if err != nil || after.Total != before.Total {
		t.Errorf("%d sessions before, %d after, %v", before.Total, after.Total, err)
	}
}

func TestComposerOptions(t *testing.T) {
	b, _ := openBindings(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	o, err := b.GetComposerOptions("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Agents) < 3 || o.Agent != "build" || o.Mode != string(core.ModeConfirmSensitive) || len(o.Problems) == 0 {
		t.Errorf("options %+v", o)
	}
	demo := false
	for _, m := range o.Models {
		demo = demo || m.Provider == "script" && m.ID == "demo"
	}
	if !demo {
		t.Errorf("there is no script/demo among %+v", o.Models)
	}
}

// TestUnsentMessagesAreReturned requires that queued messages of a run that has ended are returned, also to the next window.
func TestUnsentMessagesAreReturned(t *testing.T) {
	b, _ := openBindings(t)
	run := func(said ...string) string {
		t.Helper()
		started, err := b.StartRun(launch.RunRequest{Text: "talk", Model: writeSlowAnswer(t), Workspace: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		answering(t, b, started.SessionID) // else the run would take the messages before its first step
		for _, text := range said {
			if err := b.SteerRun(started.SessionID, "", text, []string{"m1"}); err != nil {
				t.Fatal(err)
			}
		}
		return started.SessionID
	}
	// take returns what the page is given, and removes it as the page does after it has stored it.
	take := func() (unsent []UnsentMessage, err error) {
		unsent, err = b.GetUnsent()
		if again := apptest.Must(b.GetUnsent())(t); !reflect.DeepEqual(again, unsent) {
			t.Errorf("before it was stored: %+v, then %+v", unsent, again)
		}
		uids := []string{}
		for i := range unsent {
			uids = append(uids, unsent[i].UID)
			unsent[i].UID = ""
		}
		return unsent, errors.Join(err, b.RemoveUnsent(uids))
	}
	first := run("shorter", "and louder")
	if unsent, err := take(); err != nil || len(unsent) != 0 {
		t.Errorf("while it may still be heard: %+v, %v", unsent, err)
	}
	if err := b.StopRun(first, ""); err != nil {
		t.Fatal(err)
	}
	settled(t, b, first)
	want := []UnsentMessage{{"", first, "shorter", []string{"m1"}}, {"", first, "and louder", []string{"m1"}}}
	if unsent, err := take(); err != nil || !reflect.DeepEqual(unsent, want) {
		t.Errorf("after the end: %+v, %v", unsent, err)
	}
	if unsent, err := take(); err != nil || len(unsent) != 0 {
		t.Errorf("once more: %+v, %v", unsent, err)
	}

	second := run("before you go")
	b.runs.StopAll()
	if unsent, err := take(); err != nil || !reflect.DeepEqual(unsent, []UnsentMessage{{"", second, "before you go", []string{"m1"}}}) {
		t.Errorf("in the next window: %+v, %v", unsent, err)
	}
	if unsent, err := take(); err != nil || len(unsent) != 0 {
		t.Errorf("once more: %+v, %v", unsent, err)
	}
}

// TestSentMessagesLeaveTheQueue requires that a message leaves the queue when the run has written it, and that no other prompt
// removes it.
func TestSentMessagesLeaveTheQueue(t *testing.T) {
	b, _ := openBindings(t)
	call := map[string]any{"name": "write_file", "arguments": map[string]any{"path": "a.txt", "content": "a\n"}}
	first := map[string]any{"text": "First.", "toolCalls": []any{call}}
	model := writeTurns(t,
		map[string]any{"match": "begin", "alternatives": []any{[]any{first}}},
		map[string]any{"match": "gap", "alternatives": []any{[]any{map[string]any{"text": "Second."}}}})
	started, err := b.StartRun(launch.RunRequest{Text: "begin", Model: model, Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	state := settled(t, b, started.SessionID)
	if err := b.SteerRun(started.SessionID, "", "mind the gap", []string{state.LastUID}); err != nil {
		t.Fatal(err)
	}
	if err := b.AnswerRun(started.SessionID, "", state.Questions[0].ID, live.Answer{Allow: true}); err != nil {
		t.Fatal(err)
	}
	for settled(t, b, started.SessionID).Running {
		time.Sleep(5 * time.Millisecond)
	}
	if unsent, err := b.GetUnsent(); err != nil || len(unsent) != 0 {
		t.Errorf("%+v, %v", unsent, err)
	}
	window, err := b.GetWindow(started.SessionID, "", 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	heard := 0
	for _, m := range window.Messages {
		if m.Role == core.RoleUser && len(m.Blocks) > 0 && strings.Contains(m.Blocks[0].HTML, "mind the gap") {
			heard++
			if !slices.Equal(m.Cites, []string{state.LastUID}) {
				t.Errorf("it cites %v, not %s", m.Cites, state.LastUID)
			}
		}
	}
	if heard != 1 {
		t.Errorf("heard %d times", heard)
	}
}
