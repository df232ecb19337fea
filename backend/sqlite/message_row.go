package sqlite

import (
	"database/sql"

	"coppice/backend/core"
)

// messageRow is a message as it is stored.
type messageRow struct {
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
	FinishReason     string        `db:"finish_reason"`
	CreatedAtMs      int64         `db:"created_at_ms"`
	FinishedAtMs     int64         `db:"finished_at_ms"`
	Body             []byte
}

const (
	// messageHead is a message without its body, whose last column may be added.
	messageHead = `SELECT m.id, m.seq, m.turn, m.branch, m.depth, m.uid, coalesce(p.uid, '') AS parent_uid, m.kind, m.role, m.name, m.agent,
		m.model, m.input_tokens, m.output_tokens, m.cache_read_tokens, m.cache_write_tokens, m.reasoning_tokens, m.cost_nano_usd,
		m.finish_reason, m.created_at_ms, m.finished_at_ms`
	messageFrom = ` FROM messages m LEFT JOIN messages p ON p.id = m.parent `

	headByUID    = messageHead + messageFrom + `WHERE m.uid = ? AND m.session = ?`
	headBySeq    = messageHead + messageFrom + `WHERE m.session = ? AND m.seq = ?`
	headAt       = messageHead + messageFrom + `WHERE m.session = ? AND m.branch = ? AND m.depth = ?`
	headByID     = messageHead + messageFrom + `WHERE m.id = ?`
	messageByID  = messageHead + `, m.body` + messageFrom + `WHERE m.id = ?`
	messageByUID = messageHead + `, m.body` + messageFrom + `WHERE m.uid = ? AND m.session = ?`
	messageRange = messageHead + `, m.body` + messageFrom + `WHERE m.session = ? AND m.branch = ? AND m.depth BETWEEN ? AND ? ORDER BY m.depth`
	messageBySeq = messageHead + `, m.body` + messageFrom + `WHERE m.session = ? ORDER BY m.seq`
	// messageToCheck is messageBySeq with what only a check reads.
	messageToCheck = messageHead + `, m.body, m.content_hash` + messageFrom + `WHERE m.session = ? ORDER BY m.seq`
)

// decodeMessage makes the domain's message; its parts are empty where the row has no body. Numbers that an older version has stored beyond their
// limits are limited.
func decodeMessage(t *tx, r *messageRow) (core.Message, error) {
	m := r.head()
	m.Bound()
	if r.Body == nil {
		return m, nil
	}
	return m, t.codec.decodeBody(r.Body, &m)
}

// head returns what the columns hold of a message.
func (r *messageRow) head() core.Message {
	m := core.Message{
		UID: r.UID, Seq: r.Seq, Turn: r.Turn, Branch: r.Branch, Depth: r.Depth, ParentUID: r.ParentUID, Role: r.Role, Kind: r.Kind,
		Name: r.Name, Agent: r.Agent, Model: r.Model, Parts: []core.Part{}, CostNanoUSD: r.CostNanoUSD, FinishReason: r.FinishReason,
		CreatedAtMs: r.CreatedAtMs, FinishedAtMs: r.FinishedAtMs,
	}
	if r.InputTokens.Valid {
		m.Usage = &core.Usage{
			InputTokens: r.InputTokens.Int64, OutputTokens: r.OutputTokens.Int64, CacheReadTokens: r.CacheReadTokens.Int64,
			CacheWriteTokens: r.CacheWriteTokens.Int64, ReasoningTokens: r.ReasoningTokens.Int64,
		}
	}
	return m
}
