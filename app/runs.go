package app

import (
	"context"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render"
)

// runs are the runs that this window has started. Several sessions may run at once. It is safe for concurrent use.
type runs struct {
	changes *changes
	render  *render.Renderer
	notify  func(sessionID, what string) // tells a person who looks elsewhere

	mu    sync.Mutex
	lives map[string]*liveRun // by session; the last one of each
	going sync.WaitGroup
}

func newRuns(c *changes, r *render.Renderer, notify func(sessionID, what string)) *runs {
	return &runs{changes: c, render: r, notify: notify, lives: map[string]*liveRun{}}
}

// runKey names the run of a session in changes.
func runKey(sessionID string) string { return "run:" + sessionID }

// start begins a task and returns when it has begun, or why it could not. Closing releases what the task holds when it is over.
func (r *runs) start(ctx context.Context, e *engine.Engine, prepare func(*liveRun) (engine.Task, func(), error)) (StartedRun, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	live := newLiveRun(r.render, cancel)
	live.tell = func() { r.changes.tell(runKey(live.session())) }
	live.asks = func(title string) { r.notify(live.session(), "Waits for you: "+title) }
	task, release, err := prepare(live)
	if err != nil {
		release()
		cancel(nil)
		return StartedRun{}, err
	}
	task.Observe = func(event engine.Event) { r.observe(live, event) }
	task.Steer = live.steer
	failed := make(chan error, 1)
	r.going.Go(func() {
		defer cancel(nil)
		defer release()
		var result engine.Result
		err := guarded(func() (err error) {
			result, err = e.Run(ctx, task)
			return err
		})
		live.end(result, err)
		failed <- err
		r.changes.tell(changedLibrary)
		if id := live.session(); id != "" {
			r.changes.tell(id)
			run := live.since(0, 0).Run
			r.notify(id, "The run has ended: "+endWords(run, time.Duration(run.EndedAtMs-run.StartedAtMs)*time.Millisecond))
		}
	})
	select {
	case <-live.started:
		return StartedRun{SessionID: live.session(), RunID: live.since(0, 0).Run.ID}, nil
	case err := <-failed:
		if err == nil { // it was over before it could be seen to begin
			return StartedRun{SessionID: live.session(), RunID: live.since(0, 0).Run.ID}, nil
		}
		return StartedRun{}, err
	}
}

// observe passes on what happens in a run.
func (r *runs) observe(live *liveRun, e engine.Event) {
	if e.Type == engine.EventStarted {
		r.mu.Lock()
		r.lives[e.SessionID] = live
		r.mu.Unlock()
	}
	live.observe(e)
	if e.Type == engine.EventStarted || e.Type == engine.EventMessage {
		r.changes.tell(changedLibrary)
		r.changes.tell(e.SessionID)
	}
}

// of returns the last run of a session; nil where this window has had none.
func (r *runs) of(sessionID string) *liveRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lives[sessionID]
}

// going is one that still runs; NotFound where none does.
func (r *runs) running(sessionID string) (*liveRun, error) {
	live := r.of(sessionID)
	if live == nil || !live.isRunning() {
		return nil, core.E(core.NotFound, "session %s is not being run by this window", sessionID)
	}
	return live, nil
}

// count is how many runs go on.
func (r *runs) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, live := range r.lives {
		if live.isRunning() {
			n++
		}
	}
	return n
}

// stopAll ends all runs and waits for their last words to be written.
func (r *runs) stopAll() {
	r.mu.Lock()
	for _, live := range r.lives {
		live.cancel(engine.Interrupt{Reason: core.StopTerminated})
	}
	r.mu.Unlock()
	r.going.Wait()
}

func (l *liveRun) session() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run.SessionID
}

func (l *liveRun) isRunning() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running
}
