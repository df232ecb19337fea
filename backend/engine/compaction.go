package engine

import (
	"context"
	"errors"
	"strings"

	"coppice/backend/compact"
	"coppice/backend/core"
	"coppice/backend/team"
)

const (
	// fullPercent is how much of a model's context window may be used, in hundredths: the answer needs the rest.
	fullPercent = 95
	// shrinkPercent is the size that the messages must not exceed after the provider refused them, in hundredths of what was refused.
	shrinkPercent = 75
	// compactionPause is how many steps pass after a compaction that failed or saved too little, before the next one is tried.
	compactionPause = 10
)

// Summarizer is a model that writes summaries.
type Summarizer struct {
	Ref   string // PROVIDER/MODEL
	Model Model
	Info  core.ModelInfo
}

// contextSize returns the size of the next request: as the provider counted it, if it did, except for what was added since.
func (r *run) contextSize() compact.Size {
	size := compact.SizeOf(r.context).Plus(r.fixedSize())
	for i := range r.context {
		if u := r.context[i].Usage; u != nil && u.InputTokens > 0 {
			size.Tokens = contextTokens(r.context)
			break
		}
	}
	return size
}

func (r *run) fixedSize() compact.Size { return compact.FixedSize(r.task.System, r.specs) }

// fit compacts the context if a trigger is due. The reason is context_full if the context does not fit the model's window even
// so; why is for the user and the model. A compaction that fails or saves too little changes nothing.
func (r *run) fit(ctx context.Context) (reason core.StopReason, why string, err error) {
	size, window := r.contextSize(), r.task.Info.ContextTokens
	if trigger := compact.Due(&r.task.Context, window, size, r.fixedSize(), compact.Turns(r.turns())); trigger != "" && r.pause == 0 {
		if _, err := r.compact(ctx, compact.Input{Plan: r.task.Context, Why: trigger}); err != nil {
			if isStop(err) || core.CodeOf(err) == core.Internal {
				return "", "", err
			}
			r.pause = compactionPause
			r.emit(Event{Type: EventNotice, Text: "context not compacted: " + err.Error()})
		}
	} else if r.pause > 0 {
		r.pause--
	}
	full := window * fullPercent / 100
	if r.used = r.contextSize().Tokens; window == 0 || r.used < full {
		return "", "", nil
	}
	if r.compacts() {
		err := r.shrink(ctx, core.E(core.ContextOverflow, "the model's context is full"))
		if r.used = r.contextSize().Tokens; err == nil && r.used < full {
			return "", "", nil
		}
		if isStop(err) {
			return "", "", err
		}
	}
	return core.StopContextFull, "the model's context is full: " + r.excess(full), nil
}

// compacts reports whether the plan of the run compacts contexts.
func (r *run) compacts() bool {
	return r.task.Context.Strategy != "" && r.task.Context.Strategy != core.CompactNone
}

// shrink compacts a context that is too long for the model. It returns cause, with what does not fit, if that is not possible.
func (r *run) shrink(ctx context.Context, cause error) error {
	if !r.compacts() || r.form.Context == core.ContextSummary {
		return cause
	}
	fixed := r.fixedSize()
	in := compact.Input{Plan: r.task.Context, Why: core.WhyOverflow, LimitTokens: fixed.Tokens + compact.SizeOf(r.context).Tokens*shrinkPercent/100}
	if window := r.task.Info.ContextTokens; window > 0 {
		in.LimitTokens = min(in.LimitTokens, compact.WindowLimit(window, fixed))
	}
	in.LimitTokens = max(in.LimitTokens, 1)
	_, err := r.compact(ctx, in)
	if err != nil && !isStop(err) && in.Plan.Strategy == core.CompactLLM {
		r.emit(Event{Type: EventNotice, Text: "context not compacted by a model: " + err.Error()})
		in.Plan.Strategy = core.CompactCodeAware
		_, err = r.compact(ctx, in)
	}
	if err != nil && !isStop(err) && core.CodeOf(err) != core.Internal {
		return core.E(core.ContextOverflow, "%s: %s", strings.TrimSuffix(cause.Error(), "."), r.excess(in.LimitTokens))
	}
	return err
}

// excess names what is too large in a context that does not fit.
func (r *run) excess(limitTokens int64) string {
	newest := len(r.context) - 1
	for newest > 0 && r.context[newest].Role == core.RoleTool {
		newest--
	}
	return compact.Excess(r.fixedSize(), r.context[max(newest, 0):], limitTokens)
}

// compact replaces the old part of the context, and reports it. The error is Conflict if nothing is worth it.
func (r *run) compact(ctx context.Context, in compact.Input) (core.Compaction, error) {
	path, err := r.pathToCompact(ctx)
	if err != nil {
		return core.Compaction{}, err
	}
	in.Path, in.WindowTokens, in.Fixed, in.Sent = r.compactable(path), r.task.Info.ContextTokens, r.fixedSize(), replayable
	result, err := compact.Compact(in)
	if err == nil && result.Request != nil {
		result, err = r.summary(ctx, result)
	}
	if err != nil {
		return core.Compaction{}, err
	}
	m := result.Message
	written, err := r.append(ctx, m)
	if err != nil {
		return core.Compaction{}, err
	}
	if m.Usage != nil || m.CostNanoUSD != nil {
		r.charge(&m)
		r.emit(Event{Type: EventTotals})
	}
	written.Parts = m.Parts
	state := r.state()
	r.context = contextOf(append(path, written), &state)
	c, _ := m.Compaction()
	r.emit(Event{Type: EventNotice, Text: c.Notice()})
	return c, nil
}

// pathToCompact returns the conversation that a compaction is made from. An agent of a team needs no more than its context: its former
// compaction has the sums of what it replaced.
func (r *run) pathToCompact(ctx context.Context) ([]core.Message, error) {
	if r.task.Team == nil {
		return r.path(ctx)
	}
	path, err := r.pathOfAgent(ctx)
	if err != nil {
		return nil, err
	}
	seen := r.seen(path)
	for i := len(seen) - 1; i >= 0; i-- {
		if c, ok := seen[i].Compaction(); ok && c.Replaced != nil && c.CoveredMessages > 0 {
			return path, nil
		} else if seen[i].Kind == core.KindCompaction {
			break
		}
	}
	return r.path(ctx)
}

// compactable returns a path as the agent sees it, with what compactions count as its turns.
func (r *run) compactable(path []core.Message) []core.Message {
	if r.task.Team == nil {
		return path
	}
	return team.Blocks(r.seen(path))
}

// turns returns the context with what compactions count as its turns.
func (r *run) turns() []core.Message {
	if r.task.Team == nil {
		return r.context
	}
	return team.Blocks(r.context)
}

// summary asks a model for the summary of a compaction.
func (r *run) summary(ctx context.Context, pending compact.Result) (compact.Result, error) {
	by := Summarizer{Ref: r.row.Model, Model: r.task.Model, Info: r.task.Info}
	if r.task.Summarizer != nil {
		by = *r.task.Summarizer
	}
	q := *pending.Request
	q.Model, q.ContextTokens = by.Info.ID, by.Info.ContextTokens
	if limit := by.Info.MaxOutputTokens; limit > 0 {
		q.MaxOutputTokens = min(q.MaxOutputTokens, limit)
	}
	r.emit(Event{Type: EventNotice, Text: "summarizing the context"})
	m, err := collect(core.LimitAttempts(ctx, maxRequests), by.Model, q, func(d *draft) error { return r.flushSummary(ctx, &by, d) })
	m.Model, m.CreatedAtMs = by.Ref, r.Now()
	r.priceOf(&by.Info, &m)
	if err == nil {
		var done compact.Result
		if done, err = pending.Answered(&m); err == nil {
			return done, nil
		}
	}
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return compact.Result{}, errors.Join(err, r.chargeLost(ctx, &m, err))
}

// Compact compacts the context of a session at its head, as the user requests it, and returns what it did. The error is Conflict if there is
// nothing to compact, Busy if another process runs the session.
func (e *Engine) Compact(ctx context.Context, task Task, focus string) (core.Compaction, error) {
	task.Focus = focus
	_, done, err := e.runCompaction(ctx, &task)
	return done, err
}

// runCompaction compacts the context of a session in a run of its own, after which the session has the status that it had.
func (e *Engine) runCompaction(ctx context.Context, task *Task) (Result, core.Compaction, error) {
	session, err := e.Store.Session(ctx, task.SessionID)
	if err != nil {
		return Result{}, core.Compaction{}, err
	}
	task.Aside, task.From, task.Root = false, "", false
	r := &run{Engine: e, task: task, session: session, userCtx: ctx, row: e.newRun(task, session.ID)}
	if r.others, err = e.claim(ctx, session.ID, task); err != nil {
		return Result{}, core.Compaction{}, err
	}
	r.setTools(task.Tools)
	if err := r.countUsed(ctx); err != nil {
		return Result{}, core.Compaction{}, err
	}
	if err := r.start(ctx); err != nil {
		return Result{}, core.Compaction{}, err
	}
	done, err := r.compactNow(ctx, task.Focus)
	if isStop(err) {
		result, err := r.end(ctx, core.StopUserInterrupt, nil)
		return result, done, err
	}
	r.row.Status, r.row.StopReason, r.row.EndedAtMs = session.Status, core.StopReason(session.StopReason), r.Now()
	if session.Status == core.StatusIdle || session.Status == core.StatusRunning || session.Status == "" {
		r.row.Status, r.row.StopReason = core.StatusSuccess, core.StopDone
	}
	if ended := e.Store.EndRun(context.WithoutCancel(ctx), r.row.ID, r.row.Status, r.row.StopReason, ""); ended != nil {
		err = errors.Join(err, ended)
	}
	r.emit(Event{Type: EventEnded, Err: err})
	return Result{SessionID: session.ID, Run: r.row, FilesModified: session.FilesModified}, done, err
}

func (r *run) compactNow(ctx context.Context, focus string) (core.Compaction, error) {
	path, err := r.recover(ctx)
	if err != nil {
		return core.Compaction{}, err
	}
	if len(path) > 0 {
		r.head = path[len(path)-1].UID
	}
	r.context = replayable(path)
	if err := r.recount(ctx); err != nil {
		return core.Compaction{}, err
	}
	if reason, why := r.due(ctx); reason == core.StopBudget && r.task.Context.Strategy == core.CompactLLM {
		return core.Compaction{}, core.E(core.Conflict, "compact the context: %s", why)
	}
	return r.compact(ctx, compact.Input{Plan: r.task.Context, Why: core.WhyRequested, Focus: focus})
}
