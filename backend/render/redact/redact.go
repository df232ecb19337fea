// Package redact replaces what must not leave the machine: keys and tokens, the names in home paths, and e-mail
// addresses. It knows their formats; it cannot recognise every secret.
package redact

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kind is the kind of a replaced value.
type Kind string

// The kinds.
const (
	Secret Kind = "secret"
	Email  Kind = "email"
	Home   Kind = "home"
)

// Redactor replaces the same value by the same placeholder everywhere. It is for one export, and not safe for
// concurrent use.
type Redactor struct {
	rules  []rule
	finder *finder
	judge  *judge
	names  map[string]string // placeholders by kind and value
	last   map[Kind]int
	counts map[Kind]int64
	// secretNames remembers whether the value of a member of this name is secret.
	secretNames map[string]bool
	keep        map[string]bool // the ids of values that stay
	onHit       func(Hit)
}

// rule finds one kind of value near its keywords, which are in lower case.
type rule struct {
	kind     Kind
	keywords []string
	pattern  *regexp.Regexp
	value    int                       // the group to replace
	follows  func(rest string) bool    // reports whether the text after a keyword can be a match; nil: it always can
	lines    int                       // how many lines after the keyword's it searches; negative: all
	accept   func(match []string) bool // nil: every match
	// at finds the value at a keyword that ends at end, in place of pattern, for rules that are tried so often that a
	// regular expression is too slow.
	at func(text string, end int) (from, to int, ok bool)
}

// New returns a Redactor.
func New() *Redactor {
	j := newJudge()
	all := rules(j)
	return &Redactor{rules: all, finder: newFinder(all), judge: j, names: map[string]string{}, last: map[Kind]int{}, counts: map[Kind]int64{}, secretNames: map[string]bool{}}
}

// Counts returns how often each kind of value was replaced.
func (r *Redactor) Counts() map[Kind]int64 { return r.counts }

// Text returns the text with placeholders.
func (r *Redactor) Text(text string) string {
	matches := r.matches(text)
	if len(matches) == 0 {
		return text
	}
	var out strings.Builder
	done := 0
	for _, m := range matches {
		if r.stays(m.kind, text, m.from, m.to) {
			continue
		}
		out.WriteString(text[done:m.from])
		out.WriteString(r.placeholder(m.kind, text[m.from:m.to]))
		done = m.to
	}
	out.WriteString(text[done:])
	return out.String()
}

// match is a value to replace.
type match struct {
	rule, from, to int
	kind           Kind
}

// matches returns the values to replace, in order. If two rules find the same value, the first one counts.
func (r *Redactor) matches(text string) []match {
	var found []match
	looked := make([]int, len(r.rules)) // how far each rule has searched
	r.finder.each(text, func(n, end int) {
		if end <= looked[n] || r.rules[n].follows != nil && !r.rules[n].follows(text[end:min(end+followsBytes, len(text))]) {
			return
		}
		if r.rules[n].at != nil {
			found, looked[n] = r.rules[n].findAt(found, n, text, end)
			return
		}
		from, to := window(text, end, r.rules[n].lines)
		from = max(from, looked[n])
		looked[n] = to
		found = r.rules[n].find(found, n, text, from, to)
	})
	found = awsSecrets(found, len(r.rules), text) // the least certain rule: keys of other vendors can end in forty such characters
	slices.SortFunc(found, func(a, b match) int { return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.from, b.from)) })
	var kept []match
	for _, m := range found {
		at, _ := slices.BinarySearchFunc(kept, m.from, func(k match, from int) int { return cmp.Compare(k.from, from) })
		if m.kind == Home && at < len(kept) && m.to > kept[at].from {
			m = r.before(m, text, kept[at].from)
		}
		if (at == 0 || kept[at-1].to <= m.from) && (at == len(kept) || m.to <= kept[at].from) {
			kept = slices.Insert(kept, at, m)
		}
	}
	return kept
}

// before returns the part of a match that ends where another one begins, if that is a match, too: a name can run into a key.
func (r *Redactor) before(m match, text string, end int) match {
	for _, found := range r.find(text[:end], m.rule, m.from) {
		return found
	}
	return m
}

// find returns the matches of one rule from a position on.
func (r *Redactor) find(text string, n, from int) (found []match) {
	rule := r.rules[n]
	if rule.at == nil {
		return rule.find(nil, n, text, from, len(text))
	}
	r.finder.each(text[from:], func(of, end int) {
		if of == n {
			found, _ = rule.findAt(found, n, text, from+end)
		}
	})
	return found
}

// findAt appends what the rule finds at a keyword, and returns where the next keyword may be.
func (r *rule) findAt(found []match, n int, text string, end int) ([]match, int) {
	from, to, ok := r.at(text, end)
	if !ok {
		return found, end
	}
	return append(found, match{rule: n, from: from, to: to, kind: r.kind}), to
}

// find appends what the rule finds between from and to.
func (r *rule) find(found []match, n int, text string, from, to int) []match {
	for from < to {
		at := r.pattern.FindStringSubmatchIndex(text[from:to])
		if at == nil {
			return found
		}
		m := match{rule: n, from: from + at[2*r.value], to: from + at[2*r.value+1], kind: r.kind}
		if !strings.HasPrefix(text[m.from:], "[redacted") && (r.accept == nil || r.accept(groups(text[from:to], at))) {
			found = append(found, m)
			from = max(m.to, from+1)
			continue
		}
		from += max(at[2]+1, 1) // the text after the name may have a name of its own
	}
	return found
}

func groups(text string, at []int) []string {
	out := make([]string, len(at)/2)
	for i := range out {
		if at[2*i] >= 0 {
			out[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return out
}

func (r *Redactor) placeholder(kind Kind, value string) string {
	r.counts[kind]++
	if kind == Home {
		return "~"
	}
	key := string(kind) + "\x00" + value
	if name, ok := r.names[key]; ok {
		return name
	}
	r.last[kind]++
	name := fmt.Sprintf("[redacted %s %d]", kind, r.last[kind])
	r.names[key] = name
	return name
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
