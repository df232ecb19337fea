package tables

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/title"
)

// WriteMessage completes a message and passes it to a function that writes it. The transaction cannot be cancelled half-way:
// a message is a few rows.
func WriteMessage(ctx context.Context, db *store.Library, m core.Message, write func(ctx context.Context, t *store.Txn, p *packing.Packed) error) (core.Message, error) {
	if m.CreatedAtMs == 0 {
		m.CreatedAtMs = db.Now()
	}
	if m.UID == "" {
		m.UID = core.NewID(m.CreatedAtMs)
	}
	p, err := db.Codec.Pack(m)
	if err != nil {
		return m, err
	}
	lasting := context.WithoutCancel(ctx)
	if err := db.Write(ctx, func(t *store.Txn) error { return write(lasting, t, p) }); err != nil {
		return m, err
	}
	return p.Message, nil
}

// appendContext is what an append must know: the session's counts, and the parent with its branch.
type appendContext struct {
	Key         int64
	Messages    int64 `db:"message_count"`
	Turns       int64 `db:"turn_count"`
	Branches    int64 `db:"branch_count"`
	Task        string
	Title       string
	TitleOrigin core.TitleOrigin `db:"title_origin"`
	Hidden      int64            `db:"hidden_count"`
	ParentID    sql.NullInt64    `db:"parent_id"` // messages.id; NULL: a root, or not found
	ParentTurn  int64            `db:"parent_turn"`
	ParentDepth int64            `db:"parent_depth"`
	core.Branch                  // the parent's
}

// AppendContextQuery selects what a new message needs of its session and its parent.
const AppendContextQuery = `SELECT s.key, s.message_count, s.turn_count, s.branch_count, s.task, s.title, s.title_origin, s.hidden_count,
		p.id AS parent_id, coalesce(p.turn, -1) AS parent_turn, coalesce(p.depth, -1) AS parent_depth,
		coalesce(b.number, -1) AS number, coalesce(b.parent, -1) AS parent, coalesce(b.fork_depth, -1) AS fork_depth,
		coalesce(b.tip_depth, -1) AS tip_depth, coalesce(b.prompt_depth, -1) AS prompt_depth
	FROM sessions s
	LEFT JOIN messages p ON p.uid = ? AND p.session = s.key
	LEFT JOIN branches b ON b.session = s.key AND b.number = p.branch
	WHERE s.id = ?`

// AppendMessage adds a message below its parent, which must be stored, and moves the head to it if movesHead is set. A missing session or
// parent is a NotFound error.
func AppendMessage(ctx context.Context, t *store.Txn, sessionID string, p *packing.Packed, movesHead bool) error {
	var g appendContext
	err := t.Get(ctx, &g, AppendContextQuery, p.Message.ParentUID, sessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return noSession(sessionID)
	} else if err != nil {
		return err
	}
	if p.Message.ParentUID != "" && !g.ParentID.Valid {
		return core.E(core.NotFound, "no message %s in this session to add to", p.Message.ParentUID)
	}
	if g.Hidden > 0 && g.ParentID.Valid { // continuing in the trash restores that branch
		if err := RevealPath(ctx, t.Tx, g.Key, core.Position{Branch: g.Number, Depth: g.ParentDepth}); err != nil {
			return err
		}
	}
	place, err := growBranch(ctx, t.Tx, &g, p.Message.IsPrompt(), p.Message.CreatedAtMs)
	if err != nil {
		return err
	}
	id, err := StoreMessage(ctx, t, g.Key, place, g.ParentID, p)
	if conn.Is(err, conn.CodeConstraint) {
		return core.E(core.Conflict, "message %s is in this session already", p.Message.UID)
	} else if err != nil {
		return err
	}
	if err := Enqueue(ctx, t.Tx, g.Key, id); err != nil {
		return err
	}
	if err := countAppended(ctx, t.Tx, &g, place, id, &p.Message, movesHead); err != nil {
		return err
	}
	return settleTurn(ctx, t.Tx, &g, place, &p.Message)
}

// growBranch makes room: the branch gets longer or a new one opens, and so does a turn.
func growBranch(ctx context.Context, t *conn.Tx, g *appendContext, isPrompt bool, nowMs int64) (core.Placement, error) {
	tally := core.Tally{Messages: g.Messages, Turns: g.Turns, Branches: g.Branches}
	var parent *core.Placement
	if g.ParentID.Valid {
		parent = &core.Placement{Turn: g.ParentTurn, Branch: g.Number, Depth: g.ParentDepth}
	}
	place := tally.Next(parent, g.Branch, isPrompt)
	if place.Turn == tally.Turns {
		const open = `INSERT INTO turns (session, number, parent, branch, first_depth) VALUES (?, ?, ?, ?, ?)`
		if _, err := t.Exec(ctx, open, g.Key, place.Turn, g.ParentTurn, place.Branch, place.Depth); err != nil {
			return place, err
		}
	}
	if place.Branch < tally.Branches {
		b := g.Grow(place.Depth, isPrompt)
		const extend = `UPDATE branches SET tip_depth = ?, tip_seq = ?, prompt_depth = ? WHERE session = ? AND number = ?`
		_, err := t.Exec(ctx, extend, b.TipDepth, place.Seq, b.PromptDepth, g.Key, b.Number)
		return place, err
	}
	b := core.RootBranch(place.Branch, isPrompt)
	if parent != nil {
		b = g.Fork(place.Branch, g.ParentDepth, isPrompt)
	}
	b.CreatedAtMs = nowMs
	return place, StoreBranch(ctx, t, g.Key, &b, place.Seq)
}

const countMessage = `UPDATE sessions SET head = CASE WHEN ?14 THEN ?1 ELSE head END, message_count = message_count + 1, branch_count = max(branch_count, ?2 + 1),
	turn_count = max(turn_count, ?3 + 1), step_count = step_count + ?4, input_tokens = ` + Countable + `input_tokens) + ?5,
	output_tokens = ` + Countable + `output_tokens) + ?6, cache_read_tokens = ` + Countable + `cache_read_tokens) + ?7,
	cache_write_tokens = ` + Countable + `cache_write_tokens) + ?8, reasoning_tokens = ` + Countable + `reasoning_tokens) + ?9,
	cost_nano_usd = CASE WHEN ?10 IS NULL THEN cost_nano_usd ELSE ` + Countable + `coalesce(cost_nano_usd, 0)) + ?10 END,
	estimated_cost_nano_usd = CASE WHEN ?15 IS NULL THEN estimated_cost_nano_usd ELSE ` + Countable + `coalesce(estimated_cost_nano_usd, 0)) + ?15 END,
	unpriced_count = unpriced_count + ?16,
	model = CASE WHEN ?11 = '' OR NOT ?14 THEN model ELSE ?11 END, updated_at_ms = max(updated_at_ms, ?12) WHERE key = ?13`

// countAppended keeps the session's totals.
func countAppended(ctx context.Context, t *conn.Tx, g *appendContext, at core.Placement, id int64, m *core.Message, movesHead bool) error {
	u := core.Usage{}
	if m.Usage != nil {
		u = *m.Usage
	}
	steps, model := 0, ""
	if m.IsCall() {
		steps, model = 1, m.Model
	}
	_, err := t.Exec(ctx, countMessage, id, at.Branch, at.Turn, steps, u.InputTokens, u.OutputTokens, u.CacheReadTokens,
		u.CacheWriteTokens, u.ReasoningTokens, m.CostNanoUSD, model, m.EndMs(), g.Key, movesHead,
		m.Estimate.NanoUSD, m.IsUnpriced())
	if err != nil || !m.IsPrompt() {
		return err
	}
	return takePrompt(ctx, t, g, m)
}

// takePrompt stores the task of a session, which is its first prompt, and derives its title, again if the prompts until now name nothing.
func takePrompt(ctx context.Context, t *conn.Tx, g *appendContext, m *core.Message) error {
	if g.Task == "" {
		if _, err := t.Exec(ctx, `UPDATE sessions SET task = ? WHERE key = ?`, excerpt.Task(m.Parts), g.Key); err != nil {
			return err
		}
	}
	if g.Title != "" && (!g.TitleOrigin.Yields(core.TitleDerived) || !title.IsWeak(g.Title)) {
		return nil
	}
	derived := title.Of(m.OwnWords())
	if derived.Text == "" || derived.Weak && g.Title != "" {
		return nil
	}
	return SetTitle(ctx, t, g.Key, derived.Text, core.TitleDerived)
}

// settleTurn fills in the position of a message that was added. One that continues a branch has no siblings.
func settleTurn(ctx context.Context, t *conn.Tx, g *appendContext, at core.Placement, m *core.Message) error {
	m.Seq, m.Turn, m.Branch, m.Depth = at.Seq, at.Turn, at.Branch, at.Depth
	m.Siblings, m.SiblingIndex = 1, 1
	if m.Parts == nil {
		m.Parts = []core.Part{}
	}
	if at.Branch < g.Branches {
		return nil
	}
	const forks = `SELECT count(*) FROM branches WHERE session = ? AND parent = ? AND fork_depth = ?`
	if err := t.Get(ctx, &m.Siblings, forks, g.Key, g.Number, g.ParentDepth); err != nil {
		return err
	}
	if g.ParentID.Valid {
		m.Siblings++ // the one that continues the branch
	}
	m.SiblingIndex = m.Siblings
	return nil
}
