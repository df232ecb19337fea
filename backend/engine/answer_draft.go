package engine

import (
	"context"
	"strings"
	"time"

	"coppice/backend/compact"
	"coppice/backend/core"
)

// draft is the part of an answer received so far.
type draft struct {
	texts   map[int]*strings.Builder // by the index of the part
	order   []int
	kinds   map[int]core.PartType
	flushed time.Time

	sizeBytes   int   // of everything received, including calls
	inputTokens int64 // of the request, estimated
}

// message returns what was received, with what it is estimated to have used.
func (d *draft) message() core.Message {
	m := core.Message{Parts: d.parts()}
	d.charge(&m)
	return m
}

// charge estimates the usage of an answer that broke off: providers report the output at its end. If nothing was received, the provider
// may have charged nothing.
func (d *draft) charge(m *core.Message) {
	if d.sizeBytes == 0 {
		return
	}
	estimated := core.EstimatedUsage(d.inputTokens, compact.TokensOf(d.sizeBytes))
	if u := m.Usage; u != nil && u.InputTokens > 0 {
		estimated.InputTokens, estimated.CacheReadTokens, estimated.CacheWriteTokens, estimated.Native = u.InputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.Native
		estimated.OutputTokens = max(estimated.OutputTokens, u.OutputTokens)
	}
	m.Usage = estimated
}

// interval returns how long to wait before the draft is stored again. The whole draft is stored each time, so longer
// drafts take longer: at most 1 MiB is written per second.
func (d *draft) interval() time.Duration {
	return max(draftEvery, draftEvery*time.Duration(d.sizeBytes)/draftBytes)
}

func (d *draft) add(e *core.StreamEvent) {
	d.sizeBytes += len(e.Text)
	kind := core.PartText
	switch e.Type {
	case core.StreamText:
	case core.StreamReasoning:
		kind = core.PartReasoning
	default:
		return // an incomplete call is not a call
	}
	if d.texts == nil {
		d.texts, d.kinds = map[int]*strings.Builder{}, map[int]core.PartType{}
	}
	if d.texts[e.Index] == nil {
		d.texts[e.Index], d.kinds[e.Index] = &strings.Builder{}, kind
		d.order = append(d.order, e.Index)
	}
	d.texts[e.Index].WriteString(e.Text)
}

func (d *draft) parts() []core.Part {
	parts := make([]core.Part, 0, len(d.order))
	for _, i := range d.order {
		parts = append(parts, core.Part{Type: d.kinds[i], Text: d.texts[i].String()})
	}
	return parts
}

func (r *run) flush(ctx context.Context, d *draft) error {
	d.flushed = time.Now()
	parts := d.parts()
	if len(parts) == 0 {
		return nil
	}
	m := core.Message{UID: "draft", Role: core.RoleAssistant, Kind: core.KindMessage, Agent: r.row.Agent, Model: r.row.Model, Parts: parts, CreatedAtMs: r.Now()}
	d.charge(&m)
	r.price(&m)
	return r.Store.PutDraft(ctx, core.Draft{SessionID: r.row.SessionID, RunID: r.row.ID, ParentUID: r.head, Message: m, UpdatedAtMs: r.Now()})
}
