package engine

import (
	"cmp"
	"context"
	"time"

	"coppice/backend/compact"
	"coppice/backend/core"
)

// chargeLost stores the usage of a call whose answer is of no use, so that the totals stay exact. No model is sent any of it.
func (r *run) chargeLost(ctx context.Context, m *core.Message, cause error) error {
	if m.Usage == nil {
		return r.Store.DropDraft(context.WithoutCancel(ctx), r.row.ID)
	}
	lost := lostSummary(m.Model, m.Usage, m.CostNanoUSD, cmp.Or(cause.Error(), "no summary"))
	if _, err := r.append(context.WithoutCancel(ctx), lost); err != nil {
		return err
	}
	r.charge(&lost)
	r.emit(Event{Type: EventTotals})
	return nil
}

// lostSummary returns the message that records the usage of a summary that is of no use.
func lostSummary(model string, usage *core.Usage, costNanoUSD *int64, why string) core.Message {
	return core.Message{
		Role: core.RoleUser, Kind: core.KindMeta, Model: model, Usage: usage, CostNanoUSD: costNanoUSD, Error: "context not compacted: " + why, Parts: []core.Part{},
	}
}

// flushSummary stores as a draft what a summary that is being written has used so far, as an estimate, so that its cost is not lost if the
// process ends. The compaction, or what chargeLost stores, replaces it.
func (r *run) flushSummary(ctx context.Context, by *Summarizer, d *draft) error {
	m := lostSummary(by.Ref, core.EstimatedUsage(d.inputTokens, compact.TokensOf(d.sizeBytes)), nil, "the program ended before the summary was complete")
	m.UID, m.Agent, m.CreatedAtMs = "draft", r.row.Agent, r.Now()
	r.priceOf(&by.Info, &m)
	return r.Store.PutDraft(ctx, core.Draft{SessionID: r.row.SessionID, RunID: r.row.ID, ParentUID: r.head, Message: m, UpdatedAtMs: r.Now()})
}

// collect calls a model and returns its whole answer. flush receives what has arrived before the call, and every now and then.
func collect(ctx context.Context, model Model, q core.Request, flush func(*draft) error) (core.Message, error) {
	draft := draft{inputTokens: requestTokens(&q), flushed: time.Now()}
	if err := flush(&draft); err != nil {
		return core.Message{}, err
	}
	for event, err := range model.Stream(ctx, q) {
		switch {
		case err != nil || event.Type == core.StreamAborted:
			m := draft.message()
			if event.Message != nil {
				m = *event.Message
				draft.charge(&m)
			}
			if err == nil {
				err = core.E(core.TruncatedStream, "the answer broke off")
			}
			return m, err
		case event.Type == core.StreamDone && event.Message != nil:
			return bounded(*event.Message)
		}
		draft.add(&event)
		if draft.sizeBytes > core.MaxValueBytes {
			return draft.message(), core.E(core.Invalid, "the answer is longer than %d MiB", core.MaxValueBytes>>20)
		}
		if time.Since(draft.flushed) >= draftEvery {
			draft.flushed = time.Now()
			if err := flush(&draft); err != nil && ctx.Err() == nil {
				return draft.message(), err
			}
		}
	}
	return draft.message(), core.E(core.TruncatedStream, "the answer ended before its end")
}
