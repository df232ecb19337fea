package codex

import "strings"

// names holds one copy of each of the few strings that occur repeatedly, with a number; 0 is no string.
type names struct {
	ids   map[string]int32
	texts []string
}

func newNames() names { return names{ids: map[string]int32{"": 0}, texts: []string{""}} }

func (n *names) id(text string) int32 {
	id, known := n.ids[text]
	if !known {
		id = int32(len(n.texts)) //nolint:gosec // bounded by the lines of a file
		text = strings.Clone(text)
		n.ids[text] = id
		n.texts = append(n.texts, text)
	}
	return id
}

func (n *names) text(id int32) string { return n.texts[id] }
