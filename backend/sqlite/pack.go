package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"slices"

	"coppice/backend/core"
)

// packed is a message ready to be written, but for its place.
type packed struct {
	spilled
	preview string
	bounded bool // its numbers were limited
	hash    int64
	body    []byte
	words   *postings // where its words are; nil: the index has to read it
	atWord  int       // its number there
}

// pack checks a message and encodes it. A Kind that is left open is KindMessage.
func (c *codec) pack(m core.Message) (*packed, error) {
	if m.Kind == "" {
		m.Kind = core.KindMessage
	}
	if err := checkMessage(&m); err != nil {
		return nil, err
	}
	bounded := m.Bound()
	p := &packed{spilled: spill(m), bounded: bounded}
	scratch := c.scratch()
	defer c.spare(scratch)
	encoded, err := encodeBody(scratch.data[:0], &p.message)
	if err != nil {
		return nil, err
	}
	scratch.data = encoded
	p.preview = preview(p.message.Parts)
	p.hash = contentHash(&p.message, encoded)
	small, ok := c.shrink(encoded)
	if !ok {
		small = bytes.Clone(encoded)
	}
	p.body = small
	return p, nil
}

func checkMessage(m *core.Message) error {
	kinds := []core.Kind{core.KindMessage, core.KindMeta, core.KindCommand, core.KindCompaction, core.KindBranchSummary}
	roles := []core.Role{core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool}
	switch {
	case m.UID == "":
		return core.E(core.Invalid, "a message has no uid")
	case !slices.Contains(kinds, m.Kind):
		return core.E(core.Invalid, "message %q is of the unknown kind %q", m.UID, m.Kind)
	case !slices.Contains(roles, m.Role):
		return core.E(core.Invalid, "message %q is of the unknown role %q", m.UID, m.Role)
	}
	return nil
}

// tokenColumns returns the usage as columns.
func tokenColumns(u *core.Usage) [5]sql.NullInt64 {
	if u == nil {
		return [5]sql.NullInt64{}
	}
	some := func(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: true} }
	return [5]sql.NullInt64{
		some(u.InputTokens), some(u.OutputTokens), some(u.CacheReadTokens), some(u.CacheWriteTokens), some(u.ReasoningTokens),
	}
}

const insertMessage = `INSERT INTO messages (session, seq, branch, depth, turn, parent, uid, kind, role, name, agent, model, text_preview, input_tokens,
	output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_nano_usd, finish_reason, created_at_ms, finished_at_ms, content_hash, body)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// storeMessage writes a message at its place below parent, a messages.id, and returns its own.
func storeMessage(ctx context.Context, t *tx, session int64, at core.Place, parent sql.NullInt64, p *packed) (int64, error) {
	m, n := &p.message, tokenColumns(p.message.Usage)
	id, err := t.Insert(ctx, insertMessage, session, at.Seq, at.Branch, at.Depth, at.Turn, parent, m.UID, m.Kind, m.Role, m.Name, m.Agent, m.Model,
		p.preview, n[0], n[1], n[2], n[3], n[4], m.CostNanoUSD, m.FinishReason, m.CreatedAtMs, m.FinishedAtMs, p.hash, p.body)
	if err != nil {
		return 0, err
	}
	tallyMessage(t.ledger.of(session).tally, m, 1)
	if err := storeGraft(ctx, t.Tx, session, id, m); err != nil {
		return 0, err
	}
	if err := storeCheckpoint(ctx, t.Tx, session, id, m); err != nil {
		return 0, err
	}
	return id, storeBlobs(ctx, t, id, p)
}

const updateMessage = `UPDATE messages SET kind = ?, role = ?, name = ?, agent = ?, model = ?, text_preview = ?, input_tokens = ?, output_tokens = ?,
	cache_read_tokens = ?, cache_write_tokens = ?, reasoning_tokens = ?, cost_nano_usd = ?, finish_reason = ?, created_at_ms = ?, finished_at_ms = ?,
	content_hash = ?, body = ? WHERE id = ?`

// replaceMessage writes a longer form of a message in its place.
func replaceMessage(ctx context.Context, t *tx, session, id int64, p *packed) error {
	m, n := &p.message, tokenColumns(p.message.Usage)
	if err := subtractMessage(ctx, t, session, id); err != nil {
		return err
	}
	_, err := t.Exec(ctx, updateMessage, m.Kind, m.Role, m.Name, m.Agent, m.Model, p.preview, n[0], n[1], n[2], n[3], n[4],
		m.CostNanoUSD, m.FinishReason, m.CreatedAtMs, m.FinishedAtMs, p.hash, p.body, id)
	if err != nil {
		return err
	}
	tallyMessage(t.ledger.of(session).tally, m, 1)
	if _, err := t.Exec(ctx, `DELETE FROM checkpoints WHERE message = ?`, id); err != nil {
		return err
	}
	if err := storeCheckpoint(ctx, t.Tx, session, id, m); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, `DELETE FROM message_blobs WHERE message = ?`, id); err != nil {
		return err
	}
	return storeBlobs(ctx, t, id, p)
}

func storeBlobs(ctx context.Context, t *tx, id int64, p *packed) error {
	for i := range p.blobs {
		if err := storeBlob(ctx, t, &p.blobs[i]); err != nil {
			return err
		}
	}
	return storeReferences(ctx, t.Tx, id, p.refs)
}
