package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"coppice/backend/core"
)

// farAside is where messages are put whose position is taken until the session is ordered again. No position of a session is near.
const farAside = int64(-1) << 50

// loadMessage writes a message. Of one whose body cannot be read the beginning is kept that its row holds beside the body.
func (r *recovery) loadMessage(ctx context.Context, t *tx, l *loaded) error {
	m := l.message()
	err := t.codec.verify(l.bytes("body"), &m, l.number("content_hash"))
	shortened, changed := false, false
	if err != nil && len(m.Parts) == 0 {
		shortened = true
		if err := l.shorten(t.codec, &m); err != nil {
			return nil // not even its row makes sense
		}
	} else if err != nil {
		changed = true
		if err := l.repack(t.codec, &m); err != nil {
			return nil // as above
		}
	}
	added, err := l.insert(ctx, t)
	if err == nil && !added {
		added, err = r.insertAside(ctx, t, l)
	}
	if err != nil || !added {
		return err
	}
	s := r.session(l.number("session"))
	s.Saved++
	if shortened {
		s.Shortened++
	}
	if changed {
		s.Changed++
	}
	return nil
}

// insertAside writes a message whose position is taken: one of the two has a damaged one. One that is there already is not written.
func (r *recovery) insertAside(ctx context.Context, t *tx, l *loaded) (added bool, err error) {
	r.aside++
	l.set("seq", farAside-r.aside)
	l.set("depth", farAside-r.aside)
	return l.insert(ctx, t)
}

// message returns what the columns hold of a message.
func (l *loaded) message() core.Message {
	number := func(name string) sql.NullInt64 {
		n, ok := l.value(name).(int64)
		return sql.NullInt64{Int64: n, Valid: ok}
	}
	row := messageRow{
		UID: l.text("uid"), Kind: core.Kind(l.text("kind")), Role: core.Role(l.text("role")), Name: l.text("name"), Agent: l.text("agent"),
		Model: l.text("model"), FinishReason: l.text("finish_reason"), CreatedAtMs: l.number("created_at_ms"),
		FinishedAtMs: l.number("finished_at_ms"),
		InputTokens:  number("input_tokens"), OutputTokens: number("output_tokens"), CacheReadTokens: number("cache_read_tokens"),
		CacheWriteTokens: number("cache_write_tokens"), ReasoningTokens: number("reasoning_tokens"),
	}
	if cost := number("cost_nano_usd"); cost.Valid {
		row.CostNanoUSD = &cost.Int64
	}
	m := row.head()
	m.Parts = nil // until the body was read
	return m
}

// shorten replaces the body by the beginning of the text that lists show.
func (l *loaded) shorten(c *codec, m *core.Message) error {
	m.Parts = []core.Part{{Type: core.PartText, Text: l.text("text_preview")}}
	m.Meta = withMark(nil, "bodyLost")
	return l.repack(c, m)
}

// repack stores a message in the row as it is now.
func (l *loaded) repack(c *codec, m *core.Message) error {
	p, err := c.pack(*m)
	if err != nil {
		return err
	}
	l.set("body", p.body)
	l.set("content_hash", p.hash)
	l.set("kind", string(p.message.Kind))
	return nil
}

// withMark returns the meta of a message with a mark of what its recovery has cost; meta that is no object is replaced.
func withMark(meta json.RawMessage, mark string) json.RawMessage {
	object := map[string]json.RawMessage{}
	if json.Unmarshal(meta, &object) != nil || object == nil {
		object = map[string]json.RawMessage{}
	}
	object[mark] = json.RawMessage("true")
	data, err := json.Marshal(object)
	if err != nil {
		return meta
	}
	return data
}
