package engine_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// A copy of this test program reads these variables, and runs a session until it is killed.
const (
	childLibrary = "COPPICE_TEST_LIBRARY"  // the library's path
	childKill    = "COPPICE_TEST_KILL"     // at which write of the store, from 1; if negative, before it
	childLog     = "COPPICE_TEST_LOG"      // a file to which the tools write what they do
	childSpeaks  = "COPPICE_TEST_PROTOCOL" // protocol of the model's server; empty: the model is in the process
	childLanes   = "COPPICE_TEST_LANES"    // not empty: three lanes of the session
	childServer  = "COPPICE_TEST_SERVER"   // address of the server
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childLibrary); path != "" {
		run := child
		if os.Getenv(childLanes) != "" {
			run = func(path string) error { return lanesChild(path, os.Getenv(childLog)) }
		}
		if os.Getenv(childSummary) != "" {
			run = summaryChild
		}
		if os.Getenv(childLimits) != "" {
			run = limitsChild
		}
		if os.Getenv(childJobs) != "" {
			run = jobsChild
		}
		if os.Getenv(childTeam) != "" {
			run = teamChild
		}
		if os.Getenv(childCheckpoints) != "" {
			run = checkpointsChild
		}
		if os.Getenv(childWakes) != "" {
			run = func(path string) error { return wakesChild(path, os.Getenv(childLog)) }
		}
		if err := run(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// mortal is a store that kills its process at a given write.
type mortal struct {
	*sqlite.DB
	at int
	n  atomic.Int64
}

// around does a write, and dies before or after it if this is the given write.
func around[T any](s *mortal, f func() (T, error)) (T, error) {
	n := int(s.n.Add(1))
	if n == -s.at {
		die()
	}
	v, err := f()
	if n == s.at {
		die()
	}
	return v, err
}

func die() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	panic(fmt.Sprint("still alive: ", err))
}

func none(err error) (struct{}, error) { return struct{}{}, err }

func (s *mortal) CreateSession(ctx context.Context, v core.Session) (core.Session, error) {
	return around(s, func() (core.Session, error) { return s.DB.CreateSession(ctx, v) })
}

func (s *mortal) StartRun(ctx context.Context, v core.Run) (core.Run, error) {
	return around(s, func() (core.Run, error) { return s.DB.StartRun(ctx, v) })
}

func (s *mortal) EndRun(ctx context.Context, id string, status core.Status, reason core.StopReason, why string) error {
	_, err := around(s, func() (struct{}, error) { return none(s.DB.EndRun(ctx, id, status, reason, why)) })
	return err
}

func (s *mortal) BeginRequest(ctx context.Context, q core.SentRequest) error {
	_, err := around(s, func() (struct{}, error) { return none(s.DB.BeginRequest(ctx, q)) })
	return err
}

func (s *mortal) AppendInput(ctx context.Context, id string, m core.Message) (core.Message, error) {
	return around(s, func() (core.Message, error) { return s.DB.AppendInput(ctx, id, m) })
}

func (s *mortal) AppendStep(ctx context.Context, id string, m core.Message, calls []core.ToolExec) (core.Message, error) {
	return around(s, func() (core.Message, error) { return s.DB.AppendStep(ctx, id, m, calls) })
}

func (s *mortal) AppendResults(ctx context.Context, id string, m core.Message) (core.Message, error) {
	return around(s, func() (core.Message, error) { return s.DB.AppendResults(ctx, id, m) })
}

func (s *mortal) BeginExec(ctx context.Context, e core.ToolExec) error {
	_, err := around(s, func() (struct{}, error) { return none(s.DB.BeginExec(ctx, e)) })
	return err
}

func (s *mortal) EndExec(ctx context.Context, e core.ToolExec) error {
	_, err := around(s, func() (struct{}, error) { return none(s.DB.EndExec(ctx, e)) })
	return err
}

func (s *mortal) EndDeadRun(ctx context.Context, id, why string) error {
	_, err := around(s, func() (struct{}, error) { return none(s.DB.EndDeadRun(ctx, id, why)) })
	return err
}

func (s *mortal) KeepDraft(ctx context.Context, id string, m core.Message) error {
	_, err := around(s, func() (struct{}, error) { return none(s.DB.KeepDraft(ctx, id, m)) })
	return err
}

func (s *mortal) MoveHead(ctx context.Context, id, uid string) (core.Session, error) {
	return around(s, func() (core.Session, error) { return s.DB.MoveHead(ctx, id, uid) })
}

// telling returns the model of these tests: three calls, two of which change something, then one more, then its answer.
// It is in this process, or on a server that implements a protocol.
func telling(protocol, server string) engine.Model {
	if protocol == compacts {
		return compacting{}
	}
	if protocol != "" {
		return protocols()[protocol].open(server)
	}
	return says(calling("c1:read:a", "c2:write:b", "c3:run:c"), calling("c4:write:d"), text("the end"))
}

// compacts is the protocol of a model whose context is compacted before its last answer.
const compacts = "compacts"

// compacting is telling with a context that keeps no more than the newest call and its result.
type compacting struct{}

func (compacting) Stream(ctx context.Context, q core.Request) iter.Seq2[core.StreamEvent, error] {
	answer := calling("c1:read:a", "c2:write:b", "c3:run:c")
	for _, m := range q.Messages {
		for _, p := range m.Parts {
			switch {
			case p.Type == core.PartToolResult && p.ID == "c4":
				answer = text("the end")
			case p.Type == core.PartToolResult && p.ID == "c1":
				answer = calling("c4:write:d")
			}
		}
	}
	return says(answer).Stream(ctx, core.Request{})
}

// logged returns a task whose tools write what they do to a file.
func logged(b *bench, model engine.Model, log string) engine.Task {
	task := b.task(model, "")
	if _, ok := model.(compacting); ok {
		task.Context = core.ContextPlan{Strategy: core.CompactSimple, TriggerMessages: 4, KeepMessages: 2}
	}
	for i, with := range []tool{reader(), writer(), command()} {
		with.run = func(_ context.Context, call core.ToolCall) core.ToolResult {
			name := strings.NewReplacer(`{"text":"`, "", `"}`, "").Replace(string(call.Arguments))
			f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err == nil {
				_, err = f.WriteString(name + "\n")
				f.Close()
			}
			if err != nil {
				return core.ErrorResult(err.Error())
			}
			return core.ToolResult{Parts: []core.Part{{Type: core.PartText, Text: "did " + name}}, Changes: []core.FileChange{{Path: name + ".txt"}}}
		}
		task.Tools[i] = with
	}
	return task
}

func child(path string) error {
	at, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		return err
	}
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &engine.Engine{Store: &mortal{DB: db, at: at}, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	task := logged(b, telling(os.Getenv(childSpeaks), os.Getenv(childServer)), os.Getenv(childLog))
	task.Name, task.Prompt = "story", []core.Part{{Type: core.PartText, Text: "tell it"}}
	_, err = b.Run(context.Background(), task)
	return err
}

// A run that is killed at any of its writes is resumed to its end: no finished work is lost, no call that changes
// something runs twice, and the tree has no fork.
func TestKilledAtEveryWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs a process that can be killed at once")
	}
	died := 0
	for n := 1; ; n++ {
		if !killedAt(t, n, "", "") {
			break
		}
		killedAt(t, -n, "", "")
		died++
	}
	if want := 20; died != want { // session, run, prompt; request, answer, 3 × 2, results; request, answer, 2, results; request, answer, end
		t.Errorf("killed at %d writes, want %d: does the test still see them all?", died, want)
	}
}

// A run that is killed before, at or after a compaction loses nothing either.
func TestKilledAtEveryWriteWithCompaction(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	died := 0
	for n := 1; killedAt(t, n, compacts, ""); n++ {
		killedAt(t, -n, compacts, "")
		died++
	}
	if want := 21; died != want { // as above, and the compaction
		t.Errorf("killed at %d writes, want %d: does the test still see them all?", died, want)
	}
}

// killedAt reports whether the run came to a write of that number.
func killedAt(t *testing.T, at int, protocol, server string) (died bool) {
	t.Helper()
	dir := t.TempDir()
	path, log := libraryIn(t, dir), filepath.Join(dir, "log")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childLibrary+"="+path, childKill+"="+strconv.Itoa(at), childLog+"="+log, childSpeaks+"="+protocol, childServer+"="+server)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	if cmd.ProcessState.Exited() {
		t.Fatalf("%d: %v: %s", at, err, out)
	}
	b := benchAt(t, path)
	before := must(b.db.Sessions(t.Context(), core.SessionFilter{}))(t)
	if len(before) == 0 {
		return true // killed before anything could be lost
	}
	swept, err := b.Sweep(t.Context())
	check(t, err)
	session := must(b.db.Session(t.Context(), "story"))(t)
	if swept > 0 && session.Status != core.StatusInterrupted {
		t.Errorf("%d: a session whose run was killed is %s", at, session.Status)
	}
	resumed(t, b, session, at, log, telling(protocol, server))
	return true
}

func resumed(t *testing.T, b *bench, session core.Session, at int, log string, model engine.Model) {
	t.Helper()
	kept := b.path(t, session.ID)
	checkpointed(t, b, session.ID, at)
	task := logged(b, model, log)
	task.SessionID = session.ID
	if len(kept) == 0 {
		task.Prompt = []core.Part{{Type: core.PartText, Text: "tell it"}}
	}
	result, err := b.Run(t.Context(), task)
	complete := session.Status == core.StatusSuccess || len(kept) > 0 && strings.HasSuffix(kept[len(kept)-1], "the end")
	if complete && core.CodeOf(err) == core.Conflict || complete && err == nil {
		return // killed after the answer
	}
	check(t, err)
	if result.Run.StopReason != core.StopDone || result.Answer != "the end" {
		t.Errorf("%d: resumed to %+v", at, result.Run)
	}
	now := b.path(t, session.ID)
	if len(now) < len(kept) || !slices.Equal(now[:len(kept)], kept) {
		t.Errorf("%d: what was finished is lost:\n%s\nnow\n%s", at, strings.Join(kept, "\n"), strings.Join(now, "\n"))
	}
	s := must(b.db.Session(t.Context(), session.ID))(t)
	if s.BranchCount != 1 || s.StepCount != 3 || *s.CostNanoUSD != 30_000_000 || len(s.FilesModified) < 3 {
		t.Errorf("%d: session %+v", at, s)
	}
	did, err := os.ReadFile(log)
	check(t, err)
	unknown := strings.Contains(strings.Join(now, "\n"), ":[interrupted]")
	for _, call := range []string{"b", "c", "d"} {
		times := strings.Count(string(did), call+"\n")
		if times > 1 || times == 0 && !unknown {
			t.Errorf("%d: %s was run %d times:\n%s", at, call, times, strings.Join(now, "\n"))
		}
	}
	b.sound(t)
}

// checkpointed checks that each answer is a checkpoint, and that the session continues with the state of the newest one.
func checkpointed(t *testing.T, b *bench, sessionID string, at int) {
	t.Helper()
	all := must(b.db.Checkpoints(t.Context(), sessionID, core.CheckpointFilter{}))(t)
	answers := 0
	for m, err := range b.db.PathMessages(t.Context(), sessionID, "") {
		check(t, err)
		if m.Role != core.RoleAssistant {
			continue
		}
		if answers >= len(all) || all[answers].UID != m.UID {
			t.Errorf("%d: m%d is no checkpoint", at, m.Seq)
		}
		answers++
	}
	if len(all) != answers {
		t.Errorf("%d: %d answers, %d checkpoints", at, answers, len(all))
	}
	state, ok, err := b.db.StateAt(t.Context(), sessionID, "")
	if err != nil || answers > 0 && (!ok || state.Mode != core.ModeYolo) {
		t.Errorf("%d: the state is %+v (%v)", at, state, err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T { tb.Helper(); check(tb, err); return v }
}

// Two processes resume one session: one succeeds, the other gets an error that names it.
func TestOneRunASession(t *testing.T) {
	b := newBench(t)
	first := must(b.Run(t.Context(), b.task(says(text("one")), "go")))(t)
	begun, release := make(chan struct{}), make(chan struct{})
	model := &actor{act: func(context.Context, int, core.Request) (core.Message, error) {
		close(begun)
		<-release
		return text("two"), nil
	}}
	task := b.task(model, "more")
	task.SessionID, task.Observe = first.SessionID, nil
	done := make(chan error)
	go func() { _, err := b.Run(context.WithoutCancel(t.Context()), task); done <- err }()
	<-begun
	other := *b.Engine
	_, err := other.Run(t.Context(), engine.Task{SessionID: first.SessionID, Model: says(), Mode: core.ModeYolo, Prompt: []core.Part{{Type: core.PartText, Text: "me too"}}})
	if core.CodeOf(err) != core.Busy || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("the other was told: %v", err)
	}
	other.Owner.Host = "elsewhere"
	_, err = other.Run(t.Context(), engine.Task{SessionID: first.SessionID, Model: says(), Mode: core.ModeYolo, Prompt: []core.Part{{Type: core.PartText, Text: "me too"}}})
	if _, remedy := core.HelpOf(err); core.CodeOf(err) != core.Busy || remedy.Kind != core.TakeOver {
		t.Errorf("the other was told: %v, %s", err, core.HintOf(err))
	}
	close(release)
	check(t, <-done)
	b.sound(t)
}

// The part of an answer that was stored before a crash is shown, and the model is sent it as interrupted.
func TestDraftSurvives(t *testing.T) {
	b := newBench(t)
	first := must(b.Run(t.Context(), b.task(says(text("one")), "go")))(t)
	path := must(b.db.Conversation(t.Context(), first.SessionID, ""))(t)
	must(b.db.StartRun(t.Context(), core.Run{ID: "dead", SessionID: first.SessionID, Mode: core.ModeYolo, Owner: core.Owner{PID: 1 << 40, Host: b.Owner.Host}}))(t)
	check(t, b.db.PutDraft(t.Context(), core.Draft{RunID: "dead", ParentUID: path[1].UID, Message: text("half an ans")}))
	model := says(text("x"), text("two"))
	task := b.task(model, "more")
	task.SessionID = first.SessionID
	must(b.Run(t.Context(), task))(t)
	same(t, b.path(t, first.SessionID), "user go", "assistant one", "assistant/aborted half an ans", "user more", "assistant two")
	if sent := model.requests[0].Messages; len(sent) != 4 || sent[2].Parts[0].Text != "half an ans" || !sent[2].BrokeOff() || len(sent[3].Parts) != 1 {
		t.Errorf("the model was sent %+v", sent)
	}
	b.sound(t)
}
