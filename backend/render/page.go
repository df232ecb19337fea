package render

import (
	"bytes"
	"encoding/json"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
	"coppice/backend/toolcall"
)

const (
	// pageBudget bounds the HTML of one response to the window, which must stay below a megabyte. When it is spent, the
	// remaining prose is cut to its beginning; a message requested alone is complete.
	pageBudget = 400 << 10
	pageHead   = 1 << 10
	// otherBytes is how much of a part of unknown type is shown.
	otherBytes = 16 << 10
	lineLength = 200
)

// page renders the messages of one range.
type page struct {
	r         *Renderer
	loaded    *messageRange
	workspace string
	children  childSessions
	left      int // bytes of HTML
	// previewLeft is how many bytes of previews may be added; 0: cards have none.
	previewLeft int
}

func (p *page) message(m int) MessageView {
	message := &p.loaded.messages[m]
	view := MessageView{
		UID: message.UID, Seq: message.Seq, Turn: message.Turn, Branch: message.Branch, Depth: message.Depth, ParentUID: message.ParentUID,
		Siblings: message.Siblings, SiblingIndex: message.SiblingIndex, Role: message.Role, Kind: message.Kind, Name: plain.Visible(message.Name),
		Agent: plain.Visible(message.Agent), Model: plain.Visible(message.Model), CostNanoUSD: message.CostNanoUSD, EstimatedNanoUSD: message.Estimate.NanoUSD, FinishReason: message.FinishReason,
		Error:       plain.Visible(message.Error),
		CreatedAtMs: message.CreatedAtMs, Hidden: p.loaded.pairs.absorbed(m, message), Blocks: []Block{},
		Cites: append([]string{}, message.Cites()...),
	}
	if message.Usage != nil {
		view.InputTokens, view.OutputTokens, view.IsEstimated = message.Usage.InputTokens, message.Usage.OutputTokens, message.Usage.IsEstimated()
		if message.HasPlaceholderOutput() {
			view.OutputTokens = 0
		}
	}
	if view.Hidden {
		return view
	}
	if c, ok := message.Compaction(); ok {
		view.Compaction = &CompactionView{
			FirstKept: c.FirstKept, CoveredMessages: c.CoveredMessages, MessagesBefore: c.MessagesBefore, MessagesAfter: c.MessagesAfter,
			TokensBefore: c.TokensBefore, TokensAfter: c.TokensAfter, Strategy: c.Strategy, Focus: plain.Visible(c.Focus),
		}
	}
	if notice := message.Notice(); notice != "" {
		view.Blocks, view.Error = append(view.Blocks, Block{Type: BlockNotice, Text: p.r.plain.Text(clip(notice, pageHead))}), ""
		return view
	}
	for i := range message.Parts {
		if block, ok := p.block(partIndex{m, i}, message); ok {
			block.Part = int64(i)
			p.left -= answerBytes(block.HTML)
			view.Blocks = append(view.Blocks, block)
		}
	}
	return view
}

// answerBytes returns the size of HTML in a response: JSON encodes each < and > as six bytes.
func answerBytes(markup string) int {
	return len(markup) + 5*(strings.Count(markup, "<")+strings.Count(markup, ">")+strings.Count(markup, "&"))
}

// block returns the block for a part; false if it is not shown on its own.
func (p *page) block(at partIndex, message *core.Message) (Block, bool) {
	part := &message.Parts[at.part]
	switch part.Type {
	case core.PartText:
		return p.text(part, message, at.part), part.Text != "" || part.Truncated != nil
	case core.PartSummary:
		b := measured(BlockSummary, part)
		b.Text = plain.FirstLine(part.Text, lineLength)
		p.prose(&b, part.Text, message, at.part)
		return b, true
	case core.PartReasoning:
		return p.reasoning(part, message, at.part)
	case core.PartToolCall:
		return p.tool(at, part), true
	case core.PartToolResult:
		_, paired := p.loaded.pairs.calls[at]
		return p.r.result(part), !paired || message.Siblings > 1
	case core.PartMedia:
		return mediaBlock(part.Media), part.Media != nil
	default:
		return p.r.other(part), true
	}
}

// measured returns a block with the size of the part's text.
func measured(kind BlockType, part *core.Part) Block {
	b := Block{
		Type: kind, Chars: int64(utf8.RuneCountInString(part.Text)), Lines: plain.CountLines(part.Text), SizeBytes: int64(len(part.Text)),
	}
	if whole := part.Truncated; whole != nil {
		b.SizeBytes, b.Lines, b.Blob, b.Cut, b.Shown = whole.SizeBytes, whole.LineCount, whole.Blob, !whole.Shown, whole.Shown
		b.Chars = b.SizeBytes // not counted; the bytes are a bound
	}
	return b
}

func (p *page) text(part *core.Part, message *core.Message, index int) Block {
	if part.Injected || isContext(message) {
		return p.context(part)
	}
	switch message.Kind {
	case core.KindCompaction, core.KindBranchSummary:
		b := measured(BlockSummary, part)
		b.Text = p.r.firstLine(part.Text)
		p.prose(&b, part.Text, message, index)
		return b
	case core.KindMessage, core.KindMeta, core.KindCommand:
	}
	b := measured(BlockProse, part)
	p.prose(&b, part.Text, message, index)
	return b
}

// isContext reports whether the texts of a message are context, not written for the user. What joins the answers of agents is for the user.
func isContext(m *core.Message) bool {
	return m.Kind == core.KindCommand || m.Kind == core.KindMeta && m.Name != core.JoinName
}

// context returns the folded block of a text that a tool added.
func (p *page) context(part *core.Part) Block {
	b := measured(BlockMeta, part)
	b.Text = p.r.firstLine(part.Text)
	b.HTML = p.r.prose.Verbatim(p.r.plain.Text(p.within(&b, part.Text)))
	return b
}

// prose renders a message's text into the block.
func (p *page) prose(b *Block, text string, message *core.Message, index int) {
	b.HTML = p.r.prose.HTML(p.within(b, text), prose.Options{
		ID: idPrefix(message, index),
	})
}

// within cuts the block's text once the page's budget is spent.
func (p *page) within(b *Block, text string) string {
	if p.left > 0 || len(text) <= pageHead {
		return text
	}
	b.Cut = true
	return clip(text, pageHead)
}

func (p *page) reasoning(part *core.Part, message *core.Message, index int) (Block, bool) {
	b := measured(BlockReasoning, part)
	switch {
	case part.Text != "":
		b.Text = p.r.firstLine(part.Text)
		p.prose(&b, part.Text, message, index)
	case part.Redacted:
		b.Text = "Withheld by the provider"
	default:
		return b, false // nothing but a signature
	}
	return b, true
}

func (p *page) tool(at partIndex, part *core.Part) Block {
	var result *core.Part
	resultUID := ""
	if to, ok := p.loaded.pairs.results[at]; ok {
		result = &p.loaded.messages[to.message].Parts[to.part]
		resultUID = p.loaded.messages[to.message].UID
	}
	c := p.r.call(part)
	b, files := p.r.cardAndChanges(c, result, p.workspace)
	b.ResultUID = resultUID
	b.ChildID = p.children.byCall[at]
	if b.Preview = p.preview(c, &b, result, files, idPrefix(&p.loaded.messages[at.message], at.part)); b.Preview != nil && b.Preview.Kind == PreviewWeb {
		b.ReadOnly = false // a card of its own, not a line of a run
	}
	return b
}

// idPrefix returns the prefix of the ids in the HTML of a part.
func idPrefix(message *core.Message, index int) string {
	return "m" + strconv.FormatInt(message.Seq, 10) + "-" + strconv.Itoa(index) + "-"
}

// card returns the one-line card of a call. result is nil if it is missing.
func (r *Renderer) card(part, result *core.Part, workspace string) Block {
	b, _ := r.cardAndChanges(r.call(part), result, workspace)
	return b
}

// cardAndChanges returns the card of a call, and the files that it changed if it is done.
func (r *Renderer) cardAndChanges(c call, result *core.Part, workspace string) (b Block, files []patch.File) {
	part := c.Part
	b = Block{
		Type: BlockTool, CallID: part.ID, ToolName: plain.Line(part.Name, lineLength), Target: r.plain.Text(c.summary(workspace)),
		State: stateOf(part, result), ReadOnly: c.Action.ReadOnly(),
	}
	if result == nil {
		return b, nil
	}
	b.DurationMs = result.DurationMs
	b.Images = images(result)
	for i := range result.Result {
		m := measured(BlockResult, &result.Result[i])
		b.Lines, b.SizeBytes = b.Lines+m.Lines, b.SizeBytes+m.SizeBytes
	}
	if b.State == ToolDone {
		files = c.Changes(result.Structured)
		b.Added, b.Removed = toolcall.Counts(files)
	}
	return b, files
}

// result returns the block for a result on its own.
func (r *Renderer) result(part *core.Part) Block {
	head := clip(resultText(part, otherBytes), otherBytes)
	b := Block{
		Type: BlockResult, CallID: part.ID, ToolName: plain.Line(part.Name, lineLength), Text: r.plain.Text(head),
		DurationMs: part.DurationMs, State: ToolDone, Images: images(part),
	}
	if part.IsError {
		b.State = ToolFailed
	}
	for i := range part.Result {
		m := measured(BlockResult, &part.Result[i])
		b.Lines, b.SizeBytes, b.Chars, b.Shown = b.Lines+m.Lines, b.SizeBytes+m.SizeBytes, b.Chars+m.Chars, b.Shown || m.Shown
		if m.Blob != "" && b.Blob == "" {
			b.Blob = m.Blob
		}
	}
	b.Cut = !b.Shown && int64(len(head)) < b.SizeBytes
	return b
}

func mediaBlock(media *core.Media) Block {
	if media == nil {
		return Block{Type: BlockMedia}
	}
	return Block{
		Type: BlockMedia, Blob: media.Blob, Text: plain.Line(media.URI, lineLength), MimeType: plain.Line(media.MimeType, 100),
		Name: plain.Line(media.Name, lineLength), Width: media.Width, Height: media.Height, SizeBytes: media.SizeBytes,
	}
}

// images returns the images of a result whose bytes are available; nil if it has none.
func images(result *core.Part) []Block {
	var all []Block
	for i := range result.Result {
		if part := &result.Result[i]; isImage(part) {
			block := mediaBlock(part.Media)
			block.Part = int64(i)
			all = append(all, block)
		}
	}
	return all
}

func isImage(part *core.Part) bool {
	return part.Type == core.PartMedia && part.Media != nil && part.Media.Blob != "" && strings.HasPrefix(part.Media.MimeType, "image/")
}

// other returns the block for a part of unknown type, as its JSON.
func (r *Renderer) other(part *core.Part) Block {
	data := []byte(part.Native)
	if len(data) == 0 {
		data, _ = json.Marshal(part) // a part from the store is valid JSON; if not, there is nothing to show
	}
	text := indented(data)
	head := clip(text, otherBytes)
	return Block{
		Type: BlockOther, Name: plain.Line(string(part.Type), lineLength), Text: r.plain.Text(head), Cut: len(head) < len(text),
		Chars: int64(utf8.RuneCountInString(text)), Lines: plain.CountLines(text), SizeBytes: int64(len(text)),
	}
}

// indented returns indented JSON, or the bytes if they are not JSON.
func indented(data []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", "  "); err != nil {
		return string(data)
	}
	return out.String()
}

func (r *Renderer) firstLine(text string) string {
	head, _ := plain.Head(text, 4*lineLength)
	return plain.FirstLine(r.plain.Text(head), lineLength)
}

// escape escapes text for use between tags and in attributes.
func escape(text string) string { return html.EscapeString(plain.Visible(text)) }
