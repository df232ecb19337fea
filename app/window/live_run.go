package window

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"coppice/app/internal/present"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render"
)

// tellEvery is how often the window hears of an answer that is being written: once a frame.
const tellEvery = 16 * time.Millisecond

// keptNotices and keptOutput bound what is held of a run for the screen.
const (
	keptNotices = 20
	keptOutput  = 8 << 10 // bytes of a call's output, the last ones
)

// liveRun is a run of this window as the screen shows it: what is written to the session already is not repeated
// here. It is safe for concurrent use.
type liveRun struct {
	tell    func()             // says that something changed; called at most once a frame
	asks    func(title string) // says that a question waits
	render  *render.Renderer
	cancel  context.CancelCauseFunc
	ended   chan struct{}
	started chan struct{} // closed when run is known
	from    string        // the message it was asked to go on from; empty: the head

	prompted chan string // the uid of the prompt, once that is written; holds one

	mu       sync.Mutex
	run      core.Run
	running  bool
	lastUID  string // of the messages written
	topUID   string // of the first answer
	draftID  int64
	draft    *render.Live
	calls    []LiveCall
	question *pendingQuestion
	asked    int64
	notices  []string
	retry    string
	queue    []engine.Said // said by the person; it leaves when it is a message
	handed   int           // so many of the queue the engine has taken
	failure  error
	pending  bool // tell is on its way
}

// pendingQuestion is a question that waits for the person.
type pendingQuestion struct {
	LiveQuestion
	answer chan LiveAnswer
}

func newLiveRun(r *render.Renderer, cancel context.CancelCauseFunc) *liveRun {
	return &liveRun{
		render: r, cancel: cancel, running: true, draft: r.Live(), draftID: 1, started: make(chan struct{}), ended: make(chan struct{}),
		prompted: make(chan string, 1),
	}
}

// observe takes what happens in the run.
func (l *liveRun) observe(e engine.Event) {
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
		l.found(e.Message)
		if l.handed > 0 && e.Message.IsPrompt() && e.Message.Name == "" { // what is said to a review has a name
			l.queue, l.handed = l.queue[1:], l.handed-1
		}
	case engine.EventToolBegins:
		l.calls = append(l.calls, LiveCall{CallID: e.Exec.CallID, Name: e.Exec.Name, StartedAtMs: e.Exec.StartedAtMs, Running: true})
	case engine.EventToolEnds:
		for i := range l.calls {
			if l.calls[i].CallID == e.Exec.CallID {
				l.calls[i].Running, l.calls[i].Failed = false, e.Exec.Result.IsError
			}
		}
	case engine.EventNotice:
		l.notices = append(l.notices, e.Text)
		l.notices = l.notices[max(0, len(l.notices)-keptNotices):]
	case engine.EventQuestion, engine.EventAnswered, engine.EventTotals, engine.EventEnded:
	}
	l.changed()
}

// found notes where the run's messages hang: below the prompt that it wrote first, else below what it was asked to go on from.
func (l *liveRun) found(m *core.Message) {
	if l.topUID != "" {
		return
	}
	if m.Role == core.RoleAssistant {
		l.topUID, l.from = m.UID, m.ParentUID
	} else if m.IsPrompt() && len(l.prompted) == 0 {
		l.from = m.UID
		l.prompted <- m.UID
	}
}

// output takes what a call printed.
func (l *liveRun) output(callID, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.calls {
		if l.calls[i].CallID == callID {
			all := l.calls[i].Output + text
			l.calls[i].Output = all[max(0, len(all)-keptOutput):]
		}
	}
	l.changed()
}

// newDraft begins the next answer; what the former one showed is written, or void.
func (l *liveRun) newDraft() {
	l.draftID++
	l.draft = l.render.Live()
}

// changed tells the window, a frame later at most.
func (l *liveRun) changed() {
	if l.pending {
		return
	}
	l.pending = true
	time.AfterFunc(tellEvery, func() {
		l.mu.Lock()
		l.pending = false
		l.mu.Unlock()
		l.tell()
	})
}

// end says that the run is over.
func (l *liveRun) end(result engine.Result, err error) {
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

// since returns how the run stands. Blocks are those of the answer being written that have changed after the
// revision of the draft that the window knows.
func (l *liveRun) since(draftID, revision int64) LiveRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	if draftID != l.draftID {
		revision = 0
	}
	blocks, at := l.draft.Since(revision)
	state := LiveRun{
		SessionID: l.run.SessionID, Running: l.running, Run: l.run, LastUID: l.lastUID, DraftID: l.draftID, Revision: at, Blocks: blocks,
		Calls: slices.Clone(lists.NonNil(l.calls)), Notices: slices.Clone(lists.NonNil(l.notices)), Retry: l.retry, Queue: []string{}, Questions: []LiveQuestion{}, Lanes: []Lane{},
	}
	for _, said := range l.queue {
		state.Queue = append(state.Queue, present.Text(said.Parts))
	}
	if l.question != nil {
		state.Questions = append(state.Questions, l.question.LiveQuestion)
	}
	if l.failure != nil {
		state.Error, state.Hint, state.ErrorCode = l.failure.Error(), core.HintOf(l.failure), core.CodeOf(l.failure)
	}
	return state
}

// core is the run as the engine tells of it.
func (l *liveRun) core() core.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run
}

// prompt waits until the run has written what the person says, and returns the uid; empty where it ends before.
func (l *liveRun) prompt() string {
	select {
	case uid := <-l.prompted:
		return uid
	case <-l.ended:
	}
	select { // both may have happened
	case uid := <-l.prompted:
		return uid
	default:
		return ""
	}
}

// lane tells how the run stands among those beside it.
func (l *liveRun) lane() Lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Lane{
		RunID: l.run.ID, Number: l.run.Lane, Model: l.run.Model, Running: l.running, Waits: l.question != nil, Status: l.run.Status,
		FromUID: l.from, TopUID: l.topUID, TipUID: cmp.Or(l.lastUID, l.from),
	}
}

// stoppedAt says whether the run stands beside the one that moves the head and is over, with a message as its last one.
func (l *liveRun) stoppedAt(uid string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.running && l.run.Lane > 0 && l.lastUID == uid && uid != ""
}

// ask puts a question on the screen and waits for its answer.
func (l *liveRun) ask(ctx context.Context, q LiveQuestion) (LiveAnswer, error) {
	l.mu.Lock()
	l.asked++
	q.ID = l.asked
	pending := &pendingQuestion{LiveQuestion: q, answer: make(chan LiveAnswer, 1)}
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
		return LiveAnswer{}, context.Cause(ctx)
	}
}

// answer gives a question its answer; Conflict where it has one, or nobody asks any more.
func (l *liveRun) answer(id int64, answer LiveAnswer) error {
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

// say queues what the person says until the model can hear it; false where the run is over.
func (l *liveRun) say(said engine.Said) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running {
		l.queue = append(l.queue, said)
		l.changed()
	}
	return l.running
}

// steer hands over what was said. It stays in the queue until it is written: a run may end before that.
func (l *liveRun) steer() []engine.Said {
	l.mu.Lock()
	defer l.mu.Unlock()
	said := slices.Clone(l.queue[l.handed:])
	l.handed = len(l.queue)
	return said
}

// permit is engine.Task.Ask for the screen.
func (l *liveRun) permit(ctx context.Context, q engine.Question) (engine.Answer, error) {
	title, preview := present.Question(&q)
	answer, err := l.ask(ctx, LiveQuestion{
		Kind: questionPermit, CallID: q.Call.ID, ToolName: q.Call.Name, Title: title, Preview: preview, Risk: q.Access.Risk,
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

// review is engine.Task.Review for the screen.
func (l *liveRun) review(ctx context.Context, m core.Message) (engine.Review, error) {
	answer, err := l.ask(ctx, LiveQuestion{Kind: questionReview, Title: "The model has answered", Targets: []string{}, Wider: []string{}})
	return engine.Review{Quit: err == nil && !answer.Allow, Text: answer.Text, Cites: answer.Cites}, err
}
