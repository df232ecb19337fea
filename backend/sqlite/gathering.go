package sqlite

import (
	"cmp"
	"slices"
	"sync"

	"coppice/backend/core"
)

// gatheredTokens is how many words are gathered before they are put into the index: 4 MB of their numbers.
const gatheredTokens = 1 << 20

// gathering holds the words of messages that were just written, so that the index need not read those messages again. Nothing depends
// on it: what is lost, because a transaction failed or the program ended, waits in search_queue as any message does. The zero value is empty; it is
// safe to use from several goroutines.
type gathering struct {
	mu    sync.Mutex
	docs  []indexed
	words *postings
	spare *postings // empty, with the memory of earlier ones
}

// add adds a message whose words stand in other postings.
func (g *gathering) add(d indexed, from *postings, message int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.words == nil {
		g.words, g.spare = g.spare, nil
		if g.words == nil {
			g.words = newPostings(0)
		}
	}
	if g.words.Tokens() >= 2*gatheredTokens {
		return // of an archive, which is written at once: it waits for the index
	}
	g.words.Copy(from.Postings, message)
	g.docs = append(g.docs, d)
}

// full says that it is time to put the words into the index.
func (g *gathering) full() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.docs) >= indexBatch || g.words != nil && g.words.Tokens() >= gatheredTokens
}

// take empties it; nil where it is empty. Then nothing of it takes memory.
func (g *gathering) take() *indexedBatch {
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
func (g *gathering) reuse(words *postings) {
	words.Reset()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spare = words
}

// sort orders messages by time, as FTS5 wants their numbers in order.
func (b *indexedBatch) sort() {
	order := make([]int, len(b.docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return byTime(b.docs[i], b.docs[j]) })
	docs := b.docs
	b.docs = make([]indexed, len(docs))
	for to, from := range order {
		b.docs[to] = docs[from]
	}
	b.words.Reorder(order)
}

func byTime(a, b indexed) int {
	return cmp.Or(cmp.Compare(a.CreatedAtMs, b.CreatedAtMs), cmp.Compare(a.Message, b.Message))
}

// gather cuts what is packed into words, where all of its texts are at hand.
func (p *packed) gather(words *postings) {
	for i := range p.message.Parts {
		part, ok := toSearch(&p.message.Parts[i])
		if ok {
			_, err := part.passages(p.text, words.addPassage)
			ok = err == nil
		}
		if !ok {
			words.Discard()
			return
		}
	}
	p.words, p.atWord = words, words.End()
}

// text returns a content that was taken out of the message.
func (p *packed) text(hash string) (string, error) {
	for i := range p.blobs {
		if p.blobs[i].Hash == hash {
			return string(p.blobs[i].Data), nil
		}
	}
	return "", core.E(core.Unavailable, "the text stands elsewhere")
}
