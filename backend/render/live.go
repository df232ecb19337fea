package render

import (
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

// LiveBlock is a piece of an answer that is still being written.
type LiveBlock struct {
	Index    int64     `json:"index"`    // its position, from 0
	Revision int64     `json:"revision"` // grows when the block changes
	Type     BlockType `json:"type"`     // prose, reasoning or tool
	HTML     string    `json:"html"`     // safe; of prose and reasoning
	Text     string    `json:"text"`     // of a tool: the beginning of its arguments, one line
	ToolName string    `json:"toolName"`
}

// Live renders an answer while it is being written. Complete blocks are rendered once: only the last block of a text is
// rendered again as it grows, so that a long answer costs no more per piece than a short one. It is not safe for
// concurrent use.
type Live struct {
	r        *Renderer
	revision int64
	parts    []*livePart
	blocks   []LiveBlock
}

// livePart is a part of the unfinished message.
type livePart struct {
	kind  BlockType
	index int             // of the event
	tail  strings.Builder // text that is not in a settled block
	block int             // the index of the block that shows the tail; -1: none yet
	dirty bool
	name  string
}

// Live begins an answer.
func (r *Renderer) Live() *Live { return &Live{r: r} }

// Add adds a piece of the answer.
func (l *Live) Add(e core.StreamEvent) {
	kind := BlockProse
	switch e.Type {
	case core.StreamText:
	case core.StreamReasoning:
		kind = BlockReasoning
	case core.StreamToolCall:
		kind = BlockTool
	default:
		return
	}
	p := l.part(e.Index, kind)
	if e.Name != "" {
		p.name = e.Name
	}
	p.tail.WriteString(e.Text)
	p.dirty = true
}

func (l *Live) part(index int, kind BlockType) *livePart {
	for i := len(l.parts) - 1; i >= 0; i-- {
		if l.parts[i].index == index {
			return l.parts[i]
		}
	}
	p := &livePart{kind: kind, index: index, block: -1}
	l.parts = append(l.parts, p)
	return p
}

// Since returns the blocks that have changed after a revision, and the current revision.
func (l *Live) Since(revision int64) ([]LiveBlock, int64) {
	for _, p := range l.parts {
		if p.dirty {
			p.dirty = false
			l.show(p)
		}
	}
	changed := []LiveBlock{}
	for _, b := range l.blocks {
		if b.Revision > revision {
			changed = append(changed, b)
		}
	}
	return changed, l.revision
}

// toolHead is how much of a call's arguments is shown while they arrive.
const toolHead = 200

func (l *Live) show(p *livePart) {
	if p.kind == BlockTool {
		l.put(p, LiveBlock{Type: p.kind, ToolName: p.name, Text: plain.FirstLine(clip(p.tail.String(), toolHead), toolHead)})
		return
	}
	text := p.tail.String()
	if cut := settledEnd(text); cut > 0 {
		l.put(p, LiveBlock{Type: p.kind, HTML: l.html(p, text[:cut])})
		p.block = -1
		p.tail.Reset()
		p.tail.WriteString(text[cut:])
		text = text[cut:]
	}
	if strings.TrimSpace(text) != "" {
		l.put(p, LiveBlock{Type: p.kind, HTML: l.html(p, text)})
	}
}

// html renders a range of Markdown. Its ids differ from those of the finished message, which replaces it.
func (l *Live) html(p *livePart, markdown string) string {
	return l.r.prose.HTML(markdown, prose.Options{ID: "live" + strconv.Itoa(p.index) + "-" + strconv.Itoa(max(p.block, 0)) + "-"})
}

// put replaces the part's last block, or appends the block.
func (l *Live) put(p *livePart, b LiveBlock) {
	if p.block < 0 {
		p.block = len(l.blocks)
		l.blocks = append(l.blocks, LiveBlock{})
	}
	l.revision++
	b.Index, b.Revision = int64(p.block), l.revision
	l.blocks[p.block] = b
}

// settledEnd returns the end of the Markdown that further text cannot change: the last blank line outside a fenced
// block that is followed by a line which begins a new block, neither indented nor of a list nor of a quote. 0: nowhere.
func settledEnd(text string) int {
	end, at, fence, blank := 0, 0, "", false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			blank = false
		case trimmed == "":
			blank = true
		default:
			if blank && strings.HasSuffix(line, "\n") && startsBlock(line) {
				end = at
			}
			blank = false
			fence = fenceOf(trimmed)
		}
		at += len(line)
	}
	return end
}

// fenceOf returns the fence that a line opens, or the empty string.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && (mark == "~" || !strings.Contains(line[n:], "`")) {
			return strings.Repeat(mark, n)
		}
	}
	return ""
}

// startsBlock reports whether a line after a blank one cannot belong to the block before it.
func startsBlock(line string) bool {
	if line[0] == ' ' || line[0] == '\t' || line[0] == '>' {
		return false
	}
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) {
		return !strings.HasPrefix(rest, ". ") && !strings.HasPrefix(rest, ") ")
	}
	return !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* ") && !strings.HasPrefix(line, "+ ")
}
