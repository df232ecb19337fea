package search

import (
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
)

// finder looks for something in texts.
type finder interface {
	// mayHold reports whether a body may contain it, without decoding its texts.
	mayHold(body string) bool
	// Find returns the first matches in a text, in order.
	Find(text string) []span
}

// Match is where in a message something was found.
type Match struct {
	where core.PartType
	part  int64
	snippet
}

// Passage returns the part of the message that contains the match, one line around it, and where in that line it is.
func (m *Match) Passage() (part int64, snippet string, from, to int64) {
	return m.part, m.text, m.marks[0].From, m.marks[0].To
}

// FindIn searches a stored body; it returns nil if nothing is found.
func FindIn(c *packing.Codec, f finder, stored packing.Stored, whole wholes) (*Match, error) {
	body, err := c.Read(stored)
	if err != nil {
		return nil, err
	}
	if !f.mayHold(string(body)) {
		return nil, nil // not found
	}
	var found *Match
	err = eachPassage(body, whole, func(p passage) bool {
		if spans := f.Find(p.text); len(spans) > 0 {
			found = &Match{where: p.where, part: p.part, snippet: cut(p.text, spans)}
		}
		return found == nil
	})
	return found, err
}

// beginning returns the beginning of a message, for a query without words.
func beginning(c *packing.Codec, stored packing.Stored, whole wholes) (*Match, error) {
	body, err := c.Read(stored)
	if err != nil {
		return nil, err
	}
	found := &Match{}
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
