package query

import (
	"fmt"
	"strings"

	"coppice/backend/spelling"
)

// maxName is the length of the longest word that may be a mistyped field name, in bytes.
const maxName = 16

// Hint describes what may have been meant as a field but is searched as words: a name that is nearly a field's, or a field's name with
// nothing right after it; if nothing was found, also any other name before a colon. It returns an empty text if there is no such doubt. A
// query is never refused for it, because words with a colon are as often meant literally.
func (q Query) Hint(found bool) string {
	if q.mistyped != "" || found {
		return q.mistyped
	}
	return q.foreign
}

// doubt records doubtful tokens for Hint: the first of each kind.
func (q *Query) doubt(tokens []token) {
	for i, t := range tokens {
		name, value, ok := strings.Cut(t.text, ":")
		name = strings.ToLower(name)
		if t.kind != tokenText || !ok || !isName(name) {
			continue
		}
		near := string(spelling.Nearest(name, fields(), func(field Op) int { return len(field) / 3 }))
		switch {
		case value == "" && (i == len(tokens)-1 || near != name):
		case q.mistyped == "" && near == name:
			q.mistyped = fmt.Sprintf("%s: has nothing right behind it and is looked for as a word; to narrow the search write its value without a space", name)
		case q.mistyped == "" && near != "":
			q.mistyped = fmt.Sprintf("%s: is not a field and is searched for as a word; did you mean %s:?", name, near)
		case q.foreign == "" && near == "" && mayBeValue(value):
			q.foreign = fmt.Sprintf("%s: is not a field and is searched for as a word; the fields are %s", name, names())
		}
	}
}

// isName reports whether a text is letters only, and so may have been meant as a field.
func isName(text string) bool {
	if len(text) < 3 || len(text) > maxName {
		return false
	}
	for _, r := range text {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return true
}

// mayBeValue reports whether the text after a colon may be a value: it is not the rest of an address (http://x, localhost:8080) or of a
// name in code (a::b).
func mayBeValue(text string) bool {
	return strings.Trim(text, "0123456789") != "" && !strings.ContainsAny(text[:1], "/:")
}

func names() string {
	var list strings.Builder
	for _, field := range fields() {
		list.WriteString(string(field) + ": ")
	}
	return strings.TrimSpace(list.String())
}
