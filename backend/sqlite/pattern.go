package sqlite

import (
	"encoding/json"
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"coppice/backend/core"
)

// pattern is what a search looks for.
type pattern struct {
	text  string         // lower case; for what is ASCII
	regex *regexp.Regexp // for everything else
	// sieve is a piece of text that stands in the JSON of a body as it stands in its text. A body without it
	// need not be decoded. Empty: every body must be.
	sieve string
}

func newPattern(q core.SearchQuery) (*pattern, error) {
	if strings.TrimSpace(q.Text) == "" {
		return nil, core.E(core.Invalid, "nothing to search for")
	}
	if q.Regex {
		regex, err := regexp.Compile(q.Text)
		if err != nil {
			return nil, broken(q.Text, err)
		}
		return &pattern{regex: regex}, nil
	}
	if !isASCII(q.Text) {
		return &pattern{regex: regexp.MustCompile(`(?i)` + regexp.QuoteMeta(q.Text)), sieve: sieve(q.Text)}, nil
	}
	return &pattern{text: strings.ToLower(q.Text), sieve: sieve(q.Text)}, nil
}

func broken(text string, err error) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return core.Wrap(core.Invalid, err, "the regular expression is wrong")
	}
	where := ""
	if at := strings.LastIndex(text, e.Expr); at >= 0 && e.Expr != text {
		where = " at character " + strconv.Itoa(len([]rune(text[:at]))+1)
	}
	return core.E(core.Invalid, "the regular expression is wrong%s: %s %q", where, e.Code, e.Expr).
		WithHint("see https://pkg.go.dev/regexp/syntax, or search for plain text")
}

// sieve returns the longest run of characters that JSON never escapes, in lower case.
func sieve(text string) string {
	longest := ""
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" _-.:;,()[]{}=#", r)
	}
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !plain(r) }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return strings.ToLower(longest)
}

// find returns the first place where the pattern stands in a text; an empty match is none.
func (p *pattern) find(text string) (from, to int, ok bool) {
	if p.regex == nil {
		from = indexFold(text, p.text)
		return from, from + len(p.text), from >= 0
	}
	at := p.regex.FindStringIndex(text)
	if at == nil || at[0] == at[1] {
		return 0, 0, false
	}
	return at[0], at[1], true
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

// match is what was found in a message.
type match struct {
	where    string // the part
	snippet  string
	from, to int64 // in the snippet, in UTF-16 code units
}

// cutMark stands in a body that holds only the beginning of a text.
const cutMark = `"truncated":`

// inBody looks through a stored body, and through the texts that whole returns for the hashes in it; nil where the
// pattern is in none of them.
func (p *pattern) inBody(c *codec, stored []byte, whole func(hash string) (string, error)) (*match, error) {
	data, err := c.inflate(stored)
	if err != nil {
		return nil, err
	}
	if text := string(data); p.sieve != "" && indexFold(text, p.sieve) < 0 && !strings.Contains(text, cutMark) {
		return nil, nil //nolint:nilnil // not found
	}
	var b struct{ Parts []searchedPart }
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, err
	}
	for i := range b.Parts {
		if m, err := p.inPart(&b.Parts[i], whole); m != nil || err != nil {
			return m, err
		}
	}
	return nil, nil //nolint:nilnil // not found
}

// searchedPart is what can be found of a core.Part.
type searchedPart struct {
	Type core.PartType
	searchedText
	Name      string
	Arguments json.RawMessage
	Result    []searchedText
}

type searchedText struct {
	Text      string
	Truncated *core.Truncated
}

func (p *pattern) inPart(part *searchedPart, whole func(hash string) (string, error)) (*match, error) {
	if part.Type == core.PartToolCall {
		return p.in(part.Type, part.Name+"\n"+part.Text+readable(part.Arguments)), nil
	}
	for _, t := range append(part.Result, part.searchedText) {
		text := t.Text
		if t.Truncated != nil {
			all, err := whole(t.Truncated.Blob)
			if err == nil {
				text = all
			} else if core.CodeOf(err) != core.NotFound {
				return nil, err
			}
		}
		if m := p.in(part.Type, text); m != nil {
			return m, nil
		}
	}
	return nil, nil //nolint:nilnil // not found
}

func (p *pattern) in(where core.PartType, text string) *match {
	from, to, ok := p.find(text)
	if !ok {
		return nil
	}
	return newMatch(string(where), text, from, to)
}
