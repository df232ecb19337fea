package runs

import (
	"context"
	"fmt"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// CheckStates looks for damage of run states, their texts, requests and checkpoints, and returns what it finds in words; none for a sound
// library.
func (db *Store) CheckStates(ctx context.Context) (problems []string, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		for _, check := range []func(context.Context, *store.Txn) ([]string, error){checkTexts, checkStates, checkReferences} {
			found, err := check(ctx, t)
			if conn.IsDamage(err) || core.CodeOf(err) == core.Corrupt {
				found, err = append(found, err.Error()), nil
			}
			if problems = append(problems, found...); err != nil {
				return err
			}
		}
		return nil
	})
	return problems, conn.Fail(err, "check the run states")
}

// checkTexts compares the long texts of states with their hashes.
func checkTexts(ctx context.Context, t *store.Txn) (problems []string, err error) {
	rows, err := t.Rows(ctx, `SELECT hash, body FROM state_texts ORDER BY key`)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var hash, body []byte
		if err := rows.Scan(&hash, &body); err != nil {
			return problems, err
		}
		if text, err := t.Codec.Inflate(body); err != nil || core.Hash(text) != addressOf(hash) {
			problems = append(problems, fmt.Sprintf("the text %s of run states is damaged", addressOf(hash)))
		}
	}
	return problems, nil
}

// checkStates compares each state with its hash.
func checkStates(ctx context.Context, t *store.Txn) (problems []string, err error) {
	rows, err := t.Rows(ctx, StateColumns+`ORDER BY s.key`)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row StateRow
		if err := rows.StructScan(&row); err != nil {
			return problems, err
		}
		if _, err := row.decode(t.Codec); err != nil {
			problems = append(problems, fmt.Sprintf("the run state %s is damaged", addressOf(row.Hash)))
		}
	}
	return problems, nil
}

// checkReferences looks for states without their texts, and for requests and checkpoints whose message is of another session or whose
// state is missing.
func checkReferences(ctx context.Context, t *store.Txn) (problems []string, err error) {
	const of = ` c LEFT JOIN messages m ON m.id = c.message WHERE m.id IS NULL OR m.session <> c.session OR c.state IS NOT NULL AND c.state NOT IN (SELECT key FROM run_states)`
	for _, check := range []struct{ query, found string }{
		{
			`SELECT count(*) FROM run_states WHERE system NOT IN (SELECT key FROM state_texts) OR tools NOT IN (SELECT key FROM state_texts)`,
			"the texts of %d run states are missing",
		},
		{`SELECT count(*) FROM requests WHERE state NOT IN (SELECT key FROM run_states)`, "the run states of %d requests are missing"},
		{
			`SELECT count(*) FROM requests q JOIN runs r ON r.key = q.run LEFT JOIN messages p ON p.id = q.parent LEFT JOIN messages a ON a.id = q.message
				WHERE p.id IS NULL OR p.session <> r.session OR q.message IS NOT NULL AND (a.id IS NULL OR a.session <> r.session)`,
			"the messages of %d requests are missing",
		},
		{`SELECT count(*) FROM named_checkpoints` + of, "%d checkpoints refer to what is missing"},
		{`SELECT count(*) FROM copied_states` + of, "%d run states of copied messages refer to what is missing"},
		{`SELECT count(*) FROM restores` + of, "%d restored checkpoints refer to what is missing"},
	} {
		var n int64
		if err := t.Get(ctx, &n, check.query); err != nil {
			return problems, err
		}
		if n > 0 {
			problems = append(problems, fmt.Sprintf(check.found, n))
		}
	}
	return problems, nil
}

// SampleRequests returns requests of all sessions, evenly distributed over the library: at most so many, or all of them for 0.
func (db *Store) SampleRequests(ctx context.Context, most int64) ([]core.SampledRequest, error) {
	var sample []core.SampledRequest
	err := db.Read(ctx, func(t *store.Txn) error {
		var keys []struct {
			Key       int64
			SessionID string `db:"session_id"`
			Native    bool
		}
		const all = `SELECT q.key, s.id AS session_id, s.source = '' OR s.source = ? AS native FROM requests q JOIN runs r ON r.key = q.run JOIN sessions s ON s.key = r.session ORDER BY q.key`
		if err := t.All(ctx, &keys, all, core.SourceCoppice); err != nil {
			return err
		}
		every := 1
		if most > 0 {
			every = max(1, (len(keys)+int(most)-1)/int(most))
		}
		for i := len(keys) - 1; i >= 0; i -= every {
			found, err := readRequests(ctx, t, sentRequest+`WHERE q.key = ?`, keys[i].Key)
			if err != nil {
				return err
			}
			for _, q := range found {
				sample = append(sample, core.SampledRequest{SessionID: keys[i].SessionID, Native: keys[i].Native, SentRequest: q})
			}
		}
		return nil
	})
	return sample, conn.Fail(err, "read requests of the library")
}
