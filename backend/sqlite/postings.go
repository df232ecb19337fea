package sqlite

import (
	"slices"
	"strings"

	"coppice/backend/query"
)

// postings are the words of messages on their way into the index: which ones stand where.
type postings struct {
	numbers map[string]uint32
	words   []string     // by their numbers
	tokens  []uint32     // the numbers of all words of all messages, in order
	ranges  []tokenRange // by message
	ended   int          // where the tokens of the last message end
	marked  []byte       // reused from word to word
}

// tokenRange is where the tokens of a message stand.
type tokenRange struct{ from, to int }

func newPostings() *postings { return &postings{numbers: map[string]uint32{}} }

// add adds a word of the message that is being read.
func (p *postings) add(word []byte) {
	number, known := p.numbers[string(word)]
	if !known {
		number = p.number(string(word))
	}
	p.tokens = append(p.tokens, number)
}

// number returns the number of a word, a new one where it has none.
func (p *postings) number(word string) uint32 {
	number, known := p.numbers[word]
	if !known {
		number = uint32(len(p.words)) //nolint:gosec // bounded by a batch
		p.words, p.numbers[word] = append(p.words, word), number
	}
	return number
}

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
	set := make(map[string]struct{}, len(p.words))
	for _, word := range p.words {
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
	starts = make([]int, len(p.words)+1)
	for _, w := range p.tokens {
		starts[w+1]++
	}
	for w := range p.words {
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
	order = make([]uint32, len(p.words))
	for w := range order {
		order[w] = uint32(w) //nolint:gosec // bounded by a batch
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(p.words[a], p.words[b]) })
	return order, places, starts
}
