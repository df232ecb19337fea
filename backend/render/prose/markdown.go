package prose

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"coppice/backend/render/plain"
)

// Markdown returns the Markdown in a form that can be part of another document: headings begin at the requested level,
// tags are escaped, fences are closed, links are written out inline, images are links, and footnotes have their own
// labels. Text that needs no change is left as written.
func (r *Renderer) Markdown(markdown string, o Options) string {
	source := []byte(plain.Visible(clean(markdown)))
	doc, ok := r.read(source, o)
	if !ok {
		return Fence(string(source), "text")
	}
	w := markdownWriter{source: source, id: o.ID}
	return w.blocks(doc, "\n\n")
}

// Fence returns code between fences that are longer than any fence inside it.
func Fence(code, language string) string {
	longest, run := 0, 0
	for i := range len(code) {
		if code[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	marks := strings.Repeat("`", max(longest+1, 3))
	if strings.ContainsFunc(language, func(r rune) bool { return r <= ' ' || r == '`' || r == '<' || r == '&' || r == '\\' }) {
		language = ""
	}
	return marks + language + "\n" + strings.TrimSuffix(code, "\n") + "\n" + marks
}

// Span returns text as code inside a line.
func Span(text string) string { return span(plain.Line(text, 2000)) }

// span is Span without folding of spaces.
func span(text string) string {
	if text == "" {
		return ""
	}
	marks := "`"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return marks + text + marks
}

// Escape returns plain text as Markdown that shows it on one line.
func Escape(text string) string { return escaped(plain.Line(text, 2000)) }

func escaped(line string) string {
	var out strings.Builder
	for _, r := range line {
		switch {
		case r == '&':
			out.WriteString("&amp;")
			continue
		case r == '<':
			out.WriteString("&lt;")
			continue
		case strings.ContainsRune("\\`*_[]|~#>!", r):
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Indent adds prefix to each line except the first, which gets first.
func Indent(text, first, prefix string) string {
	blank := strings.TrimRight(prefix, " ")
	var out strings.Builder
	out.Grow(len(text) + 64)
	out.WriteString(first)
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteByte('\n')
			if line == "" {
				out.WriteString(blank)
				continue
			}
			out.WriteString(prefix)
		}
		out.WriteString(line)
	}
	return out.String()
}

// markdownWriter writes one parsed text. Its recursion is as deep as the nesting of the text, which read bounds.
type markdownWriter struct {
	source  []byte
	id      string // prefix of footnote labels
	inTable bool
	struck  bool // inside a strikethrough
}

func (w *markdownWriter) blocks(parent ast.Node, between string) string {
	var out []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if text := w.block(n); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, between)
}

func (w *markdownWriter) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Heading:
		return strings.Repeat("#", n.Level) + " " + strings.Join(strings.Fields(w.inline(n)), " ")
	case *ast.ThematicBreak:
		return "***"
	case *ast.Blockquote:
		return Indent(w.blocks(n, "\n\n"), "> ", "> ")
	case *ast.FencedCodeBlock:
		return w.fence(n)
	case *ast.CodeBlock:
		return Fence(blockText(n, w.source), "")
	case *mathBlock:
		return w.mathBlock(n)
	case *ast.List:
		return w.list(n)
	case *extast.Table:
		return w.table(n)
	case *extast.FootnoteList:
		return w.blocks(n, "\n\n")
	case *extast.Footnote:
		return Indent(w.blocks(n, "\n\n"), "[^"+w.id+strconv.Itoa(n.Index)+"]: ", "    ")
	}
	return w.inline(n)
}

// fence writes a code block; what its first line has in addition to a language becomes a paragraph above it.
func (w *markdownWriter) fence(n *ast.FencedCodeBlock) string {
	info, language := fenceInfo(n, w.source)
	code := Fence(blockText(n, w.source), language)
	if info == "" {
		return code
	}
	return escaped(oneLineText(info)) + "\n\n" + code
}

func (w *markdownWriter) list(list *ast.List) string {
	marker := "- "
	if before, ok := list.PreviousSibling().(*ast.List); ok && !before.IsOrdered() && before.Marker != list.Marker {
		marker = "* " // two consecutive lists stay two
	}
	between := "\n\n"
	if list.IsTight {
		between = "\n"
	}
	var out []string
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if list.IsOrdered() {
			marker = strconv.Itoa(number) + string(list.Marker) + " "
			number++
		}
		out = append(out, strings.TrimRight(Indent(w.blocks(item, between), marker, strings.Repeat(" ", len(marker))), " "))
	}
	return strings.Join(out, between)
}

func (w *markdownWriter) table(table *extast.Table) string {
	w.inTable = true
	defer func() { w.inTable = false }()
	var out strings.Builder
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			out.WriteString("| " + w.inline(cell) + " ")
		}
		out.WriteString("|\n")
		if _, header := row.(*extast.TableHeader); header {
			for _, alignment := range table.Alignments {
				out.WriteString(map[extast.Alignment]string{
					extast.AlignLeft: "| :-- ", extast.AlignRight: "| --: ", extast.AlignCenter: "| :-: ",
				}[alignment])
				if alignment == extast.AlignNone {
					out.WriteString("| --- ")
				}
			}
			out.WriteString("|\n")
		}
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func (w *markdownWriter) inline(parent ast.Node) string {
	var out strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			out.WriteString(w.text(string(n.Segment.Value(w.source)), lineStart(out.String())))
			if n.HardLineBreak() || n.SoftLineBreak() {
				out.WriteString("  \n")
			}
		case *ast.String:
			out.WriteString(w.text(string(n.Value), lineStart(out.String())))
		case *ast.CodeSpan:
			out.WriteString(w.codeSpan(n))
		case *mathNode:
			out.WriteString(w.math(n))
		case *ast.Emphasis:
			marks := strings.Repeat("*", n.Level)
			out.WriteString(marks + w.inline(n) + marks)
		case *extast.Strikethrough:
			out.WriteString(w.strikethrough(n))
		case *ast.Link:
			label := w.inline(n)
			if label == "" {
				label = w.tableSafe(escaped(clip(string(n.Destination))))
			}
			out.WriteString(w.link(label, string(n.Destination), string(n.Title)))
		case *ast.Image:
			out.WriteString(w.link(cmp.Or(w.inline(n), "image"), string(n.Destination), string(n.Title)))
		case *ast.AutoLink:
			out.WriteString(w.autoLink(n))
		case *extast.TaskCheckBox:
			if n.IsChecked {
				out.WriteString("[x] ")
			} else {
				out.WriteString("[ ] ")
			}
		case *extast.FootnoteLink:
			out.WriteString("[^" + w.id + strconv.Itoa(n.Index) + "]")
		}
	}
	return out.String()
}

// strikethrough writes no marks inside another strikethrough: an image that becomes its text can bring both together, and four
// tildes at the start of a line begin a code block.
func (w *markdownWriter) strikethrough(n *extast.Strikethrough) string {
	if w.struck {
		return w.inline(n)
	}
	w.struck = true
	defer func() { w.struck = false }()
	return "~~" + w.inline(n) + "~~"
}

func lineStart(before string) bool { return before == "" || strings.HasSuffix(before, "\n") }

// text returns a range of the source that the parser read as text, so that it is text in its new context too: the range
// keeps its own escapes; tags, and characters that could combine with the neighbouring text, are escaped.
func (w *markdownWriter) text(raw string, atLineStart bool) string {
	var out strings.Builder
	rest := raw
	if atLineStart {
		rest = w.escapeLineStart(&out, rest)
	}
	for i := 0; i < len(rest); i++ {
		next := byte(0) // the end of a range may combine with any text after it
		if i+1 < len(rest) {
			next = rest[i+1]
		}
		switch c := rest[i]; {
		case c == '\\' && next != 0 && next != '<' && next != '|':
			out.WriteByte(c)
			out.WriteByte(next)
			i++
		case c == '\\' && next == '|' && w.inTable:
			out.WriteString(`\|`)
			i++
		case c == '<':
			out.WriteString("&lt;")
		case c == '&':
			reference := entity(rest[i:])
			if character := unescaped(reference); plain.Visible(character) != character {
				out.WriteString(plain.Visible(character)) // in its new context it would be resolved unseen
				i += len(reference) - 1
			} else {
				out.WriteByte(c)
			}
		case c == '`': // it has no partner here, but may find one in its new context
			out.WriteString("\\`")
		case c == '|' && w.inTable:
			out.WriteString(`\|`)
		case c == '[' && (next == '^' || next == 0), c == ']' && (next == 0 || next == '(' || next == '[' || next == ':'):
			out.WriteByte('\\')
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// maxEntity is longer than any entity's name.
const maxEntity = 40

// entity returns the reference that a text begins with, or its first character.
func entity(text string) string {
	if end := strings.IndexByte(text[:min(len(text), maxEntity)], ';'); end >= 0 {
		return text[:end+1]
	}
	return text[:1]
}

// escapeLineStart writes the escape that a text at the start of a line needs, and returns the rest of the text.
func (w *markdownWriter) escapeLineStart(out *strings.Builder, text string) string {
	if text == "" {
		return ""
	}
	if strings.ContainsRune("#>-+*=~`|:", rune(text[0])) {
		out.WriteByte('\\')
		out.WriteByte(text[0])
		return text[1:]
	}
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < len(text) && (text[digits] == '.' || text[digits] == ')') {
		out.WriteString(text[:digits] + `\` + text[digits:digits+1])
		return text[digits+1:]
	}
	return text
}

func (w *markdownWriter) codeSpan(n *ast.CodeSpan) string {
	var code strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if text, ok := child.(*ast.Text); ok {
			code.Write(text.Segment.Value(w.source))
		}
	}
	out := span(strings.ReplaceAll(code.String(), "\n", " "))
	if w.inTable {
		out = strings.ReplaceAll(strings.ReplaceAll(out, `\|`, "|"), "|", `\|`)
	}
	return out
}

// math writes a formula as code between dollars, which GitHub typesets and which no other reader takes for markup.
func (w *markdownWriter) math(n *mathNode) string {
	tex := n.tex()
	if n.isDisplay || strings.ContainsAny(tex, "`\n") {
		return w.tableSafe(span(oneLineText(string(n.source))))
	}
	return "$`" + w.tableSafe(tex) + "`$"
}

// mathBlock writes a formula as the block of code that GitHub typesets.
func (w *markdownWriter) mathBlock(n *mathBlock) string {
	lines := strings.Split(strings.TrimSpace(blockText(n, w.source)), "\n")
	return Fence(strings.Join(lines[1:max(len(lines)-1, 1)], "\n"), "math")
}

// link writes an inline link; one that is not allowed becomes its text and its address.
func (w *markdownWriter) link(label, destination, title string) string {
	address, safe := SafeURL(destination)
	title = plain.Visible(unescaped(title))
	if !safe {
		for _, hint := range []string{clip(destination), title} {
			if strings.TrimSpace(hint) != "" {
				label += " (" + w.tableSafe(span(oneLineText(hint))) + ")"
			}
		}
		return label
	}
	if strings.ContainsAny(address, "()") {
		address = "<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(address) + ">"
	}
	if title != "" {
		address += ` "` + strings.ReplaceAll(escaped(oneLineText(title)), `"`, "&quot;") + `"`
	}
	return "[" + label + "](" + w.tableSafe(address) + ")"
}

func oneLineText(text string) string { return string(oneLine([]byte(text))) }

func (w *markdownWriter) autoLink(n *ast.AutoLink) string {
	label, raw := string(n.Label(w.source)), string(n.URL(w.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(raw), "mailto:") {
		raw = "mailto:" + raw
	}
	address, safe := SafeURL(raw)
	switch {
	case !safe:
		return w.tableSafe(Span(label))
	case address == label || address == "mailto:"+label:
		return w.tableSafe("<" + label + ">")
	}
	return w.link(w.tableSafe(Escape(label)), raw, "")
}

func (w *markdownWriter) tableSafe(text string) string {
	if !w.inTable {
		return text
	}
	return strings.ReplaceAll(text, "|", `\|`)
}
