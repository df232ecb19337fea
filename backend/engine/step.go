package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"coppice/backend/core"
)

const (
	draftEvery = 250 * time.Millisecond // how much of a short answer a crash may cost
	draftBytes = 256 << 10              // the longest draft that is stored so often
)

// step calls the model once and writes its answer. ctx ends the call.
func (r *run) step(ctx context.Context) (core.Message, error) {
	limited := core.LimitAttempts(ctx, maxRequests)
	recorded := ""
	for attempt := 0; ; attempt++ {
		state := r.state()
		q := assemble(r.context, &state)
		q.CacheKey = r.row.SessionID
		if err := r.record(ctx, &q, state, &recorded); err != nil {
			return core.Message{}, err
		}
		m, err := r.stream(limited, q)
		switch {
		case err == nil:
			return r.commit(ctx, m)
		case ctx.Err() != nil, isStop(err):
			return m, errors.Join(context.Cause(ctx), r.giveUp(ctx, m, "stopped"))
		case core.CodeOf(err) == core.Invalid && (r.leaveOutSchema(&q) || r.useSimplerForm(ctx)):
			continue
		case core.CodeOf(err) == core.ContextOverflow && !r.form.Closing:
			if err := r.shrink(ctx, err); err != nil {
				return m, errors.Join(err, r.giveUp(ctx, m, err.Error()))
			}
			limited = core.LimitAttempts(ctx, maxRequests) // it is another request
		case !r.form.Closing && attempt < retries && core.HasAttempts(limited) && retryable(err): // no retries for a last answer that does not come
			if err := r.wait(ctx, err, attempt); err != nil {
				return m, errors.Join(err, r.giveUp(ctx, m, err.Error()))
			}
		default:
			return m, errors.Join(err, r.giveUp(ctx, m, err.Error()))
		}
	}
}

// stream makes one call and reads it to its end.
func (r *run) stream(ctx context.Context, q core.Request) (core.Message, error) {
	draft := draft{flushed: time.Now(), inputTokens: requestTokens(&q)}
	for event, err := range r.task.Model.Stream(ctx, q) {
		if event.Type == core.StreamDone || event.Type == core.StreamAborted || err != nil {
			if event.Message == nil {
				event.Message = &core.Message{Parts: draft.parts()}
			}
			if err == nil && event.Type == core.StreamAborted {
				err = core.E(core.TruncatedStream, "the answer broke off")
			}
			m, invalid := bounded(*event.Message)
			if err == nil {
				err = invalid
			}
			if err != nil {
				draft.charge(&m)
			}
			return m, err
		}
		draft.add(&event)
		r.emit(Event{Type: EventDelta, Delta: event})
		if draft.sizeBytes > core.MaxValueBytes {
			return draft.message(), core.E(core.Invalid, "the answer is longer than %d MiB", core.MaxValueBytes>>20)
		}
		if time.Since(draft.flushed) >= draft.interval() {
			if err := r.flush(ctx, &draft); err != nil && ctx.Err() == nil {
				return draft.message(), err
			}
		}
	}
	return draft.message(), core.E(core.TruncatedStream, "the answer ended before its end")
}

// commit writes an answer before it is acted on.
func (r *run) commit(ctx context.Context, m core.Message) (core.Message, error) {
	r.sign(&m)
	r.price(&m)
	calls := ownCalls(&m)
	execs := make([]core.ToolExec, len(calls))
	for i, call := range calls {
		execs[i] = core.ToolExec{Position: int64(i), CallID: call.ID, Name: call.Name}
	}
	written, err := r.Store.AppendStep(ctx, r.row.ID, m, execs)
	if err != nil {
		return m, err
	}
	m.UID = written.UID
	r.count(&m)
	r.advance(&written)
	r.emit(Event{Type: EventTotals})
	if shown, ok := sendable(&m); ok {
		r.context = append(r.context, shown)
	}
	if text := textOf(m.Parts); text != "" {
		r.answer = text
	}
	return m, nil
}

// giveUp stores the received part of an answer that will not be finished. Later requests contain its texts, marked as interrupted.
func (r *run) giveUp(ctx context.Context, m core.Message, why string) error {
	lasting := context.WithoutCancel(ctx)
	m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p core.Part) bool { return p.Type == core.PartToolCall })
	if len(m.Parts) == 0 && m.Usage == nil {
		return r.Store.DropDraft(lasting, r.row.ID)
	}
	m.FinishReason, m.Error = core.FinishAborted, why
	r.sign(&m)
	r.price(&m)
	written, err := r.Store.AppendStep(lasting, r.row.ID, m, nil)
	if err != nil {
		return err
	}
	r.count(&m)
	r.advance(&written)
	if shown, ok := sendable(&m); ok { // a closing answer may follow
		r.context = append(r.context, shown)
	}
	return nil
}

// price sets the cost of an answer from its usage, unless the provider reported the cost or the price is unknown.
func (r *run) price(m *core.Message) { r.priceOf(&r.task.Info, m) }

// priceOf is price for an answer of any model.
func (r *run) priceOf(info *core.ModelInfo, m *core.Message) {
	if m.CostNanoUSD != nil || m.Usage == nil {
		return
	}
	if cost, known := r.Price.Cost(info.Provider, info.ID, *m.Usage, m.CreatedAtMs); known {
		m.CostNanoUSD = &cost
	}
}

// sign sets who made an answer, and its position.
func (r *run) sign(m *core.Message) {
	m.UID, m.CreatedAtMs = core.NewID(r.Now()), r.Now()
	m.ParentUID, m.Role, m.Kind, m.Agent, m.Model = r.head, core.RoleAssistant, core.KindMessage, r.row.Agent, r.row.Model
	if t := r.task.Team; t != nil && len(t.State.Cites) > 0 {
		m.Meta = core.CitingMeta(t.State.Cites)
	}
}

func (r *run) count(m *core.Message) {
	r.row.StepCount++
	r.charge(m)
}

// charge adds the usage and the cost of a call to those of the run.
func (r *run) charge(m *core.Message) {
	if m.Usage != nil {
		r.row.InputTokens += m.Usage.InputTokens
		r.row.OutputTokens += m.Usage.OutputTokens
	}
	if m.CostNanoUSD != nil {
		r.row.CostNanoUSD += *m.CostNanoUSD
	} else if m.Usage != nil || m.FinishReason != core.FinishAborted {
		r.row.UnpricedSteps++
	}
}
