package render

import (
	"context"
	"strconv"

	"coppice/backend/core"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// message writes one message. before is the message written before it: consecutive steps of one speaker share a header.
func (p *htmlPage) message(ctx context.Context, e *entry, before *core.Message) error {
	m := &e.message
	if e.absorbed { // its results are shown with their calls; links still find its id
		p.out.raw(`<span id="m`)
		p.out.number(m.Seq)
		p.out.raw(`"></span>`, "\n")
		if e.turnStart {
			p.turnAnchor(m)
		}
		return nil
	}
	shared := !e.turnStart && m.Siblings <= 1 && before.UID != "" && before.Role == m.Role && before.Kind == m.Kind && before.Model == m.Model
	p.out.raw(`<article class="message `)
	p.out.safe(roleClass(m))
	if shared {
		p.out.raw(" more")
	}
	p.out.raw(`" id="m`)
	p.out.number(m.Seq)
	p.out.raw(`">`, "\n")
	if !shared {
		p.header(e)
	}
	if notice := m.Notice(); notice != "" {
		p.out.raw(`<p class="quiet" dir="auto">`)
		p.out.text(p.r.plain.Text(notice))
		p.out.raw("</p>\n</article>\n")
		return nil
	}
	for i := range m.Parts {
		if err := p.part(ctx, e, i); err != nil {
			return err
		}
	}
	if m.Error != "" {
		p.out.raw(`<p class="failure" dir="auto">`)
		p.out.text(m.Error)
		p.out.raw("</p>\n")
	}
	p.out.raw("</article>\n")
	return nil
}

// roleClass returns the class of the speaker; text that a tool added does not get the user's color.
func roleClass(m *core.Message) string {
	if m.Kind != core.KindMessage {
		return "system"
	}
	switch m.Role {
	case core.RoleUser, core.RoleAssistant, core.RoleTool:
		return string(m.Role)
	case core.RoleSystem:
	}
	return "system"
}

func (p *htmlPage) turnAnchor(m *core.Message) {
	if !p.opensTurn(m) {
		return
	}
	p.out.raw(`<span id="n`)
	p.out.number(m.Turn)
	p.out.raw(`"></span>`)
}

// header writes speaker, model, time, tokens and cost, and links to the siblings.
func (p *htmlPage) header(e *entry) {
	m := &e.message
	p.out.raw("<header>")
	if e.turnStart {
		p.out.raw(`<h`)
		p.out.number(int64(p.level))
		p.out.raw(` class="who"`)
		if p.opensTurn(m) {
			p.out.attribute("id", "n"+decimal(m.Turn))
		}
		p.out.raw(` dir="auto">`)
		p.out.text(speaker(m))
		p.out.raw("</h")
		p.out.number(int64(p.level))
		p.out.raw(">")
		if label := p.tree.Turns[m.Turn].Label; label != "" {
			p.out.raw(` <span class="label" dir="auto">`)
			p.out.text(label)
			p.out.raw("</span>")
		}
	} else {
		p.out.raw(`<p class="who" dir="auto">`)
		p.out.text(speaker(m))
		p.out.raw("</p>")
	}
	for _, fact := range messageFacts(m) {
		p.out.raw(" <span>")
		p.out.text(fact)
		p.out.raw("</span>")
	}
	p.out.raw(" ")
	p.out.time(moment(m.CreatedAtMs, p.options.Zone))
	p.pager(m)
	p.out.raw("</header>\n")
}

// pager writes links to the siblings that the page has.
func (p *htmlPage) pager(m *core.Message) {
	if m.Siblings <= 1 {
		return
	}
	at := m.Position()
	p.out.raw(` <span class="pager" id="`)
	p.out.safe(spotID(at))
	p.out.raw(`">`)
	siblings := p.siblingsOf(at)
	index := int(m.SiblingIndex) - 1
	p.siblingLink(siblings, index-1, "Previous sibling", "‹")
	p.out.raw(" ")
	p.out.number(m.SiblingIndex)
	p.out.raw(" / ")
	p.out.number(m.Siblings)
	p.out.raw(" ")
	p.siblingLink(siblings, index+1, "Next sibling", "›")
	p.out.raw("</span>")
}

func (p *htmlPage) siblingLink(siblings []core.Position, index int, name, sign markup) {
	if index < 0 || index >= len(siblings) || !p.holds(siblings[index]) {
		return
	}
	p.link(siblings[index], "", spotID(siblings[index]))
	p.out.raw(` aria-label="`, name, `">`, sign, "</a>")
}

func spotID(at core.Position) string { return "at-" + decimal(at.Branch) + "-" + decimal(at.Depth) }

func (p *htmlPage) part(ctx context.Context, e *entry, i int) error {
	part := &e.message.Parts[i]
	if line, ok := p.line(e, i); ok {
		p.quiet(line)
		return nil
	}
	switch part.Type {
	case core.PartText:
		p.text(e, i, part)
	case core.PartSummary:
		p.out.raw(`<div class="summary">`)
		p.prose(e, i, part.Text)
		p.out.raw("</div>\n")
	case core.PartReasoning:
		p.reasoning(e, i, part)
	case core.PartToolCall:
		return p.call(ctx, part, e.results[i])
	case core.PartToolResult:
		if e.paired[i] {
			return nil
		}
		return p.call(ctx, &core.Part{Type: core.PartToolCall, Name: part.Name, Server: true}, part)
	case core.PartMedia:
		return p.media(ctx, part.Media)
	default:
		block := p.r.other(part)
		p.fold("other", block.Name, counted(block.Lines, "line", "lines"))
		p.other(block)
		p.out.raw("</div></details>\n")
	}
	return nil
}

// quiet writes a line that replaces what is not shown; nothing if it is empty.
func (p *htmlPage) quiet(line string) {
	if line == "" {
		return
	}
	p.out.raw(`<p class="quiet">`)
	p.out.text(line)
	p.out.raw("</p>\n")
}

func (p *htmlPage) text(e *entry, i int, part *core.Part) {
	text := part.Text
	if part.Injected || isContext(&e.message) {
		p.context(text)
		return
	}
	switch e.message.Kind {
	case core.KindCompaction, core.KindBranchSummary:
		p.out.raw(`<div class="summary">`)
		p.prose(e, i, text)
		p.out.raw("</div>\n")
	default:
		p.prose(e, i, text)
	}
}

// context writes a text that a tool added, folded.
func (p *htmlPage) context(text string) {
	p.fold("context", p.r.firstLine(text), counted(plain.CountLines(text), "line", "lines"))
	p.well(p.r.plain.Text(text))
	p.out.raw("</div></details>\n")
}

// prose writes text as Markdown, or verbatim if it is too long for that.
func (p *htmlPage) prose(e *entry, i int, text string) {
	if text == "" {
		return
	}
	if len(text) > prose.MaxBytes {
		p.well(p.r.plain.Text(text))
		return
	}
	p.out.raw(`<div class="prose">`)
	p.out.safe(p.r.prose.HTML(text, prose.Options{
		ID: "m" + decimal(e.message.Seq) + "-" + strconv.Itoa(i) + "-", Heading: p.level + 1,
	}))
	p.out.raw("</div>\n")
}

func (p *htmlPage) reasoning(e *entry, i int, part *core.Part) {
	switch {
	case part.Text != "":
		p.fold("reasoning", "Reasoning: "+p.r.firstLine(part.Text), counted(plain.CountLines(part.Text), "line", "lines"))
		p.prose(e, i, part.Text)
		p.out.raw("</div></details>\n")
	case part.Redacted:
		p.out.raw(`<p class="quiet">Reasoning, withheld by the provider</p>`, "\n")
	}
}

// fold opens a folded block; the caller closes its div and its details.
func (p *htmlPage) fold(class markup, title, size string) {
	p.out.raw(`<details class="`, class, `"><summary><span dir="auto">`)
	p.out.text(title)
	p.out.raw(`</span> <span class="quiet">`)
	p.out.text(size)
	p.out.raw(`</span></summary><div class="body">`, "\n")
}

func (p *htmlPage) well(text string) {
	p.out.raw(`<pre class="well" dir="auto" tabindex="0">`, "\n") // a line feed after the tag is not shown
	p.out.text(text)
	p.out.raw("</pre>\n")
}

// estimateMark returns the mark of numbers that are estimates.
func estimateMark(m *core.Message) string {
	if m.Usage.IsEstimated() {
		return "≈ "
	}
	return ""
}

// listPrice returns an estimated cost; a plus marks one of which a part is unknown.
func listPrice(nanoUSD int64, partial bool) string {
	words := "≈ " + dollars(nanoUSD)
	if partial {
		words += "+"
	}
	return words + " at list price"
}

// messageFacts returns the model, tokens and cost of a message, and why it ended if that is unusual.
func messageFacts(m *core.Message) []string {
	var facts []string
	if m.Agent != "" && (m.Role != core.RoleUser || m.Kind == core.KindCompaction) { // the user is not the agent that answers
		facts = append(facts, m.Agent)
	}
	if m.Model != "" {
		facts = append(facts, m.Model)
	}
	if words := TokenWords(m); words != "" {
		facts = append(facts, words)
	}
	if m.CostNanoUSD != nil {
		facts = append(facts, estimateMark(m)+dollars(*m.CostNanoUSD))
	} else if m.Estimate.NanoUSD != nil {
		facts = append(facts, listPrice(*m.Estimate.NanoUSD, m.Estimate.Partial))
	}
	switch m.FinishReason {
	case "length":
		facts = append(facts, "cut at the length limit")
	case "content_filter":
		facts = append(facts, "stopped by a filter")
	}
	return facts
}

// TokenWords returns the tokens of a message, without the output if its number is a placeholder; empty: none.
func TokenWords(m *core.Message) string {
	if m.Usage == nil || m.Usage.InputTokens+m.Usage.OutputTokens == 0 {
		return ""
	}
	if m.HasPlaceholderOutput() {
		return counted(m.Usage.InputTokens, "token in", "tok in")
	}
	return estimateMark(m) + counted(m.Usage.InputTokens+m.Usage.OutputTokens, "token", "tok")
}
