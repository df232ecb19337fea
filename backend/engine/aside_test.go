package engine_test

import (
	"context"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// aside returns a task that answers a message in parallel with other runs.
func (b *bench) aside(model engine.Model, sessionID, from string) engine.Task {
	task := b.task(model, "")
	task.SessionID, task.From, task.Aside, task.Observe = sessionID, from, true, nil
	return task
}

// held returns a model that closes asked when it is called, and answers when release is closed.
func held(answer core.Message) (model *actor, asked, release chan struct{}) {
	asked, release = make(chan struct{}), make(chan struct{})
	var once sync.Once
	return &actor{act: func(ctx context.Context, _ int, _ core.Request) (core.Message, error) {
		once.Do(func() { close(asked) })
		select {
		case <-release:
			return answer, nil
		case <-ctx.Done():
			return core.Message{}, context.Cause(ctx)
		}
	}}, asked, release
}

// said is bench.path for the path to a message.
func (b *bench) said(tb testing.TB, sessionID, uid string) []string {
	tb.Helper()
	lines := []string{}
	for m, err := range b.db.PathMessages(tb.Context(), sessionID, uid) {
		check(tb, err)
		lines = append(lines, string(m.Role)+" "+m.Parts[0].Text)
	}
	return lines
}

// Three models answer one prompt: each has its own branch, and only the first one moves the head.
func TestRunsAside(t *testing.T) {
	b := newBench(t)
	lead, asked, release := held(text("first"))
	task := b.task(lead, "go")
	done := make(chan error, 3)
	started := make(chan core.Message, 1)
	task.Observe = func(e engine.Event) {
		if e.Type == engine.EventMessage && e.Message.Role == core.RoleUser {
			started <- *e.Message
		}
	}
	go func() { _, err := b.Run(context.WithoutCancel(t.Context()), task); done <- err }()
	prompt := <-started
	<-asked
	session := must(b.db.Sessions(t.Context(), core.SessionFilter{}))(t)[0]
	second, secondAsked, secondRelease := held(text("second"))
	go func() {
		_, err := b.Run(context.WithoutCancel(t.Context()), b.aside(second, session.ID, prompt.UID))
		done <- err
	}()
	<-secondAsked
	third := must(b.Run(t.Context(), b.aside(says(text("third")), session.ID, prompt.UID)))(t)
	if third.Run.Lane != 2 || third.Run.Mode != core.ModePlan {
		t.Errorf("the third run is in lane %d, mode %s", third.Run.Lane, third.Run.Mode)
	}
	running := must(b.db.Session(t.Context(), session.ID))(t)
	if running.Status != core.StatusRunning || running.HeadUID != prompt.UID {
		t.Errorf("while two go on: %s, head %s", running.Status, running.HeadUID)
	}
	close(release)
	check(t, <-done)
	if s := must(b.db.Session(t.Context(), session.ID))(t); s.Status != core.StatusRunning {
		t.Errorf("while one goes on the session is %s", s.Status)
	}
	close(secondRelease)
	check(t, <-done)
	same(t, b.path(t, session.ID), "user go", "assistant first")
	s := must(b.db.Session(t.Context(), session.ID))(t)
	if s.Status != core.StatusSuccess || s.BranchCount != 3 || s.MessageCount != 4 || *s.CostNanoUSD != 30_000_000 {
		t.Errorf("at the end: %+v", s)
	}
	tip := must(b.db.RunTip(t.Context(), third.Run.ID))(t)
	same(t, b.said(t, session.ID, tip), "user go", "assistant third")
	for _, model := range []*actor{lead, second} {
		if n := len(model.requests[0].Messages); n != 1 {
			t.Errorf("a model was sent %d messages: it sees its siblings", n)
		}
	}
	b.sound(t)
}

// A run aside may not write, whatever its mode.
func TestAsideOnlyReads(t *testing.T) {
	b := newBench(t)
	first := must(b.Run(t.Context(), b.task(says(text("one")), "go")))(t)
	path := must(b.db.Conversation(t.Context(), first.SessionID, ""))(t)
	wrote := false
	task := b.aside(says(calling("c1:read:a", "c2:write:b"), text("two")), first.SessionID, path[0].UID)
	write := writer()
	write.run = func(context.Context, core.ToolCall) core.ToolResult { wrote = true; return core.TextResult("") }
	task.Mode, task.Tools = core.ModeYolo, []engine.Tool{reader(), write}
	result := must(b.Run(t.Context(), task))(t)
	if wrote || result.Answer != "two" {
		t.Errorf("wrote: %t, answer %q", wrote, result.Answer)
	}
	if s := must(b.db.Session(t.Context(), first.SessionID))(t); s.HeadUID != path[1].UID || s.Status != core.StatusSuccess {
		t.Errorf("session %+v", s)
	}
	_, err := b.Run(t.Context(), b.aside(says(), first.SessionID, ""))
	if core.CodeOf(err) != core.Invalid {
		t.Errorf("from nowhere: %v", err)
	}
}

// A run aside does not change the status of a session that was never run.
func TestAsideKeepsStatus(t *testing.T) {
	b := newBench(t)
	s := must(b.db.CreateSession(t.Context(), core.Session{Status: core.StatusPartial, StopReason: "max_steps"}))(t)
	before := must(b.db.Session(t.Context(), s.ID))(t)
	m := must(b.db.Append(t.Context(), s.ID, core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: "go"}}}))(t)
	must(b.Run(t.Context(), b.aside(says(text("one")), s.ID, m.UID)))(t)
	if after := must(b.db.Session(t.Context(), s.ID))(t); after.Status != before.Status || after.StopReason != before.StopReason || after.HeadUID != m.UID {
		t.Errorf("session %+v", after)
	}
}

// The cost of a parallel run counts towards the budget of a run.
func TestSiblingsShareBudget(t *testing.T) {
	b := newBench(t)
	steps := 0
	var prompt string
	task := b.task(nil, "go")
	task.Budget.CostNanoUSD = 35_000_000
	task.Observe = func(e engine.Event) {
		if e.Type == engine.EventMessage && prompt == "" {
			prompt = e.Message.UID
		}
	}
	task.Model = &actor{act: func(ctx context.Context, n int, _ core.Request) (core.Message, error) {
		steps++
		if n == 1 { // two cents are spent in parallel
			session := must(b.db.Sessions(ctx, core.SessionFilter{}))(t)[0]
			if _, err := b.Run(ctx, b.aside(says(calling("x:read:x"), text("aside")), session.ID, prompt)); err != nil {
				return core.Message{}, err
			}
		}
		return calling("c" + string(rune('0'+n)) + ":read:" + string(rune('a'+n))), nil
	}}
	result := must(b.Run(t.Context(), task))(t)
	if result.Run.StopReason != core.StopBudget || steps != 2 {
		t.Errorf("stopped for %s after %d steps, want the budget after 2", result.Run.StopReason, steps)
	}
}

// Another process may not run a session in parallel with this one, and a message that one run continues is closed to
// others.
func TestAsideIsOfOneProcess(t *testing.T) {
	b := newBench(t)
	first := must(b.Run(t.Context(), b.task(says(text("one")), "go")))(t)
	path := must(b.db.Conversation(t.Context(), first.SessionID, ""))(t)
	begun, release := make(chan struct{}), make(chan struct{})
	slow := reader()
	slow.run = func(context.Context, core.ToolCall) core.ToolResult {
		close(begun)
		<-release
		return core.TextResult("read")
	}
	task := b.aside(says(calling("c:read:a"), text("two")), first.SessionID, path[0].UID)
	task.Tools = []engine.Tool{slow}
	done := make(chan error)
	go func() { _, err := b.Run(context.WithoutCancel(t.Context()), task); done <- err }()
	<-begun
	other := *b.Engine
	other.Owner.Host = "elsewhere"
	if _, err := other.Run(t.Context(), b.aside(says(), first.SessionID, path[0].UID)); core.CodeOf(err) != core.Busy {
		t.Errorf("another process: %v", err)
	}
	runs := must(b.db.Runs(t.Context(), first.SessionID))(t)
	tip := must(b.db.RunTip(t.Context(), runs[1].ID))(t)
	same := b.task(says(), "")
	same.SessionID, same.From = first.SessionID, tip
	if _, err := b.Run(t.Context(), same); core.CodeOf(err) != core.Conflict {
		t.Errorf("the same tip: %v", err)
	}
	close(release)
	check(t, <-done)
	b.sound(t)
}

// deadly is a store that kills its process when each of three runs has reached a given point.
type deadly struct {
	*sqlite.DB
	waiting sync.WaitGroup
}

func (s *deadly) arrived() {
	s.waiting.Done()
	select {} // the process dies before this continues
}

func (s *deadly) BeginExec(ctx context.Context, e core.ToolExec) error {
	err := s.DB.BeginExec(ctx, e)
	if err == nil && strings.HasPrefix(e.CallID, "last") {
		s.arrived()
	}
	return err
}

func (s *deadly) PutDraft(ctx context.Context, d core.Draft) error {
	err := s.DB.PutDraft(ctx, d)
	if err == nil {
		s.arrived()
	}
	return err
}

// drips is a model whose answer never ends.
type drips struct{}

func (drips) Stream(ctx context.Context, _ core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		for ctx.Err() == nil {
			if !yield(core.StreamEvent{Type: core.StreamText, Text: "half an answer "}, nil) {
				return
			}
			time.Sleep(300 * time.Millisecond) // a draft is stored at most four times a second
		}
	}
}

// lanesChild runs three lanes of a session until each of them is in the middle of a step, and dies.
func lanesChild(path, log string) error {
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	store := &deadly{DB: db}
	store.waiting.Add(3)
	b := &bench{Engine: &engine.Engine{Store: store, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	lead := logged(b, says(calling("c1:write:b"), calling("last:write:lead")), log)
	lead.Name, lead.Prompt = "story", []core.Part{{Type: core.PartText, Text: "tell it"}}
	prompt := make(chan core.Message, 1)
	lead.Observe = func(e engine.Event) {
		if e.Type == engine.EventMessage && e.Message.Role == core.RoleUser && len(prompt) == 0 {
			prompt <- *e.Message
		}
	}
	failed := make(chan error, 3)
	go func() { _, err := b.Run(context.Background(), lead); failed <- err }()
	from := <-prompt
	session, err := db.Session(context.Background(), "story")
	if err != nil {
		return err
	}
	reads := logged(b, says(calling("c2:read:a"), calling("last2:read:aside")), log)
	reads.SessionID, reads.From, reads.Aside, reads.Observe = session.ID, from.UID, true, nil
	go func() { _, err := b.Run(context.Background(), reads); failed <- err }()
	speaks := b.aside(drips{}, session.ID, from.UID)
	go func() { _, err := b.Run(context.Background(), speaks); failed <- err }()
	all := make(chan struct{})
	go func() { store.waiting.Wait(); close(all) }()
	select {
	case err := <-failed:
		return err
	case <-all:
		die()
		return nil
	}
}

// Three lanes that are killed at once are found, shown as interrupted and resumed at their leaves; all messages stay,
// and no call that changes something runs twice.
func TestLanesKilledAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a process that can be killed at once")
	}
	dir := t.TempDir()
	path, log := libraryIn(t, dir), filepath.Join(dir, "log")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childLibrary+"="+path, childLanes+"=1", childLog+"="+log)
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("it was not killed: %v: %s", err, out)
	}
	b := benchAt(t, path)
	if n := must(b.Sweep(t.Context()))(t); n != 3 {
		t.Fatalf("%d runs were found dead, want 3", n)
	}
	session := must(b.db.Session(t.Context(), "story"))(t)
	if session.Status != core.StatusInterrupted {
		t.Errorf("the session is %s", session.Status)
	}
	runs := must(b.db.Runs(t.Context(), session.ID))(t)
	tips := map[int64]string{}
	for _, run := range runs {
		if run.Status != core.StatusInterrupted || run.StopReason != core.StopTerminated {
			t.Errorf("run of lane %d: %s, %s", run.Lane, run.Status, run.StopReason)
		}
		tips[run.Lane] = must(b.db.RunTip(t.Context(), run.ID))(t)
	}
	shape := must(b.db.Shape(t.Context(), session.ID, -1, 0))(t)
	for _, turn := range shape.Changed {
		if turn.Run != core.StatusInterrupted {
			t.Errorf("turn %d is shown as %q", turn.Number, turn.Run)
		}
	}
	// The lanes of the two runs aside depend on which began first.
	var reader, speaker string
	for _, lane := range []int64{1, 2} {
		if lines := b.said(t, session.ID, tips[lane]); strings.HasPrefix(lines[len(lines)-1], "assistant half an answer") {
			speaker = tips[lane]
		} else {
			reader = tips[lane]
		}
	}
	if speaker == "" || reader == "" {
		t.Fatalf("tips %v", tips)
	}
	for _, from := range []string{reader, speaker, ""} {
		task := logged(b, says(text("x"), text("x"), text("the end")), log)
		if from == speaker {
			task = logged(b, says(text("the end")), log)
		}
		task.SessionID, task.From = session.ID, from
		if from == "" { // the state of its call was recorded when the others moved the head
			task.From = must(b.db.Leaf(t.Context(), session.ID, tips[0]))(t).UID
		}
		if result := must(b.Run(t.Context(), task))(t); result.Answer != "the end" {
			t.Errorf("from %s: %+v", from, result)
		}
		if line := b.path(t, session.ID); !strings.HasSuffix(line[len(line)-1], "the end") {
			t.Errorf("from %s: %v", from, line)
		}
	}
	lead := strings.Join(b.path(t, session.ID), "\n")
	if !strings.Contains(lead, "result:last:[interrupted]") {
		t.Errorf("a call that may have been done was done again, or forgotten:\n%s", lead)
	}
	did := must(os.ReadFile(log))(t)
	if strings.Count(string(did), "lead\n") > 1 || strings.Count(string(did), "aside\n") != 1 || strings.Count(string(did), "b\n") != 1 {
		t.Errorf("what was done:\n%s", did)
	}
	if s := must(b.db.Session(t.Context(), session.ID))(t); s.Status != core.StatusSuccess || s.BranchCount != 3 {
		t.Errorf("at the end: %+v", s)
	}
	b.sound(t)
}
