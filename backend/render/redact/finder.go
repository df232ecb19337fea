package redact

import "strings"

// finder finds keywords in a text, in one pass and ignoring the case of ASCII letters (Aho and Corasick, 1975). Rules
// search only near their keywords, because regular expressions read only some ten megabytes a second.
type finder struct {
	class  [256]uint8 // of each byte; 0: in no keyword
	width  int
	next   []int32 // by state and class
	ending [][]int // by state: the rules whose keywords end there
	ends   []bool  // by state: whether there are any
}

// newFinder returns a finder for the keywords of all rules.
func newFinder(rules []rule) *finder {
	f := &finder{width: 1}
	for _, r := range rules {
		for _, keyword := range r.keywords {
			for _, b := range []byte(keyword) {
				if f.class[b] == 0 {
					f.class[b] = uint8(f.width) //nolint:gosec // there are fewer than 256 bytes
					f.width++
				}
			}
		}
	}
	for b := byte('A'); b <= 'Z'; b++ {
		f.class[b] = f.class[b+'a'-'A']
	}
	f.grow()
	for i, r := range rules {
		for _, keyword := range r.keywords {
			state := int32(0)
			for _, b := range []byte(keyword) {
				at := int(state)*f.width + int(f.class[b])
				if f.next[at] == 0 {
					f.next[at] = f.grow()
				}
				state = f.next[at]
			}
			f.ending[state] = append(f.ending[state], i)
		}
	}
	f.link()
	f.ends = make([]bool, len(f.ending))
	for state, rules := range f.ending {
		f.ends[state] = len(rules) > 0
	}
	return f
}

// grow appends a state and returns it.
func (f *finder) grow() int32 {
	f.next = append(f.next, make([]int32, f.width)...)
	f.ending = append(f.ending, nil)
	return int32(len(f.ending) - 1) //nolint:gosec // some thousand states
}

// link lets each state continue with the longest suffix that is a state, breadth first.
func (f *finder) link() {
	fallback := make([]int32, len(f.ending))
	var queue []int32
	for c := range f.width {
		if state := f.next[c]; state != 0 {
			queue = append(queue, state)
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		f.ending[state] = append(f.ending[state], f.ending[fallback[state]]...)
		for c := range f.width {
			at, suffix := int(state)*f.width+c, f.next[int(fallback[state])*f.width+c]
			if child := f.next[at]; child != 0 {
				fallback[child] = suffix
				queue = append(queue, child)
			} else {
				f.next[at] = suffix
			}
		}
	}
}

// each calls found for each rule with a keyword in the text, with the end of the keyword.
func (f *finder) each(text string, found func(rule, end int)) {
	state := int32(0)
	for i := range len(text) {
		state = f.next[int(state)*f.width+int(f.class[text[i]])]
		if f.ends[state] {
			for _, rule := range f.ending[state] {
				found(rule, i+1)
			}
		}
	}
}

const (
	// A rule searches the line of its keyword, at most this far before and after it.
	reachBefore = 200
	reachBehind = 4 << 10
)

// window returns the range of a text that a rule searches for a keyword that ends at end: the keyword's line and more
// lines after it; negative: all lines.
func window(text string, end, more int) (from, to int) {
	from = max(0, end-reachBefore)
	if at := strings.LastIndexByte(text[from:end-1], '\n'); at >= 0 {
		from += at + 1
	}
	if more < 0 {
		return from, len(text)
	}
	limit := min(len(text), end+reachBehind)
	for to = end; to < limit; to++ {
		at := strings.IndexByte(text[to:limit], '\n')
		if at < 0 {
			return from, limit
		}
		if to += at; more == 0 {
			return from, to
		}
		more--
	}
	return from, limit
}
