package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// run is the state of an active run.
type run struct {
	*Engine
	task      *Task
	row       core.Run
	session   core.Session
	created   bool // the session is new
	approvals []core.Approval
	tools     map[string]Tool
	specs     []core.ToolSpec

	head      string          // the uid of the next message's parent
	context   []core.Message  // what the model is sent, see replayable
	spent     spending        // of the session's other runs
	others    map[string]bool // ids of the parallel runs of the session
	form      core.RequestForm
	hasher    core.RequestHasher
	resumed   core.ResumedFrom
	answer    string          // the last text of the model
	output    json.RawMessage // the value of an answer that satisfies the schema of the task
	corrected bool            // the model was asked for an answer that does
	refused   []Refusal
	recent    []string // signatures of the last steps, see isLooping
	emitting  sync.Mutex
	used      int64           // tokens of the context at the last step
	pause     int             // steps until the next automatic compaction after one that failed or saved too little
	reminders int             // how often the model was asked to continue
	userCtx   context.Context // ends when the user or the system stops the run, not when its time is up
}

// Run runs a task to its end: until the model has nothing more to do, a limit is reached, or the user stops it by
// cancelling ctx (see Interrupt). In any case the session is stored and can be resumed. The error is why a run failed
// or could not begin: Busy if another process runs the session, NotFound for what the task names, Conflict if there is
// nothing to continue; or the error of the model. A run that stopped because of a limit or the user is not an error:
// see Result.Run.StopReason.
func (e *Engine) Run(ctx context.Context, task Task) (Result, error) {
	if task.Compact {
		r, _, err := e.runCompaction(ctx, &task)
		return r, err
	}
	r, err := e.begin(ctx, &task)
	if err != nil {
		return Result{}, err
	}
	if err := r.prepare(ctx); err != nil {
		reason, err := r.broken(err)
		return r.end(ctx, reason, err)
	}
	inTime, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer r.limitTime(inTime, cancel)()
	reason, err := r.loop(inTime)
	if reason == core.StopDone && len(r.refused) > 0 {
		reason = core.StopRefused
	}
	return r.end(ctx, reason, err)
}

// Sweep marks the runs whose process has ended as interrupted, so that their sessions are shown as interrupted. It
// returns how many.
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
		if err := e.markInterrupted(ctx, &running[i]); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// markInterrupted ends a run whose process has ended without ending it.
func (e *Engine) markInterrupted(ctx context.Context, dead *core.Run) error {
	if err := e.Store.EndDeadRun(ctx, dead.ID, "the program ended before the run did"); err != nil {
		return err
	}
	return e.keepDrafts(ctx, dead.SessionID)
}

// begin claims the session and starts the run. It finds every error in the task before it writes anything except a new
// session.
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
	r := &run{Engine: e, task: task, session: session, created: created, resumed: task.ResumedFrom, userCtx: ctx}
	if r.others, err = e.claim(ctx, session.ID, task); err != nil {
		return nil, err
	}
	if task.Team != nil {
		if len(task.Prompt) > 0 {
			task.Team.State = core.TeamState{} // a prompt begins new work
		}
		task.Enter(task.Team.current())
	}
	r.row = e.newRun(task, session.ID)
	r.offer()
	if err := r.check(ctx); err != nil {
		return nil, err
	}
	if err := r.countUsed(ctx); err != nil {
		return nil, err
	}
	return r, r.start(ctx)
}

// newRun returns the row of a run that begins.
func (e *Engine) newRun(task *Task, sessionID string) core.Run {
	row := core.Run{
		ID: core.NewID(e.Now()), SessionID: sessionID, Agent: task.Agent.Name, Model: task.ModelRef, BaseURL: task.BaseURL, Mode: task.Mode,
		WorkspacePath: task.WorkspacePath, Budget: task.Budget, Owner: e.Owner, Status: core.StatusRunning, StartedAtMs: e.Now(),
	}
	if task.Aside {
		row.Lane = 1
	}
	if task.Wake != nil {
		row.WakeID = cmp.Or(task.Wake.ID, core.AnyWake)
	}
	return row
}

// session returns the session of the task, or creates it.
func (e *Engine) session(ctx context.Context, task *Task) (s core.Session, created bool, err error) {
	if task.SessionID != "" {
		s, err = e.Store.Session(ctx, task.SessionID)
		return s, false, err
	}
	if len(task.Prompt) == 0 {
		return s, false, core.E(core.Invalid, "a new session needs a task")
	}
	s = core.Session{Name: task.Name, Agent: task.Agent.Name, Model: task.ModelRef, WorkspacePath: task.WorkspacePath}
	if of := task.Child; of != nil {
		s.ID, s.ParentID, s.ParentUID, s.Relation = of.ID, of.ParentID, of.ParentUID, core.RelationSubagent
	}
	s, err = e.Store.CreateSession(ctx, s)
	return s, true, err
}

// claim ensures that no other process runs a session, and returns the ids of this process's runs that are parallel to
// the new one. It ends a run whose process has ended.
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
			if err := e.markInterrupted(ctx, other); err != nil {
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
			WithRemedy(core.TakeOver)
	}
	return core.E(core.Busy, "session %s is being continued by process %d since %s", other.SessionID, other.Owner.PID, since).
		WithHint("wait until it ends, or stop it there")
}

// check returns an error if the session cannot continue from the message that the task names.
func (r *run) check(ctx context.Context) error {
	if r.created || r.task.Root || len(r.task.Prompt) > 0 && r.task.From == "" {
		return nil
	}
	path, err := r.Store.ContextPath(ctx, r.row.SessionID, r.task.From)
	if core.CodeOf(err) == core.Corrupt {
		return nil // a summary of what is readable replaces it
	}
	if err != nil || len(r.task.Prompt) > 0 {
		return err
	}
	return r.mayContinue(path)
}

// start records that the run begins, which only one process can.
func (r *run) start(ctx context.Context) (err error) {
	if r.approvals, err = r.Store.Approvals(ctx, r.row.SessionID, r.row.WorkspacePath); err != nil {
		return err
	}
	state := r.state()
	r.row.State = &state
	r.row, err = r.Store.StartRun(ctx, r.row)
	if core.CodeOf(err) == core.Conflict { // another process was faster
		if _, claimed := r.claim(ctx, r.row.SessionID, &Task{}); claimed != nil {
			return claimed
		}
	}
	if err != nil {
		return err
	}
	r.emit(Event{Type: EventStarted})
	if r.task.Wake != nil {
		r.emit(Event{Type: EventNotice, Text: "woken: " + r.task.Wake.Reason})
	}
	for _, notice := range r.task.Notices {
		r.emit(Event{Type: EventNotice, Text: notice})
	}
	if notice := r.leftNotice(); notice != "" {
		r.emit(Event{Type: EventNotice, Text: notice})
	}
	return nil
}

// setTools sets the tools that the model is offered.
func (r *run) setTools(tools []Tool) {
	r.tools, r.specs = make(map[string]Tool, len(tools)), make([]core.ToolSpec, 0, len(tools))
	for _, tool := range tools {
		spec := tool.Spec()
		if compact, ok := jsontext.AppendCompact(nil, spec.Parameters); ok {
			spec.Parameters = compact // as the run state stores them, so that a rebuilt request has the same bytes
		}
		r.tools[spec.Name] = tool
		r.specs = append(r.specs, spec)
	}
}

// prepare finishes what an earlier run left, moves to the message to continue from, and adds the prompt.
func (r *run) prepare(ctx context.Context) error {
	var path []core.Message
	var err error
	if !r.created {
		if path, err = r.recover(ctx); core.CodeOf(err) == core.Corrupt {
			path, err = r.readable(ctx)
		}
		if err != nil {
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
	if err := r.addQueued(ctx); err != nil {
		return err
	}
	if first, ok := firstMessage(r.task, r.context); ok && (r.task.Team == nil || len(r.task.Prompt) > 0 || r.task.Wake != nil) { // startTeam does the rest
		return r.addMessage(ctx, first)
	}
	return nil
}

// firstMessage returns the message to send before the model is first called; ok is false if the conversation already
// ends with something to answer.
func firstMessage(task *Task, conversation []core.Message) (first core.Message, ok bool) {
	n := len(conversation)
	switch {
	case len(task.Prompt) > 0:
		return core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: task.Prompt, Meta: core.CitingMeta(task.Cites)}, true
	case task.Wake != nil:
		return instruction("[SYSTEM] The session was hibernated and continues now: " + task.Wake.Reason + ". Continue the task from where it left off."), true
	case n == 0 || conversation[n-1].Role == core.RoleAssistant:
		return instruction("[SYSTEM] The work was stopped here. Continue the task from where it left off."), true
	default:
		return core.Message{}, false
	}
}

// mayContinue returns an error if there is nothing to do without a prompt.
func (r *run) mayContinue(path []core.Message) error {
	if len(path) == 0 {
		return core.E(core.Conflict, "session %s has no messages to continue from", r.row.SessionID).WithHint("give a task")
	}
	last := &path[len(path)-1]
	for i := len(path) - 2; i >= 0; i-- { // a compaction that kept the newest messages is no question
		if _, keeps := last.Compaction(); !keeps {
			break
		}
		last = &path[i]
	}
	answered := last.Role == core.RoleAssistant && last.FinishReason != core.FinishAborted && last.FinishReason != core.FinishError && len(ownCalls(last)) == 0
	if done := r.session.Status == core.StatusSuccess || r.session.Status == core.StatusIdle; answered && done && r.task.From == "" {
		return core.E(core.Conflict, "session %s is complete: the model has answered", r.row.SessionID).WithHint("give a further task")
	}
	return nil
}

// summarise replaces the path by its summary in what the model is sent from here on.
func (r *run) summarise(ctx context.Context, path []core.Message) error {
	written, err := r.append(ctx, compaction(path))
	if err != nil {
		return err
	}
	r.resumed = core.ResumedSummary
	r.context = replayable([]core.Message{written})
	return nil
}

// compaction returns the message that replaces a path from then on.
func compaction(path []core.Message) core.Message {
	return core.Message{Role: core.RoleUser, Kind: core.KindCompaction, Parts: []core.Part{{Type: core.PartSummary, Text: Summary(path)}}}
}

// instruct adds an instruction of the engine to the conversation.
func (r *run) instruct(ctx context.Context, text string) error {
	return r.addMessage(ctx, instruction(text))
}

func instruction(text string) core.Message {
	return core.Message{Role: core.RoleUser, Kind: core.KindMeta, Parts: []core.Part{{Type: core.PartText, Text: text}}}
}

// closingPrefix begins the instruction that asks for a closing answer.
const closingPrefix = "[SYSTEM] The work stops here: "

// askToClose adds the instruction to end the work. It is valid for the next request only: a run that continues later must not find it, see
// sendable.
func (r *run) askToClose(ctx context.Context, why string) error {
	asked := instruction(closingPrefix + why + ". Do not call any tool. Summarize in a few sentences what is done, what is not, and what to do next.")
	if _, err := r.append(ctx, asked); err != nil {
		return err
	}
	r.context = joined(slices.Clip(r.context), asked)
	r.form.Closing = true
	return nil
}

// isClosing reports whether a message is an instruction of askToClose.
func isClosing(m *core.Message) bool {
	return m.Role == core.RoleUser && m.Kind == core.KindMeta && len(m.Parts) > 0 && strings.HasPrefix(m.Parts[0].Text, closingPrefix)
}

// addMessage writes a message that no model made and adds it to what the model is sent.
func (r *run) addMessage(ctx context.Context, m core.Message) error {
	written, err := r.append(ctx, m)
	if err != nil {
		return err
	}
	for i, p := range m.Parts { // the store replaces bytes and long texts by references
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
	r.advance(&written)
	return written, nil
}

// advance reports a message that is on disk; it is the parent of the next one.
func (r *run) advance(m *core.Message) {
	r.head = m.UID
	r.emit(Event{Type: EventMessage, Message: m})
}

func (r *run) emit(e Event) {
	if r.task.Observe == nil {
		return
	}
	r.emitting.Lock() // read-only calls run in parallel
	defer r.emitting.Unlock()
	if e.Exec != nil {
		now := *e.Exec
		e.Exec = &now
	}
	e.SessionID, e.RunID, e.Run = r.row.SessionID, r.row.ID, r.row
	e.ContextTokens, e.WindowTokens = r.used, r.task.Info.ContextTokens
	r.task.Observe(e)
}

// end records how the run ended.
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
	r.emit(Event{Type: EventEnded, Err: cause})
	return Result{SessionID: r.row.SessionID, Run: r.row, Answer: r.answer, Output: r.output, FilesModified: session.FilesModified, Refused: r.refused, ResumedFrom: r.resumed}, cause
}
