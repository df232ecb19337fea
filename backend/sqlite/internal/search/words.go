package search

import (
	"strings"

	"coppice/backend/query"
	"coppice/backend/sqlite/internal/fts"
)

// BytesPerWord estimates the length of a word of a text, with what separates it from the next one.
const BytesPerWord = 8

// Postings adds passages to the words of documents.
type Postings struct {
	*fts.Postings
	marked []byte // reused from word to word
}

// NewPostings returns empty postings with room for an expected number of words.
func NewPostings(words int) *Postings { return &Postings{Postings: fts.NewPostings(words)} }

// addPassage adds the words that the index holds of a passage.
func (p *Postings) addPassage(text passage) bool {
	for s := query.NewScanner(text.tool); s.Scan(); {
		p.marked = append(append(p.marked[:0], toolMark...), s.Word()...)
		p.Add(p.marked)
	}
	for s := query.NewScanner(text.text); s.Scan(); {
		p.Add(s.Word())
	}
	p.Add([]byte(betweenTexts))
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
