package render

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/mdmark"
	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
	"coppice/backend/toolcall"
)

const (
	// A document has only the first and the last lines of longer outputs.
	fenceHeadLines = 30
	fenceTailLines = 10
	fenceBytes     = 16 << 10
	// fenceDiffLines is the maximum number of lines of one file's diff.
	fenceDiffLines = 400
)

// fold writes a call with its contents folded below its line; a list item if there are no contents. The mark of the
// result precedes the output.
func (p *markdownPage) fold(card *Block, leftOut bool, result string, asked []string, output string) {
	blocks := slices.DeleteFunc(append(asked, output), func(block string) bool { return block == "" })
	if len(blocks) == 0 {
		p.block("- " + cardLine(card, leftOut))
		p.block(result)
		return
	}
	if result != "" {
		at := len(blocks)
		if output != "" {
			at--
		}
		blocks = slices.Insert(blocks, at, result)
	}
	p.block("<details><summary>" + cardSummary(card, leftOut) + "</summary>\n\n" + strings.Join(blocks, "\n\n") + "\n\n</details>")
}

// inert returns a line of text that neither HTML nor Markdown interprets, because some sites read a line of tags as
// HTML, others as Markdown.
func inert(text string) string {
	var out strings.Builder
	for _, r := range plain.Line(text, 2000) {
		if strings.ContainsRune("[]*_`!\\~|<>&\"':", r) {
			fmt.Fprintf(&out, "&#%d;", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// cardSummary returns a card as a line of HTML.
func cardSummary(card *Block, leftOut bool) string {
	name := card.ToolName
	if name == "" {
		name = "Result"
	}
	line := "<b>" + inert(name) + "</b>"
	if card.Target != "" {
		line += " <code>" + inert(card.Target) + "</code>"
	}
	for _, fact := range cardFacts(card, leftOut) {
		line += " · " + inert(fact)
	}
	if word := stateWord(card.State); word != "" {
		line += " · <b>" + word + "</b>"
	}
	return line
}

// call writes a tool call and its result, folded: the line of its card, then its changes or output.
func (p *markdownPage) call(ctx context.Context, e *entry, i int) error {
	p.mark(e, i, p.callMark(&e.message.Parts[i]))
	result := e.results[i]
	if result == nil {
		return p.card(ctx, &e.message.Parts[i], nil, mdmark.Part{})
	}
	from := e.holders[i]
	mark := partMark(result)
	mark.Index, mark.Of = from.part, &from.seq
	return p.card(ctx, &e.message.Parts[i], result, mark)
}

// lonelyResult writes a result whose call the export does not show with it.
func (p *markdownPage) lonelyResult(ctx context.Context, e *entry, i int) error {
	result := &e.message.Parts[i]
	mark := partMark(result)
	mark.Index = i
	return p.card(ctx, &core.Part{Type: core.PartToolCall, Name: result.Name, Server: true}, result, mark)
}

// card writes the card of a call and its result, which is nil if it is missing.
func (p *markdownPage) card(ctx context.Context, part, result *core.Part, mark mdmark.Part) error {
	c := p.r.call(part)
	card := p.r.card(part, result, p.tree.Session.WorkspacePath)
	if p.options.Detail == DetailCompact {
		p.fold(&card, result != nil, p.resultMark(result, &card, true, mark), nil, "")
		return nil
	}
	var structured json.RawMessage
	if result != nil {
		structured = result.Structured
	}
	files := c.Changes(structured)
	asked := p.asked(c, len(files) > 0)
	below := []string{asked, p.remaining(c, card.Target+"\n"+asked, len(files) > 0)}
	for _, f := range files[:min(len(files), maxFiles)] {
		below = append(below, prose.Fence(diffText(f, p.tree.Session.WorkspacePath), "diff"))
	}
	if len(files) >= maxFiles {
		below = append(below, "*"+onlyFirstFiles+"*")
	}
	leftOut := result != nil && !showsOutput(c, &card, len(files) > 0)
	output := ""
	if result != nil && !leftOut {
		output = p.output(c, result)
	}
	p.fold(&card, leftOut, p.resultMark(result, &card, leftOut, mark), below, output)
	return p.resultMedia(ctx, result)
}

// resultMedia writes the images and files of a result below its card.
func (p *markdownPage) resultMedia(ctx context.Context, result *core.Part) error {
	if result == nil {
		return nil
	}
	for i := range result.Result {
		if part := &result.Result[i]; part.Type == core.PartMedia {
			mark := partMark(part)
			mark.IsInner = true
			p.comment(mark.String())
			if err := p.media(ctx, part.Media); err != nil {
				return err
			}
		}
	}
	return nil
}

// showsOutput reports whether an output is shown: not that of a call that only read files, nor a confirmation of a
// change.
func showsOutput(c call, card *Block, hasDiffs bool) bool {
	if card.State != ToolDone {
		return true
	}
	switch c.Action {
	case toolcall.Read, toolcall.List, toolcall.Search, toolcall.Todo:
		return false
	case toolcall.Write, toolcall.Edit, toolcall.Patch:
		return !hasDiffs
	case toolcall.Other, toolcall.Delete, toolcall.Run, toolcall.Fetch, toolcall.Agent:
	}
	return true
}

// cardLine returns a card as text.
func cardLine(card *Block, leftOut bool) string {
	name := card.ToolName
	if name == "" {
		name = "Result"
	}
	line := "**" + prose.Escape(name) + "**"
	if card.Target != "" {
		line += " " + prose.Span(card.Target)
	}
	for _, fact := range cardFacts(card, leftOut) {
		line += " · " + fact
	}
	if word := stateWord(card.State); word != "" {
		line += " · **" + word + "**"
	}
	return line
}

// cardFacts returns what a card shows between its target and its state.
func cardFacts(card *Block, leftOut bool) []string {
	var facts []string
	if card.Added+card.Removed > 0 {
		facts = append(facts, fmt.Sprintf("+%d −%d", card.Added, card.Removed))
	}
	if card.Lines > 0 {
		lines := counted(card.Lines, "line", "lines")
		if leftOut {
			lines += " left out"
		}
		facts = append(facts, lines)
	}
	if lasted := duration(card.DurationMs); lasted != "" {
		facts = append(facts, lasted)
	}
	return facts
}

// asked returns the arguments that the card's line does not show.
func (p *markdownPage) asked(c call, hasDiffs bool) string {
	switch c.Action {
	case toolcall.Todo:
		var lines []string
		for _, entry := range c.todos() {
			lines = append(lines, "- "+entry.sign()+" "+prose.Escape(entry.text))
		}
		return strings.Join(lines, "\n")
	case toolcall.Run:
		if command := c.Command(); plain.CountLines(command) > 1 || len(command) > targetLength {
			return cutFence(plain.Literal(command), "sh")
		}
	case toolcall.Agent:
		if text := c.First("prompt", "message", "task"); text != "" && text != c.FirstTarget() {
			return cutFence(plain.Literal(text), "text")
		}
	case toolcall.Other, toolcall.Delete:
		if hasDiffs {
			return ""
		}
		if c.Args.IsObject() && len(c.Args.Map()) > 1 {
			return cutFence(plain.Literal(indented([]byte(c.Args.Raw))), "json")
		}
		if text := c.AnyText(); plain.CountLines(text) > 1 || len(text) > targetLength {
			return cutFence(plain.Literal(text), "text")
		}
	case toolcall.Read, toolcall.Write, toolcall.Edit, toolcall.Patch, toolcall.Search, toolcall.List, toolcall.Fetch:
	}
	return ""
}

// remaining returns the arguments that are not shown yet: short ones on one line, others between fences.
func (p *markdownPage) remaining(c call, shown string, hasDiffs bool) string {
	if !c.Args.IsObject() {
		if text := c.Part.Text; text != "" && !hasDiffs && c.Action != toolcall.Other && !strings.Contains(shown, plain.Line(text, targetLength)) {
			return cutFence(plain.Literal(text), "text")
		}
		return ""
	}
	var short, long []string
	c.Args.ForEach(func(name, v gjson.Result) bool {
		text, language := v.String(), "text"
		if v.Type == gjson.JSON {
			text, language = indented([]byte(v.Raw)), "json"
		}
		isShown := strings.Contains(shown, relative(toolcall.Words(v), p.tree.Session.WorkspacePath)) && toolcall.Words(v) != "" || v.Type == gjson.JSON && strings.Contains(shown, text)
		switch {
		case hasDiffs && shownByDiff(name.Str), c.Action == toolcall.Todo, v.Type == gjson.Null, text == "", isShown:
		case len(text) <= targetLength && !strings.Contains(text, "\n"):
			short = append(short, prose.Escape(name.Str)+" "+prose.Span(plain.Literal(text)))
		default:
			long = append(long, prose.Escape(name.Str)+":\n\n"+cutFence(plain.Literal(text), language))
		}
		return true
	})
	return strings.Join(append([]string{strings.Join(short, " · ")}, long...), "\n\n")
}

func (p *markdownPage) output(c call, result *core.Part) string {
	var texts []string
	parts := result.Result
	if len(parts) == 0 && result.Text != "" {
		parts = []core.Part{{Type: core.PartText, Text: result.Text, Truncated: result.Truncated}}
	}
	for i := range parts {
		switch parts[i].Type {
		case core.PartText, core.PartSummary:
			if parts[i].Text != "" {
				texts = append(texts, cutFence(p.r.plain.Text(parts[i].Text), "text"))
			}
		case core.PartMedia: // below the item
		default:
			texts = append(texts, p.other(&parts[i]))
		}
		if note := extent(&parts[i]); note != "" {
			texts = append(texts, "*"+note+"*")
		}
	}
	if !empty(result.Structured) && (len(texts) == 0 || !c.repeatsData()) {
		texts = append(texts, cutFence(p.r.plain.Text(indented(result.Structured)), "json"))
	}
	return strings.Join(texts, "\n\n")
}

// other shows a part of an unknown type.
func (p *markdownPage) other(part *core.Part) string {
	block := p.r.other(part)
	text := cutFence(block.Text, "json")
	if block.Cut {
		text += "\n\n*" + cutPart(&block) + "*"
	}
	return text
}

// cutFence returns text between fences; only the first and the last lines of a long one.
func cutFence(text, language string) string { return prose.Fence(cutLines(text), language) }

// cutLines returns the first and the last lines of a long text.
func cutLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if left := len(lines) - fenceHeadLines - fenceTailLines; left > 0 {
		note := "… " + counted(int64(left), "line", "lines") + " left out …"
		lines = append(append(lines[:fenceHeadLines:fenceHeadLines], note), lines[len(lines)-fenceTailLines:]...)
	}
	text = strings.Join(lines, "\n")
	if len(text) > fenceBytes {
		head, _ := plain.Head(text, fenceBytes)
		text = head + "\n… " + byteSize(int64(len(text)-len(head))) + " left out …"
	}
	return text
}

// diffText returns a change as diff -u prints it.
func diffText(f patch.File, workspace string) string {
	var out strings.Builder
	before, after := relative(f.Path, workspace), relative(f.Path, workspace)
	if f.MovedTo != "" {
		after = relative(f.MovedTo, workspace)
	}
	if f.Created {
		before = "/dev/null"
	}
	if f.Deleted {
		after = "/dev/null"
	}
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", plain.Line(before, targetLength), plain.Line(after, targetLength))
	left := fenceDiffLines
	for _, hunk := range f.Hunks {
		if left <= 0 {
			break
		}
		out.WriteString(hunkHeader(hunk))
		for _, line := range hunk.Lines[:min(len(hunk.Lines), left)] {
			out.WriteString(string(line.Op) + plain.Literal(strings.TrimSuffix(clip(line.Text, maxLineBytes), "\r")) + "\n")
		}
		left -= len(hunk.Lines)
	}
	if left < 0 {
		out.WriteString("… " + counted(int64(-left), "line", "lines") + " or more left out …\n")
	}
	return out.String()
}

// hunkHeader returns "@@ -12,3 +14,4 @@", or "@@" if the numbers are not known.
func hunkHeader(hunk patch.Hunk) string {
	var from, to, removed, added int64
	for _, line := range hunk.Lines {
		if line.Op != patch.Added {
			removed++
			if from == 0 {
				from = line.Old
			}
		}
		if line.Op != patch.Removed {
			added++
			if to == 0 {
				to = line.New
			}
		}
	}
	if from == 0 && to == 0 {
		return "@@\n"
	}
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", from, removed, to, added)
}

// media writes an attachment: stored beside the document if there is an asset folder, otherwise named with its hash.
func (p *markdownPage) media(ctx context.Context, media *core.Media) error {
	if media == nil {
		return nil
	}
	name := mediaName(media)
	if media.Blob == "" || p.options.Asset == nil {
		reference := name
		if media.Blob != "" {
			reference += ", " + plain.Line(media.Blob, 80)
		}
		p.block("*Attachment: " + prose.Escape(reference) + "*")
		return nil
	}
	blob, err := p.source.Blob(ctx, media.Blob)
	if core.CodeOf(err) == core.NotFound {
		p.block("*Attachment: " + prose.Escape(name) + ", missing*")
		return nil
	}
	if err != nil {
		return core.Wrap(core.CodeOf(err), err, "read the attachment %s", media.Blob)
	}
	if p.options.Redactor != nil {
		blob = p.options.Redactor.Blob(blob)
	}
	path, err := p.options.Asset(*media, blob)
	if err != nil {
		return core.Wrap(core.CodeOf(err), err, "store the attachment %s", media.Blob)
	}
	link := "[" + prose.Escape(name) + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A", `\`, "/").Replace(path) + ">)"
	if imageType(blob.Data) != "" {
		link = "!" + link
	}
	p.block(link)
	return nil
}
