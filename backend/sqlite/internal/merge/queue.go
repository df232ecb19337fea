package merge

import (
	"context"
	"sync"
	"sync/atomic"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/search"
)

// chunk is a few items of a batch that whoever is free packs, the writer too; done is closed when they are packed.
type chunk struct {
	items    []item
	weight   int // of all items, see packing.Weigh
	messages int // of the messages among them
	claimed  atomic.Bool
	done     chan struct{}
}

func newChunk() *chunk { return &chunk{done: make(chan struct{})} }

// claim reports whether the caller is to pack the chunk.
func (g *chunk) claim() bool { return g.claimed.CompareAndSwap(false, true) }

// pack packs a chunk that was claimed.
func (g *chunk) pack(c *packing.Codec) {
	defer close(g.done)
	words := search.NewPostings(g.weight / search.BytesPerWord)
	group := packing.NewGroup(g.messages)
	for i := range g.items {
		g.items[i].pack(c, group, words)
	}
	group.Close(c)
}

// settle packs the chunk, or waits until another goroutine has.
func (g *chunk) settle(c *packing.Codec) {
	if g.claim() {
		g.pack(c)
		return
	}
	<-g.done
}

// drop leaves the chunk as it is, or waits until another goroutine has packed it.
func (g *chunk) drop() {
	if !g.claim() {
		<-g.done
	}
}

// queue holds the chunks that wait for the writer. It bounds their number and their bytes, but one chunk always has room, however
// heavy it is.
type queue struct {
	mu       sync.Mutex
	changed  *sync.Cond
	chunks   []*chunk
	held     int // bytes of chunks that are not written
	headUID  string
	err      error // why the adding ended early
	finished bool
	closed   bool
}

func newQueue() *queue {
	q := &queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// put waits for room and appends a chunk; it returns false if the queue is closed.
func (q *queue) put(g *chunk) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && q.held > 0 && (q.held+g.weight > aheadBytes || len(q.chunks) == ChunksAhead) {
		q.changed.Wait()
	}
	if q.closed {
		return false
	}
	q.chunks = append(q.chunks, g)
	q.held += g.weight
	q.changed.Broadcast()
	return true
}

// take waits for the next chunk; nil if there will be no more.
func (q *queue) take() *chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.chunks) == 0 && !q.finished && !q.closed {
		q.changed.Wait()
	}
	if len(q.chunks) == 0 {
		return nil
	}
	g := q.chunks[0]
	q.chunks = q.chunks[1:]
	q.changed.Broadcast()
	return g
}

// release makes room after a chunk was written.
func (q *queue) release(g *chunk) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held -= g.weight
	q.changed.Broadcast()
}

func (q *queue) finish(headUID string, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.headUID, q.err, q.finished = headUID, err, true
	q.changed.Broadcast()
}

// close drops what waits, and waits for the chunks that are being packed.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	chunks := q.chunks
	q.chunks = nil
	q.changed.Broadcast()
	q.mu.Unlock()
	for _, g := range chunks {
		g.drop()
	}
}

// ending returns the head of a finished queue that was taken to its end, or why it ended early.
func (q *queue) ending() (headUID string, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.finished {
		return "", core.E(core.Canceled, "the batch is closed")
	}
	return q.headUID, q.err
}

// reader reads the items of a queue, one ahead.
type reader struct {
	queue   *queue
	codec   *packing.Codec
	chunk   *chunk // that of the current item
	at      int
	current item
	more    bool   // there is a current item
	headUID string // known when there are no more
}

// first returns the current message; an empty one if the current item is none.
func (r *reader) first() *core.Message {
	if r.current.message == nil {
		return &core.Message{}
	}
	return &r.current.message.Message
}

func (r *reader) advance(ctx context.Context) (err error) {
	r.current, r.more = item{}, false
	for r.chunk == nil || r.at == len(r.chunk.items) {
		if r.chunk != nil {
			r.queue.release(r.chunk)
		}
		if r.chunk, r.at = r.queue.take(), 0; r.chunk == nil {
			if r.headUID, err = r.queue.ending(); err == nil {
				err = ctx.Err()
			}
			return err
		}
		r.chunk.settle(r.codec)
	}
	r.current, r.more = r.chunk.items[r.at], true
	r.chunk.items[r.at] = item{} // a message of many megabytes is not held until its chunk is written
	r.at++
	return ctx.Err()
}
