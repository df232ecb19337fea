package merge

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/search"
)

// What is packed ahead of the writer: some chunks, each ended by packing.MostItems or packing.MostBytes. They keep the other processors at work
// while the writer puts words into the index, a twentieth of a second at a time.
const (
	ChunksAhead = 16
	aheadBytes  = 32 << 20 // of all of them; a chunk beyond it waits until the others are written
)

// batch is a session on its way to the writer: its messages, records and contents are packed on other processors than the writer's,
// and written in their order. Memory stays bounded.
type batch struct {
	db    *Store
	queue *queue
	next  *chunk // being filled
	stage stage  // of what was added last
}

// stage orders what is added to a batch.
type stage int

const (
	stageMessages stage = iota
	stageRecords
	stageRuns
	stageBlobs
)

// Begin returns an empty batch. It must be closed.
func (db *Store) Begin() core.Batch {
	return &batch{db: db, queue: newQueue(), next: newChunk()}
}

func (b *batch) Add(m core.IncomingMessage) error {
	return b.add(stageMessages, item{message: &m}, packing.Weigh(m.Parts))
}

func (b *batch) AddRecord(r core.Record) error {
	return b.add(stageRecords, item{record: &packedRecord{Record: r}}, len(r.Body))
}

func (b *batch) AddRunItem(i core.RunItem) error {
	return b.add(stageRuns, item{run: &i}, weighRun(&i))
}

// weighRun returns the size of what makes a run item large.
func weighRun(i *core.RunItem) int {
	switch {
	case i.State != nil:
		return len(i.State.JSON)
	case i.Exec != nil && i.Exec.Result != nil:
		return packing.Weigh([]core.Part{*i.Exec.Result})
	case i.Draft != nil:
		return packing.Weigh(i.Draft.Message.Parts)
	}
	return 0
}

func (b *batch) AddBlob(blob core.Blob) error {
	return b.add(stageBlobs, item{blob: &blob}, len(blob.Data))
}

func (b *batch) add(at stage, i item, weight int) error {
	if at < b.stage {
		return core.E(core.Internal, "messages, records, run items and contents must be added in this order")
	}
	b.stage = at
	b.next.items = append(b.next.items, i)
	b.next.weight += weight
	if i.message != nil && !i.message.Known {
		b.next.messages += weight
	}
	if len(b.next.items) < packing.MostItems && b.next.weight < packing.MostBytes {
		return nil
	}
	return b.send()
}

// send queues the chunk and starts to pack it.
func (b *batch) send() error {
	g := b.next
	b.next = newChunk()
	if !b.queue.put(g) {
		return core.E(core.Canceled, "the batch is closed")
	}
	go func() {
		b.db.Codec.Packers <- struct{}{}
		defer func() { <-b.db.Codec.Packers }()
		if g.claim() {
			g.pack(b.db.Codec)
		}
	}()
	return nil
}

func (b *batch) Finish(headUID string, err error) {
	if sent := b.send(); err == nil {
		err = sent
	}
	b.queue.finish(headUID, err)
}

func (b *batch) Close() { b.queue.close() }

// Commit writes messages as they come; only their uids are held.
//
// All of it is one transaction, and after an error nothing of it is there. A session that takes longer than others can be kept waiting is
// written in pieces, each of which leaves what a shorter source would have left: after an error, or a crash, its beginning is there,
// and importing it again adds the rest. That of an archive, if Keep is set, is never written in pieces.
//
// A message whose parent is missing, or that comes twice, is Invalid. Conflict if somebody else has changed the session between
// two pieces.
func (b *batch) Commit(ctx context.Context, h *core.Header) (core.Merged, error) {
	m := &merge{in: h, nowMs: b.db.Now(), gathering: search.PendingBatchOf(b.db.search)}
	if err := runMerge(ctx, m, b.db, &reader{queue: b.queue, codec: b.db.Codec}); err != nil {
		return core.Merged{}, conn.Fail(err, "bring in session %s %s", h.Session.Source, h.Session.SourceID)
	}
	return m.merged, nil
}
