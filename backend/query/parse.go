package query

import (
	"strconv"
	"strings"
	"time"
)

const (
	maxDepth = 32  // brackets within brackets
	maxWords = 256 // pasted text may be long; its first words are enough
)

// Context is what the meaning of a query depends on besides its text.
type Context struct {
	Now    time.Time // its zone defines the days in the query
	Typing bool      // the end is still being typed: its last word may be a prefix, and an operator may lack its operand
}

// Parse parses a query. A text without operators and fields always has a meaning; for others the error, of the code
// Invalid, describes what is wrong at which character.
//
//	word  wor*  "two words"  a b  a AND b  a OR b  a NOT b  (a OR b) c
//	role:user tool:run_command model:gpt source:codex path:web file:go.mod label:plan before:2026-02 after:7d in:SESSION
func Parse(text string, c Context) (Query, error) {
	tokens, plain := lex(text)
	q := Query{Plain: plain, Literal: strings.TrimSpace(text)}
	if len(tokens) == 1 && tokens[0].kind == tokenQuoted {
		q.Literal = tokens[0].text
	}
	q.doubt(tokens)
	p := &parser{Context: c, frames: []*frame{{}}}
	for i := range tokens {
		if err := p.take(&tokens[i], i == len(tokens)-1); err != nil {
			return q, err
		}
	}
	root, err := p.end()
	q.Root = root
	return q, err
}

func itoa(n int) string { return strconv.Itoa(n) }

// parser builds the tree. Brackets are frames on a stack.
type parser struct {
	Context
	frames []*frame
	words  int
}

// frame is the contents of one pair of brackets.
type frame struct {
	at       int     // of the bracket
	any      []*Node // the alternatives before the last OR
	all      []*Node // the operands since then
	filled   bool    // it has operands since then, even if only punctuation
	operator *token  // waits for its operand
	not      bool    // the next operand is negated
	outerNot bool    // the whole frame is negated
}

func (p *parser) top() *frame { return p.frames[len(p.frames)-1] }

func (p *parser) take(t *token, last bool) error {
	f := p.top()
	switch t.kind {
	case tokenAnd, tokenOr:
		return p.join(f, t)
	case tokenNot:
		f.operator, f.not = t, !f.not
	case tokenOpen:
		if len(p.frames) > maxDepth {
			return refuse(t.at, "more than %d brackets in one another", maxDepth)
		}
		p.frames = append(p.frames, &frame{at: t.at, outerNot: f.not})
		f.not, f.operator = false, nil
	case tokenClose:
		return p.close(t)
	case tokenField:
		n, err := p.field(t)
		if err != nil {
			return err
		}
		f.add(n, f.not)
	default:
		f.add(p.phrase(t, last), f.not)
	}
	return nil
}

func (p *parser) join(f *frame, t *token) error {
	if !f.filled || f.operator != nil {
		return refuse(t.at, "nothing before %s", t.text).WithHint(`to search for the word, write it in lower case or in quotes`)
	}
	f.operator = t
	if t.kind == tokenOr {
		f.any, f.all, f.filled = append(f.any, join(All, f.all)), nil, false
	}
	return nil
}

// add adds an operand to a frame; nil represents one that has only punctuation.
func (f *frame) add(n *Node, not bool) {
	f.filled, f.operator, f.not = true, nil, false
	if n == nil {
		return
	}
	if not {
		n = &Node{Op: Not, Kids: []*Node{n}, At: n.At}
	}
	f.all = append(f.all, n)
}

func (p *parser) close(t *token) error {
	if len(p.frames) == 1 {
		return refuse(t.at, "this bracket closes none").WithHint(`to look for brackets, put the text in quotes`)
	}
	f := p.top()
	n, err := p.finish(f)
	if err != nil {
		return err
	}
	p.frames = p.frames[:len(p.frames)-1]
	p.top().add(n, f.outerNot)
	return nil
}

// finish returns the node of a frame.
func (p *parser) finish(f *frame) (*Node, error) {
	if f.operator != nil && !p.Typing {
		return nil, refuse(f.operator.at, "nothing after %s", f.operator.text).WithHint(`to search for the word, write it in lower case or in quotes`)
	}
	return join(Any, append(f.any, join(All, f.all))), nil
}

func (p *parser) end() (*Node, error) {
	for {
		f := p.top()
		n, err := p.finish(f)
		if err != nil {
			return nil, err
		}
		if len(p.frames) == 1 {
			return n, nil
		}
		if !p.Typing {
			return nil, refuse(f.at, "this bracket is not closed").WithHint(`to look for brackets, put the text in quotes`)
		}
		p.frames = p.frames[:len(p.frames)-1]
		p.top().add(n, f.outerNot)
	}
}

// join combines several nodes into one; it returns nil for none.
func join(op Op, kids []*Node) *Node {
	flat := make([]*Node, 0, len(kids))
	for _, k := range kids {
		switch {
		case k == nil:
		case k.Op == op:
			flat = append(flat, k.Kids...)
		default:
			flat = append(flat, k)
		}
	}
	switch len(flat) {
	case 0:
		return nil
	case 1:
		return flat[0]
	default:
		return &Node{Op: op, Kids: flat, At: flat[0].At}
	}
}

// phrase returns the node of words; nil for none.
func (p *parser) phrase(t *token, last bool) *Node {
	words := Words(t.text)
	words = words[:min(len(words), maxWords-p.words)]
	p.words += len(words)
	if len(words) == 0 {
		return nil
	}
	return &Node{Op: Phrase, Words: words, Prefix: endsInWord(t.text) && (t.prefix || p.Typing && last && t.open && longEnough(words)), At: t.at}
}

// longEnough reports whether the word being typed is long enough to be searched as a prefix: a shorter one would match
// nearly everything.
func longEnough(words []string) bool {
	return len(words) > 1 || len([]rune(words[0])) > 1
}

// endsInWord reports whether a text ends with a word.
func endsInWord(text string) bool {
	end := 0
	for s := NewScanner(text); s.Scan(); {
		_, end = s.Span()
	}
	return end == len(text) && end > 0
}
