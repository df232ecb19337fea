package tables

import (
	"fmt"
	"strings"
)

// Condition is a WHERE clause on sessions s with its arguments.
type Condition struct {
	terms []string
	Args  []any
}

// Add adds a term, which must hold too, with the arguments of its placeholders.
func (c *Condition) Add(term string, args ...any) {
	c.terms = append(c.terms, term)
	c.Args = append(c.Args, args...)
}

func (c *Condition) String() string { return strings.Join(c.terms, " AND ") }

// AddOneOf adds the term that a column has one of the values; none if there are no values.
func AddOneOf[T ~string](c *Condition, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	c.Add(fmt.Sprintf(`%s IN (?%s)`, column, strings.Repeat(", ?", len(values)-1)), args...)
}

// LikeAny asks whether one of the expressions is like one of the patterns.
func LikeAny(expressions, patterns []string) (string, []any) {
	var either []string
	var args []any
	for _, expression := range expressions {
		for _, pattern := range patterns {
			either = append(either, expression+` LIKE ? ESCAPE '\'`)
			args = append(args, pattern)
		}
	}
	return `(` + strings.Join(either, ` OR `) + `)`, args
}

// Contains asks for a text in an expression, ignoring case.
func Contains(expression, text string) (string, []any) {
	patterns := Spellings(text)
	for i, pattern := range patterns {
		patterns[i] = `%` + pattern + `%`
	}
	return LikeAny([]string{expression}, patterns)
}

// Spellings returns the patterns of a text. LIKE ignores the case of ASCII letters only, so that of others is
// tried: as it is, small, large, and with a large first letter.
func Spellings(text string) []string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	forms := []string{text}
	if !IsASCII(text) {
		lower := []rune(strings.ToLower(text))
		forms = append(forms, string(lower), strings.ToUpper(text), strings.ToUpper(string(lower[:1]))+string(lower[1:]))
	}
	for i, form := range forms {
		forms[i] = escape.Replace(form)
	}
	return forms
}

// IsASCII reports whether a text has ASCII characters only.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
