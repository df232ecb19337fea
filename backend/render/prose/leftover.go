package prose

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// leftovers restores what the parser removes from a document because nothing refers to it: link definitions and
// footnotes that are unused, or defined a second time. It runs before the footnotes' own transformer.
type leftovers struct{}

// Transform implements parser.ASTTransformer.
func (leftovers) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	var definitions []*ast.LinkReferenceDefinition
	var notes *extast.FootnoteList
	used := map[string]bool{} // labels, each until its first definition
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.LinkReferenceDefinition:
			definitions = append(definitions, n)
		case *extast.FootnoteList:
			notes = n
		case *ast.Link:
			use(used, n.Reference)
		case *ast.Image:
			use(used, n.Reference)
		}
		return ast.WalkContinue, nil
	}) // the callback returns no error
	for _, definition := range definitions {
		label := util.ToLinkReference(definition.Label)
		if !used[label] {
			showDefinition(definition)
		}
		delete(used, label)
	}
	if notes != nil {
		showUnused(notes)
	}
}

func use(used map[string]bool, reference *ast.ReferenceLink) {
	if reference != nil {
		used[util.ToLinkReference(reference.Value)] = true
	}
}

// showDefinition replaces a definition by a paragraph with its text.
func showDefinition(d *ast.LinkReferenceDefinition) {
	address := ast.NewLink()
	address.Destination = d.Destination
	address.AppendChild(address, ast.NewString(d.Destination))
	paragraph := ast.NewParagraph()
	for _, child := range []ast.Node{ast.NewString([]byte("[")), ast.NewString(oneLine(d.Label)), ast.NewString([]byte("]: ")), address} {
		paragraph.AppendChild(paragraph, child)
	}
	if len(d.Title) > 0 {
		paragraph.AppendChild(paragraph, ast.NewString([]byte(` "`)))
		paragraph.AppendChild(paragraph, ast.NewString(oneLine(d.Title)))
		paragraph.AppendChild(paragraph, ast.NewString([]byte(`"`)))
	}
	d.Parent().ReplaceChild(d.Parent(), d, paragraph)
}

func oneLine(value []byte) []byte { return bytes.Join(bytes.Fields(value), []byte(" ")) }

// showUnused moves footnotes that nothing refers to from the list to its position in the document.
func showUnused(list *extast.FootnoteList) {
	parent := list.Parent()
	for child := list.FirstChild(); child != nil; {
		note, isNote := child.(*extast.Footnote)
		child = child.NextSibling()
		if !isNote || note.Index >= 0 {
			continue
		}
		label := ast.NewParagraph()
		label.AppendChild(label, ast.NewString([]byte("[^")))
		label.AppendChild(label, ast.NewString(note.Ref))
		label.AppendChild(label, ast.NewString([]byte("]:")))
		parent.InsertBefore(parent, list, label)
		for block := note.FirstChild(); block != nil; {
			next := block.NextSibling()
			parent.InsertBefore(parent, list, block)
			block = next
		}
		list.RemoveChild(list, note)
	}
}

// maxCells bounds the cells of a table. The parser pads each row to the header's width, which costs quadratic time.
const maxCells = 100_000

// wideTables preserves the cells of a row that has more of them than the header has columns.
type wideTables struct{ inner parser.ParagraphTransformer }

func newWideTables() wideTables { return wideTables{extension.NewTableParagraphTransformer()} }

// Transform implements parser.ParagraphTransformer.
func (t wideTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	source := reader.Source()
	lines := make(map[int]text.Segment, node.Lines().Len()) // by their start
	widest := 0
	for _, line := range node.Lines().Sliced(0, node.Lines().Len()) {
		lines[line.Start] = line
		widest = max(widest, bytes.Count(line.Value(source), []byte("|"))+1)
	}
	if widest*len(lines) > maxCells {
		return
	}
	parent, next := node.Parent(), node.NextSibling()
	t.inner.Transform(node, reader, pc)
	sibling := parent.LastChild()
	if next != nil {
		sibling = next.PreviousSibling()
	}
	for ; sibling != nil && sibling != ast.Node(node); sibling = sibling.PreviousSibling() {
		table, ok := sibling.(*extast.Table)
		if !ok {
			return
		}
		widen(table, lines, source)
	}
}

// widen appends the cells that the parser left out, and columns to the header for them.
func widen(table *extast.Table, lines map[int]text.Segment, source []byte) {
	columns := len(table.Alignments)
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		line, known := lines[row.Pos()]
		last := row.LastChild()
		if _, isHeader := row.(*extast.TableHeader); isHeader || !known || last == nil || last.Lines().Len() == 0 {
			continue
		}
		appendCells(row, text.NewSegment(last.Lines().At(0).Stop, line.Stop), source)
		columns = max(columns, row.ChildCount())
	}
	header := table.FirstChild()
	for range columns - len(table.Alignments) {
		table.Alignments = append(table.Alignments, extast.AlignNone)
		header.AppendChild(header, extast.NewTableCell())
	}
}

// appendCells splits the text after a row's last cell.
func appendCells(row ast.Node, rest text.Segment, source []byte) {
	rest = rest.TrimLeftSpace(source)
	rest = rest.TrimRightSpace(source)
	if line := rest.Value(source); len(line) < 2 || line[0] != '|' {
		return
	}
	rest.Start++
	if source[rest.Stop-1] == '|' {
		rest.Stop--
	}
	for rest.Start < rest.Stop {
		end := rest.Start
		for end < rest.Stop && (source[end] != '|' || source[end-1] == '\\') {
			end++
		}
		cell := extast.NewTableCell()
		cell.Alignment = extast.AlignNone
		cell.SetPos(rest.Start)
		content := text.NewSegment(rest.Start, end)
		content = content.TrimLeftSpace(source)
		cell.Lines().Append(content.TrimRightSpace(source))
		row.AppendChild(row, cell)
		rest.Start = end + 1
	}
}

// notes reads footnotes. One inside another remains text: the parser would lose both.
type notes struct{ parser.BlockParser }

func newNotes() notes { return notes{extension.NewFootnoteBlockParser()} }

// Open implements parser.BlockParser.
func (n notes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	for n := parent; n != nil; n = n.Parent() {
		if _, inside := n.(*extast.Footnote); inside {
			return nil, parser.NoChildren
		}
	}
	return n.BlockParser.Open(parent, reader, pc)
}
