package live

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/internal/present"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/texts"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render"
)

// Notice is the reason of a notification.
type Notice int

// The reasons.
const (
	NoticeQuestion Notice = iota // a run waits for the user
	NoticeEnd                    // a run has ended, or could not start
)

// Runs holds the runs that this window has started. Several sessions may run at once. It is safe for concurrent use.
type Runs struct {
	changes *change.Notifier
	render  *render.Renderer
	notify  func(reason Notice, sessionID, what string) // sends a notification, unless the user looks at the window
	texts   func() texts.Texts                          // of the language on screen

	mu    sync.Mutex
	lives map[string][]*Run // the last runs of each session, by its id
	going sync.WaitGroup
}

// New returns the runs of a window, none of which has started.
func New(c *change.Notifier, r *render.Renderer, notify func(reason Notice, sessionID, what string), shown func() texts.Texts) *Runs {
	return &Runs{changes: c, render: r, notify: notify, texts: shown, lives: map[string][]*Run{}}
}

// Start starts a task and returns as soon as its run has started, or returns why it could not start. It calls the release
// function that prepare returned when the run has ended.
func (r *Runs) Start(ctx context.Context, e *engine.Engine, prepare func(*Run) (engine.Task, func(), error)) (Started, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	live := newRun(r.render, cancel)
	live.tell = func() { r.changes.Session(live.session(), change.Run) }
	live.asks = func(title string) {
		r.notify(NoticeQuestion, live.session(), texts.Fill(r.texts().RunWaits, "question", title))
	}
	task, release, err := prepare(live)
	if err != nil {
		release()
		cancel(nil)
		return Started{}, err
	}
	live.from = task.From
	also := task.Observe
	task.Observe = func(event engine.Event) {
		r.observe(live, event)
		if also != nil {
			also(event)
		}
	}
	task.Steer = live.steer
	failed := make(chan error, 1)
	r.going.Go(func() {
		defer cancel(nil)
		defer release()
		var result engine.Result
		err := guard.Run(func() (err error) {
			result, err = e.Run(ctx, task)
			return err
		})
		live.end(result, err)
		failed <- err
		if id := live.session(); id != "" {
			r.changes.Session(id, change.Messages, change.Head, change.Approvals)
			r.notify(NoticeEnd, id, ending(r.texts(), live.core()))
		}
	})
	select {
	case <-live.started:
		return Started{SessionID: live.session(), RunID: live.core().ID}, nil
	case err := <-failed:
		if err == nil { // it ended before the select saw it start
			return Started{SessionID: live.session(), RunID: live.core().ID}, nil
		}
		return Started{}, err
	}
}

// observe applies an event to a run and notifies the page.
func (r *Runs) observe(live *Run, e engine.Event) {
	if e.Type == engine.EventStarted {
		r.join(e.SessionID, live, e.Run.Lane)
	}
	live.observe(e)
	if e.Type == engine.EventStarted || e.Type == engine.EventMessage {
		r.changes.Session(e.SessionID, change.Messages, change.Head, change.Approvals)
	}
}

// join adds a run to those of its session. A run that moves the head removes the runs that have ended. A run that continues
// from where another one stopped replaces it.
func (r *Runs) join(sessionID string, live *Run, lane int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lives := r.lives[sessionID]
	if lane == 0 {
		lives = slices.DeleteFunc(slices.Clone(lives), func(one *Run) bool { return !one.isRunning() })
	} else if at := slices.IndexFunc(lives, func(one *Run) bool { return one.stoppedAt(live.from) }); at >= 0 {
		lives = slices.Clone(lives)
		lives[at] = live
		r.lives[sessionID] = lives
		return
	}
	r.lives[sessionID] = append(slices.Clip(lives), live)
}

// Of returns the run runID of a session. If runID is empty or unknown, of returns the run that moves the head, or else the
// first one. It returns nil if this window has not run the session.
func (r *Runs) Of(sessionID, runID string) *Run {
	lives := r.all(sessionID)
	if len(lives) == 0 {
		return nil
	}
	chosen := lives[0]
	for _, live := range lives {
		run := live.core()
		if run.ID == runID {
			return live
		}
		if run.Lane == 0 {
			chosen = live
		}
	}
	return chosen
}

// all returns the last runs of a session in the order they started.
func (r *Runs) all(sessionID string) []*Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lives[sessionID]
}

// Lanes returns the states of the runs of a session.
func (r *Runs) Lanes(sessionID string) []Lane {
	lanes := []Lane{}
	for _, live := range r.all(sessionID) {
		lanes = append(lanes, live.lane())
	}
	return lanes
}

// Running returns a run that has not ended, chosen as by of. It returns a NotFound error if the run has ended.
func (r *Runs) Running(sessionID, runID string) (*Run, error) {
	live := r.Of(sessionID, runID)
	if live == nil || !live.isRunning() || runID != "" && live.core().ID != runID {
		return nil, core.E(core.NotFound, "session %s is not being run by this window", sessionID)
	}
	return live, nil
}

// Stop stops a run of a session, or all of them if runID is empty. It returns a NotFound error if none is active.
func (r *Runs) Stop(sessionID, runID string) error {
	if runID != "" {
		live, err := r.Running(sessionID, runID)
		if err == nil {
			live.cancel(engine.Interrupt{Reason: core.StopUserInterrupt})
		}
		return err
	}
	stopped := false
	for _, live := range r.all(sessionID) {
		if live.isRunning() {
			stopped = true
			live.cancel(engine.Interrupt{Reason: core.StopUserInterrupt})
		}
	}
	if !stopped {
		return core.E(core.NotFound, "session %s is not being run by this window", sessionID)
	}
	return nil
}

// Count returns the number of active runs.
func (r *Runs) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, lives := range r.lives {
		for _, live := range lives {
			if live.isRunning() {
				n++
			}
		}
	}
	return n
}

// StopAll stops all runs and waits until their last messages are written.
func (r *Runs) StopAll() {
	r.mu.Lock()
	for _, lives := range r.lives {
		for _, live := range lives {
			live.cancel(engine.Interrupt{Reason: core.StopTerminated})
		}
	}
	r.mu.Unlock()
	r.going.Wait()
}

func (l *Run) session() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run.SessionID
}

func (l *Run) isRunning() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running
}

// ending returns how a run ended, what it cost if that is known, and how long it took.
func ending(t texts.Texts, run core.Run) string {
	words := []string{howEnded(t, run.Status)}
	if run.CostNanoUSD > 0 && run.UnpricedSteps == 0 {
		words = append(words, present.Money(&run.CostNanoUSD))
	}
	return strings.Join(append(words, present.Clock(time.Duration(run.EndedAtMs-run.StartedAtMs)*time.Millisecond)), " · ")
}

func howEnded(t texts.Texts, status core.Status) string {
	switch status {
	case core.StatusFailed:
		return t.RunFailed
	case core.StatusPartial:
		return t.RunStopped
	case core.StatusInterrupted:
		return t.RunInterrupted
	case core.StatusHibernated:
		return t.RunHibernated
	default:
		return t.RunDone
	}
}
