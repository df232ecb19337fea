package search

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// textLimit is how much of one text is searched, in bytes: of a longer one its first and its last half million. An index of
// words is a third of its text; the longest outputs are logs, whose beginning and end matter most.
const textLimit = 1 << 20

// passage is one of the texts in a message that a search looks through.
type passage struct {
	where core.PartType
	part  int64  // its index in the message's parts
	tool  string // whose call or result it is
	text  string
}

// wholes returns the rest of texts that were cut, by the hash of their content.
type wholes func(hash string) (string, error)

// WholesOf returns a function that reads cut texts from a library. Several goroutines may call it.
func WholesOf(ctx context.Context, l *store.Library) wholes {
	return func(hash string) (string, error) {
		b, err := tables.ReadContent(ctx, l, hash)
		return string(b.Data), err
	}
}

// eachPassage goes through the texts of a body until f has had enough. A content that is not there leaves its text cut.
func eachPassage(body []byte, whole wholes, f func(passage) bool) error {
	var err error
	index := int64(0)
	numbered := func(p passage) bool {
		p.part = index
		return f(p)
	}
	gjson.GetBytes(body, "parts").ForEach(func(_, part gjson.Result) (more bool) {
		p := readPart(part)
		more, err = p.passages(whole, numbered)
		index++
		return more && err == nil
	})
	return err
}

// searchedPart is what is searched of a part.
type searchedPart struct {
	kind      core.PartType
	name      string
	text      string
	arguments string // JSON
	whole     string // the hash of the content that holds the whole text; empty: text is all
	results   iter.Seq[searchedPart]
}

// readPart reads a part as it is stored.
func readPart(part gjson.Result) searchedPart {
	p := searchedPart{results: func(func(searchedPart) bool) {}}
	part.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "type":
			p.kind = core.PartType(value.Str)
		case "name":
			p.name = value.Str
		case "text":
			p.text = value.Str
		case "arguments":
			p.arguments = value.Raw
		case "result":
			p.results = func(yield func(searchedPart) bool) {
				value.ForEach(func(_, part gjson.Result) bool { return yield(readPart(part)) })
			}
		case "truncated":
			p.whole = value.Get("blob").Str
		}
		return true
	})
	return p
}

// toSearch is what readPart would read of a part that is going to be stored; ok is false where only that can decide.
func toSearch(part *core.Part) (p searchedPart, ok bool) {
	for _, field := range []string{"type", "name", "text", "arguments", "result", "truncated"} {
		if _, odd := part.Extra[field]; odd {
			return p, false
		}
	}
	p = searchedPart{kind: part.Type, name: part.Name, text: part.Text, arguments: string(part.Arguments)}
	if part.Truncated != nil {
		p.whole = part.Truncated.Blob
	}
	ok = p.arguments == "" || jsontext.Check(part.Arguments) == ""
	results := make([]searchedPart, len(part.Result))
	for i := range results {
		result := &part.Result[i]
		_, odd := result.Extra["text"]
		ok = ok && !odd
		results[i].text = result.Text
		if result.Truncated != nil {
			results[i].whole = result.Truncated.Blob
		}
	}
	p.results = slices.Values(results)
	return p, ok
}

// passages passes the texts of a part on.
func (p *searchedPart) passages(whole wholes, f func(passage) bool) (more bool, err error) {
	if p.kind == core.PartToolCall {
		said := p.name + "\n" + p.text + readable(p.arguments)
		return f(passage{where: p.kind, tool: p.name, text: bounded(said)}), nil
	}
	for result := range p.results {
		if more, err := p.emit(&result, whole, f); !more || err != nil {
			return false, err
		}
	}
	return p.emit(p, whole, f)
}

// emit passes a text of the part on.
func (p *searchedPart) emit(of *searchedPart, whole wholes, f func(passage) bool) (more bool, err error) {
	said := of.text
	if of.whole != "" {
		all, err := whole(of.whole)
		if err == nil {
			said = all
		} else if core.CodeOf(err) != core.NotFound {
			return false, err
		}
	}
	if said == "" && p.kind != core.PartToolResult {
		return true, nil
	}
	return f(passage{where: p.kind, tool: p.name, text: bounded(said)}), nil
}

// bounded is what is searched of a text.
func bounded(text string) string {
	if len(text) <= textLimit {
		return text
	}
	return text[:runeStart(text, textLimit/2)] + "\n" + text[runeStart(text, len(text)-textLimit/2):]
}

// Readable writes JSON as text: a line per key and value, strings without their escapes, nothing for null.
func readable(value string) string {
	var b strings.Builder
	b.Grow(len(value))
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			s := gjson.Parse(value[i:])
			b.WriteString(unquote(s))
			b.WriteByte('\n')
			i += len(s.Raw)
		case c == '-', c == 't', c == 'f', c >= '0' && c <= '9':
			s := gjson.Parse(value[i:])
			b.WriteString(s.Raw)
			b.WriteByte('\n')
			i += len(s.Raw)
		case c == 'n':
			i += len("null")
		default: // brackets, and what separates values
			i++
		}
	}
	return b.String()
}

// unquote returns what a string says. gjson and encoding/json disagree on halves of surrogate pairs and on bytes that are no text.
func unquote(s gjson.Result) string {
	if !strings.Contains(s.Raw, `\u`) && utf8.ValidString(s.Raw) {
		return s.Str
	}
	var text string
	if json.Unmarshal([]byte(s.Raw), &text) != nil {
		return s.Str
	}
	return text
}
