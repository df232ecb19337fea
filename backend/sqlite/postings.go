package sqlite

import (
	"slices"
	"strings"

	"coppice/backend/query"
)

// postings are the words of messages on their way into the index: which ones stand where.
type postings struct {
	numbers map[string]uint32
	words   []string // by their numbers
	tokens  []uint32 // the numbers of all words of all messages, in order
	ends    []int    // by message: where its tokens end
	marked  []byte   // reused from word to word
}

func newPostings() *postings { return &postings{numbers: map[string]uint32{}} }

// add adds a word of the message that is being read.
func (p *postings) add(word []byte) {
	number, known := p.numbers[string(word)]
	if !known {
		number = uint32(len(p.words)) //nolint:gosec // bounded by a batch
		kept := string(word)
		p.words, p.numbers[kept] = append(p.words, kept), number
	}
	p.tokens = append(p.tokens, number)
}

// addTool adds a word of a tool's name.
func (p *postings) addTool(word []byte) {
	p.marked = append(append(p.marked[:0], toolMark...), word...)
	p.add(p.marked)
}

// end ends a message.
func (p *postings) end() { p.ends = append(p.ends, len(p.tokens)) }

// from is where the tokens of a message begin.
func (p *postings) from(message int) int {
	if message == 0 {
		return 0
	}
	return p.ends[message-1]
}

// count is the number of words of a message.
func (p *postings) count(message int) int { return p.ends[message] - p.from(message) }

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
	for message := range p.ends {
		from := p.from(message)
		for i, w := range p.tokens[from:p.ends[message]] {
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
