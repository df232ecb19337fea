package statistics

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// callsPerStep is how many calls are estimated in one transaction, so that a writer waits for milliseconds at most.
const callsPerStep = 200

// EstimateCosts estimates the cost of calls again whose estimates were made with other prices, or not at all. It does nothing
// if the library was opened without prices. What is estimated stays so after any end. progress, which may be nil, receives
// sessions.
func (db *Store) EstimateCosts(ctx context.Context, progress func(core.Progress)) error {
	key := db.Codec.PriceKey()
	if key == 0 || db.Refusal() != nil {
		return nil
	}
	var sessions []int64
	err := db.Read(ctx, func(t *store.Txn) error { // two ranges of an index, so that a library without such sessions costs nothing
		return t.All(ctx, &sessions, `SELECT key FROM sessions WHERE price_key < ?1 UNION ALL SELECT key FROM sessions WHERE price_key > ?1 ORDER BY key DESC`, key)
	})
	for i, session := range sessions {
		if err == nil {
			err = db.estimateSession(ctx, session, key)
		}
		if err != nil {
			break
		}
		if progress != nil {
			progress(core.Progress{Done: int64(i + 1), Total: int64(len(sessions))})
		}
	}
	return conn.Fail(err, "estimate the costs of the sessions")
}

// callToEstimate is a stored call whose cost is unknown, or that was estimated before.
type callToEstimate struct {
	tables.MessageRow
	ContentHash int64 `db:"content_hash"`
}

const callsToEstimate = tables.MessageHead + `, m.body, m.content_hash` + tables.MessageFrom + `WHERE m.session = ? AND m.seq > ? AND m.role = 'assistant'
	AND (m.cost_nano_usd IS NULL AND m.input_tokens IS NOT NULL OR m.estimated_cost_nano_usd IS NOT NULL) ORDER BY m.seq LIMIT ?`

// estimateSession estimates some calls at a time. It reads first and then writes those that have not changed since.
func (db *Store) estimateSession(ctx context.Context, session, key int64) error {
	for after := int64(-1); ; {
		var calls []callToEstimate
		var changed []estimate
		err := db.Read(ctx, func(t *store.Txn) error {
			err := t.All(ctx, &calls, callsToEstimate, session, after, callsPerStep)
			if err == nil {
				changed = estimated(ctx, t, calls)
			}
			return err
		})
		if err != nil {
			return err
		}
		last := len(calls) < callsPerStep
		if len(changed) > 0 || last {
			err = db.WriteBulk(ctx, func(t *store.Txn) error {
				if err := storeEstimates(ctx, t, session, changed); err != nil || !last {
					return err
				}
				_, err := t.Exec(ctx, `UPDATE sessions SET price_key = ? WHERE key = ?`, key, session)
				return err
			})
		}
		if err != nil || last {
			return err
		}
		after = calls[len(calls)-1].Seq
	}
}

// estimate is a call before and after it was estimated.
type estimate struct {
	row    *callToEstimate
	before core.Message
	after  core.Message
}

// estimated returns the calls whose estimates change. One whose body is damaged keeps its estimate.
func estimated(ctx context.Context, t *store.Txn, calls []callToEstimate) []estimate {
	var changed []estimate
	for i := range calls {
		m, err := tables.DecodeMessage(ctx, t, &calls[i].MessageRow)
		if err != nil {
			continue
		}
		e := estimate{row: &calls[i], before: m, after: m}
		e.after.Estimate = t.Codec.Estimate(&m)
		if !sameEstimate(e.before.Estimate, e.after.Estimate) {
			changed = append(changed, e)
		}
	}
	return changed
}

func sameEstimate(a, b core.Estimate) bool {
	if a.NanoUSD == nil || b.NanoUSD == nil {
		return a.NanoUSD == b.NanoUSD
	}
	return *a.NanoUSD == *b.NanoUSD && a.Partial == b.Partial
}

// storeEstimates writes estimates and adds the differences to the counters. A message that has changed since it was read has been
// estimated by what changed it.
func storeEstimates(ctx context.Context, t *store.Txn, session int64, changed []estimate) error {
	const update = `UPDATE messages SET estimated_cost_nano_usd = ?, estimate_partial = ?
		WHERE id = ? AND session = ? AND content_hash = ? AND estimated_cost_nano_usd IS ? AND estimate_partial = ?`
	for i := range changed {
		e := &changed[i]
		result, err := t.Exec(ctx, update, e.after.Estimate.NanoUSD, e.after.Estimate.Partial, e.row.ID, session, e.row.ContentHash,
			e.before.Estimate.NanoUSD, e.before.Estimate.Partial)
		if err != nil {
			return err
		}
		if done, err := result.RowsAffected(); err != nil || done == 0 {
			continue
		}
		tally := t.Ledger.Of(session).Tally
		activity.TallyMessage(tally, &e.before, -1)
		activity.TallyMessage(tally, &e.after, 1)
	}
	return addEstimates(ctx, t, session)
}

// addEstimates adds what the transaction has estimated to the counters of the session.
func addEstimates(ctx context.Context, t *store.Txn, session int64) error {
	var c activity.Counts
	for _, spent := range t.Ledger.Of(session).Spent {
		c.Add(&spent, 1)
	}
	if c[activity.CountEstimated] < 0 { // whether any is left
		_, err := t.Exec(ctx, `UPDATE sessions SET (estimated_cost_nano_usd, unpriced_count) =
			(SELECT `+tables.SumOfEstimates+`, `+tables.CountOfUnpriced+` FROM messages WHERE session = sessions.key) WHERE key = ?`, session)
		return err
	}
	_, err := t.Exec(ctx, `UPDATE sessions SET estimated_cost_nano_usd = `+tables.Countable+`iif(?1 > 0, coalesce(estimated_cost_nano_usd, 0), estimated_cost_nano_usd)) + ?2,
		unpriced_count = max(0, unpriced_count + ?3) WHERE key = ?4`, c[activity.CountEstimated], c[activity.CountEstimate], c[activity.CountUnestimated], session)
	return err
}
