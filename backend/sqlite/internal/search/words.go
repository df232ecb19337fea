package search

import (
	"strings"

	"coppice/backend/query"
	"coppice/backend/sqlite/internal/fts"
)

// BytesPerWord estimates the length of a word of a text, with what separates it from the next one.
const BytesPerWord = 8

// Postings adds passages to the words of documents, and makes a signature of each document.
type Postings struct {
	*fts.Postings
	signatures [][]byte // by document
	symbols    *symbols // of the current document
	marked     []byte   // reused from word to word
}

// NewPostings returns empty postings with room for an expected number of words.
func NewPostings(words int) *Postings {
	return &Postings{Postings: fts.NewPostings(words), symbols: newSymbols()}
}

// End ends the current document and returns its number.
func (p *Postings) End() int {
	p.signatures = append(p.signatures, p.symbols.signature())
	return p.Postings.End()
}

// Discard removes the words of the current document.
func (p *Postings) Discard() {
	p.symbols.clear()
	p.Postings.Discard()
}

// Reset removes everything and keeps the memory.
func (p *Postings) Reset() {
	p.signatures = p.signatures[:0]
	p.Postings.Reset()
}

// Copy adds a document of other postings.
func (p *Postings) Copy(from *Postings, document int) {
	p.signatures = append(p.signatures, from.signatures[document])
	p.Postings.Copy(from.Postings, document)
}

// Reorder numbers the documents again: the document order[i] becomes i.
func (p *Postings) Reorder(order []int) {
	signatures := make([][]byte, len(order))
	for to, from := range order {
		signatures[to] = p.signatures[from]
	}
	p.signatures = signatures
	p.Postings.Reorder(order)
}

// addPassage adds the words and the symbols that the index holds of a passage.
func (p *Postings) addPassage(text passage) bool {
	for s := query.NewScanner(text.tool); s.Scan(); {
		p.marked = append(append(p.marked[:0], toolMark...), s.Word()...)
		p.Add(p.marked)
	}
	for s := query.NewScanner(text.text); s.Scan(); {
		p.Add(s.Word())
	}
	p.Add([]byte(betweenTexts))
	p.symbols.add(text.text)
	return true
}

// vocabulary returns the words of the texts, without marks and without the one that represents long words.
func (p *Postings) vocabulary() map[string]struct{} {
	set := make(map[string]struct{}, p.Size())
	for number := range p.Size() {
		word := string(p.Word(uint32(number))) //nolint:gosec // bounded by a batch
		if word != betweenTexts && word != query.LongWord && !strings.HasPrefix(word, toolMark) {
			set[word] = struct{}{}
		}
	}
	return set
}
