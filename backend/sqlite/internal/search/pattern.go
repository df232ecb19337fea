package search

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/query"
	"coppice/backend/sqlite/internal/tables"
)

// Pattern is what a search looks for.
type Pattern struct {
	text  string         // lower case; for what is ASCII
	regex *regexp.Regexp // for everything else
	// plainRun is a part of the text that has the same form in the JSON of a body. A body without it
	// need not be decoded. Empty: every body must be.
	plainRun string
}

// NewPattern returns the pattern of a text, or of a regular expression. An empty text or an invalid expression is an Invalid error.
func NewPattern(text string, regex bool) (*Pattern, error) {
	if strings.TrimSpace(text) == "" {
		return nil, core.E(core.Invalid, "nothing to search for")
	}
	if regex {
		regex, err := regexp.Compile(text)
		if err != nil {
			return nil, broken(text, err)
		}
		return &Pattern{regex: regex, plainRun: longestPlainRun(query.Literal(text))}, nil
	}
	if !tables.IsASCII(text) {
		return &Pattern{regex: regexp.MustCompile(`(?i)` + regexp.QuoteMeta(text)), plainRun: longestPlainRun(text)}, nil
	}
	return &Pattern{text: strings.ToLower(text), plainRun: longestPlainRun(text)}, nil
}

func broken(text string, err error) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return core.Wrap(core.Invalid, err, "parse the regular expression")
	}
	where := ""
	if at := strings.LastIndex(text, e.Expr); at >= 0 && e.Expr != text {
		where = " at character " + strconv.Itoa(len([]rune(text[:at]))+1)
	}
	return core.E(core.Invalid, "invalid regular expression%s: %s %q", where, e.Code, e.Expr).
		WithHint("see https://pkg.go.dev/regexp/syntax, or search for plain text")
}

// longestPlainRun returns the longest run of characters that JSON need not escape, in lower case.
func longestPlainRun(text string) string {
	longest := ""
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return strings.ToLower(longest)
}

// Find returns the first places of the pattern in a text; an empty match is none.
func (p *Pattern) Find(text string) []span {
	var spans []span
	if p.regex != nil {
		for _, at := range p.regex.FindAllStringIndex(text, 2*snippetMarks) {
			if at[0] < at[1] {
				spans = append(spans, span{at[0], at[1]})
			}
		}
		return spans
	}
	for at := 0; len(spans) < snippetMarks; {
		i := indexFold(text[at:], p.text)
		if i < 0 {
			break
		}
		spans = append(spans, span{at + i, at + i + len(p.text)})
		at += i + len(p.text)
	}
	return spans
}

// mayHold reports whether a body may contain the pattern, without decoding it. Some tools escape what they need not.
func (p *Pattern) mayHold(body string) bool {
	return p.plainRun == "" || indexFold(body, p.plainRun) >= 0 ||
		strings.Contains(body, cutMark) || strings.Contains(body, `\u`) || strings.Contains(body, `\/`)
}

// indexFold finds a lower-case ASCII text, ignoring the case of ASCII letters; -1 where it is not.
func indexFold(text, lower string) int {
	last := len(text) - len(lower)
	small, large := lower[0], upper(lower[0])
	atSmall, atLarge := -1, -1 // the next places of the first letter
	for i := 0; i <= last; i++ {
		if atSmall < i {
			atSmall = nextByte(text, small, i)
		}
		if atLarge < i {
			atLarge = nextByte(text, large, i)
		}
		i = min(atSmall, atLarge)
		if i > last {
			return -1
		}
		if hasPrefixFold(text[i:], lower) {
			return i
		}
	}
	return -1
}

func nextByte(text string, c byte, from int) int {
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

func hasPrefixFold(text, lower string) bool {
	for i := range len(lower) {
		if c := text[i]; c != lower[i] && c != upper(lower[i]) {
			return false
		}
	}
	return true
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// cutMark is part of each body that has only the beginning of a text.
const cutMark = `"truncated":`
