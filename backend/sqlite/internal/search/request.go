package search

import (
	"time"

	"coppice/backend/core"
	"coppice/backend/query"
)

// request is what is to be found.
type request struct {
	core.SearchQuery
	words  *query.Node // nil: none, or it is not words that are looked for
	filter *query.Node
	plain  bool
	// literal is the text to look for if it has no words, or no message has them.
	literal  string
	pattern  *Pattern      // of a substring or a regular expression; nil for words
	plainRun string        // a text that is part of everything the pattern matches
	parsed   []query.Query // in the order people read them
}

func readRequest(q core.SearchQuery, now time.Time) (*request, error) {
	r := &request{SearchQuery: q}
	filter, err := query.Parse(q.Filter, query.Context{Now: now})
	if err != nil {
		return nil, err
	}
	r.filter, r.parsed = filter.Root, []query.Query{filter}
	if q.Regex || q.Substring {
		return r, r.look(q.Text, q.Regex)
	}
	words, err := query.Parse(q.Text, query.Context{Now: now, Typing: q.Typing})
	if err != nil {
		return nil, err
	}
	r.words, r.plain, r.literal = words.Root, words.Plain, words.Literal
	r.parsed = []query.Query{words, filter}
	if r.words == nil {
		return r, r.look(r.literal, false)
	}
	return r, nil
}

// hint returns what the user may have meant instead, given whether the request found something.
func (r *request) hint(found bool) string {
	for _, q := range r.parsed {
		if hint := q.Hint(found); hint != "" {
			return hint
		}
	}
	return ""
}

// look makes the request one for a substring or a regular expression.
func (r *request) look(text string, regex bool) error {
	p, err := NewPattern(text, regex)
	if err != nil {
		return err
	}
	r.pattern, r.words, r.plainRun = p, nil, text
	if regex {
		r.plainRun = query.Literal(text)
	}
	return nil
}
