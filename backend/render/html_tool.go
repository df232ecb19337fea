package render

import (
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

const (
	// If a tool's output is longer than headBytes and tailBytes together, a page has only its beginning and end.
	headBytes = 48 << 10
	tailBytes = 16 << 10
)

// call writes a tool call and its result, which is nil if it is missing, as one folded card.
func (p *htmlPage) call(ctx context.Context, part, result *core.Part) error {
	workspace := p.tree.Session.WorkspacePath
	card := p.r.card(part, result, workspace)
	if p.options.Detail == DetailCompact {
		p.out.raw(`<p class="card">`)
		p.cardLine(&card, " left out")
		p.out.raw("</p>\n")
		return nil
	}
	c := p.r.call(part)
	var structured json.RawMessage
	if result != nil {
		structured = result.Structured
	}
	files := c.Changes(structured)
	p.cardSummary(&card)
	p.fields(p.r.fields(c, len(files) > 0))
	for _, change := range p.r.diffs(files, workspace) {
		p.change(&change)
	}
	if len(files) >= maxFiles {
		p.note(onlyFirstFiles)
	}
	if result != nil {
		if err := p.result(ctx, c, result, len(files) > 0); err != nil {
			return err
		}
	}
	p.out.raw("</div></details>\n")
	return p.images(ctx, result)
}

// images writes the images of a result, which may be nil, below its card: they are visible without opening it.
func (p *htmlPage) images(ctx context.Context, result *core.Part) error {
	if result == nil {
		return nil
	}
	for i := range result.Result {
		if part := &result.Result[i]; isImage(part) {
			if err := p.media(ctx, part.Media); err != nil {
				return err
			}
		}
	}
	return nil
}

// cardSummary opens the card.
func (p *htmlPage) cardSummary(card *Block) {
	p.out.raw(`<details class="card"><summary>`)
	p.cardLine(card, "")
	p.out.raw(`</summary><div class="body">`, "\n")
}

// cardLine writes what a folded card shows, and after the number of lines whether they are shown.
func (p *htmlPage) cardLine(card *Block, after markup) {
	p.out.raw(`<span class="name">`)
	name := card.ToolName
	if name == "" {
		name = "Result"
	}
	p.out.text(name)
	p.out.raw("</span>")
	if card.Target != "" {
		p.out.raw(` <code dir="auto">`)
		p.out.text(card.Target)
		p.out.raw("</code>")
	}
	p.addedRemoved(card.Added, card.Removed)
	if card.Lines > 0 {
		p.out.raw(` <span class="quiet">`)
		p.out.text(counted(card.Lines, "line", "lines"))
		p.out.raw(after)
		p.out.raw("</span>")
	}
	if lasted := duration(card.DurationMs); lasted != "" {
		p.out.raw(` <span class="quiet">`)
		p.out.text(lasted)
		p.out.raw("</span>")
	}
	if word := stateWord(card.State); word != "" {
		p.out.raw(` <span class="state">`)
		p.out.text(word)
		p.out.raw("</span>")
	}
}

func stateWord(state ToolState) string {
	switch state {
	case ToolFailed:
		return "failed"
	case ToolDenied:
		return "denied"
	case ToolInterrupted:
		return "interrupted"
	case ToolMissing:
		return "no result"
	case ToolDone:
	}
	return ""
}

func (p *htmlPage) addedRemoved(added, removed int64) {
	if added > 0 {
		p.out.raw(` <span class="added">+`)
		p.out.number(added)
		p.out.raw("</span>")
	}
	if removed > 0 {
		p.out.raw(` <span class="removed">−`)
		p.out.number(removed)
		p.out.raw("</span>")
	}
}

func (p *htmlPage) fields(fields []Field) {
	if len(fields) == 0 {
		return
	}
	p.out.raw(`<dl class="fields">`)
	for _, f := range fields {
		p.out.raw("<dt>")
		p.out.text(f.Name)
		p.out.raw("</dt><dd>")
		switch {
		case f.List:
			p.out.safe(f.HTML)
		case f.Long && f.HTML != "":
			p.out.raw(`<pre class="well" dir="ltr" tabindex="0"><code>`)
			p.out.safe(f.HTML)
			p.out.raw("</code></pre>")
		case f.Long:
			p.well(f.Value)
		default:
			p.out.raw(`<span dir="auto">`)
			p.out.text(f.Value)
			p.out.raw("</span>")
		}
		if f.Cut {
			p.note("Cut here: this is the beginning of " + byteSize(f.SizeBytes) + ".")
		}
		p.out.raw("</dd>")
	}
	p.out.raw("</dl>\n")
}

func (p *htmlPage) change(f *FileDiff) {
	p.out.raw(`<figure class="change"><figcaption>`)
	p.out.text(f.Path)
	if f.Created {
		p.out.raw(` <span class="quiet">new</span>`)
	}
	p.addedRemoved(f.Added, f.Removed)
	p.out.raw("</figcaption>", `<table class="diff">`, "\n")
	for i, hunk := range f.Hunks {
		if i > 0 {
			p.out.raw(`<tr class="gap"><td class="number" colspan="2">⋯</td><td></td></tr>`, "\n")
		}
		for _, line := range hunk.Lines {
			p.diffLine(line)
		}
	}
	p.out.raw("</table></figure>\n")
	if f.Omitted > 0 {
		p.note(counted(f.Omitted, "line", "lines") + " of this change left out.")
	}
}

func (p *htmlPage) diffLine(line DiffLine) {
	switch line.Op {
	case "+":
		p.out.raw(`<tr class="add">`)
	case "-":
		p.out.raw(`<tr class="del">`)
	default:
		p.out.raw("<tr>")
	}
	for _, number := range []int64{line.OldLine, line.NewLine} {
		p.out.raw(`<td class="number">`)
		if number > 0 {
			p.out.number(number)
		}
		p.out.raw("</td>")
	}
	p.out.raw("<td>")
	p.out.text(line.Op)
	p.out.safe(line.HTML)
	p.out.raw("</td></tr>\n")
}

func (p *htmlPage) result(ctx context.Context, c call, result *core.Part, hasDiffs bool) error {
	parts := result.Result
	if len(parts) == 0 && result.Text != "" {
		parts = []core.Part{{Type: core.PartText, Text: result.Text, Truncated: result.Truncated}}
	}
	for i := range parts {
		part := &parts[i]
		switch part.Type {
		case core.PartText, core.PartSummary:
			if part.Text != "" {
				p.output(part.Text)
			}
			if note := extent(part); note != "" {
				p.note(note)
			}
		case core.PartMedia:
			if isImage(part) {
				continue // shown below the card
			}
			if err := p.media(ctx, part.Media); err != nil {
				return err
			}
		default:
			p.other(p.r.other(part))
		}
	}
	if !hasDiffs && !empty(result.Structured) && (len(parts) == 0 || !c.repeatsData()) {
		p.output(indented(result.Structured))
	}
	return nil
}

// output writes the output of a tool; only the beginning and the end of a long text.
func (p *htmlPage) output(text string) {
	if len(text) <= headBytes+tailBytes {
		p.well(p.r.plain.Text(text))
		return
	}
	head, _ := plain.Head(text, headBytes)
	tail := plain.Tail(text, tailBytes)
	p.well(p.r.plain.Text(head))
	middle := text[len(head) : len(text)-len(tail)]
	p.note(counted(plain.CountLines(middle), "line", "lines") + " (" + byteSize(int64(len(middle))) + ") left out here")
	p.well(p.r.plain.Text(tail))
}

// other shows a part of an unknown type.
func (p *htmlPage) other(block Block) {
	p.well(block.Text)
	if block.Cut {
		p.note(cutPart(&block))
	}
}

// note writes what is left out here.
func (p *htmlPage) note(text string) {
	p.out.raw(`<p class="quiet">`)
	p.out.text(text)
	p.out.raw("</p>\n")
}

// onlyFirstFiles is the note below the maximum number of changes that are read from one call.
const onlyFirstFiles = "Only the first 200 changed files or pieces are shown."

func cutPart(block *Block) string {
	return "Cut here: this is the beginning of " + counted(block.Lines, "line", "lines") + " (" + byteSize(block.SizeBytes) + ")."
}
