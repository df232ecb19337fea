package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind int

const (
	tokenText   tokenKind = iota // a run without white space
	tokenQuoted                  // the text between two quotes, or after a single one
	tokenField                   // name:value
	tokenOpen
	tokenClose
	tokenAnd
	tokenOr
	tokenNot
)

type token struct {
	kind   tokenKind
	name   string // of a field, in lower case
	text   string
	prefix bool // a star follows it
	open   bool // nothing follows it: it may still be typed
	at     int  // its first character, from 1
}

func (t *token) isOperator() bool {
	return t.kind == tokenAnd || t.kind == tokenOr || t.kind == tokenNot
}

// lexer splits a query into tokens.
type lexer struct {
	text   string
	next   int // a byte index
	counts int // the byte up to which characters are counted
	chars  int // the number of characters before it
	loose  int // brackets opened within a word: f(x
	tokens []token
}

// lex splits a query into tokens. In a query without operators and fields brackets have no meaning, and are left out.
func lex(text string) (tokens []token, plain bool) {
	l := &lexer{text: text}
	for l.skip() {
		l.take()
	}
	plain = true
	for i := range l.tokens {
		if t := &l.tokens[i]; t.isOperator() || t.kind == tokenField {
			plain = false
		}
	}
	if !plain {
		return l.tokens, false
	}
	for _, t := range l.tokens {
		if t.kind != tokenOpen && t.kind != tokenClose {
			tokens = append(tokens, t)
		}
	}
	return tokens, true
}

// skip skips white space, and returns false at the end.
func (l *lexer) skip() bool {
	for l.next < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.next:])
		if !unicode.IsSpace(r) {
			return true
		}
		l.next += size
	}
	return false
}

// offset returns the number of the character at a byte index; it only moves forward.
func (l *lexer) offset(i int) int {
	l.chars += utf8.RuneCountInString(l.text[l.counts:i])
	l.counts = i
	return l.chars + 1
}

func (l *lexer) take() {
	at := l.offset(l.next)
	switch l.text[l.next] {
	case '"':
		l.next++
		l.quoted(token{kind: tokenQuoted, at: at})
	case '(':
		l.next++
		l.tokens = append(l.tokens, token{kind: tokenOpen, at: at})
	case ')':
		l.next++
		if l.loose > 0 {
			l.loose--
			return
		}
		l.tokens = append(l.tokens, token{kind: tokenClose, at: at})
	default:
		l.run(at)
	}
}

// quoted reads up to the next quote, or to the end.
func (l *lexer) quoted(t token) {
	rest := l.text[l.next:]
	end := strings.IndexByte(rest, '"')
	if end < 0 {
		t.text, t.open = rest, true
		l.next = len(l.text)
	} else {
		t.text = rest[:end]
		l.next += end + 1
		if strings.HasPrefix(l.text[l.next:], "*") {
			t.prefix = true
			l.next++
		}
	}
	l.tokens = append(l.tokens, t)
}

// run reads up to the next white space, or to the bracket that closes a group.
func (l *lexer) run(at int) {
	start, depth, colons := l.next, 0, 0
	for l.next < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.next:])
		if unicode.IsSpace(r) || r == ')' && depth == 0 {
			break
		}
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ':':
			if colons++; colons > 1 { // no field has a colon in its name
				break
			}
			name := strings.ToLower(l.text[start:l.next])
			if isField(name) && strings.HasPrefix(l.text[l.next+1:], `"`) {
				l.next += 2
				l.quoted(token{kind: tokenField, name: name, at: at})
				return
			}
		}
		l.next += size
	}
	l.loose += depth
	l.tokens = append(l.tokens, word(l.text[start:l.next], at, l.next == len(l.text)))
}

func word(text string, at int, open bool) token {
	t := token{kind: tokenText, text: text, at: at, open: open}
	switch text {
	case "AND":
		t.kind = tokenAnd
	case "OR":
		t.kind = tokenOr
	case "NOT":
		t.kind = tokenNot
	default:
		if name, value, ok := strings.Cut(text, ":"); ok && value != "" && isField(strings.ToLower(name)) {
			t.kind, t.name, t.text = tokenField, strings.ToLower(name), value
		}
		if short, ok := strings.CutSuffix(t.text, "*"); ok {
			t.text, t.prefix = short, true
		}
	}
	return t
}
