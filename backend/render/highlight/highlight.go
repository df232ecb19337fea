// Package highlight cuts source code into spans of the few classes that differ on screen.
package highlight

import (
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// maxBytes bounds the work for one piece of code: lexers run at about a megabyte a second.
const maxBytes = 48 << 10

// Span is a piece of a line of code.
type Span struct {
	Class string // c, s, k, …: one of the classes of the style sheet of the pages; empty: plain
	Text  string
}

// Highlighter knows languages. It is safe for concurrent use.
type Highlighter struct {
	languages map[string]chroma.Lexer // by name, alias or extension
}

// New returns a Highlighter.
func New() *Highlighter { return &Highlighter{knownLanguages()} }

// Lines returns the lines of the code, as many as strings.Split returns, in spans; false if the language is unknown, or the code too long
// or not understood. The language is a name, an alias or a file extension.
func (h *Highlighter) Lines(code, language string) ([][]Span, bool) {
	lexer := h.languages[strings.ToLower(language)]
	if lexer == nil || len(code) > maxBytes {
		return nil, false
	}
	return spans(lexer, code, strings.Count(code, "\n")+1)
}

// Languages returns the names that Lines knows.
func (h *Highlighter) Languages() []string {
	names := make([]string, 0, len(h.languages))
	for name := range h.languages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// knownLanguages returns chroma's lexers by name, alias and extension, in lower case. For an unknown name, chroma's own
// look-up matches every pattern of every lexer, which takes longer than the highlighting.
func knownLanguages() map[string]chroma.Lexer {
	known := map[string]chroma.Lexer{}
	extensions := map[string]chroma.Lexer{}
	for _, lexer := range lexers.GlobalLexerRegistry.Lexers {
		config := lexer.Config()
		for _, name := range slices.Concat(config.Aliases, []string{config.Name}) { // an append could write to the shared slice
			known[strings.ToLower(name)] = lexer
		}
		for _, pattern := range slices.Concat(config.Filenames, config.AliasFilenames) {
			name := strings.ToLower(strings.TrimPrefix(pattern, "*."))
			if before, taken := extensions[name]; !taken || priority(before) < priority(lexer) {
				extensions[name] = lexer
			}
		}
	}
	for name, lexer := range extensions {
		if _, taken := known[name]; !taken {
			known[name] = lexer
		}
	}
	return known
}

// priority returns the lexer's priority, or 1 if it has none.
func priority(lexer chroma.Lexer) float32 {
	if p := lexer.Config().Priority; p != 0 {
		return p
	}
	return 1
}

// spans returns false if the lexer fails or changes the code.
func spans(lexer chroma.Lexer, code string, want int) ([][]Span, bool) {
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		return nil, false
	}
	w := lineWriter{}
	left := 2*len(code) + 100 // some lexers loop for ever on input they do not know, and return tokens without text
	for token := tokens(); token != chroma.EOF; token = tokens() {
		if left--; left < 0 {
			return nil, false
		}
		w.token(class(token.Type), token.Value)
	}
	lines := append(w.lines, w.line)
	if len(lines) == want+1 && len(lines[want]) == 0 {
		lines = lines[:want] // lexers add a line feed to the code
	}
	return lines, len(lines) == want && w.size >= len(code)
}

// lineWriter collects spans, merging neighbours of one class and ending them at every line's end.
type lineWriter struct {
	lines [][]Span
	line  []Span
	size  int
}

func (w *lineWriter) token(class, text string) {
	w.size += len(text)
	for {
		head, tail, more := strings.Cut(text, "\n")
		if last := len(w.line) - 1; head != "" && last >= 0 && w.line[last].Class == class {
			w.line[last].Text += head
		} else if head != "" {
			w.line = append(w.line, Span{class, head})
		}
		if !more {
			return
		}
		w.lines, w.line = append(w.lines, w.line), nil
		text = tail
	}
}

// class maps chroma's ninety token types to the few that differ on screen.
func class(t chroma.TokenType) string {
	switch t {
	case chroma.CommentPreproc, chroma.OperatorWord, chroma.NameDecorator:
		return "k"
	case chroma.KeywordType, chroma.NameClass, chroma.NameException:
		return "nc"
	case chroma.KeywordConstant, chroma.NameConstant:
		return "m"
	case chroma.NameFunction, chroma.NameFunctionMagic:
		return "nf"
	case chroma.NameBuiltin, chroma.NameBuiltinPseudo:
		return "nb"
	case chroma.NameTag:
		return "nt"
	case chroma.NameAttribute, chroma.NameProperty:
		return "na"
	case chroma.GenericInserted:
		return "gi"
	case chroma.GenericDeleted:
		return "gd"
	case chroma.GenericHeading, chroma.GenericSubheading:
		return "gh"
	default: // as its category
	}
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	}
	return ""
}
