package prose

import (
	"html"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// maxHighlightBytes bounds the work for one piece of code: lexers run at about a megabyte a second.
const maxHighlightBytes = 48 << 10

// Code returns the code as HTML with spans of the classes of Stylesheet, or only escaped if the language is unknown.
// The language is a name, an alias or a file extension.
func (r *Renderer) Code(code, language string) string {
	return strings.Join(r.CodeLines(code, language), "\n")
}

// CodeLines is like Code but returns separate lines, each with its spans closed: as many as strings.Split returns.
func (r *Renderer) CodeLines(code, language string) []string {
	plainLines := strings.Split(code, "\n")
	if lexer := r.languages[strings.ToLower(language)]; lexer != nil && len(code) <= maxHighlightBytes {
		if lines, ok := highlight(lexer, code, len(plainLines)); ok {
			return lines
		}
	}
	for i, line := range plainLines {
		plainLines[i] = html.EscapeString(line)
	}
	return plainLines
}

// Language returns the language of a file with this path, for Code; empty if it is unknown.
func Language(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if ext := strings.TrimPrefix(path.Ext(base), "."); ext != "" {
		return ext
	}
	return base // Dockerfile, Makefile
}

// isLanguage reports whether a word of a fence can be the name of a language, which a page shows beside the code.
func isLanguage(word string) bool {
	return utf8.RuneCountInString(word) <= 40 && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("+#._-", r)
	})
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

// highlight returns false if the lexer fails or changes the code.
func highlight(lexer chroma.Lexer, code string, want int) ([]string, bool) {
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
	lines := w.finish()
	if len(lines) == want+1 && lines[want] == "" {
		lines = lines[:want] // lexers add a line feed to the code
	}
	return lines, len(lines) == want && w.size >= len(code)
}

// lineWriter collects spans, merging neighbours of one class and closing them at every line's end.
type lineWriter struct {
	lines []string
	line  strings.Builder
	open  string
	size  int
}

func (w *lineWriter) token(class, text string) {
	w.size += len(text)
	for {
		head, tail, more := strings.Cut(text, "\n")
		if head != "" {
			w.span(class)
			w.line.WriteString(html.EscapeString(head))
		}
		if !more {
			return
		}
		w.endLine()
		text = tail
	}
}

func (w *lineWriter) span(class string) {
	if class == w.open {
		return
	}
	if w.open != "" {
		w.line.WriteString("</span>")
	}
	if class != "" {
		w.line.WriteString(`<span class="chroma-` + class + `">`)
	}
	w.open = class
}

func (w *lineWriter) endLine() {
	w.span("")
	w.lines = append(w.lines, w.line.String())
	w.line.Reset()
}

func (w *lineWriter) finish() []string {
	w.endLine()
	return w.lines
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
