package sqlite

import (
	"iter"
	"sync"
	"sync/atomic"

	"coppice/backend/core"
)

// What is packed ahead of the writer: some batches, each ended by a count or by a weight. They keep the other processors at work
// while the writer puts words into the index, a twentieth of a second at a time.
const (
	packMessages = 64
	packBytes    = 256 << 10
	packsAhead   = 16
	aheadBytes   = 32 << 20 // of all of them; a batch beyond it waits until the others are written
)

// arrival is a message on its way in, packed unless it is known.
type arrival struct {
	core.IncomingMessage
	packed  *packed
	packErr error
	err     error // of the sequence it comes from
}

// packs is a batch of arrivals that whoever is free packs, the writer too; done is closed when they are packed.
type packs struct {
	arrivals []arrival
	weight   int // of their parts, see weigh
	claimed  atomic.Bool
	done     chan struct{}
}

// claim says whether the caller is to pack the batch.
func (b *packs) claim() bool { return b.claimed.CompareAndSwap(false, true) }

// pack packs a batch that was claimed.
func (b *packs) pack(c *codec) {
	defer close(b.done)
	words := newPostings(b.weight / bytesPerWord)
	for i := range b.arrivals {
		c.packArrival(&b.arrivals[i], words)
	}
}

// settle packs the batch, or waits for who does.
func (b *packs) settle(c *codec) {
	if b.claim() {
		b.pack(c)
		return
	}
	<-b.done
}

// drop leaves the batch as it is, or waits for who packs it.
func (b *packs) drop() {
	if !b.claim() {
		<-b.done
	}
}

// packing is the messages of a session on their way to the writer.
type packing struct {
	codec   *codec
	batches chan *packs
	room    *room
	stop    chan struct{}
	ended   bool
}

// room bounds the bytes of the batches that wait for the writer. One batch always has room, however heavy it is.
type room struct {
	mu     sync.Mutex
	freed  *sync.Cond
	held   int
	closed bool
}

func newRoom() *room {
	r := &room{}
	r.freed = sync.NewCond(&r.mu)
	return r
}

// take waits for room; false if there will be none any more.
func (r *room) take(weight int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.closed && r.held > 0 && r.held+weight > aheadBytes {
		r.freed.Wait()
	}
	r.held += weight
	return !r.closed
}

func (r *room) give(weight int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held -= weight
	r.freed.Broadcast()
}

func (r *room) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.freed.Broadcast()
}

// packAhead begins to pack messages on other processors than the writer's, in their order. Memory stays bounded.
func (c *codec) packAhead(seq iter.Seq2[core.IncomingMessage, error]) *packing {
	p := &packing{codec: c, batches: make(chan *packs, packsAhead), room: newRoom(), stop: make(chan struct{})}
	go p.fill(seq)
	return p
}

// arrivals yields the messages, once.
func (p *packing) arrivals(yield func(arrival, error) bool) {
	for batch := range p.batches {
		batch.settle(p.codec)
		for i, a := range batch.arrivals {
			batch.arrivals[i] = arrival{} // a message of many megabytes is not kept until the batch ends
			if !yield(a, a.err) {
				return
			}
		}
		p.room.give(batch.weight)
	}
}

// end waits until its goroutines have ended; what is not packed then never will be. To call it again does nothing.
func (p *packing) end() {
	if p.ended {
		return
	}
	p.ended = true
	close(p.stop)
	p.room.close()
	for batch := range p.batches {
		batch.drop()
	}
}

// Prepare begins to pack the messages of a session that says it is Ahead, while another one is written; others it returns as they are.
// Merge takes what it returns, from the same goroutine or a later one. end must be called, after Merge or in its place: it waits until
// nobody reads Messages any more.
func (db *DB) Prepare(in core.Incoming) (prepared core.Incoming, end func()) {
	if !in.Ahead || in.Messages == nil {
		return in, func() {}
	}
	p := db.codec.packAhead(in.Messages)
	in.Prepared = p
	return in, p.end
}

// fill reads the messages and sends them on in batches, as far as there is room.
func (p *packing) fill(seq iter.Seq2[core.IncomingMessage, error]) {
	c := p.codec
	defer close(p.batches)
	var next []arrival
	weight := 0
	send := func() bool {
		batch := &packs{arrivals: next, weight: weight, done: make(chan struct{})}
		next, weight = nil, 0
		if !p.room.take(batch.weight) {
			return false
		}
		go func() {
			c.packers <- struct{}{}
			defer func() { <-c.packers }()
			if batch.claim() {
				batch.pack(c)
			}
		}()
		select {
		case p.batches <- batch:
			return true
		case <-p.stop:
			batch.drop()
			return false
		}
	}
	defer func() {
		if r := recover(); r != nil {
			next = append(next, arrival{err: core.E(core.Internal, "reading failed: %v", r)})
			send()
		}
	}()
	for m, err := range seq {
		next = append(next, arrival{IncomingMessage: m, err: err})
		weight += weigh(m.Parts)
		if len(next) < packMessages && weight < packBytes {
			continue
		}
		if !send() {
			return
		}
	}
	send()
}

// packArrival packs a message and gathers its words.
func (c *codec) packArrival(a *arrival, words *postings) {
	defer func() {
		if r := recover(); r != nil {
			a.packErr = core.E(core.Internal, "message %q cannot be stored: %v", a.UID, r)
		}
	}()
	if a.err == nil && !a.Known {
		a.packed, a.packErr = c.pack(a.Message)
		a.Parts = nil // the packed one has them
		if a.packErr == nil {
			a.packed.gather(words)
		}
	}
}

// weigh estimates the memory that parts hold.
func weigh(parts []core.Part) int {
	n := 0
	eachPart(parts, func(p *core.Part) {
		n += len(p.Text) + len(p.Arguments) + len(p.Structured) + len(p.Native)
		if p.Media != nil {
			n += len(p.Media.Data)
		}
	})
	return n
}
