package search

import (
	"sync"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
)

// gatheredTokens is how many words are gathered before they are put into the index: 4 MB of their numbers.
const gatheredTokens = 1 << 20

// PendingBatch holds the words of messages that were just written, so that the index need not read those messages again. Nothing depends
// on it: what is lost, because a transaction failed or the program ended, waits in search_queue as any message does. The zero value is empty; it is
// safe to use from several goroutines.
type PendingBatch struct {
	mu    sync.Mutex
	docs  []Indexed
	words *Postings
	spare *Postings // empty, with the memory of earlier ones
}

// PendingBatchOf returns the words of messages that wait for the index.
func PendingBatchOf(db *Store) *PendingBatch { return db.pending }

// IsEmpty reports whether nothing is gathered, no memory for it included.
func (g *PendingBatch) IsEmpty() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.docs) == 0 && g.words == nil && (g.spare == nil || g.spare.Size()+g.spare.Tokens()+g.spare.Documents() == 0)
}

// Messages counts the messages whose words are gathered.
func (g *PendingBatch) Messages() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.docs)
}

// Add adds a message whose words stand in other postings.
func (g *PendingBatch) Add(d Indexed, from *Postings, message int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.words == nil {
		g.words, g.spare = g.spare, nil
		if g.words == nil {
			g.words = NewPostings(0)
		}
	}
	if g.words.Tokens() >= 2*gatheredTokens {
		return // of an archive, which is written at once: it waits for the index
	}
	g.words.Copy(from, message)
	g.docs = append(g.docs, d)
}

// Full says that it is time to put the words into the index.
func (g *PendingBatch) Full() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.docs) >= indexBatch || g.words != nil && g.words.Tokens() >= gatheredTokens
}

// take empties it; nil where it is empty. Then nothing of it takes memory.
func (g *PendingBatch) take() *indexedBatch {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spare = nil
	if len(g.docs) == 0 {
		return nil
	}
	b := &indexedBatch{docs: g.docs, words: g.words}
	g.words.Forget()
	g.docs, g.words = nil, nil
	b.sort()
	return b
}

// reuse takes the room of postings that are written, and that nobody looks at any more, for the next ones.
func (g *PendingBatch) reuse(words *Postings) {
	words.Reset()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spare = words
}

// Gather adds the words of a packed message to postings and returns its number there. ok is false if a text of the message is
// stored elsewhere: then the index has to read the message.
func Gather(p *packing.Packed, words *Postings) (number int, ok bool) {
	for i := range p.Message.Parts {
		part, ok := toSearch(&p.Message.Parts[i])
		if ok {
			_, err := part.passages(contentsOf(p), words.addPassage)
			ok = err == nil
		}
		if !ok {
			words.Discard()
			return 0, false
		}
	}
	return words.End(), true
}

// contentsOf returns a function that returns the contents that packing has separated from a message.
func contentsOf(p *packing.Packed) wholes {
	return func(hash string) (string, error) {
		for i := range p.Blobs {
			if p.Blobs[i].Hash == hash {
				return string(p.Blobs[i].Data), nil
			}
		}
		return "", core.E(core.Unavailable, "content %s is not part of the message", hash)
	}
}
