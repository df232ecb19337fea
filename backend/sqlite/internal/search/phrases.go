package search

import (
	"bytes"
	"strings"

	"coppice/backend/query"
)

// phrases finds the words of a query in a text, to mark them. It is a finder.
type phrases []*query.Node

// wanted returns the phrases that a query is not without.
func wanted(root *query.Node) phrases {
	var found phrases
	for pending := []*query.Node{root}; len(pending) > 0; {
		n := pending[0]
		pending = pending[1:]
		switch {
		case n == nil || n.Op == query.Not:
		case n.Op == query.Phrase:
			found = append(found, n)
		default:
			pending = append(pending, n.Kids...)
		}
	}
	return found
}

func (p phrases) mayHold(string) bool { return true }

// phraseSpans is how many places of phrases are compared before the best of them is shown.
const phraseSpans = 256

// Find returns the matches of the phrases, from the one on that has most others near it.
func (p phrases) Find(text string) []span {
	var spans []span
	var which []int // phrase matches there
	enough := phraseSpans
	if len(p) == 1 {
		enough = snippetMarks // no place is better than the first
	}
	for s := query.NewScanner(text); len(spans) < enough && s.Scan(); {
		for i, n := range p {
			if !begins(n, 0, s.Word()) {
				continue
			}
			if at, ok := goesOn(n, s); ok {
				spans, which = append(spans, at), append(which, i)
				break
			}
		}
	}
	best, most := 0, 0
	for i := range spans {
		if n := together(spans[i:], which[i:]); n > most {
			best, most = i, n
		}
	}
	return spans[best:min(len(spans), best+snippetMarks)]
}

// together counts the different phrases in what would be shown behind the first place.
func together(spans []span, which []int) int {
	seen := map[int]bool{}
	for i := range spans {
		if spans[i].to > spans[0].from+snippetLength-snippetBefore {
			break
		}
		seen[which[i]] = true
	}
	return len(seen)
}

// begins reports whether a word is word i of a phrase.
func begins(n *query.Node, i int, word []byte) bool {
	if n.Prefix && i == len(n.Words)-1 {
		return bytes.HasPrefix(word, []byte(n.Words[i]))
	}
	return string(word) == n.Words[i]
}

// goesOn reports whether a phrase begins at the word that a scanner has found.
func goesOn(n *query.Node, at *query.Scanner) (span, bool) {
	from, to := at.Span()
	s := at.Fork()
	for i := 1; i < len(n.Words); i++ {
		if !s.Scan() || !begins(n, i, s.Word()) {
			return span{}, false
		}
		_, to = s.Span()
	}
	return span{from, to}, true
}

// expression writes a query of words in the language of FTS5, https://sqlite.org/fts5.html#full_text_query_syntax. All of it
// must be words, see isWords.
func expression(n *query.Node) string {
	switch n.Op {
	case query.Phrase:
		return literal(n, "")
	case query.Tool:
		return literal(n, toolMark)
	case query.Any:
		kids := make([]string, len(n.Kids))
		for i, k := range n.Kids {
			kids[i] = expression(k)
		}
		return "(" + strings.Join(kids, " OR ") + ")"
	default:
		var has, lacks []string
		for _, k := range n.Kids {
			if k.Op == query.Not {
				lacks = append(lacks, expression(k.Kids[0]))
			} else {
				has = append(has, expression(k))
			}
		}
		return without("("+strings.Join(has, " AND ")+")", lacks)
	}
}

func without(has string, lacks []string) string {
	if len(lacks) == 0 {
		return has
	}
	return "(" + has + " NOT (" + strings.Join(lacks, " OR ") + "))"
}

// literal writes a phrase; its words are letters and digits.
func literal(n *query.Node, mark string) string {
	text := `"` + mark + strings.Join(n.Words, " "+mark) + `"`
	if n.Prefix {
		text += " *"
	}
	return text
}

// isWords reports whether the index alone answers a node.
func isWords(n *query.Node) bool {
	switch n.Op {
	case query.Phrase, query.Tool:
		return true
	case query.Any, query.All:
		has := false
		for _, k := range n.Kids {
			switch {
			case n.Op == query.All && k.Op == query.Not && isWords(k.Kids[0]):
			case isWords(k):
				has = true
			default:
				return false
			}
		}
		return has
	default:
		return false
	}
}
