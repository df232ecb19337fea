package importer

import (
	"iter"

	"coppice/backend/core"
)

// What runs ahead of the writer: a few batches, each ended by a count or by a weight.
const (
	batchMessages = 128
	batchBytes    = 1 << 20
	batchesAhead  = 2
)

type yielded struct {
	message core.IncomingMessage
	err     error
}

// ahead runs seq in a goroutine of its own, so that parsing and writing use two cores. Memory
// stays bounded; the goroutine has ended when the returned sequence returns.
func ahead(seq iter.Seq2[core.IncomingMessage, error]) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		batches := make(chan []yielded, batchesAhead)
		stop := make(chan struct{})
		go produce(seq, batches, stop)
		defer func() {
			close(stop)
			for range batches { // until the goroutine has ended
			}
		}()
		for batch := range batches {
			for _, y := range batch {
				if !yield(y.message, y.err) {
					return
				}
			}
		}
	}
}

func produce(seq iter.Seq2[core.IncomingMessage, error], batches chan<- []yielded, stop <-chan struct{}) {
	var batch []yielded
	send := func() bool {
		select {
		case batches <- batch:
			batch = nil
			return true
		case <-stop:
			return false
		}
	}
	defer close(batches)
	defer func() {
		if r := recover(); r != nil {
			batch = append(batch, yielded{err: core.E(core.Internal, "reading failed: %v", r)})
			send()
		}
	}()
	weight := 0
	for m, err := range seq {
		batch = append(batch, yielded{m, err})
		weight += weigh(m.Parts)
		if len(batch) < batchMessages && weight < batchBytes {
			continue
		}
		if !send() {
			return
		}
		weight = 0
	}
	send()
}

// weigh estimates the memory that parts hold.
func weigh(parts []core.Part) int {
	n := 0
	for _, p := range parts {
		n += len(p.Text) + len(p.Arguments) + len(p.Structured) + len(p.Native)
		if p.Media != nil {
			n += len(p.Media.Data)
		}
		for _, r := range p.Result {
			n += len(r.Text) + len(r.Native)
			if r.Media != nil {
				n += len(r.Media.Data)
			}
		}
	}
	return n
}
