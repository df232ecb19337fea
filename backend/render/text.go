package render

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Text writes the session as plain text: what was written verbatim, below a line for each message, and calls of tools
// indented below a line of their own. Characters that hide or reorder text are shown by number. Memory use does not
// grow with the session's length.
func (r *Renderer) Text(ctx context.Context, w io.Writer, source Source, sessionID string, o ExportOptions) error {
	t, err := r.transcript(ctx, source, sessionID, o)
	if err != nil {
		return err
	}
	p := textPage{transcript: t, out: bufio.NewWriterSize(w, 64<<10)}
	p.head()
	if err := p.body(ctx); err != nil {
		return err
	}
	p.block(strings.Repeat("-", rule))
	p.block(t.closing())
	return core.Wrap(core.Unavailable, p.out.Flush(), "write the text")
}

// rule is the length of a horizontal line.
const rule = 72

// textPage is the state of one export.
type textPage struct {
	*transcript
	out    *bufio.Writer // stores the first error for Flush
	indent string        // inside an alternative
}

// block writes lines and a blank one after them; nothing if it is empty.
func (p *textPage) block(text string) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	_, _ = p.out.WriteString(indentLines(text, p.indent) + "\n\n")
}

// remark writes a line of ours; nothing if it is empty.
func (p *textPage) remark(line string) {
	if line != "" {
		p.block("[" + line + "]")
	}
}

// indentLines puts an indent before each line that is not empty.
func indentLines(text, indent string) string {
	if indent == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = indent + line
		}
	}
	return strings.Join(lines, "\n")
}

func (p *textPage) head() {
	title := p.title()
	p.block(title + "\n" + strings.Repeat("=", min(len([]rune(title)), rule)))
	var facts strings.Builder
	for _, fact := range p.facts() {
		fmt.Fprintf(&facts, "%-14s%s\n", fact.name, plain.Line(fact.value, 1000))
	}
	p.block(facts.String())
	for _, note := range p.notes("Abridged: the output of tools that read, search, list or confirm a change is left out, and the middle of " +
		"long outputs, arguments and changes. Each place states it. The JSON export holds everything.") {
		p.block(note)
	}
}

func (p *textPage) body(ctx context.Context) error {
	if s, ok := p.trunk(); ok {
		p.remark(p.missingAbove())
		if err := p.strand(ctx, s, true); err != nil {
			return err
		}
	} else {
		p.block("This session continues from before its first message.")
	}
	for _, s := range p.strands() {
		p.block(strings.Repeat("=", rule) + "\nBranch " + decimal(ordinal(s.branch)) + ", " + p.origin(s))
		if err := p.strand(ctx, s, false); err != nil {
			return err
		}
	}
	return nil
}

// origin names the turn that a strand continues from.
func (p *textPage) origin(s strand) string {
	parent, ok := p.skeleton.Parent(core.Position{Branch: s.branch, Depth: s.from})
	if !ok {
		return "a beginning of its own"
	}
	return "continues from n" + decimal(p.skeleton.TurnAt(parent))
}

func (p *textPage) strand(ctx context.Context, s strand, isTrunk bool) error {
	for e, err := range p.shown(ctx, s) {
		if err != nil {
			return err
		}
		p.remark(e.leftOut)
		at := e.message.Position()
		p.remark(p.missingBefore(at, e.message.Siblings))
		if isTrunk && e.message.Siblings > 1 {
			if err := p.fork(ctx, at); err != nil {
				return err
			}
		}
		p.message(&e)
		p.remark(e.digest)
	}
	p.remark(p.missingAfter(s))
	return nil
}

// fork writes the alternatives to a message of the path, indented.
func (p *textPage) fork(ctx context.Context, at core.Position) error {
	for _, s := range p.alternatives(at) {
		p.indent = "    "
		p.block("Alternative, " + counted(s.to-s.from+1, "message", "messages"))
		err := p.strand(ctx, s, false)
		p.indent = ""
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *textPage) message(e *entry) {
	m := &e.message
	if e.turnStart {
		turn := "n" + decimal(m.Turn)
		if label := p.tree.Turns[m.Turn].Label; label != "" {
			turn += " · " + plain.Line(label, 200)
		}
		p.block(strings.Repeat("-", rule) + "\n" + turn)
	}
	if e.absorbed {
		return
	}
	shown, _ := moment(m.CreatedAtMs, p.options.Zone)
	line := append([]string{plain.Line(speaker(m), 200)}, messageFacts(m)...)
	line = append(line, shown, "m"+decimal(m.Seq))
	if m.Siblings > 1 {
		line = append(line, fmt.Sprintf("alternative %d of %d", m.SiblingIndex, m.Siblings))
	}
	p.block(plain.Line(strings.Join(line, " · "), 1000))
	if notice := m.Notice(); notice != "" {
		p.block(p.r.plain.Text(notice))
		return
	}
	for i := range m.Parts {
		p.part(e, i)
	}
	if m.Error != "" {
		p.block("Error: " + p.r.plain.Text(m.Error))
	}
}

func (p *textPage) part(e *entry, i int) {
	part := &e.message.Parts[i]
	if line, ok := p.line(e, i); ok {
		p.remark(line)
		return
	}
	switch part.Type {
	case core.PartText, core.PartSummary:
		p.block(p.r.plain.Text(part.Text))
	case core.PartReasoning:
		if part.Text != "" {
			p.block(indentLines("Reasoning:\n"+p.r.plain.Text(part.Text), "| "))
		} else if part.Redacted {
			p.remark("Reasoning, withheld by the provider")
		}
	case core.PartToolCall:
		p.call(part, e.results[i])
	case core.PartToolResult:
		if !e.paired[i] {
			p.call(&core.Part{Type: core.PartToolCall, Name: part.Name, Server: true}, part)
		}
	case core.PartMedia:
		p.media(part)
	default:
		block := p.r.other(part)
		p.block(indentLines(cutLines(block.Text), "  "))
	}
}

func (p *textPage) media(part *core.Part) {
	if part.Media != nil {
		p.remark("Attachment: " + mediaName(part.Media))
	}
}

// call writes a call of a tool: its line, then its arguments, changes and output.
func (p *textPage) call(part, result *core.Part) {
	c := p.r.call(part)
	card := p.r.card(part, result, p.tree.Session.WorkspacePath)
	if p.options.Detail == DetailCompact {
		p.block(textCard(&card, result != nil))
		return
	}
	var below []string
	var structured json.RawMessage
	if result != nil {
		structured = result.Structured
	}
	files := []string{}
	for _, f := range c.Changes(structured) {
		files = append(files, diffText(f, p.tree.Session.WorkspacePath))
	}
	below = append(below, p.arguments(c, card.Target, len(files) > 0)...)
	below = append(below, files[:min(len(files), maxFiles)]...)
	if len(files) >= maxFiles {
		below = append(below, "["+onlyFirstFiles+"]")
	}
	leftOut := result != nil && !showsOutput(c, &card, len(files) > 0)
	if result != nil && !leftOut {
		below = append(below, p.output(c, result)...)
	}
	p.block(textCard(&card, leftOut))
	for _, text := range below {
		p.block(indentLines(strings.TrimRight(text, "\n"), "  "))
	}
	if result != nil {
		for i := range result.Result {
			if result.Result[i].Type == core.PartMedia {
				p.media(&result.Result[i])
			}
		}
	}
}

// textCard returns a card as a line of text.
func textCard(card *Block, leftOut bool) string {
	name := card.ToolName
	if name == "" {
		name = "Result"
	}
	line := "> " + plain.Line(name, 200)
	if card.Target != "" {
		line += " " + plain.Line(card.Target, targetLength)
	}
	facts := cardFacts(card, leftOut)
	if word := stateWord(card.State); word != "" {
		facts = append(facts, word)
	}
	return strings.Join(append([]string{line}, facts...), " · ")
}

// arguments returns the arguments that the line of a call does not show.
func (p *textPage) arguments(c call, target string, hasDiffs bool) []string {
	if !c.Args.IsObject() {
		if text := c.Part.Text; text != "" && !hasDiffs && !strings.Contains(target, plain.Line(text, targetLength)) {
			return []string{cutLines(plain.Literal(text))}
		}
		return nil
	}
	var shown []string
	c.Args.ForEach(func(name, v gjson.Result) bool {
		text := v.String()
		if v.Type == gjson.JSON {
			text = indented([]byte(v.Raw))
		}
		isShown := text != "" && strings.Contains(target, relative(text, p.tree.Session.WorkspacePath))
		if text == "" || v.Type == gjson.Null || isShown || hasDiffs && shownByDiff(name.Str) {
			return true
		}
		shown = append(shown, plain.Line(name.Str, 200)+": "+cutLines(plain.Literal(text)))
		return true
	})
	return shown
}

// output returns the texts of a result.
func (p *textPage) output(c call, result *core.Part) []string {
	var texts []string
	parts := result.Result
	if len(parts) == 0 && result.Text != "" {
		parts = []core.Part{{Type: core.PartText, Text: result.Text, Truncated: result.Truncated}}
	}
	for i := range parts {
		switch parts[i].Type {
		case core.PartText, core.PartSummary:
			texts = append(texts, cutLines(p.r.plain.Text(parts[i].Text)))
		case core.PartMedia: // below the call
		default:
			block := p.r.other(&parts[i])
			texts = append(texts, cutLines(block.Text))
		}
		if note := extent(&parts[i]); note != "" {
			texts = append(texts, "["+note+"]")
		}
	}
	if !empty(result.Structured) && (len(texts) == 0 || !c.repeatsData()) {
		texts = append(texts, cutLines(p.r.plain.Text(indented(result.Structured))))
	}
	return texts
}
