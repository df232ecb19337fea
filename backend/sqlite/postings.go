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
}

// tokenRange is where the tokens of a message stand.
type tokenRange struct{ from, to int }

func newPostings() *postings { return &postings{wordTable: newWordTable()} }

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
// places[starts[w]:starts[w+1]], in order.
func (p *postings) byWord() (order []uint32, places []posting, starts []int) {
	starts = make([]int, p.size()+1)
	for _, w := range p.tokens {
		starts[w+1]++
	}
	for w := range p.size() {
		starts[w+1] += starts[w]
	}
	places = make([]posting, len(p.tokens))
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
