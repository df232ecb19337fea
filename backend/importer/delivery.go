package importer

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/workspace"
)

// delivery is a session on its way from its file into a batch of the library. One goroutine reads it, another one commits it.
type delivery struct {
	core.Incoming
	batch   core.Batch
	unknown map[string]int64 // records of unknown types, by type; complete when the batch is committed
	end     func()           // nil: not started
}

func newDelivery(library Library, in *core.Incoming) *delivery {
	d := &delivery{Incoming: *in, batch: library.Begin(), unknown: map[string]int64{}}
	d.Session.Project = workspace.Project(in.Session.WorkspacePath)
	return d
}

// start begins to read the session, once.
func (d *delivery) start() {
	if d.end == nil {
		d.end = d.Deliver(&counted{Batch: d.batch, unknown: d.unknown})
	}
}

func (d *delivery) commit(ctx context.Context) (core.Merged, error) {
	return d.batch.Commit(ctx, &d.Header)
}

// stop waits until nothing reads the session any more.
func (d *delivery) stop() {
	if d.end == nil {
		d.batch.Close()
		return
	}
	d.end()
}

// counted is a batch that counts the records of unknown types.
type counted struct {
	core.Batch
	unknown map[string]int64
}

// AddRecord counts a record and adds it.
func (c *counted) AddRecord(r core.Record) error {
	if !r.Known {
		c.unknown[r.Type]++
	}
	return c.Batch.AddRecord(r)
}
