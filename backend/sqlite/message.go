package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/markdown"
	"coppice/backend/sqlite/internal/conn"
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

// findMessage reads a message; NotFound, naming it as what, where there is none.
func findMessage(ctx context.Context, t *conn.Tx, what, query string, args ...any) (messageRow, error) {
	var row messageRow
	err := t.Get(ctx, &row, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return row, core.E(core.NotFound, "no message %s in this session", what)
	}
	return row, err
}

// completeMessage makes a single message with its number of siblings.
func completeMessage(ctx context.Context, t *tx, key int64, row *messageRow) (core.Message, error) {
	m, err := decodeMessage(t, row)
	if err != nil {
		return m, err
	}
	kin, err := readSiblingCounts(ctx, t.Tx, key, []core.Segment{{Branch: m.Branch, From: m.Depth, To: m.Depth}})
	if err != nil {
		return m, err
	}
	kin.tell(&m)
	return m, nil
}

// Message returns a message with its parts. Long texts are cut, see Hydrate.
func (db *messageStore) Message(ctx context.Context, sessionID, uid string) (core.Message, error) {
	var m core.Message
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		row, err := findMessage(ctx, t.Tx, uid, messageByUID, uid, key)
		if err != nil {
			return err
		}
		m, err = completeMessage(ctx, t, key, &row)
		return err
	})
	return m, conn.Fail(err, "read message %s", uid)
}

// Messages yields every message of a session by seq, so a parent before its children.
func (db *messageStore) Messages(ctx context.Context, sessionID string) iter.Seq2[core.Message, error] {
	return sequence("read the messages of session "+sessionID, func(yield func(core.Message) bool) error {
		return db.read(ctx, func(t *tx) error {
			key, err := sessionKey(ctx, t.Tx, sessionID)
			if err != nil {
				return err
			}
			kin, err := readAllSiblingCounts(ctx, t.Tx, key)
			if err != nil {
				return err
			}
			_, err = yieldMessages(ctx, t, kin, yield, messageBySeq, key)
			return err
		})
	})
}

// yieldMessages passes the rows of a query on; more is false where the reader has had enough.
func yieldMessages(ctx context.Context, t *tx, kin *kin, yield func(core.Message) bool, query string, args ...any) (more bool, err error) {
	rows, err := t.Rows(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row messageRow
		if err := rows.StructScan(&row); err != nil {
			return false, err
		}
		m, err := decodeMessage(t, &row)
		if err != nil {
			return false, err
		}
		kin.tell(&m)
		if !yield(m) {
			return false, nil
		}
	}
	return true, nil
}

// sequence makes a function that yields a sequence whose error, if any, is its last element.
func sequence[T any](step string, run func(yield func(T) bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		enough := false
		err := run(func(v T) bool {
			enough = !yield(v, nil)
			return !enough
		})
		if err != nil && !enough {
			var none T
			yield(none, conn.Fail(err, "%s", step))
		}
	}
}

// previewLength is how much of a text a list shows.
const previewLength = 160

// preview returns the beginning of what a message says, one line; of one that says nothing, what it shows. Injected texts
// count only where there is nothing else.
func preview(parts []core.Part) string {
	if own := slices.DeleteFunc(slices.Clone(parts), func(p core.Part) bool { return p.Injected }); len(own) < len(parts) && len(own) > 0 {
		return cmp.Or(preview(own), preview(parts[:1]))
	}
	shown := ""
	for _, p := range parts {
		switch p.Type {
		case core.PartText, core.PartSummary, core.PartReasoning:
			// Marks are taken off before the cut, which would part them.
			if line := oneLine(markdown.Plain(oneLine(p.Text, 2*previewLength)), previewLength); line != "" {
				return line
			}
		case core.PartToolCall:
			return oneLine(p.Name, previewLength)
		case core.PartToolResult:
			if line := preview(p.Result); line != "" {
				return line
			}
		case core.PartMedia:
			if p.Media != nil && shown == "" {
				shown = oneLine(cmp.Or(p.Media.Name, p.Media.MimeType), previewLength)
			}
		default:
		}
	}
	return shown
}

// oneLine returns the first runes of a text with every run of white space and control characters as one space.
func oneLine(text string, limit int) string {
	var b strings.Builder
	b.Grow(min(len(text), limit))
	n, gap := 0, false
	for _, r := range text {
		if n >= limit {
			break
		}
		if isGap(r) {
			gap = n > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			n++
			gap = false
		}
		b.WriteRune(r)
		n++
	}
	return core.Cut(b.String(), limit)
}

func isGap(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || unicode.IsControl(r)
}
