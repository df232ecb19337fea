package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// giving returns an answer that gives jobs, written as id:agent:prompt.
func giving(jobs ...string) core.Message {
	m := core.Message{FinishReason: core.FinishToolCall}
	for _, job := range jobs {
		f := strings.SplitN(job, ":", 3)
		arguments, _ := json.Marshal(map[string]string{"agent": f[1], "prompt": f[2]})
		m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, ID: f[0], Name: "task", Arguments: arguments})
	}
	return m
}

// delegating returns a task whose agent gives jobs to scout, which only reads, and to smith.
func delegating(b *bench, prompt string, answers ...core.Message) engine.Task {
	task := b.task(says(answers...), prompt)
	task.Agent.Delegates = []string{"scout", "smith"}
	modes := map[string]core.Mode{"scout": core.ModePlan, "smith": core.ModeYolo}
	task.Delegation = &engine.Delegation{
		Mode: func(agent string) core.Mode { return modes[agent] },
		Prepare: func(_ context.Context, agent string, _ *engine.Task) (engine.Task, func(), error) {
			job := b.task(says(calling("j1:write:x"), text("answer of "+agent)), "")
			job.Agent, job.Mode = core.Agent{Name: agent}, modes[agent]
			return job, func() {}, nil
		},
	}
	return task
}

func (b *bench) jobs(tb testing.TB, sessionID string) []core.Session {
	tb.Helper()
	sessions, err := b.db.Sessions(tb.Context(), core.SessionFilter{ParentID: sessionID})
	check(tb, err)
	slices.SortFunc(sessions, func(a, c core.Session) int { return strings.Compare(a.Task, c.Task) })
	return sessions
}

func TestJobsOfOtherAgents(t *testing.T) {
	b := newBench(t)
	task := delegating(b, "go", giving("c1:scout:look at A", "c2:scout:look at B", "c3:smith:mend C", "c4:nobody:x"), text("all done"))
	result, err := b.Run(t.Context(), task)
	check(t, err)
	jobs := b.jobs(t, result.SessionID)
	if len(jobs) != 3 {
		t.Fatalf("%d jobs", len(jobs))
	}
	for i, want := range []string{"look at A", "look at B", "mend C"} {
		j := jobs[i]
		if j.Task != want || j.Relation != core.RelationSubagent || j.ParentID != result.SessionID || j.ParentUID == "" || j.Status != core.StatusSuccess || j.StepCount != 2 || *j.CostNanoUSD != 20_000_000 {
			t.Errorf("%+v", j)
		}
	}
	same(t, b.path(t, jobs[0].ID), "user look at A", "assistant call:j1", "tool result:j1:Permission denied: this mode allows no c", "assistant answer of scout")
	same(t, b.path(t, jobs[2].ID), "user mend C", "assistant call:j1", `tool result:j1:write did {"text":"x"}`, "assistant answer of smith")
	path := b.path(t, result.SessionID)
	if !strings.Contains(path[2], "result:c1:answer of scout") || !strings.Contains(path[2], "result:c3:answer of smith") || !strings.Contains(path[2], `unknown agent "nobody"`) {
		t.Errorf("%q", path)
	}
	b.sound(t)
}

// A job may do no more than its parent, and costs what its parent has left.
func TestJobsAreLimited(t *testing.T) {
	b := newBench(t)
	task := delegating(b, "go", giving("c1:smith:mend"), text("x"), text("y"))
	task.Mode, task.Agent.Tools = core.ModeConfirmSensitive, []string{"read"}
	task.Tools = engine.ChooseTools(task.Agent, task.Tools)
	task.Budget = core.Budget{CostNanoUSD: 30_000_000}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	jobs := b.jobs(t, result.SessionID)
	same(t, b.path(t, jobs[0].ID), "user mend", "assistant call:j1", `tool result:j1:there is no tool "write"; your tools are`, "assistant answer of smith")
	state, _, err := b.db.StateAt(t.Context(), jobs[0].ID, "")
	check(t, err)
	if state.Mode != core.ModeConfirmSensitive || state.Limits.CostNanoUSD != 20_000_000 || len(state.Tools) != 1 {
		t.Errorf("%s, %+v, %d tools", state.Mode, state.Limits, len(state.Tools))
	}
	if result.Run.StopReason != core.StopBudget || result.Run.StepCount != 1 {
		t.Errorf("the cost of the job does not count: %+v", result.Run)
	}
}

const childJobs = "COPPICE_TEST_JOBS" // not empty: a run that gives a job

func jobsChild(path string) error {
	at, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		return err
	}
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &engine.Engine{Store: &mortal{DB: db, at: at}, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	task := delegating(b, "go", giving("c1:scout:look"), text("the end"))
	task.Name = "story"
	_, err = b.Run(context.Background(), task)
	return err
}

// A job that is killed at any write continues in its session: there is one, and each of its steps is paid once.
func TestJobsKilledAtEveryWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	died := 0
	for n := 1; jobsKilledAt(t, n); n++ {
		died++
	}
	if want := 21; died != want {
		t.Errorf("killed at %d writes, want %d: does the test still see them all?", died, want)
	}
}

func jobsKilledAt(t *testing.T, at int) (died bool) {
	t.Helper()
	path := libraryIn(t, t.TempDir())
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childLibrary+"="+path, childKill+"="+strconv.Itoa(at), childJobs+"=1")
	if out, err := cmd.CombinedOutput(); err == nil {
		return false
	} else if cmd.ProcessState.Exited() {
		t.Fatalf("%d: %v: %s", at, err, out)
	}
	b := benchAt(t, path)
	session, err := b.db.Session(t.Context(), "story")
	if core.CodeOf(err) == core.NotFound {
		return true
	}
	check(t, err)
	if path := b.path(t, session.ID); len(path) == 4 {
		return true // it was killed after its answer
	}
	prompt := ""
	if session.MessageCount == 0 {
		prompt = "go"
	}
	task := delegating(b, prompt, giving("c1:scout:look"), text("the end"))
	task.SessionID = session.ID
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Answer != "the end" {
		t.Errorf("%d: %+v", at, result)
	}
	jobs := b.jobs(t, session.ID)
	if len(jobs) != 1 || jobs[0].StepCount != 2 || *jobs[0].CostNanoUSD != 20_000_000 {
		t.Errorf("%d: jobs %+v", at, jobs)
	}
	if lines := b.path(t, session.ID); len(lines) != 4 || !strings.Contains(lines[2], "result:c1:answer of scout") {
		t.Errorf("%d: %q", at, lines)
	}
	b.sound(t)
	return true
}

// silent is a model that answers when its call is cancelled, so with an error.
type silent struct{ called chan struct{} }

func (e silent) Stream(ctx context.Context, _ core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		close(e.called)
		<-ctx.Done()
		yield(core.StreamEvent{Type: core.StreamAborted}, context.Cause(ctx))
	}
}

// A user stops a job from another process: the agent that gave it receives that, and works on.
func TestJobIsStopped(t *testing.T) {
	b := newBench(t)
	task := delegating(b, "go", giving("c1:scout:look at A"), text("then I do it"))
	called := make(chan struct{})
	task.Delegation.Prepare = func(_ context.Context, agent string, _ *engine.Task) (engine.Task, func(), error) {
		job := b.task(silent{called}, "")
		job.Agent = core.Agent{Name: agent}
		return job, func() {}, nil
	}
	failed := make(chan error, 1)
	go func() {
		<-called
		jobs, err := b.db.Jobs(context.WithoutCancel(t.Context()), "")
		if err == nil && (len(jobs) != 1 || jobs[0].Agent != "scout" || jobs[0].Title != "look at A" || jobs[0].Status != core.StatusRunning) {
			err = fmt.Errorf("jobs %+v", jobs)
		}
		if err == nil {
			err = b.db.RequestStop(context.WithoutCancel(t.Context()), jobs[0].SessionID)
		}
		failed <- err
	}()
	result, err := b.Run(t.Context(), task)
	check(t, err)
	check(t, <-failed)
	jobs, err := b.db.Jobs(t.Context(), result.SessionID)
	check(t, err)
	if len(jobs) != 1 || jobs[0].Status != core.StatusInterrupted || jobs[0].StopReason != core.StopUserInterrupt || jobs[0].EndedAtMs == 0 {
		t.Errorf("jobs %+v", jobs)
	}
	if path := b.path(t, result.SessionID); !strings.Contains(path[2], "The user stopped the job.") || path[3] != "assistant then I do it" {
		t.Errorf("%q", path)
	}
	if err := b.db.RequestStop(t.Context(), jobs[0].SessionID); core.CodeOf(err) != core.Conflict {
		t.Errorf("a job that has ended: %v", err)
	}
	b.sound(t)
}
