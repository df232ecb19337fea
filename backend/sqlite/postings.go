package sqlite

import (
	"bytes"
	"slices"
	"strings"

	"coppice/backend/query"
)

// postings are the words of messages on their way into the index: which ones stand where.
type postings struct {
	wordTable
	tokens []uint32     // the numbers of all words of all messages, in order
	ranges []tokenRange // by message
	ended  int          // where the tokens of the last message end
	marked []byte       // reused from word to word
	places []posting    // those of byWord, reused
}

// tokenRange is where the tokens of a message stand.
type tokenRange struct{ from, to int }

// wordBytes is how long a word of a text is with what stands around it, more or less.
const wordBytes = 8

// newPostings returns empty postings with room for so many words.
func newPostings(words int) *postings {
	return &postings{wordTable: newWordTable(), tokens: make([]uint32, 0, words)}
}

// reset makes them empty, and keeps their room.
func (p *postings) reset() {
	p.wordTable.reset()
	p.tokens, p.ranges, p.ended = p.tokens[:0], p.ranges[:0], 0
}

// add adds a word of the message that is being read.
func (p *postings) add(word []byte) { p.tokens = append(p.tokens, p.number(word)) }

// addTool adds a word of a tool's name.
func (p *postings) addTool(word []byte) {
	p.marked = append(append(p.marked[:0], toolMark...), word...)
	p.add(p.marked)
}

// addPassage adds the words that the index holds of a text.
func (p *postings) addPassage(text passage) bool {
	for s := query.NewScanner(text.tool); s.Scan(); {
		p.addTool(s.Word())
	}
	for s := query.NewScanner(text.text); s.Scan(); {
		p.add(s.Word())
	}
	p.add([]byte(betweenTexts))
	return true
}

// end ends a message.
func (p *postings) end() {
	p.ranges = append(p.ranges, tokenRange{p.ended, len(p.tokens)})
	p.ended = len(p.tokens)
}

// of returns the tokens of a message.
func (p *postings) of(message int) []uint32 {
	return p.tokens[p.ranges[message].from:p.ranges[message].to]
}

// count is the number of words of a message.
func (p *postings) count(message int) int { return p.ranges[message].to - p.ranges[message].from }

// vocabulary returns the words that texts have; marks and what stands for long words are none.
func (p *postings) vocabulary() map[string]struct{} {
	set := make(map[string]struct{}, p.size())
	for number := range p.size() {
		word := string(p.word(uint32(number))) //nolint:gosec // bounded by a batch
		if word != betweenTexts && word != query.LongWord && !strings.HasPrefix(word, toolMark) {
			set[word] = struct{}{}
		}
	}
	return set
}

// posting is one place of a word.
type posting struct{ message, position uint32 }

// byWord returns the numbers of the words in the order of the alphabet, and the places of all words: those of the word w are
// places[starts[w]:starts[w+1]], in order. places are overwritten by the next call.
func (p *postings) byWord() (order []uint32, places []posting, starts []int) {
	starts = make([]int, p.size()+1)
	for _, w := range p.tokens {
		starts[w+1]++
	}
	for w := range p.size() {
		starts[w+1] += starts[w]
	}
	p.places = slices.Grow(p.places[:0], len(p.tokens))[:len(p.tokens)]
	places = p.places
	next := slices.Clone(starts)
	for message := range p.ranges {
		for i, w := range p.of(message) {
			places[next[w]] = posting{uint32(message), uint32(i)} //nolint:gosec // bounded by a batch
			next[w]++
		}
	}
	order = make([]uint32, p.size())
	for w := range order {
		order[w] = uint32(w) //nolint:gosec // bounded by a batch
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(p.word(a), p.word(b)) })
	return order, places, starts
}
