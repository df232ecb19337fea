package sqlite

import (
	"strings"

	"coppice/backend/core"
)

// finder looks for something in texts.
type finder interface {
	// mayHold says whether a body may hold it, without decoding its texts.
	mayHold(body string) bool
	// find returns the first places where it stands in a text, in order; none where it is not there.
	find(text string) []span
}

// match is where in a message something was found.
type match struct {
	where core.PartType
	part  int64
	snippet
}

// find looks through a stored body; nil where nothing is found.
func (c *codec) find(f finder, stored []byte, whole wholes) (*match, error) {
	body, err := c.inflate(stored)
	if err != nil {
		return nil, err
	}
	if !f.mayHold(string(body)) {
		return nil, nil // not found
	}
	var found *match
	err = eachPassage(body, whole, func(p passage) bool {
		if spans := f.find(p.text); len(spans) > 0 {
			found = &match{where: p.where, part: p.part, snippet: cut(p.text, spans)}
		}
		return found == nil
	})
	return found, err
}

// beginning shows a message in which nothing was looked for.
func (c *codec) beginning(stored []byte, whole wholes) (*match, error) {
	body, err := c.inflate(stored)
	if err != nil {
		return nil, err
	}
	found := &match{}
	err = eachPassage(body, whole, func(p passage) bool {
		if strings.TrimSpace(p.text) == "" {
			return true
		}
		found.snippet = cut(p.text, []span{{}})
		return false
	})
	found.marks = nil
	return found, err
}
