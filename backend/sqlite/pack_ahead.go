package sqlite

import (
	"iter"
	"sync/atomic"

	"coppice/backend/core"
)

// What is packed ahead of the writer: some batches, each ended by a count or by a weight. They keep the other processors at work
// while the writer puts words into the index, a twentieth of a second at a time.
const (
	packMessages = 64
	packBytes    = 256 << 10
	packsAhead   = 16
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
	words := newPostings(b.weight / wordBytes)
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
	stop    chan struct{}
	ended   bool
}

// packAhead begins to pack messages on other processors than the writer's, in their order. Memory stays bounded.
func (c *codec) packAhead(seq iter.Seq2[core.IncomingMessage, error]) *packing {
	p := &packing{codec: c, batches: make(chan *packs, packsAhead), stop: make(chan struct{})}
	go c.packBatches(seq, p.batches, p.stop)
	return p
}

// arrivals yields the messages, once.
func (p *packing) arrivals(yield func(arrival, error) bool) {
	for batch := range p.batches {
		batch.settle(p.codec)
		for _, a := range batch.arrivals {
			if !yield(a, a.err) {
				return
			}
		}
	}
}

// end waits until its goroutines have ended; what is not packed then never will be. To call it again does nothing.
func (p *packing) end() {
	if p.ended {
		return
	}
	p.ended = true
	close(p.stop)
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

func (c *codec) packBatches(seq iter.Seq2[core.IncomingMessage, error], batches chan<- *packs, stop <-chan struct{}) {
	defer close(batches)
	var next []arrival
	weight := 0
	send := func() bool {
		batch := &packs{arrivals: next, weight: weight, done: make(chan struct{})}
		next, weight = nil, 0
		go func() {
			c.packers <- struct{}{}
			defer func() { <-c.packers }()
			if batch.claim() {
				batch.pack(c)
			}
		}()
		select {
		case batches <- batch:
			return true
		case <-stop:
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
