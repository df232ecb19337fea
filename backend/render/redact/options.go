package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"coppice/backend/render/plain"
)

// Word is the kind of the user's own words.
const Word Kind = "word"

// Options change what a Redactor replaces.
type Options struct {
	Words []string  // also replaced, wherever they occur; the case of ASCII letters is ignored
	Keep  []string  // the ids of values that stay
	OnHit func(Hit) // called for each value that is found, also for those that stay; nil: not called
}

// Hit is a value that was found.
type Hit struct {
	ID     string // of the kind and the value, the same everywhere
	Kind   Kind
	Value  string
	Before string // the text around the value on its line
	After  string
}

// With returns a Redactor with options.
func With(o Options) *Redactor {
	r := New()
	words := wordRules(o.Words)
	if len(words) > 0 {
		r.rules = append(r.rules, words...)
		r.finder = newFinder(r.rules)
	}
	r.keep, r.onHit = map[string]bool{}, o.OnHit
	for _, id := range o.Keep {
		r.keep[id] = true
	}
	return r
}

// wordRules find words literally, the longer ones first.
func wordRules(words []string) []rule {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	var found []rule
	for _, word := range words {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		length := len(word)
		found = append(found, rule{
			kind: Word, keywords: []string{lower(word)},
			at: func(_ string, end int) (from, to int, ok bool) { return end - length, end, true },
		})
	}
	return found
}

// lower returns the text with ASCII letters in lower case, as the finder reads it.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// idOf returns the id of a value.
func idOf(kind Kind, value string) string {
	sum := sha256.Sum256([]byte(string(kind) + "\x00" + value))
	return hex.EncodeToString(sum[:6])
}

// stays reports a value that was found, and whether it is not replaced.
func (r *Redactor) stays(kind Kind, text string, from, to int) bool {
	if r.onHit == nil && len(r.keep) == 0 {
		return false
	}
	value := text[from:to]
	id := idOf(kind, value)
	if r.onHit != nil {
		r.onHit(Hit{ID: id, Kind: kind, Value: value, Before: contextBefore(text[:from]), After: contextAfter(text[to:])})
	}
	return r.keep[id]
}

// contextBytes is how much text around a value a hit has.
const contextBytes = 60

func contextBefore(text string) string {
	text = text[strings.LastIndexByte(text, '\n')+1:]
	return plain.Tail(text, contextBytes)
}

func contextAfter(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	head, _ := plain.Head(text, contextBytes)
	return head
}
