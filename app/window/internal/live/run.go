package live

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"coppice/app/internal/present"
	"coppice/app/window/internal/remedy"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lists"
	"coppice/backend/render"
	"coppice/backend/render/plain"
)

// NotifyEvery is the shortest time between two notifications of the page while an answer is being written: one frame.
const NotifyEvery = 16 * time.Millisecond

// keptNotices and shownOutput limit what a Run holds for the screen.
const (
	keptNotices = 20
	shownOutput = 6 // lines at the end of a call's output
)

// Run is a run of this window as the screen shows it. It does not hold messages that are already written to the session.
// It is safe for concurrent use.
type Run struct {
	tell    func()             // notifies the page of a change; called at most once a frame
	asks    func(title string) // notifies the user that a question waits
	render  *render.Renderer
	cleaner *plain.Cleaner
	cancel  context.CancelCauseFunc
	ended   chan struct{}
	started chan struct{} // closed when run is known
	from    string        // the message that the run continues from; empty: the head

	mu       sync.Mutex
	run      core.Run
	running  bool
	lastUID  string // of the last message written
	topUID   string // of the first answer of the run
	prompted bool   // it has written its prompt
	draftID  int64
	draft    *render.Live
	calls    []Call
	outputs  map[string]*plain.Running // of the calls, by their id
	question *pendingQuestion
	asked    int64
	notices  []string
	working  []string
	turn     string
	retry    string
	queue    []core.QueuedMessage // queued messages, each until it is written to the session
	taken    int                  // number of queued messages that the engine has taken
	failure  error
	pending  bool // a call of tell is scheduled
}

// pendingQuestion is a question that waits for the user's answer.
type pendingQuestion struct {
	Question
	answer chan Answer
}

func newRun(r *render.Renderer, cancel context.CancelCauseFunc) *Run {
	return &Run{
		render: r, cancel: cancel, running: true, draft: r.Live(), draftID: 1, started: make(chan struct{}), ended: make(chan struct{}),
		outputs: map[string]*plain.Running{}, cleaner: plain.NewCleaner(),
	}
}

// observe applies an event of the run to the state.
func (l *Run) observe(e engine.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.run = e.Run
	switch e.Type {
	case engine.EventStarted:
		close(l.started)
	case engine.EventDelta:
		l.retry = ""
		l.draft.Add(e.Delta)
	case engine.EventRetry:
		l.retry = e.Text + ": " + e.Err.Error()
		l.newDraft()
	case engine.EventMessage:
		l.newDraft()
		l.calls, l.lastUID = nil, e.Message.UID
		clear(l.outputs)
		l.found(e.Message)
		if l.taken > 0 && l.queue[0].UID == e.Message.UID {
			l.queue, l.taken = l.queue[1:], l.taken-1
		}
	case engine.EventToolBegins:
		l.calls = append(l.calls, Call{CallID: e.Exec.CallID, Name: e.Exec.Name, StartedAtMs: e.Exec.StartedAtMs, Running: true})
	case engine.EventToolEnds:
		for i := range l.calls {
			if l.calls[i].CallID == e.Exec.CallID {
				l.calls[i].Running, l.calls[i].Failed = false, e.Exec.Result.IsError
			}
		}
	case engine.EventTurn:
		l.working, l.turn = e.Agents, ""
		if len(e.Agents) != 1 || e.Text != e.Agents[0] {
			l.turn = e.Text
		}
	case engine.EventNotice:
		l.notices = append(l.notices, e.Text)
		l.notices = l.notices[max(0, len(l.notices)-keptNotices):]
	case engine.EventQuestion, engine.EventAnswered, engine.EventTotals, engine.EventEnded:
	}
	l.changed()
}

// Outcome returns the last notice of a run that has ended, or its error.
func (l *Run) Outcome() (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure != nil || len(l.notices) == 0 {
		return "", l.failure
	}
	return l.notices[len(l.notices)-1], nil
}

// found stores the parent of the run's messages: the prompt that the run wrote first, or the message that it continues from.
func (l *Run) found(m *core.Message) {
	if l.topUID != "" {
		return
	}
	if m.Role == core.RoleAssistant {
		l.topUID, l.from = m.UID, m.ParentUID
	} else if m.IsPrompt() && !l.prompted {
		l.from, l.prompted = m.UID, true
	}
}

// Output adds to the output of a call that runs.
func (l *Run) Output(callID, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.calls, func(c Call) bool { return c.CallID == callID })
	if i < 0 {
		return
	}
	if l.outputs[callID] == nil {
		l.outputs[callID] = &plain.Running{}
	}
	l.outputs[callID].Add(text)
	l.calls[i].Output = strings.Join(l.outputs[callID].Lines(l.cleaner, shownOutput), "\n")
	l.changed()
}

// newDraft starts an empty draft for the next answer. The previous one has been written or discarded.
func (l *Run) newDraft() {
	l.draftID++
	l.draft = l.render.Live()
}

// changed notifies the page within a frame.
func (l *Run) changed() {
	if l.pending {
		return
	}
	l.pending = true
	time.AfterFunc(NotifyEvery, func() {
		l.mu.Lock()
		l.pending = false
		l.mu.Unlock()
		l.tell()
	})
}

// end stores the result of the run.
func (l *Run) end(result engine.Result, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if result.Run.ID != "" {
		l.run = result.Run
	}
	l.running, l.failure, l.question, l.retry = false, err, nil, ""
	l.calls = nil
	l.newDraft()
	close(l.ended)
	l.changed()
}

// Ended returns a channel that is closed when the run has ended.
func (l *Run) Ended() <-chan struct{} { return l.ended }

// Since returns the state of the run. Its blocks are those of the answer being written that have changed since the revision
// of the draft that the page knows.
func (l *Run) Since(draftID, revision int64) State {
	l.mu.Lock()
	defer l.mu.Unlock()
	if draftID != l.draftID {
		revision = 0
	}
	blocks, at := l.draft.Since(revision)
	state := State{
		SessionID: l.run.SessionID, Running: l.running, Run: l.run, LastUID: l.lastUID, DraftID: l.draftID, Revision: at, Blocks: blocks,
		Calls: slices.Clone(lists.NonNil(l.calls)), Notices: slices.Clone(lists.NonNil(l.notices)), Working: slices.Clone(lists.NonNil(l.working)), Turn: l.turn, Retry: l.retry, Queue: []string{}, Questions: []Question{}, Lanes: []Lane{},
	}
	for _, said := range l.queue {
		state.Queue = append(state.Queue, present.Text(said.Parts))
	}
	if l.question != nil {
		state.Questions = append(state.Questions, l.question.Question)
	}
	if l.failure != nil {
		state.Error, state.Hint, state.ErrorCode = l.failure.Error(), remedy.Hint(l.failure), core.CodeOf(l.failure)
	}
	return state
}

// core returns the run as of the engine's last event.
func (l *Run) core() core.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run
}

// lane returns the state of the run as a lane of its session.
func (l *Run) lane() Lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Lane{
		RunID: l.run.ID, Number: l.run.Lane, Model: l.run.Model, Running: l.running, Waits: l.question != nil, Status: l.run.Status,
		FromUID: l.from, TopUID: l.topUID, TipUID: cmp.Or(l.lastUID, l.from),
	}
}

// stoppedAt reports whether the run does not move the head, has ended, and wrote the message uid last.
func (l *Run) stoppedAt(uid string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.running && l.run.Lane > 0 && l.lastUID == uid && uid != ""
}

// ask shows a question and waits for its answer.
func (l *Run) ask(ctx context.Context, q Question) (Answer, error) {
	l.mu.Lock()
	l.asked++
	q.ID = l.asked
	pending := &pendingQuestion{Question: q, answer: make(chan Answer, 1)}
	l.question = pending
	l.changed()
	l.mu.Unlock()
	l.asks(q.Title)
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.question = nil
		l.changed()
	}()
	select {
	case answer := <-pending.answer:
		return answer, nil
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
}

// Answer delivers the answer to a question. It returns a Conflict error if the question is no longer open.
func (l *Run) Answer(id int64, answer Answer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.question == nil || l.question.ID != id {
		return core.E(core.Conflict, "this question has been answered already")
	}
	select {
	case l.question.answer <- answer:
		return nil
	default:
		return core.E(core.Conflict, "this question has been answered already")
	}
}

// push queues a message that is in the library. It reports false if the run has ended.
func (l *Run) push(said core.QueuedMessage) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running {
		l.queue = append(l.queue, said)
		l.changed()
	}
	return l.running
}

// steer returns the queued messages that the engine has not taken yet. They stay in the queue until they are written,
// because the run may end before that.
func (l *Run) steer() []core.QueuedMessage {
	l.mu.Lock()
	defer l.mu.Unlock()
	said := slices.Clone(l.queue[l.taken:])
	l.taken = len(l.queue)
	return said
}

// Permit implements engine.Task.Ask with a question on the screen.
func (l *Run) Permit(ctx context.Context, q engine.Question) (engine.Answer, error) {
	title, preview := present.Question(&q)
	kind := questionPermit
	if q.Gate {
		kind = questionGate
	}
	answer, err := l.ask(ctx, Question{
		Kind: kind, CallID: q.Call.ID, ToolName: q.Call.Name, Title: title, Preview: preview, Risk: q.Access.Risk,
		Targets: lists.NonNil(q.Access.Targets), Wider: engine.Coverage(&q.Access),
		InWorkspace: q.Access.NamesFiles(), Sandbox: q.Access.Sandbox,
	})
	if err != nil {
		return engine.Answer{}, err
	}
	out := engine.Answer{Decision: core.DecisionDeny, Scope: answer.Scope, Wide: answer.Wide, Reason: answer.Text}
	if answer.Allow {
		out.Decision = core.DecisionAllow
	}
	return out, nil
}

// answered describes a message of a model or of an agent of a team.
func answered(m *core.Message) string {
	return cmp.Or(m.Agent, "The model") + " has answered"
}

// Review implements engine.Task.Review with a question on the screen.
func (l *Run) Review(ctx context.Context, m core.Message) (engine.Review, error) {
	answer, err := l.ask(ctx, Question{Kind: questionReview, Title: answered(&m), Targets: []string{}, Wider: []string{}})
	return engine.Review{Quit: err == nil && !answer.Allow, Text: answer.Text, Cites: answer.Cites}, err
}
