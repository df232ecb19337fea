package core

import (
	"slices"
	"strings"
	"unicode"
)

// maxTagRunes is the length of a tag.
const maxTagRunes = 50

// CheckTag returns an Invalid error if a text is not a tag: 1 to 50 characters on one line.
func CheckTag(tag string) error {
	switch {
	case strings.TrimSpace(tag) != tag || tag == "":
		return E(Invalid, "invalid tag %q: want a word without spaces around it", tag)
	case len([]rune(tag)) > maxTagRunes:
		return E(Invalid, "invalid tag %q: want at most %d characters", Cut(tag, maxTagRunes), maxTagRunes)
	case strings.ContainsFunc(tag, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }):
		return E(Invalid, "invalid tag %q: want printable characters", tag)
	}
	return nil
}

// Retagged returns tags, sorted, after some were added or removed.
func Retagged(tags, change []string, remove bool) []string {
	all := slices.Clone(tags)
	if remove {
		all = slices.DeleteFunc(all, func(tag string) bool { return slices.Contains(change, tag) })
	} else {
		all = append(all, change...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Tag is a tag with the number of sessions that have it.
type Tag struct {
	Name  string `json:"name" db:"name"`
	Color Color  `json:"color" db:"color"` // empty: none
	Count int64  `json:"count" db:"count"`
}
