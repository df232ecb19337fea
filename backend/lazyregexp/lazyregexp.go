// Package lazyregexp holds regular expressions that are compiled when they are first used. A package variable of package
// regexp is compiled when the program starts: by every command, also by those that never use it.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression. It is safe for concurrent use.
type Regexp struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
}

// New returns a Regexp. Its first use panics if the expression is not valid.
func New(expression string) *Regexp { return &Regexp{expression: expression} }

func (r *Regexp) regexp() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.expression) })
	return r.compiled
}

// FindAllStringSubmatch is regexp.Regexp.FindAllStringSubmatch.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.regexp().FindAllStringSubmatch(s, n)
}

// FindString is regexp.Regexp.FindString.
func (r *Regexp) FindString(s string) string {
	return r.regexp().FindString(s)
}

// FindStringIndex is regexp.Regexp.FindStringIndex.
func (r *Regexp) FindStringIndex(s string) []int {
	return r.regexp().FindStringIndex(s)
}

// FindStringSubmatch is regexp.Regexp.FindStringSubmatch.
func (r *Regexp) FindStringSubmatch(s string) []string {
	return r.regexp().FindStringSubmatch(s)
}

// MatchString is regexp.Regexp.MatchString.
func (r *Regexp) MatchString(s string) bool {
	return r.regexp().MatchString(s)
}

// ReplaceAllString is regexp.Regexp.ReplaceAllString.
func (r *Regexp) ReplaceAllString(src, replacement string) string {
	return r.regexp().ReplaceAllString(src, replacement)
}

// ReplaceAllStringFunc is regexp.Regexp.ReplaceAllStringFunc.
func (r *Regexp) ReplaceAllStringFunc(src string, replacement func(string) string) string {
	return r.regexp().ReplaceAllStringFunc(src, replacement)
}
