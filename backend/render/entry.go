package render

import (
	"context"
	"iter"
	"slices"

	"coppice/backend/core"
)

// opensTurn reports whether the message is the first one of its turn. A strand can begin inside a turn.
func (t *transcript) opensTurn(m *core.Message) bool {
	return first(t.tree.Turns[m.Turn]) == m.Position()
}

// entry is a message for an export: complete, and with redacted values replaced.
type entry struct {
	message   core.Message
	results   map[int]*core.Part // of its calls, by the call's part
	holders   map[int]holder     // where these results are
	paired    map[int]bool       // the parts that are results and are shown with their calls
	absorbed  bool               // all parts are shown elsewhere; only the id remains
	turnStart bool
	leftOut   string // what was left out before it; empty for nothing
	digest    string // what was done in the turn that ends with it; empty for nothing
}

// holder is the part of a message that is the result of a call.
type holder struct {
	seq  int64
	part int
}

// chunk is how many messages are read at once; three chunks are in memory, so that calls find their results.
const chunk = 100

// entries yields the messages of a strand.
func (t *transcript) entries(ctx context.Context, s strand) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		reader := strandReader{t: t, strand: s, next: s.from}
		sum := t.r.newTurnSum(t.tree.Session.WorkspacePath)
		for {
			more, err := reader.advance(ctx)
			if err != nil {
				yield(entry{}, err)
				return
			}
			if !more {
				return
			}
			for m := reader.loaded.from; m < reader.loaded.to; m++ {
				e, err := reader.entry(ctx, m)
				if err == nil {
					err = t.tick(ctx)
				}
				sum.add(&reader.loaded.messages[m], t.agentOf(&reader.loaded.messages[m]))
				if m+1 == len(reader.loaded.messages) || reader.loaded.messages[m+1].Turn != reader.loaded.messages[m].Turn {
					e.digest = sum.line()
					sum = t.r.newTurnSum(t.tree.Session.WorkspacePath)
				}
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// agentOf returns the agent of a message with redacted values replaced.
func (t *transcript) agentOf(m *core.Message) string {
	if t.options.Redactor == nil {
		return m.Agent
	}
	return t.options.Redactor.Text(m.Agent)
}

// strandReader slides over a strand, chunk by chunk.
type strandReader struct {
	t       *transcript
	strand  strand
	next    int64 // the depth of the first message not read yet
	ahead   []core.Message
	loaded  messageRange // its messages are the previous chunk, the current one, and the next
	started bool
}

func (r *strandReader) read(ctx context.Context) ([]core.Message, error) {
	limit := min(chunk, r.strand.to-r.next+1)
	if limit <= 0 {
		return nil, nil
	}
	w, err := r.t.source.Window(ctx, r.t.tree.Session.ID, r.strand.leafUID, r.next, limit)
	if err != nil {
		return nil, core.Wrap(core.CodeOf(err), err, "read messages from depth %d on", r.next)
	}
	if len(w.Messages) == 0 {
		return nil, core.E(core.Conflict, "the session changed while it was exported").WithHint("export it again")
	}
	r.next += int64(len(w.Messages))
	return w.Messages, nil
}

// advance moves to the next chunk; it returns false at the end.
func (r *strandReader) advance(ctx context.Context) (bool, error) {
	if !r.started {
		r.started = true
		first, err := r.read(ctx)
		if err != nil {
			return false, err
		}
		r.ahead = first
	}
	if len(r.ahead) == 0 {
		return false, nil
	}
	before := r.loaded.messages[r.loaded.from:r.loaded.to]
	now := r.ahead
	after, err := r.read(ctx)
	if err != nil {
		return false, err
	}
	r.ahead = after
	r.loaded = messageRange{messages: slices.Concat(before, now, after), from: len(before), to: len(before) + len(now)}
	r.loaded.pairs = pair(r.loaded.messages)
	return true, nil
}

func (r *strandReader) entry(ctx context.Context, m int) (entry, error) {
	short := &r.loaded.messages[m]
	e := entry{
		results: map[int]*core.Part{}, holders: map[int]holder{}, paired: map[int]bool{}, absorbed: r.loaded.pairs.absorbed(m, short),
		turnStart: m == 0 || r.loaded.messages[m-1].Turn != short.Turn,
	}
	if e.absorbed {
		e.message = *short
		return e, nil
	}
	var err error
	if e.message, err = r.whole(ctx, m); err != nil {
		return e, err
	}
	holders := map[int]core.Message{m: e.message}
	for i := range e.message.Parts {
		at := partIndex{m, i}
		if _, ok := r.loaded.pairs.calls[at]; ok && short.Siblings <= 1 {
			e.paired[i] = true
		}
		to, ok := r.loaded.pairs.results[at]
		if !ok {
			continue
		}
		message, known := holders[to.message]
		if !known {
			if message, err = r.whole(ctx, to.message); err != nil {
				return e, err
			}
			holders[to.message] = message
		}
		e.results[i], e.holders[i] = &message.Parts[to.part], holder{message.Seq, to.part}
	}
	return e, nil
}

// whole returns a copy of the message with its full text, so that the copy for pairing stays small.
func (r *strandReader) whole(ctx context.Context, m int) (core.Message, error) {
	message := r.loaded.messages[m]
	message.Parts = slices.Clone(message.Parts)
	for i := range message.Parts {
		message.Parts[i].Result = slices.Clone(message.Parts[i].Result)
	}
	if err := r.t.source.Hydrate(ctx, &message); err != nil {
		return message, core.Wrap(core.CodeOf(err), err, "read the whole of message m%d", message.Seq)
	}
	if r.t.options.Redactor != nil {
		message = r.t.options.Redactor.Message(message)
	}
	return message, nil
}
