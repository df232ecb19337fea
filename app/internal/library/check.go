package library

import (
	"context"
	"fmt"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// checkedRequests is how many requests are rebuilt by a check that is not deep.
const checkedRequests = 100

// Check looks for damage and returns what it finds in words, and what else the user may want to know. A deep check rebuilds every request
// that was sent to a model. progress may be nil.
func Check(ctx context.Context, db *sqlite.DB, deep bool, progress func(core.Progress)) (problems, notes []string, err error) {
	if problems, err = db.Check(ctx, progress); err != nil {
		return problems, nil, err
	}
	states, err := db.CheckStates(ctx)
	if problems = append(problems, states...); err != nil || len(problems) > 0 {
		return problems, nil, err // requests of damaged messages and states differ as well
	}
	most := int64(checkedRequests)
	if deep {
		most = 0
	}
	sample, err := db.SampleRequests(ctx, most)
	if err != nil {
		return problems, nil, err
	}
	done, err := (&engine.Engine{Store: db}).CheckRequests(ctx, sample, progress)
	if done.Redacted > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d requests are redacted: secrets were replaced before their sessions were imported", done.Redacted, done.Checked))
	}
	if done.Changed > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d requests cannot be rebuilt: an import has changed their sessions since", done.Changed, done.Checked))
	}
	return append(problems, done.Problems...), notes, err
}
