package transcript

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/importer/graft"
)

// secondPass is the second pass over the list.
type secondPass struct {
	*Transcript
	past         *graft.Past
	positions    []graft.Position
	timeMs       int64
	droppedUsage core.Usage
	droppedCost  int64
}

func (h *secondPass) run(ctx context.Context, yield func(core.IncomingMessage, error) bool) error {
	payer := h.payer()
	for n, p := range h.positions {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := h.Elements[h.seen[p.Index].element]
		v, err := h.Outliner.Read(h.Data, e)
		if err != nil {
			return core.Wrap(core.Invalid, err, "read message %d again", p.Index+1)
		}
		m, _ := h.Build(v)
		m.UID, m.ParentUID = p.UID, p.Parent
		if m.Parts == nil {
			m.Parts = []core.Part{}
		}
		h.date(&m, n == len(h.positions)-1)
		if h.seen[p.Index].sums {
			h.deduct(&m)
		}
		if n == payer {
			cost := max(0, *h.CostNanoUSD-h.droppedCost)
			m.CostNanoUSD = &cost
		}
		if h.Finish != nil {
			h.Finish(p.Index, &m, func(i int) string { return h.uids[i] })
		}
		h.File.Progress(e.Offset + e.Length)
		if !yield(core.IncomingMessage{Message: m}, nil) {
			return nil
		}
	}
	return nil
}

// date sets the time of a message that has none to the one the library has for it, else to that of the file.
func (h *secondPass) date(m *core.Message, last bool) {
	if m.CreatedAtMs == 0 {
		m.CreatedAtMs = h.past.TimeMs(m.UID)
	}
	if m.CreatedAtMs == 0 && last {
		m.CreatedAtMs = h.EndedMs
	}
	if m.CreatedAtMs == 0 {
		m.CreatedAtMs = h.timeMs
	}
	h.timeMs = max(h.timeMs, m.CreatedAtMs)
}

// payer returns the index of the message that carries the session's cost, or -1.
func (h *secondPass) payer() int {
	if h.CostNanoUSD == nil {
		return -1
	}
	for n := len(h.positions) - 1; n >= 0; n-- {
		if h.seen[h.positions[n].Index].role == core.RoleAssistant {
			return n
		}
	}
	return len(h.positions) - 1
}

// deduct subtracts from a sum what the library has per message.
func (h *secondPass) deduct(m *core.Message) {
	if m.Usage != nil {
		u := *m.Usage
		u.InputTokens -= take(&h.droppedUsage.InputTokens, u.InputTokens)
		u.OutputTokens -= take(&h.droppedUsage.OutputTokens, u.OutputTokens)
		m.Usage = &u
	}
	if m.CostNanoUSD != nil {
		cost := *m.CostNanoUSD - take(&h.droppedCost, *m.CostNanoUSD)
		m.CostNanoUSD = &cost
	}
}

// take takes up to n from a store.
func take(store *int64, n int64) int64 {
	taken := max(0, min(*store, n))
	*store -= taken
	return taken
}
