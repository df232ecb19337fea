package fts

import (
	"bytes"
	"math"
	"slices"
)

// Postings holds the words of documents with their positions. The words of a document are added by Add; End ends it. The
// documents are numbered 0, 1, 2 … in the order in which they end.
type Postings struct {
	dictionary
	tokens      []uint32     // the numbers of all words of all documents, in order
	ranges      []tokenRange // by document
	ended       int          // the end of the last document in tokens
	occurrences []occurrence // of byWord, reused

	from  *Postings // the source of the last Copy, and the numbers of its words here
	known []uint32
}

// tokenRange is the range of a document in tokens.
type tokenRange struct{ from, to int }

// unknown is the number of no word.
const unknown = math.MaxUint32

// NewPostings returns empty postings with room for an expected number of words.
func NewPostings(words int) *Postings {
	return &Postings{dictionary: newDictionary(), tokens: make([]uint32, 0, words)}
}

// Reset removes everything and keeps the memory.
func (p *Postings) Reset() {
	p.reset()
	p.tokens, p.ranges, p.ended, p.from = p.tokens[:0], p.ranges[:0], 0, nil
}

// Add adds a word to the current document.
func (p *Postings) Add(word []byte) { p.tokens = append(p.tokens, p.number(word)) }

// End ends the current document and returns its number.
func (p *Postings) End() int {
	p.ranges = append(p.ranges, tokenRange{p.ended, len(p.tokens)})
	p.ended = len(p.tokens)
	return len(p.ranges) - 1
}

// Discard removes the words of the current document.
func (p *Postings) Discard() { p.tokens = p.tokens[:p.ended] }

// Copy adds a document of other postings.
func (p *Postings) Copy(from *Postings, document int) {
	if p.from != from {
		p.from, p.known = from, slices.Repeat([]uint32{unknown}, from.Size())
	}
	for _, w := range from.of(document) {
		if p.known[w] == unknown {
			p.known[w] = p.number(from.Word(w))
		}
		p.tokens = append(p.tokens, p.known[w])
	}
	p.End()
}

// Forget drops the reference to the source of the last Copy.
func (p *Postings) Forget() { p.from, p.known = nil, nil }

// Tokens returns the number of words of all documents, with repetitions.
func (p *Postings) Tokens() int { return len(p.tokens) }

// Documents returns the number of documents.
func (p *Postings) Documents() int { return len(p.ranges) }

// Count returns the number of words of a document, with repetitions.
func (p *Postings) Count(document int) int { return p.ranges[document].to - p.ranges[document].from }

// Reorder numbers the documents again: the document order[i] becomes i.
func (p *Postings) Reorder(order []int) {
	ranges := make([]tokenRange, len(order))
	for to, from := range order {
		ranges[to] = p.ranges[from]
	}
	p.ranges = ranges
}

// Text appends the words of a document to a buffer, separated by spaces.
func (p *Postings) Text(to []byte, document int) []byte {
	for i, w := range p.of(document) {
		if i > 0 {
			to = append(to, ' ')
		}
		to = append(to, p.Word(w)...)
	}
	return to
}

// of returns the tokens of a document.
func (p *Postings) of(document int) []uint32 {
	return p.tokens[p.ranges[document].from:p.ranges[document].to]
}

// occurrence is one occurrence of a word.
type occurrence struct{ document, position uint32 }

// byWord returns the numbers of the words in alphabetical order, and the occurrences of all words: those of the word w are
// occurrences[starts[w]:starts[w+1]], in order. The next call overwrites occurrences.
func (p *Postings) byWord() (order []uint32, occurrences []occurrence, starts []int) {
	starts = make([]int, p.Size()+1)
	for _, w := range p.tokens {
		starts[w+1]++
	}
	for w := range p.Size() {
		starts[w+1] += starts[w]
	}
	p.occurrences = slices.Grow(p.occurrences[:0], len(p.tokens))[:len(p.tokens)]
	occurrences = p.occurrences
	next := slices.Clone(starts)
	for document := range p.ranges {
		for i, w := range p.of(document) {
			occurrences[next[w]] = occurrence{uint32(document), uint32(i)} //nolint:gosec // bounded by a batch
			next[w]++
		}
	}
	order = make([]uint32, p.Size())
	for w := range order {
		order[w] = uint32(w) //nolint:gosec // bounded by a batch
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(p.Word(a), p.Word(b)) })
	return order, occurrences, starts
}
