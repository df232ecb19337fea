package trees

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// sampledMessages is how many messages at the beginning and at the end of a session are read to find its authors: a long session is opened
// as fast as a short one.
const sampledMessages = 300

// Authors returns the agents that answer in a session, in the order of their first answers. In a session of more messages than are read
// here, one that answers in its middle alone is not among them.
func (db *Store) Authors(ctx context.Context, sessionID string) ([]string, error) {
	var authors []string
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) (err error) {
		authors, err = readAuthors(ctx, t, key)
		return err
	}))
	return authors, conn.Fail(err, "read the authors of session %s", sessionID)
}

func readAuthors(ctx context.Context, t *store.Txn, key int64) ([]string, error) {
	const sample = `WITH last AS (SELECT max(seq) AS seq FROM messages WHERE session = ?1)
		SELECT agent FROM messages, last WHERE session = ?1 AND (messages.seq < ?2 OR messages.seq > last.seq - ?2)
			AND role = 'assistant' AND agent <> '' GROUP BY agent ORDER BY min(messages.seq)`
	authors := []string{}
	err := t.All(ctx, &authors, sample, key, sampledMessages)
	return authors, err
}

// turnAuthors sets the authors of turns in a session with several of them.
func turnAuthors(ctx context.Context, t *store.Txn, key int64, turns []core.Turn) error {
	all, err := readAuthors(ctx, t, key)
	if err != nil || len(all) < 2 {
		return err
	}
	const ofTurn = `SELECT coalesce(group_concat(agent, char(10)), '') FROM (SELECT agent FROM messages WHERE session = ? AND branch = ? AND depth BETWEEN ? AND ?
		AND role = 'assistant' AND agent <> '' GROUP BY agent ORDER BY min(depth))`
	for i := range turns {
		turn := &turns[i]
		last := turn.FirstDepth + min(turn.Messages, sampledMessages) - 1
		if err := t.Get(ctx, &turn.Authors, ofTurn, key, turn.Branch, turn.FirstDepth, last); err != nil {
			return err
		}
	}
	return nil
}

// authored is a message as AgentTurns reads it.
type authored struct {
	Branch      int64  `db:"branch"`
	Turn        int64  `db:"turn"`
	UID         string `db:"uid"`
	ParentUID   string `db:"parent_uid"`
	Role        string `db:"role"`
	Agent       string `db:"agent"`
	Aside       bool   `db:"aside"`
	Text        string `db:"text_preview"`
	Tokens      int64  `db:"tokens"`
	CostNanoUSD *int64 `db:"cost_nano_usd"`
	CreatedAtMs int64  `db:"created_at_ms"`
}

// AgentTurns returns what the agents of a session did in a row, and the prompts between, at most limit of them: the last ones, in the order
// in which they began.
func (db *Store) AgentTurns(ctx context.Context, sessionID string, limit int) ([]core.AgentTurn, error) {
	turns := []core.AgentTurn{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		const sequence = `SELECT m.branch, m.turn, m.uid, coalesce(p.uid, '') AS parent_uid, m.role, m.agent, m.text_preview,
				coalesce(m.input_tokens, 0) + coalesce(m.output_tokens, 0) AS tokens, m.cost_nano_usd, m.created_at_ms,
				coalesce(r.lane, 0) > 0 AS aside
			FROM messages m LEFT JOIN messages p ON p.id = m.parent LEFT JOIN runs r ON r.key = m.run
			WHERE m.session = ? AND m.kind = 'message' AND (m.role = 'user' OR m.role = 'assistant' AND m.agent <> '') ORDER BY m.seq`
		var messages []authored
		if err := t.All(ctx, &messages, sequence, key); err != nil {
			return err
		}
		turns = inRows(messages)
		return nil
	}))
	turns = turns[max(0, len(turns)-limit):]
	return slices.Clip(turns), conn.Fail(err, "read the turns of agents in session %s", sessionID)
}

// inRows joins the messages of an agent that follow each other in a branch.
func inRows(messages []authored) []core.AgentTurn {
	turns := []core.AgentTurn{}
	open := map[int64]int{} // the turn that a branch continues
	for i := range messages {
		m := &messages[i]
		if m.Role == string(core.RoleUser) {
			m.Agent = "" // that of the run that received the prompt
		}
		at, ok := open[m.Branch]
		if !ok || m.Role == string(core.RoleUser) || turns[at].Agent != m.Agent || turns[at].Turn != m.Turn {
			at = len(turns)
			open[m.Branch] = at
			turns = append(turns, core.AgentTurn{
				Agent: m.Agent, Turn: m.Turn, Branch: m.Branch, ParentUID: m.ParentUID, Aside: m.Aside, FirstUID: m.UID, StartedAtMs: m.CreatedAtMs,
			})
		}
		turn := &turns[at]
		turn.LastUID = m.UID
		turn.Tokens += m.Tokens
		if m.Role == string(core.RoleAssistant) {
			turn.Steps++
		}
		if m.Text != "" {
			turn.Text = m.Text
		}
		if m.CostNanoUSD != nil {
			sum := *m.CostNanoUSD
			if turn.CostNanoUSD != nil {
				sum += *turn.CostNanoUSD
			}
			turn.CostNanoUSD = &sum
		}
	}
	return turns
}
