package render

import (
	"coppice/backend/core"
	"coppice/backend/mdmark"
	"coppice/backend/render/plain"
)

// marker writes the marks of the messages of a strand.
type marker struct {
	page *markdownPage
	turn int64  // of the parent of the first message; -1: it is a root
	last string // the uid of the message before in the strand; empty: the next one is the first
}

func (p *markdownPage) newMarker(s strand) marker {
	m := marker{page: p, turn: -1}
	if parent, ok := p.skeleton.Parent(core.Position{Branch: s.branch, Depth: s.from}); ok {
		m.turn = p.skeleton.TurnAt(parent)
	}
	return m
}

// maxMarkError is how much of an error a mark has.
const maxMarkError = 4000

// message writes the mark of a message; lines is the number of lines of the export between it and the text of the message.
func (r *marker) message(e *entry, lines int) {
	m, p := &e.message, r.page
	if e.absorbed && p.options.Detail == DetailPrompts {
		return
	}
	if e.absorbed && p.options.Redactor != nil { // it was not redacted, because nothing of it is shown
		head := *m
		head.Parts = nil
		head = p.options.Redactor.Message(head)
		m = &head
	}
	mark := mdmark.Message{
		Seq: m.Seq, UID: m.UID, Role: string(m.Role), Lines: lines, AtMs: m.CreatedAtMs, FinishedAtMs: m.FinishedAtMs, IsNotice: m.Notice() != "",
		Name: m.Name, Agent: m.Agent, Model: m.Model, CostNanoUSD: m.CostNanoUSD, FinishReason: m.FinishReason, Error: plain.Line(m.Error, maxMarkError),
	}
	if m.Kind != core.KindMessage {
		mark.Kind = string(m.Kind)
	}
	if p.level != 2 {
		mark.Heading = p.level + 1
	}
	if m.Usage != nil {
		usage := *m.Usage
		usage.Native = nil
		mark.Usage = &usage
	}
	if e.turnStart {
		mark.Turn = &m.Turn
		if p.opensTurn(m) {
			mark.Label = plain.Line(p.tree.Turns[m.Turn].Label, 1000)
		}
	}
	parent := m.ParentUID
	if r.last == "" && r.turn >= 0 {
		mark.ParentTurn = &r.turn
	} else if r.last != "" && p.options.Detail == DetailPrompts {
		parent = r.last // the messages between them are left out
	}
	if r.last == "" || parent != p.lastUID {
		mark.Parent = &parent
	}
	r.last, p.lastUID = m.UID, m.UID
	p.comment(mark.String())
	p.inText = true
}

// comment writes a mark.
func (p *markdownPage) comment(mark string) {
	if !p.options.IsExcerpt {
		p.block(mark)
	}
}

// note writes the mark of what is not text of a message, if such a text precedes.
func (p *markdownPage) note() {
	if p.inText {
		p.comment(mdmark.Note)
		p.inText = false
	}
}

// mark writes the mark of a part. The text of a message that is its first part needs none.
func (p *markdownPage) mark(e *entry, i int, mark mdmark.Part) {
	if i == 0 && e.message.Parts[0].Type == core.PartText && !mark.Injected && !mark.IsVerbatim {
		return
	}
	mark.Index = i
	p.comment(mark.String())
	p.inText = true
}

// partMark returns the mark of a part. The name of an attachment is in the document.
func partMark(part *core.Part) mdmark.Part {
	mark := mdmark.Part{
		Type: part.Type, ID: part.ID, Name: part.Name, Server: part.Server, IsError: part.IsError, DurationMs: part.DurationMs, Injected: part.Injected,
		Redacted: part.Redacted,
	}
	if part.Media != nil {
		mark.MimeType, mark.Blob, mark.Name = part.Media.MimeType, part.Media.Blob, part.Media.Name
	}
	return mark
}

func (p *markdownPage) callMark(part *core.Part) mdmark.Part {
	mark := partMark(part)
	if len(part.Arguments) <= mdmark.MaxArguments && p.options.Detail == DetailFull {
		mark.Arguments = part.Arguments
	}
	return mark
}

// resultMark returns the mark of a result, for the card of its call. That of a result without a call precedes the card.
func (p *markdownPage) resultMark(result *core.Part, card *Block, leftOut bool, mark mdmark.Part) string {
	if result == nil {
		return ""
	}
	if leftOut {
		mark.LeftOut = card.Lines
	}
	if p.options.IsExcerpt {
		return ""
	}
	if mark.Of == nil {
		p.block(mark.String())
		return ""
	}
	return mark.String()
}
