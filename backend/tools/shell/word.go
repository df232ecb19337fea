package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is a word of a command as far as it is known before the shell expands it.
type word struct {
	text    string // without quotes; $ replaces unknown parts
	shown   string // quoted for the shell
	literal bool   // text is what the command receives, except for pattern, braces and tilde
	pattern bool   // it contains an unquoted * ? or [
	braces  bool   // it may become several words
	tilde   bool   // it begins with an unquoted ~, or with $HOME, which is ~ in text
}

// plain reports whether the command receives exactly text.
func (w word) plain() bool { return w.literal && !w.pattern && !w.braces && !w.tilde }

func wordsOf(args []*syntax.Word) []word {
	words := make([]word, len(args))
	for i, a := range args {
		words[i] = wordOf(a)
	}
	return words
}

func wordOf(from *syntax.Word) word {
	w := word{literal: true}
	var text strings.Builder
	for i, part := range from.Parts {
		w.part(&text, part, i == 0)
	}
	w.text = text.String()
	w.shown = show(from)
	if w.plain() {
		if quoted, err := syntax.Quote(w.text, syntax.LangBash); err == nil {
			w.shown = quoted
		}
	}
	return w
}

// part adds an unquoted part of a word.
func (w *word) part(text *strings.Builder, part syntax.WordPart, first bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		w.bare(text, p.Value, first)
	case *syntax.SglQuoted:
		w.literal = w.literal && (!p.Dollar || !strings.Contains(p.Value, `\`))
		text.WriteString(p.Value)
	case *syntax.DblQuoted:
		w.literal = w.literal && !p.Dollar
		for i, inner := range p.Parts {
			if lit, ok := inner.(*syntax.Lit); ok {
				text.WriteString(unescape(lit.Value, "$`\"\\\n"))
				continue
			}
			w.unknown(text, inner, first && i == 0)
		}
	case *syntax.ExtGlob:
		w.pattern, w.braces = true, true // its matches are not computed
		text.WriteByte('*')
	default:
		w.unknown(text, part, first)
	}
}

// unknown adds a part that only the shell can expand.
func (w *word) unknown(text *strings.Builder, part syntax.WordPart, first bool) {
	w.literal = false
	if p, ok := part.(*syntax.ParamExp); ok && first && isHome(p) {
		w.tilde = true
		text.WriteByte('~')
		return
	}
	text.WriteByte('$')
}

// isHome reports whether an expansion is $HOME, with or without a default.
func isHome(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Param.Value == "HOME" && !p.Excl && !p.Length && p.Slice == nil && p.Repl == nil && p.Index == nil
}

// bare adds unquoted text.
func (w *word) bare(text *strings.Builder, value string, first bool) {
	w.tilde = w.tilde || first && strings.HasPrefix(value, "~")
	escaped := false
	for _, r := range value {
		switch {
		case escaped:
			escaped = false
			if r == '\n' {
				continue // a continued line
			}
		case r == '\\':
			escaped = true
			continue
		case r == '*' || r == '?' || r == '[':
			w.pattern = true
		case r == '{':
			w.braces = true
		}
		text.WriteRune(r)
	}
}

// unescape removes the backslashes before the given characters; a backslash before a line feed is removed with it.
func unescape(s, before string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(before, s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// show prints a node on one line.
func show(node syntax.Node) string {
	var out strings.Builder
	if err := syntax.NewPrinter(syntax.SingleLine(true)).Print(&out, node); err != nil {
		return "?"
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// join returns the words on one line. A pattern at the end is written so that the line is not taken for a stored prefix
// such as "rm *": it has the same meaning to the shell.
func join(words []word) string {
	shown := make([]string, len(words))
	for i, w := range words {
		shown[i] = w.shown
	}
	line := strings.Join(shown, " ")
	switch {
	case line == "*" || strings.HasSuffix(line, " *"):
		return strings.TrimSuffix(line, "*") + "./*"
	case strings.HasSuffix(line, "/**"):
		return strings.TrimSuffix(line, "*")
	}
	return line
}
