package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"coppice/backend/core"
)

// run is one engagement on its way.
type run struct {
	*Engine
	task      *Task
	row       core.Run
	session   core.Session
	created   bool // the session is new
	approvals []core.Approval
	tools     map[string]Tool
	specs     []core.ToolSpec

	head    string          // the uid that the next message hangs on
	context []core.Message  // what the model is shown, see replayable
	spent   spending        // of the session's other runs
	others  map[string]bool // ids of the runs of the session that go on beside this one
	form    form
	answer  string   // the last text the model said
	recent  []string // signatures of the last steps, see doomed
	telling sync.Mutex
	nudges  int             // times the model was asked to go on
	person  context.Context //nolint:containedctx // ends where the person or the system stops the run, not where its time is up
}

// Run runs a task to its end: until the model has nothing more to do, a limit is reached, or the person stops
// it by cancelling ctx (see Interrupt). The session is there, resumable, whatever happens. The error says why a run failed or could not
// begin: Busy where another process runs the session, NotFound for what the task names, Conflict where there is nothing to go on with; or the
// model's. A run that stopped for a limit or a person is no error: see Result.Run.StopReason.
func (e *Engine) Run(ctx context.Context, task Task) (Result, error) {
	r, err := e.begin(ctx, &task)
	if err != nil {
		return Result{}, err
	}
	if err := r.arrive(ctx); err != nil {
		reason, err := r.broken(err)
		return r.end(ctx, reason, err)
	}
	inTime, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if limit := task.Budget.TimeoutMs; limit > 0 {
		timer := time.AfterFunc(time.Duration(limit)*time.Millisecond, func() { cancel(Interrupt{core.StopTimeout}) })
		defer timer.Stop()
	}
	reason, err := r.loop(inTime)
	return r.end(ctx, reason, err)
}

// Sweep marks the runs whose process is gone as interrupted, so that their sessions are shown so. It returns how many.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	running, err := e.Store.RunningRuns(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range running {
		if e.alive(running[i].Owner) {
			continue
		}
		if err := e.bury(ctx, &running[i]); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// bury ends a run whose process did not.
func (e *Engine) bury(ctx context.Context, dead *core.Run) error {
	if err := e.Store.EndRun(ctx, dead.ID, core.StatusInterrupted, core.StopTerminated, "the program ended before the run did"); err != nil {
		return err
	}
	return e.keepDrafts(ctx, dead.SessionID)
}

// begin claims the session and starts the run. Whatever is wrong with the task is found before anything is written but for a new session.
func (e *Engine) begin(ctx context.Context, task *Task) (*run, error) {
	session, created, err := e.session(ctx, task)
	if err != nil {
		return nil, err
	}
	if task.Aside {
		if task.From == "" {
			return nil, core.E(core.Invalid, "a run aside needs a message to continue from")
		}
		task.Mode = core.ModePlan
	}
	r := &run{Engine: e, task: task, session: session, created: created, person: ctx}
	if r.others, err = e.claim(ctx, session.ID, task); err != nil {
		return nil, err
	}
	r.row = core.Run{
		ID: core.NewID(e.Now()), SessionID: session.ID, Agent: task.AgentName, Model: task.ModelRef, BaseURL: task.BaseURL, Mode: task.Mode,
		WorkspacePath: task.WorkspacePath, Budget: task.Budget, Owner: e.Owner, Status: core.StatusRunning, StartedAtMs: e.Now(),
	}
	if task.Aside {
		r.row.Lane = 1
	}
	r.equip(task.Tools)
	if err := r.check(ctx); err != nil {
		return nil, err
	}
	return r, r.start(ctx)
}

// session finds the session that is to grow, or makes it.
func (e *Engine) session(ctx context.Context, task *Task) (s core.Session, created bool, err error) {
	if task.SessionID != "" {
		s, err = e.Store.Session(ctx, task.SessionID)
		return s, false, err
	}
	if len(task.Prompt) == 0 {
		return s, false, core.E(core.Invalid, "a new session needs a task")
	}
	s, err = e.Store.CreateSession(ctx, core.Session{
		Name: task.Name, Agent: task.AgentName, Model: task.ModelRef, WorkspacePath: task.WorkspacePath,
	})
	return s, true, err
}

// claim makes sure that nobody else runs a session, but for runs of this process that go on beside the new one: it returns their ids. A
// run whose process is gone is ended here.
func (e *Engine) claim(ctx context.Context, sessionID string, task *Task) (map[string]bool, error) {
	running, err := e.Store.RunningRuns(ctx)
	if err != nil {
		return nil, err
	}
	beside := map[string]bool{}
	for i := range running {
		other := &running[i]
		switch {
		case other.SessionID != sessionID:
		case !e.alive(other.Owner), task.TakeOver && other.Owner.Host != e.Owner.Host:
			if err := e.bury(ctx, other); err != nil {
				return nil, err
			}
		case other.Owner == e.Owner && (task.Aside || other.Lane > 0):
			beside[other.ID] = true
		default:
			return nil, busy(other, e.Owner.Host)
		}
	}
	return beside, nil
}

func busy(other *core.Run, here string) error {
	since := time.UnixMilli(other.StartedAtMs).Format("15:04:05")
	if other.Owner.Host != here {
		return core.E(core.Busy, "session %s is being continued on %s since %s", other.SessionID, other.Owner.Host, since).
			WithHint("if that machine is off, continue with --take-over")
	}
	return core.E(core.Busy, "session %s is being continued by process %d since %s", other.SessionID, other.Owner.PID, since).
		WithHint("wait until it ends, or stop it there")
}

// check says whether the session can go on from where the task wants.
func (r *run) check(ctx context.Context) error {
	if r.created || r.task.Root || len(r.task.Prompt) > 0 && r.task.From == "" {
		return nil
	}
	path, err := r.Store.Conversation(ctx, r.row.SessionID, r.task.From)
	if err != nil || len(r.task.Prompt) > 0 {
		return err
	}
	return r.mayGoOn(path)
}

// start writes that the run begins, which only one process can.
func (r *run) start(ctx context.Context) (err error) {
	if r.approvals, err = r.Store.Approvals(ctx, r.row.SessionID, r.row.WorkspacePath); err != nil {
		return err
	}
	r.row, err = r.Store.StartRun(ctx, r.row)
	if core.CodeOf(err) == core.Conflict { // another process was faster
		if _, claimed := r.claim(ctx, r.row.SessionID, &Task{}); claimed != nil {
			return claimed
		}
	}
	if err != nil {
		return err
	}
	r.tell(Event{Type: EventStarted})
	for _, notice := range r.task.Notices {
		r.tell(Event{Type: EventNotice, Text: notice})
	}
	return nil
}

// equip takes the tools that the model is told of.
func (r *run) equip(tools []Tool) {
	r.tools, r.specs = make(map[string]Tool, len(tools)), make([]core.ToolSpec, 0, len(tools))
	for _, tool := range tools {
		spec := tool.Spec()
		r.tools[spec.Name] = tool
		r.specs = append(r.specs, spec)
	}
}

// arrive finishes what a former run left, goes to where the task wants to continue, and says what the person says.
func (r *run) arrive(ctx context.Context) error {
	var path []core.Message
	var err error
	if !r.created {
		if path, err = r.recover(ctx); err != nil {
			return err
		}
	}
	r.head = ""
	if len(path) > 0 {
		r.head = path[len(path)-1].UID
	}
	if r.context = replayable(path); r.task.Summary && len(path) > 0 {
		if err := r.summarise(ctx, path); err != nil {
			return err
		}
	}
	if word, said := firstWord(r.task, r.context); said {
		return r.say(ctx, word)
	}
	return nil
}

// firstWord is what is said to the model before it is first called; said is false where the conversation ends so that there is something
// to answer.
func firstWord(task *Task, conversation []core.Message) (word core.Message, said bool) {
	n := len(conversation)
	switch {
	case len(task.Prompt) > 0:
		return core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: task.Prompt, Meta: core.CitingMeta(task.Cites)}, true
	case n == 0 || conversation[n-1].Role == core.RoleAssistant:
		return instruction("[SYSTEM] The work was stopped here. Continue the task from where it left off."), true
	default:
		return core.Message{}, false
	}
}

// mayGoOn says whether there is anything to do without a word of the person.
func (r *run) mayGoOn(path []core.Message) error {
	if len(path) == 0 {
		return core.E(core.Conflict, "session %s has no messages to continue from", r.row.SessionID).WithHint("give a task")
	}
	last := &path[len(path)-1]
	answered := last.Role == core.RoleAssistant && last.FinishReason != core.FinishAborted && last.FinishReason != core.FinishError && len(callsOf(last)) == 0
	if done := r.session.Status == core.StatusSuccess || r.session.Status == core.StatusIdle; answered && done && r.task.From == "" {
		return core.E(core.Conflict, "session %s is complete: the model has answered", r.row.SessionID).WithHint("give a further task")
	}
	return nil
}

// summarise lets the model know of the path by a summary only, from here on.
func (r *run) summarise(ctx context.Context, path []core.Message) error {
	written, err := r.append(ctx, compaction(path))
	if err != nil {
		return err
	}
	r.context = replayable([]core.Message{written})
	return nil
}

// compaction is the message that stands for a path from then on.
func compaction(path []core.Message) core.Message {
	return core.Message{Role: core.RoleUser, Kind: core.KindCompaction, Parts: []core.Part{{Type: core.PartSummary, Text: Summary(path)}}}
}

// instruct puts a word of the engine into the conversation.
func (r *run) instruct(ctx context.Context, text string) error {
	return r.say(ctx, instruction(text))
}

func instruction(text string) core.Message {
	return core.Message{Role: core.RoleUser, Kind: core.KindMeta, Parts: []core.Part{{Type: core.PartText, Text: text}}}
}

// say writes a message that no model made and shows it to the model.
func (r *run) say(ctx context.Context, m core.Message) error {
	written, err := r.append(ctx, m)
	if err != nil {
		return err
	}
	for i, p := range m.Parts { // the store moves bytes and long texts away
		if p.Media != nil || written.Parts[i].Truncated != nil {
			written.Parts = m.Parts
			break
		}
	}
	r.context = replayable(append(slices.Clip(r.context), written))
	return nil
}

func (r *run) append(ctx context.Context, m core.Message) (core.Message, error) {
	m.ParentUID, m.CreatedAtMs, m.Agent = r.head, r.Now(), r.row.Agent
	written, err := r.Store.AppendInput(ctx, r.row.ID, m)
	if err != nil {
		return written, err
	}
	r.wrote(&written)
	return written, nil
}

// wrote tells of a message that is on the disk; the next one hangs on it.
func (r *run) wrote(m *core.Message) {
	r.head = m.UID
	r.tell(Event{Type: EventMessage, Message: m})
}

func (r *run) tell(e Event) {
	if r.task.Observe == nil {
		return
	}
	r.telling.Lock() // calls that only read run side by side
	defer r.telling.Unlock()
	if e.Exec != nil {
		now := *e.Exec
		e.Exec = &now
	}
	e.SessionID, e.RunID, e.Run = r.row.SessionID, r.row.ID, r.row
	r.task.Observe(e)
}

// end writes how the run ended.
func (r *run) end(ctx context.Context, reason core.StopReason, cause error) (Result, error) {
	lasting := context.WithoutCancel(ctx)
	why := ""
	if cause != nil {
		why = cause.Error()
	}
	r.row.Status, r.row.StopReason, r.row.Error, r.row.EndedAtMs = reason.Status(), reason, why, r.Now()
	if err := r.Store.EndRun(lasting, r.row.ID, r.row.Status, reason, why); err != nil {
		return Result{SessionID: r.row.SessionID, Run: r.row}, errors.Join(cause, err)
	}
	session, err := r.Store.Session(lasting, r.row.SessionID)
	if err != nil {
		return Result{SessionID: r.row.SessionID, Run: r.row}, errors.Join(cause, err)
	}
	if r.answer == "" {
		r.answer = fmt.Sprintf("The agent stopped (%s). Steps completed: %d.", reason, r.row.StepCount)
	}
	r.tell(Event{Type: EventEnded, Err: cause})
	return Result{SessionID: r.row.SessionID, Run: r.row, Answer: r.answer, FilesModified: session.FilesModified}, cause
}
