package jsontext

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxNesting is how deep values may nest: the limit of encoding/json.
const maxNesting = 10_000

// AppendCompact appends a JSON value without its white space, as json.Compact does. It returns false for invalid JSON; the contents
// of dst are then undefined. It copies everything between two significant characters at once, which is several times faster.
func AppendCompact(dst, value []byte) ([]byte, bool) {
	c := compacter{dst: dst, value: value, depth: maxNesting}
	ok := c.run()
	return c.dst, ok
}

// Valid reports whether a text is one JSON value that nests no deeper than depth.
func Valid(text []byte, depth int) bool {
	c := compacter{value: text, depth: depth, checks: true}
	return c.run()
}

// compacter is a pass over a value.
type compacter struct {
	dst, value []byte
	checks     bool // nothing is written to dst
	depth      int  // the most brackets that may be open
	most       int  // the most values; 0: any number
	count      int  // of the values so far, if most is set
	at         int
	open       []byte // the brackets that close the open ones
	state      compactState
	bad        bool
}

type compactState uint8

const (
	beforeValue   compactState = iota
	beforeElement              // or the end of an array
	beforeMember               // or the end of an object
	beforeName
	beforeColon
	behindValue
)

// run reads all of it, and reports whether it is valid JSON.
func (c *compacter) run() bool {
	for c.step() { // each step is a value, or the punctuation before or after one
	}
	return !c.bad && c.state == behindValue && len(c.open) == 0
}

// step reads the next token. It returns false at the end and at an invalid token.
func (c *compacter) step() bool {
	if c.at = skipSpace(c.value, c.at); c.at == len(c.value) {
		return false
	}
	ch := c.value[c.at]
	switch c.state {
	case beforeColon:
		c.bad = ch != ':'
		c.state = beforeValue
		c.put()
	case behindValue:
		c.behind(ch)
	case beforeName, beforeMember:
		if ch == '}' && c.state == beforeMember {
			c.close(ch)
			break
		}
		c.bad = ch != '"' || !c.text()
		c.state = beforeColon
	default:
		if ch == ']' && c.state == beforeElement {
			c.close(ch)
			break
		}
		c.begin(ch)
	}
	return !c.bad
}

// put copies one character.
func (c *compacter) put() {
	if !c.checks {
		c.dst = append(c.dst, c.value[c.at])
	}
	c.at++
}

func (c *compacter) begin(ch byte) {
	c.state = behindValue
	if c.most > 0 {
		if c.count++; c.count > c.most {
			c.bad = true
			return
		}
	}
	switch ch {
	case '{', '[':
		c.open = append(c.open, ch+2) // '{'+2 is '}', '['+2 is ']'
		c.bad = len(c.open) > c.depth
		if c.state = beforeElement; ch == '{' {
			c.state = beforeMember
		}
		c.put()
	case '"':
		c.bad = !c.text()
	case 't':
		c.word("true")
	case 'f':
		c.word("false")
	case 'n':
		c.word("null")
	default:
		c.number()
	}
}

func (c *compacter) behind(ch byte) {
	if len(c.open) == 0 {
		c.bad = true
		return
	}
	if ch != ',' {
		c.close(ch)
		return
	}
	if c.state = beforeValue; c.open[len(c.open)-1] == '}' {
		c.state = beforeName
	}
	c.put()
}

func (c *compacter) close(ch byte) {
	last := len(c.open) - 1
	if c.bad = ch != c.open[last]; c.bad {
		return
	}
	c.open = c.open[:last]
	c.state = behindValue
	c.put()
}

func (c *compacter) word(word string) {
	c.bad = !bytes.HasPrefix(c.value[c.at:], []byte(word))
	c.take(len(word))
}

// take copies n characters, unless something is wrong.
func (c *compacter) take(n int) {
	if c.bad {
		return
	}
	if !c.checks {
		c.dst = append(c.dst, c.value[c.at:c.at+n]...)
	}
	c.at += n
}

// text reads a string, and reports whether it is one.
func (c *compacter) text() bool {
	for i := c.at + 1; ; {
		i += plainLength(c.value[i:])
		if i == len(c.value) || c.value[i] < ' ' {
			return false
		}
		if c.value[i] == '"' {
			c.take(i + 1 - c.at)
			return true
		}
		n := escapeLength(c.value[i:])
		if n == 0 {
			return false
		}
		i += n
	}
}

// plainLength returns the number of characters of a string before the first quote, backslash or control character. It tests eight at a
// time, see "Determine if a word has a byte less than n" in https://graphics.stanford.edu/~seander/bithacks.html.
func plainLength(text []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		quote, slash := word^ones*'"', word^ones*'\\'
		found := ((word-ones*' ')&^word | (quote-ones)&^quote | (slash-ones)&^slash) & tops
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\'; i++ {
	}
	return i
}

// escapeLength returns the length of the escape that text begins with; 0 if there is no valid one.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] != 'u' {
		switch text[1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			return 2
		default:
			return 0
		}
	}
	if len(text) < 6 {
		return 0
	}
	for _, ch := range text[2:6] {
		if !isDigit(ch) && (ch < 'a' || ch > 'f') && (ch < 'A' || ch > 'F') {
			return 0
		}
	}
	return 6
}

// number reads a number, RFC 8259 section 6.
func (c *compacter) number() {
	i := c.at
	if c.value[i] == '-' {
		i++
	}
	if i < len(c.value) && c.value[i] == '0' {
		i++
	} else if i = c.digits(i); c.bad {
		return
	}
	if i < len(c.value) && c.value[i] == '.' {
		i = c.digits(i + 1)
	}
	if !c.bad && i < len(c.value) && (c.value[i] == 'e' || c.value[i] == 'E') {
		if i++; i < len(c.value) && (c.value[i] == '+' || c.value[i] == '-') {
			i++
		}
		i = c.digits(i)
	}
	c.take(i - c.at)
}

// digits returns the end of the digits that begin at i; at least one is required.
func (c *compacter) digits(i int) int {
	from := i
	for i < len(c.value) && isDigit(c.value[i]) {
		i++
	}
	c.bad = c.bad || i == from
	return i
}

func isDigit(ch byte) bool { return ch >= '0' && ch <= '9' }

func isSpace(ch byte) bool { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r' }
