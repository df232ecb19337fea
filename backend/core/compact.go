package core

import "bytes"

// maxNesting is how deep values may nest, the limit of encoding/json.
const maxNesting = 10_000

// AppendCompact appends a JSON value without its white space, as json.Compact does; false where it is no JSON, after which dst counts
// for nothing. It takes what stands between two characters that matter at once, so it is several times faster.
func AppendCompact(dst, value []byte) ([]byte, bool) {
	c := compacter{dst: dst, value: value}
	for c.step() { // each step is a value, or what stands before or behind one
	}
	return c.dst, !c.bad && c.state == behindValue && len(c.open) == 0
}

// compacter is a pass over a value.
type compacter struct {
	dst, value []byte
	at         int
	open       []byte // the brackets that close what is open
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

// step takes the next token; false at the end, and where there is a wrong one.
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

// put takes one character.
func (c *compacter) put() {
	c.dst = append(c.dst, c.value[c.at])
	c.at++
}

func (c *compacter) begin(ch byte) {
	c.state = behindValue
	switch ch {
	case '{', '[':
		c.open = append(c.open, ch+2) // '{'+2 is '}', '['+2 is ']'
		c.bad = len(c.open) > maxNesting
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

// take takes so many characters, where nothing is wrong.
func (c *compacter) take(n int) {
	if !c.bad {
		c.dst = append(c.dst, c.value[c.at:c.at+n]...)
		c.at += n
	}
}

// text takes a string; false where it is none.
func (c *compacter) text() bool {
	for i := c.at + 1; i < len(c.value); i++ {
		switch ch := c.value[i]; {
		case ch == '"':
			c.take(i + 1 - c.at)
			return true
		case ch < ' ':
			return false
		case ch == '\\':
			n := escapeLength(c.value[i:])
			if n == 0 {
				return false
			}
			i += n - 1
		}
	}
	return false
}

// escapeLength returns the length of the escape that text begins with; 0 where it is none.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] != 'u' {
		if bytes.IndexByte([]byte(`"\/bfnrt`), text[1]) < 0 {
			return 0
		}
		return 2
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

// number takes a number, RFC 8259 section 6.
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

// digits returns where the digits end that begin at i; to have none is wrong.
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
