// Package tables reads and writes rows of the library inside transactions: sessions, messages, branches and what refers to them.
package tables

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
)

// MessageRow is a message as it is stored.
type MessageRow struct {
	ID               int64
	Seq              int64
	Turn             int64
	Branch           int64
	Depth            int64
	UID              string
	ParentUID        string `db:"parent_uid"`
	Kind             core.Kind
	Role             core.Role
	Name             string
	Agent            string
	Model            string
	InputTokens      sql.NullInt64 `db:"input_tokens"`
	OutputTokens     sql.NullInt64 `db:"output_tokens"`
	CacheReadTokens  sql.NullInt64 `db:"cache_read_tokens"`
	CacheWriteTokens sql.NullInt64 `db:"cache_write_tokens"`
	ReasoningTokens  sql.NullInt64 `db:"reasoning_tokens"`
	CostNanoUSD      *int64        `db:"cost_nano_usd"`
	EstimatedNanoUSD *int64        `db:"estimated_cost_nano_usd"`
	EstimatePartial  bool          `db:"estimate_partial"`
	FinishReason     string        `db:"finish_reason"`
	CreatedAtMs      int64         `db:"created_at_ms"`
	FinishedAtMs     int64         `db:"finished_at_ms"`
	Body             []byte
}

// MessageHead and MessageFrom are the parts of a query for messages. Queries whose names begin with Head select no bodies.
const (
	// MessageHead is a message without its body, whose last column may be added.
	MessageHead = `SELECT m.id, m.seq, m.turn, m.branch, m.depth, m.uid, coalesce(p.uid, '') AS parent_uid, m.kind, m.role, m.name, m.agent,
		m.model, m.input_tokens, m.output_tokens, m.cache_read_tokens, m.cache_write_tokens, m.reasoning_tokens, m.cost_nano_usd,
		m.estimated_cost_nano_usd, m.estimate_partial,
		m.finish_reason, m.created_at_ms, m.finished_at_ms`
	MessageFrom = ` FROM messages m LEFT JOIN messages p ON p.id = m.parent `

	HeadByUID    = MessageHead + MessageFrom + `WHERE m.uid = ? AND m.session = ?`
	HeadBySeq    = MessageHead + MessageFrom + `WHERE m.session = ? AND m.seq = ?`
	HeadAt       = MessageHead + MessageFrom + `WHERE m.session = ? AND m.branch = ? AND m.depth = ?`
	HeadByID     = MessageHead + MessageFrom + `WHERE m.id = ?`
	MessageByID  = MessageHead + `, m.body` + MessageFrom + `WHERE m.id = ?`
	MessageByUID = MessageHead + `, m.body` + MessageFrom + `WHERE m.uid = ? AND m.session = ?`
	MessageRange = MessageHead + `, m.body` + MessageFrom + `WHERE m.session = ? AND m.branch = ? AND m.depth BETWEEN ? AND ? ORDER BY m.depth`
	MessageBySeq = MessageHead + `, m.body` + MessageFrom + `WHERE m.session = ? ORDER BY m.seq`
	// MessageToCheck is MessageBySeq with what only a check reads.
	MessageToCheck = MessageHead + `, m.body, m.content_hash` + MessageFrom + `WHERE m.session = ? ORDER BY m.seq`
)

// DecodeMessage makes the domain's message; its parts are empty where the row has no body. Numbers that an older version has stored beyond their
// limits are limited.
func DecodeMessage(ctx context.Context, t *store.Txn, r *MessageRow) (core.Message, error) {
	m := r.Head()
	m.Bound()
	if r.Body == nil {
		return m, nil
	}
	stored, err := t.Stored(ctx, r.Body)
	if err != nil {
		return m, err
	}
	return m, t.Codec.DecodeBody(stored, &m)
}

// Head returns what the columns hold of a message.
func (r *MessageRow) Head() core.Message {
	m := core.Message{
		UID: r.UID, Seq: r.Seq, Turn: r.Turn, Branch: r.Branch, Depth: r.Depth, ParentUID: r.ParentUID, Role: r.Role, Kind: r.Kind,
		Name: r.Name, Agent: r.Agent, Model: r.Model, Parts: []core.Part{}, CostNanoUSD: r.CostNanoUSD, FinishReason: r.FinishReason,
		CreatedAtMs: r.CreatedAtMs, FinishedAtMs: r.FinishedAtMs, Estimate: core.Estimate{NanoUSD: r.EstimatedNanoUSD, Partial: r.EstimatePartial},
	}
	if r.InputTokens.Valid {
		m.Usage = &core.Usage{
			InputTokens: r.InputTokens.Int64, OutputTokens: r.OutputTokens.Int64, CacheReadTokens: r.CacheReadTokens.Int64,
			CacheWriteTokens: r.CacheWriteTokens.Int64, ReasoningTokens: r.ReasoningTokens.Int64,
		}
	}
	return m
}

// Position returns where the message is in the tree.
func (m *MessageRow) Position() core.Position {
	return core.Position{Branch: m.Branch, Depth: m.Depth}
}

// MessageID returns the id and the position of a message of a session; for an empty uid NULL.
func MessageID(ctx context.Context, t *conn.Tx, key int64, uid string) (sql.NullInt64, core.Position, error) {
	if uid == "" {
		return sql.NullInt64{}, core.Position{}, nil
	}
	m, err := FindMessage(ctx, t, uid, HeadByUID, uid, key)
	return sql.NullInt64{Int64: m.ID, Valid: err == nil}, m.Position(), err
}

// FindMessage reads a message; NotFound, naming it as what, if it does not exist.
func FindMessage(ctx context.Context, t *conn.Tx, what, query string, args ...any) (MessageRow, error) {
	var row MessageRow
	err := t.Get(ctx, &row, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return row, core.E(core.NotFound, "no message %s in this session", what)
	}
	return row, err
}

// CompleteMessage makes a single message with its number of siblings.
func CompleteMessage(ctx context.Context, t *store.Txn, key int64, row *MessageRow) (core.Message, error) {
	m, err := DecodeMessage(ctx, t, row)
	if err != nil {
		return m, err
	}
	siblings, err := ReadSiblingCounts(ctx, t.Tx, key, []core.Segment{{Branch: m.Branch, From: m.Depth, To: m.Depth}})
	if err != nil {
		return m, err
	}
	siblings.Count(&m)
	return m, nil
}

// YieldMessages passes the rows of a query on; more is false where the reader has had enough.
func YieldMessages(ctx context.Context, t *store.Txn, siblings *SiblingCounts, yield func(core.Message) bool, query string, args ...any) (more bool, err error) {
	rows, err := t.Rows(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row MessageRow
		if err := rows.StructScan(&row); err != nil {
			return false, err
		}
		m, err := DecodeMessage(ctx, t, &row)
		if err != nil {
			return false, err
		}
		siblings.Count(&m)
		if !yield(m) {
			return false, nil
		}
	}
	return true, nil
}

// MessageOfSession finds a message of a session.
func MessageOfSession(ctx context.Context, t *conn.Tx, sessionID, uid string) (key int64, m MessageRow, err error) {
	if key, err = SessionKey(ctx, t, sessionID); err != nil {
		return key, m, err
	}
	m, err = FindMessage(ctx, t, uid, HeadByUID, uid, key)
	return key, m, err
}

// FindLeaf finds the end of a path; ok is false if the head is before the first message.
func FindLeaf(ctx context.Context, t *conn.Tx, sessionID, leafUID string) (key int64, leaf MessageRow, ok bool, err error) {
	if leafUID != "" {
		key, leaf, err = MessageOfSession(ctx, t, sessionID, leafUID)
		return key, leaf, err == nil, err
	}
	row, err := FindSession(ctx, t, sessionID)
	if err != nil || !row.Head.Valid {
		return row.Key, leaf, false, err
	}
	leaf, err = FindMessage(ctx, t, row.HeadUID, HeadByID, row.Head.Int64)
	return row.Key, leaf, err == nil, err
}

// FirstPrompt returns the beginning of the first prompt of a session that has one; empty if none has.
func FirstPrompt(ctx context.Context, t *store.Txn, key int64) (string, error) {
	var rows []MessageRow
	const query = `SELECT uid, body FROM messages WHERE session = ? AND role = 'user' AND kind = 'message' ORDER BY seq LIMIT 3`
	if err := t.All(ctx, &rows, query, key); err != nil {
		return "", err
	}
	for i := range rows {
		prompt, err := DecodeMessage(ctx, t, &rows[i])
		if err != nil {
			return "", err
		}
		if task := excerpt.Task(prompt.Parts); task != "" {
			return task, nil
		}
	}
	return "", nil
}
