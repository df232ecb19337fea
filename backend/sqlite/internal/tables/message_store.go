package tables

import (
	"context"
	"database/sql"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// TokenColumns returns the usage as columns.
func TokenColumns(u *core.Usage) [5]sql.NullInt64 {
	if u == nil {
		return [5]sql.NullInt64{}
	}
	some := func(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: true} }
	return [5]sql.NullInt64{
		some(u.InputTokens), some(u.OutputTokens), some(u.CacheReadTokens), some(u.CacheWriteTokens), some(u.ReasoningTokens),
	}
}

// InsertMessage adds a row to messages.
const InsertMessage = `INSERT INTO messages (session, seq, branch, depth, turn, parent, uid, kind, role, name, agent, model, text_preview, input_tokens,
	output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_nano_usd, finish_reason, created_at_ms, finished_at_ms, content_hash, body,
	estimated_cost_nano_usd, estimate_partial)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// StoreMessage writes a message at its position below parent, a messages.id, and returns its own.
func StoreMessage(ctx context.Context, t *store.Txn, session int64, at core.Placement, parent sql.NullInt64, p *packing.Packed) (int64, error) {
	m, n := &p.Message, TokenColumns(p.Message.Usage)
	id, err := t.Insert(ctx, InsertMessage, session, at.Seq, at.Branch, at.Depth, at.Turn, parent, m.UID, m.Kind, m.Role, m.Name, m.Agent, m.Model,
		p.Preview, n[0], n[1], n[2], n[3], n[4], m.CostNanoUSD, m.FinishReason, m.CreatedAtMs, m.FinishedAtMs, p.Hash, p.Body,
		m.Estimate.NanoUSD, m.Estimate.Partial)
	if err != nil {
		return 0, err
	}
	noteMessage(t, session, p)
	if err := storeGraft(ctx, t.Tx, session, id, m); err != nil {
		return 0, err
	}
	if err := storeCheckpoint(ctx, t.Tx, session, id, m); err != nil {
		return 0, err
	}
	if err := StoreTouches(ctx, t, session, id, p.Touches, p.Outcomes); err != nil {
		return 0, err
	}
	return id, storeBlobs(ctx, t, id, p)
}

// noteMessage notes what a message adds to its session.
func noteMessage(t *store.Txn, session int64, p *packing.Packed) {
	t.Ledger.Note(session, &p.Message, 1)
	if p.Answer != "" {
		t.Ledger.SetAnswer(session, p.Answer)
	}
}

const updateMessage = `UPDATE messages SET kind = ?, role = ?, name = ?, agent = ?, model = ?, text_preview = ?, input_tokens = ?, output_tokens = ?,
	cache_read_tokens = ?, cache_write_tokens = ?, reasoning_tokens = ?, cost_nano_usd = ?, finish_reason = ?, created_at_ms = ?, finished_at_ms = ?,
	content_hash = ?, body = ?, estimated_cost_nano_usd = ?, estimate_partial = ? WHERE id = ?`

// ReplaceMessage writes a longer form of a message in its place.
func ReplaceMessage(ctx context.Context, t *store.Txn, session, id int64, p *packing.Packed) error {
	m, n := &p.Message, TokenColumns(p.Message.Usage)
	if err := subtractMessage(ctx, t, session, id); err != nil {
		return err
	}
	_, err := t.Exec(ctx, updateMessage, m.Kind, m.Role, m.Name, m.Agent, m.Model, p.Preview, n[0], n[1], n[2], n[3], n[4],
		m.CostNanoUSD, m.FinishReason, m.CreatedAtMs, m.FinishedAtMs, p.Hash, p.Body, m.Estimate.NanoUSD, m.Estimate.Partial, id)
	if err != nil {
		return err
	}
	noteMessage(t, session, p)
	if _, err := t.Exec(ctx, `DELETE FROM checkpoints WHERE message = ?`, id); err != nil {
		return err
	}
	if err := storeCheckpoint(ctx, t.Tx, session, id, m); err != nil {
		return err
	}
	if err := replaceTouches(ctx, t, session, id, p); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, `DELETE FROM message_blobs WHERE message = ?`, id); err != nil {
		return err
	}
	return storeBlobs(ctx, t, id, p)
}

func storeBlobs(ctx context.Context, t *store.Txn, id int64, p *packing.Packed) error {
	for i := range p.Blobs {
		if err := StoreBlob(ctx, t, &p.Blobs[i]); err != nil {
			return err
		}
	}
	return StoreReferences(ctx, t.Tx, id, p.Refs)
}
