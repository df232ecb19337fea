package prose

import (
	"html"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/render/highlight"
)

// Code returns the code as HTML with spans of the classes of Stylesheet, or only escaped if the language is unknown.
// The language is a name, an alias or a file extension.
func (r *Renderer) Code(code, language string) string {
	return strings.Join(r.CodeLines(code, language), "\n")
}

// CodeLines is like Code but returns separate lines, each with its spans closed: as many as strings.Split returns.
func (r *Renderer) CodeLines(code, language string) []string {
	if lines, ok := r.code.Lines(code, language); ok {
		marked := make([]string, len(lines))
		for i, line := range lines {
			marked[i] = markup(line)
		}
		return marked
	}
	plainLines := strings.Split(code, "\n")
	for i, line := range plainLines {
		plainLines[i] = html.EscapeString(line)
	}
	return plainLines
}

// markup returns a line of code as HTML.
func markup(line []highlight.Span) string {
	var b strings.Builder
	for _, span := range line {
		if span.Class == "" {
			b.WriteString(html.EscapeString(span.Text))
			continue
		}
		b.WriteString(`<span class="chroma-` + span.Class + `">` + html.EscapeString(span.Text) + "</span>")
	}
	return b.String()
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
