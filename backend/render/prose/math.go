package prose

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxMathBytes is the longest formula; a longer text between two marks is not one.
const maxMathBytes = 4000

// mathKind is the kind of mathNode.
var mathKind = ast.NewNodeKind("Math") //nolint:gochecknoglobals // goldmark numbers kinds when they are made

// mathNode is a formula in LaTeX, inside a line.
type mathNode struct {
	ast.BaseInline

	source    []byte // with its marks
	isDisplay bool   // on a line of its own
}

// Kind implements ast.Node.
func (*mathNode) Kind() ast.NodeKind { return mathKind }

// Dump implements ast.Node.
func (n *mathNode) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Source": string(n.source)}, nil)
}

// tex returns the formula without its marks.
func (n *mathNode) tex() string {
	for _, m := range mathMarks() {
		inner, ok := bytes.CutPrefix(n.source, []byte(m.open))
		if ok {
			return string(bytes.TrimSuffix(inner, []byte(m.end)))
		}
	}
	return string(n.source)
}

// marks are what a formula is between.
type marks struct {
	open, end string
	isDisplay bool
}

func mathMarks() []marks {
	return []marks{{"$$", "$$", true}, {`\[`, `\]`, true}, {`\(`, `\)`, false}, {"$", "$", false}}
}

// mathParser finds formulas inside a paragraph: $x^2$, $$x^2$$, \(x^2\) and \[x^2\].
type mathParser struct{}

// Trigger implements parser.InlineParser.
func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

// Parse implements parser.InlineParser. What is not a formula, such as "$5 and $6" or "$HOME/bin:$PATH", stays text.
func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	for _, m := range mathMarks() {
		if !bytes.HasPrefix(line, []byte(m.open)) {
			continue
		}
		before := block.PrecendingCharacter()
		length := formula(line, m, before)
		if length == 0 {
			return nil
		}
		block.Advance(length)
		return &mathNode{source: bytes.Clone(line[:length]), isDisplay: m.isDisplay}
	}
	return nil
}

// formula returns the length of the formula that a line begins with; 0: the line does not begin with one.
func formula(line []byte, m marks, before rune) int {
	rest := line[len(m.open):]
	end := bytes.Index(rest, []byte(m.end))
	if end <= 0 || end > maxMathBytes {
		return 0
	}
	inner := string(rest[:end])
	length := len(m.open) + end + len(m.end)
	isFormula := looksLikeMath(inner)
	switch m.open {
	case "$":
		isFormula = isBetweenDollars(inner, before, line[length:])
	case `\(`:
		isFormula = isFormula || isName(strings.TrimSpace(inner))
	}
	if !isFormula {
		return 0
	}
	return length
}

// isBetweenDollars reports whether a text between two dollars can be a formula by what is around the dollars.
func isBetweenDollars(inner string, before rune, after []byte) bool {
	first, _ := utf8.DecodeRuneInString(inner)
	last, _ := utf8.DecodeLastRuneInString(inner)
	next, _ := utf8.DecodeRune(after)
	if unicode.IsSpace(first) || unicode.IsSpace(last) || isWord(before) || isWord(next) || before == '$' || next == '$' {
		return false
	}
	if first == '{' || first == '(' { // of a shell: ${HOME}, $(pwd)
		return strings.ContainsAny(inner, `\^`)
	}
	return looksLikeMath(inner) || isName(inner)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// isName reports whether a text is the name of one variable, with or without arguments: x, n, f(x), O(n).
func isName(inner string) bool {
	name, arguments, called := strings.Cut(inner, "(")
	if utf8.RuneCountInString(name) != 1 || !unicode.IsLetter([]rune(name)[0]) {
		return false
	}
	return !called || strings.HasSuffix(arguments, ")") && len(arguments) <= 40
}

// looksLikeMath reports whether a text has a character that formulas have and prose does not.
func looksLikeMath(inner string) bool { return strings.ContainsAny(inner, `\^_={}+<>`) }

// mathBlock is a formula of several lines.
type mathBlock struct{ ast.BaseBlock }

// mathBlockKind is the kind of mathBlock.
var mathBlockKind = ast.NewNodeKind("MathBlock") //nolint:gochecknoglobals // goldmark numbers kinds when they are made

// Kind implements ast.Node.
func (*mathBlock) Kind() ast.NodeKind { return mathBlockKind }

// Dump implements ast.Node.
func (n *mathBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// IsRaw implements ast.Node.
func (*mathBlock) IsRaw() bool { return true }

// mathBlockParser finds formulas that begin with a line of $$ or \[ alone, and end with such a line.
type mathBlockParser struct{}

// Trigger implements parser.BlockParser.
func (mathBlockParser) Trigger() []byte { return []byte{'$', '\\'} }

// Open implements parser.BlockParser. Without its end near, the line is text: it would make a formula of the rest of the message.
func (mathBlockParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	end := map[string]string{"$$": "$$", `\[`: `\]`}[strings.TrimSpace(string(line))]
	if end == "" {
		return nil, parser.NoChildren
	}
	following := reader.Source()[segment.Stop:]
	following = following[:min(len(following), maxMathBytes)]
	inner, found := untilLine(following, end)
	if !found || !looksLikeMath(inner) {
		return nil, parser.NoChildren
	}
	node := &mathBlock{}
	node.Lines().Append(segment)
	skipLine(reader, line, segment)
	return node, parser.NoChildren
}

// skipLine advances to the end of a line, before its line feed.
func skipLine(reader text.Reader, line []byte, segment text.Segment) {
	length := segment.Len()
	if bytes.HasSuffix(line, []byte("\n")) {
		length--
	}
	reader.Advance(length)
}

// untilLine returns the text before a line that is the mark alone, but for the signs of quotes; false if it is missing.
func untilLine(source []byte, mark string) (string, bool) {
	at := 0
	for line := range bytes.Lines(source) {
		if strings.Trim(string(line), "> \t\r\n") == mark {
			return string(source[:at]), true
		}
		at += len(line)
	}
	return "", false
}

// Continue implements parser.BlockParser.
func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, segment := reader.PeekLine()
	first := node.Lines().At(0)
	opening := strings.TrimSpace(string(first.Value(reader.Source())))
	node.Lines().Append(segment)
	skipLine(reader, line, segment)
	if mark := strings.TrimSpace(string(line)); mark == `\]` && opening == `\[` || mark == "$$" && opening == "$$" {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser.
func (mathBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (mathBlockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (mathBlockParser) CanAcceptIndentedLine() bool { return false }

// math writes a formula as code, with its marks: a page that has no typesetter shows it as it was written.
func (r *nodes) math(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		node := n.(*mathNode) //nolint:errcheck // it is called for nodes of this kind only
		writeMath(w, string(node.source), node.isDisplay)
	}
	return ast.WalkSkipChildren, nil
}

func (r *nodes) mathBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<p dir="ltr">`)
		writeMath(w, strings.TrimSpace(blockText(n, source)), true)
		_, _ = w.WriteString("</p>\n")
	}
	return ast.WalkSkipChildren, nil
}

func writeMath(w util.BufWriter, source string, isDisplay bool) {
	class := "math"
	if isDisplay {
		class = "math display"
	}
	_, _ = w.WriteString(`<code class="` + class + `">` + html.EscapeString(source) + "</code>")
}
