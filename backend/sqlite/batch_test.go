package sqlite

import (
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/merge"
	"coppice/backend/sqlite/internal/packing"
)

// What the writer does not take stays bounded: whoever adds waits, until the batch is closed.
func TestBatchWaitsForTheWriter(t *testing.T) {
	db := openTest(t)
	b := db.Begin()
	large := say("a", "", core.RoleUser)
	large.Parts[0].Text = strings.Repeat("x", packing.MostBytes)
	added, done := make(chan struct{}), make(chan error)
	go func() {
		for n := range 10 * merge.ChunksAhead {
			if err := b.Add(core.IncomingMessage{Message: large}); err != nil {
				done <- err
				return
			}
			if n == 0 {
				close(added)
			}
		}
		done <- nil
	}()
	<-added
	b.Close()
	wantCode(t, <-done, core.Canceled)
	in := incoming("one")
	_, err := b.Commit(t.Context(), &in.Header)
	wantCode(t, err, core.Canceled)
	if n := must(db.CountSessions(t.Context(), core.SessionFilter{}))(t); n != 0 {
		t.Errorf("%d sessions", n)
	}
}

// A message after a record would be written in the wrong order.
func TestBatchOrder(t *testing.T) {
	b := openTest(t).Begin()
	defer b.Close()
	check(t, b.AddRecord(core.Record{Body: []byte("{}")}))
	wantCode(t, b.Add(core.IncomingMessage{Message: say("a", "", core.RoleUser)}), core.Internal)
}
