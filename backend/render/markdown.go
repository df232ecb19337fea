package render

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
	"coppice/backend/mdmark"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

// Markdown writes the session as one Markdown document that reads well on any forge: ids in the front matter, a heading
// for each turn, tool calls folded, with diffs and outputs between fences. Texts of messages cannot affect the rest
// of the document: headings are shifted, fences closed, tags escaped. Memory use does not grow with the session's
// length.
func (r *Renderer) Markdown(ctx context.Context, w io.Writer, source Source, sessionID string, o ExportOptions) error {
	t, err := r.transcript(ctx, source, sessionID, o)
	if err != nil {
		return err
	}
	p := markdownPage{transcript: t, out: bufio.NewWriterSize(w, 64<<10), level: 2}
	if o.IsExcerpt {
		if err := p.body(ctx); err != nil {
			return err
		}
		return core.Wrap(core.Unavailable, p.out.Flush(), "write the document")
	}
	if err := p.head(); err != nil {
		return err
	}
	if err := p.body(ctx); err != nil {
		return err
	}
	p.note()
	p.block("---")
	p.block("*" + prose.Escape(t.closing()) + "*")
	return core.Wrap(core.Unavailable, p.out.Flush(), "write the document")
}

// markdownPage is the state of one export.
type markdownPage struct {
	*transcript
	out     *bufio.Writer // stores the first error for Flush
	level   int           // of the headings of turns
	folded  bool          // inside an alternative, whose turns have no headings
	inText  bool          // the last block is text of a message, see note
	lastUID string        // of the message with the last mark
}

// block writes a block and the blank line after it.
func (p *markdownPage) block(text string) {
	if text == "" {
		return
	}
	_, _ = p.out.WriteString(text)
	_, _ = p.out.WriteString("\n\n")
}

// frontMatter is the machine-readable part of the export.
type frontMatter struct {
	Title            string   `yaml:"title"`
	TitleOrigin      string   `yaml:"titleOrigin,omitempty"`
	Name             string   `yaml:"name,omitempty"`
	Format           string   `yaml:"format"`
	Version          int      `yaml:"version"` // of the marks
	Session          string   `yaml:"session"`
	Source           string   `yaml:"source"`
	SourceID         string   `yaml:"sourceId,omitempty"`
	Agent            string   `yaml:"agent,omitempty"`
	Model            string   `yaml:"model,omitempty"`
	Workspace        string   `yaml:"workspace,omitempty"`
	Tags             []string `yaml:"tags,omitempty"`
	Created          string   `yaml:"created"`
	Updated          string   `yaml:"updated"`
	Scope            Scope    `yaml:"scope"`
	Detail           Detail   `yaml:"detail"`
	Leaf             string   `yaml:"leaf,omitempty"`
	Messages         int64    `yaml:"messages"`
	MessagesIncluded int64    `yaml:"messagesIncluded"`
	Branches         int64    `yaml:"branches"`
	BranchesIncluded int64    `yaml:"branchesIncluded"`
	Abridged         bool     `yaml:"abridged"`
	Redacted         bool     `yaml:"redacted,omitempty"`
	Generator        string   `yaml:"generator,omitempty"`
}

func (p *markdownPage) head() error {
	s := p.tree.Session
	messages, branches := p.counts()
	total := p.skeleton.Tally()
	matter, err := inertYAML(frontMatter{
		Title: p.title(), TitleOrigin: string(s.TitleOrigin), Name: plain.Line(s.Name, 200), Format: mdmark.Format, Version: mdmark.Version, Session: s.ID,
		Source: string(s.Source), SourceID: plain.Line(s.SourceID, 200), Agent: plain.Line(s.Agent, 200),
		Model: plain.Line(s.Model, 200), Workspace: plain.Line(s.WorkspacePath, 1000), Tags: s.Tags, Created: rfc3339(s.CreatedAtMs), Updated: rfc3339(s.UpdatedAtMs),
		Scope: p.options.Scope, Detail: p.options.Detail, Leaf: p.leafUID, Messages: total.Messages, MessagesIncluded: messages, Branches: total.Branches,
		BranchesIncluded: branches, Abridged: true, Redacted: p.options.Redactor != nil, Generator: plain.Line(p.options.Generator, 100),
	})
	if err != nil {
		return core.Wrap(core.Internal, err, "write the front matter")
	}
	p.block("---\n" + matter + "---")
	p.block("# " + prose.Escape(p.title()))
	var facts []string
	for _, fact := range p.facts() {
		facts = append(facts, fact.name+" "+prose.Escape(fact.value))
	}
	p.block(strings.Join(facts, " · "))
	for _, note := range p.notes("Abridged: the output of tools that read, search, list or confirm a change is left out, and the middle of " +
		"long outputs, arguments and changes. Each place states it. The JSON export holds everything.") {
		p.block("> " + prose.Escape(note))
	}
	p.contentsList()
	return nil
}

// inertYAML returns a struct as YAML that neither Markdown nor HTML interprets: a renderer that does not support front
// matter shows it as text. Special characters are escaped, which YAML decodes.
func inertYAML(value any) (string, error) {
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		return "", err
	}
	for _, child := range scalars(&node) {
		if child.Kind == yaml.ScalarNode && child.Tag == "!!str" && strings.ContainsFunc(child.Value, isActive) {
			child.Style = yaml.DoubleQuotedStyle
		}
	}
	data, err := yaml.Marshal(&node)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, r := range string(data) {
		if isActive(r) {
			fmt.Fprintf(&out, `\U%08X`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String(), nil
}

// scalars returns the values of a struct and of the lists in it.
func scalars(node *yaml.Node) []*yaml.Node {
	var all []*yaml.Node
	for _, child := range node.Content {
		all = append(all, child)
		all = append(all, child.Content...)
	}
	return all
}

// isActive reports whether a character may begin a tag, an entity, a link or code, or is not visible.
func isActive(r rune) bool {
	return strings.ContainsRune("<>&[]`", r) || r != '\n' && plain.Visible(string(r)) != string(r)
}

func rfc3339(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }

// contentsTurns is the number of turns from which on there is a table of contents.
const contentsTurns = 4

func (p *markdownPage) contentsList() {
	path, _ := p.contents()
	strands := p.strands()
	if len(path) < contentsTurns && len(strands) == 0 {
		return
	}
	p.block(p.heading(2) + "Contents")
	for _, turn := range path {
		_, _ = p.out.WriteString("- [n" + decimal(turn.Number) + "](#n" + decimal(turn.Number) + ") " + turnLine(turn) + "\n")
	}
	for _, s := range strands {
		name := "branch " + decimal(ordinal(s.branch))
		_, _ = p.out.WriteString("- [" + name + "](#" + strandID(s.branch) + "), " + counted(s.to-s.from+1, "message", "messages") + "\n")
	}
	_, _ = p.out.WriteString("\n")
}

// turnLine is a turn's title and label on one line.
func turnLine(turn core.Turn) string {
	line := prose.Escape(turnTitle(turn))
	if turn.Label != "" {
		line = "**" + prose.Escape(turn.Label) + "** " + line
	}
	return line
}

func (p *markdownPage) heading(level int) string { return strings.Repeat("#", level) + " " }

func (p *markdownPage) body(ctx context.Context) error {
	if s, ok := p.trunk(); ok {
		p.remark(p.missingAbove())
		if err := p.strand(ctx, s, true); err != nil {
			return err
		}
	} else {
		p.block("This session continues from before its first message.")
	}
	p.level = 3
	for _, s := range p.strands() {
		p.note()
		p.block(`<a id="` + strandID(s.branch) + `"></a>`)
		p.block(p.heading(2) + "Branch " + decimal(ordinal(s.branch)))
		p.block(p.origin(s))
		if err := p.strand(ctx, s, false); err != nil {
			return err
		}
	}
	p.level = 2
	return nil
}

// origin returns a link back to the parent of a strand.
func (p *markdownPage) origin(s strand) string {
	parent, ok := p.skeleton.Parent(core.Position{Branch: s.branch, Depth: s.from})
	if !ok {
		return "*A beginning of its own.*"
	}
	turn := "n" + decimal(p.skeleton.TurnAt(parent))
	return "*Continues from [" + turn + "](#" + turn + ").*"
}

func (p *markdownPage) strand(ctx context.Context, s strand, isTrunk bool) error {
	before := core.Message{}
	p.inText = false
	marker := p.newMarker(s)
	for e, err := range p.shown(ctx, s) {
		if err != nil {
			return err
		}
		p.remark(e.leftOut)
		at := e.message.Position()
		p.remark(p.missingBefore(at, e.message.Siblings))
		if e.message.Siblings > 1 {
			p.beginnings(at, &e.message)
		}
		if isTrunk && e.message.Siblings > 1 {
			if err := p.fork(ctx, at); err != nil {
				return err
			}
		}
		if err := p.message(ctx, &e, &before, &marker); err != nil {
			return err
		}
		p.remark(e.digest)
		if !e.absorbed {
			before = e.message
			before.Parts = nil
		}
	}
	p.remark(p.missingAfter(s))
	return nil
}

// remark writes a line of ours; nothing if it is empty.
func (p *markdownPage) remark(line string) {
	if line != "" {
		p.note()
		p.block("*" + prose.Escape(line) + "*")
	}
}

// maxLinks is how many siblings are linked one by one.
const maxLinks = 20

// beginnings writes links to the strands that begin at a message.
func (p *markdownPage) beginnings(at core.Position, m *core.Message) {
	if !p.hasStrands() {
		return
	}
	var links []string
	for _, sibling := range p.siblingsOf(at) {
		if len(links) == maxLinks {
			break
		}
		if s, ok := p.rest(sibling.Branch); ok && sibling != at && s.from == sibling.Depth {
			links = append(links, "[branch "+decimal(ordinal(sibling.Branch))+"](#"+strandID(sibling.Branch)+")")
		}
	}
	if len(links) == 0 {
		return
	}
	if left := m.Siblings - 1 - int64(len(links)); left > 0 && len(links) == maxLinks {
		links = append(links, humanize.Comma(left)+" more")
	}
	p.note()
	p.block("*Also from here: " + strings.Join(links, ", ") + "*")
}

// fork writes the alternatives to a message of the path, folded.
func (p *markdownPage) fork(ctx context.Context, at core.Position) error {
	siblings := p.siblingsOf(at)
	for _, s := range p.alternatives(at) {
		from := core.Position{Branch: s.branch, Depth: s.from}
		line := fmt.Sprintf("Alternative %d of %d · %s", 1+slices.Index(siblings, from), len(siblings), counted(s.length(), "message", "messages"))
		if turn := p.skeleton.TurnAt(from); turn >= 0 {
			line += " · " + turnTitle(p.tree.Turns[turn])
		}
		p.note()
		p.block("<details><summary>" + inert(line) + "</summary>")
		p.folded, p.level = true, 3
		err := p.strand(ctx, s, false)
		p.folded, p.level = false, 2
		if err != nil {
			return err
		}
		p.note()
		p.block("</details>")
	}
	return nil
}

// noticeLength is the maximum length of a notice, in characters.
const noticeLength = 2000

func (p *markdownPage) message(ctx context.Context, e *entry, before *core.Message, marker *marker) error {
	m := &e.message
	var lines []string
	if e.turnStart {
		lines = p.turn(m)
	}
	if !e.absorbed && (e.turnStart || m.Siblings > 1 || before.Role != m.Role || before.Kind != m.Kind || before.Model != m.Model || m.Usage != nil) {
		lines = append(lines, p.speaker(m))
	}
	marker.message(e, len(lines))
	for _, line := range lines {
		p.block(line)
	}
	if e.absorbed {
		return nil
	}
	if notice := m.Notice(); notice != "" {
		p.block("*" + prose.Escape(plain.Line(notice, noticeLength)) + "*")
		return nil
	}
	for i := range m.Parts {
		if err := p.part(ctx, e, i); err != nil {
			return err
		}
	}
	if m.Error != "" {
		p.note()
		p.block("**Error:** " + prose.Escape(m.Error))
	}
	return nil
}

// turn returns the lines above the first message of a turn.
func (p *markdownPage) turn(m *core.Message) []string {
	turn := p.tree.Turns[m.Turn]
	name := "n" + decimal(m.Turn)
	var lines []string
	if p.opensTurn(m) && !p.options.IsExcerpt {
		lines = append(lines, `<a id="`+name+`"></a>`)
	}
	if p.folded {
		return append(lines, "**"+name+"** · "+prose.Escape(turnTitle(turn)))
	}
	return append(lines, p.heading(p.level)+name+" · "+turnLine(turn))
}

// speaker returns the line above a message that names its speaker.
func (p *markdownPage) speaker(m *core.Message) string {
	shown, _ := moment(m.CreatedAtMs, p.options.Zone)
	facts := []string{"**" + prose.Escape(speaker(m)) + "**"}
	for _, fact := range messageFacts(m) {
		facts = append(facts, prose.Escape(fact))
	}
	facts = append(facts, shown, "m"+decimal(m.Seq))
	if m.Siblings > 1 {
		facts = append(facts, fmt.Sprintf("alternative %d of %d", m.SiblingIndex, m.Siblings))
	}
	return strings.Join(facts, " · ")
}

func (p *markdownPage) part(ctx context.Context, e *entry, i int) error {
	part := &e.message.Parts[i]
	if line, ok := p.line(e, i); ok {
		p.remark(line)
		return nil
	}
	switch part.Type {
	case core.PartText, core.PartSummary:
		p.text(e, i)
	case core.PartReasoning:
		if part.Text != "" {
			p.mark(e, i, partMark(part))
			p.block(prose.Indent("*Reasoning*\n\n"+p.prose(e, i, part.Text), "> ", "> "))
		} else if part.Redacted {
			p.mark(e, i, partMark(part))
			p.block("> *Reasoning, withheld by the provider*")
		}
	case core.PartToolCall:
		return p.call(ctx, e, i)
	case core.PartToolResult:
		if !e.paired[i] {
			return p.lonelyResult(ctx, e, i)
		}
	case core.PartMedia:
		p.mark(e, i, partMark(part))
		return p.media(ctx, part.Media)
	default:
		p.mark(e, i, partMark(part))
		p.block(p.other(part))
	}
	return nil
}

// text writes a text as prose, or between fences if a tool has put it into the context.
func (p *markdownPage) text(e *entry, i int) {
	part := &e.message.Parts[i]
	mark := partMark(part)
	mark.IsVerbatim = part.Type == core.PartText && (part.Injected || e.message.Kind == core.KindMeta || e.message.Kind == core.KindCommand)
	p.mark(e, i, mark)
	if mark.IsVerbatim {
		p.block(cutFence(p.r.plain.Text(part.Text), "text"))
		return
	}
	p.block(p.prose(e, i, part.Text))
}

func (p *markdownPage) prose(e *entry, i int, text string) string {
	return p.r.prose.Markdown(text, prose.Options{
		ID: "m" + decimal(e.message.Seq) + "-" + strconv.Itoa(i) + "-", Heading: p.level + 1,
	})
}
