package sqlite

import (
	"iter"

	"coppice/backend/core"
)

// What is packed ahead of the writer: a few batches, each ended by a count or by a weight.
const (
	packMessages = 64
	packBytes    = 256 << 10
	packsAhead   = 3
)

// arrival is a message on its way in, packed unless it is known.
type arrival struct {
	core.IncomingMessage
	packed  *packed
	packErr error
	err     error // of the sequence it comes from
}

// packs is a batch of arrivals; done is closed when they are packed.
type packs struct {
	arrivals []arrival
	done     chan struct{}
}

// packAhead packs messages on other processors than the writer's, in their order. Memory stays bounded; its goroutines have ended when the
// returned sequence returns.
func (c *codec) packAhead(seq iter.Seq2[core.IncomingMessage, error]) iter.Seq2[arrival, error] {
	return func(yield func(arrival, error) bool) {
		batches := make(chan *packs, packsAhead)
		stop := make(chan struct{})
		go c.packBatches(seq, batches, stop)
		defer func() {
			close(stop)
			for batch := range batches { // until the goroutines have ended
				<-batch.done
			}
		}()
		for batch := range batches {
			<-batch.done
			for _, a := range batch.arrivals {
				if !yield(a, a.err) {
					return
				}
			}
		}
	}
}

func (c *codec) packBatches(seq iter.Seq2[core.IncomingMessage, error], batches chan<- *packs, stop <-chan struct{}) {
	defer close(batches)
	var next []arrival
	send := func() bool {
		batch := &packs{arrivals: next, done: make(chan struct{})}
		next = nil
		go func() {
			defer close(batch.done)
			words := newPostings()
			for i := range batch.arrivals {
				c.packArrival(&batch.arrivals[i], words)
			}
		}()
		select {
		case batches <- batch:
			return true
		case <-stop:
			<-batch.done
			return false
		}
	}
	defer func() {
		if r := recover(); r != nil {
			next = append(next, arrival{err: core.E(core.Internal, "reading failed: %v", r)})
			send()
		}
	}()
	weight := 0
	for m, err := range seq {
		next = append(next, arrival{IncomingMessage: m, err: err})
		weight += weigh(m.Parts)
		if len(next) < packMessages && weight < packBytes {
			continue
		}
		if !send() {
			return
		}
		weight = 0
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
