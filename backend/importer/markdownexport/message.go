package markdownexport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/mdmark"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// reader reads messages of a document. It keeps the text that was read last: results follow the calls that they are written with.
type reader struct {
	*document
	seq   int64
	parts []segment
}

// segment is the text of a part.
type segment struct {
	mark  mdmark.Part
	lines []string
}

// message reads a message.
func (r *reader) message(e *entry) (core.Message, error) {
	mark := &e.mark
	m := core.Message{
		UID: mark.UID, Seq: mark.Seq, ParentUID: e.parentUID, Role: core.Role(mark.Role), Kind: core.Kind(mark.Kind), Name: mark.Name, Agent: mark.Agent, Model: mark.Model,
		Usage: mark.Usage, CostNanoUSD: mark.CostNanoUSD, FinishReason: mark.FinishReason, Error: mark.Error, CreatedAtMs: mark.AtMs,
		FinishedAtMs: mark.FinishedAtMs, Parts: []core.Part{},
	}
	if m.Kind == "" {
		m.Kind = core.KindMessage
	}
	own, err := r.segments(mark.Seq)
	if err != nil {
		return m, err
	}
	built := map[int]core.Part{}
	if mark.IsNotice {
		built[0] = core.Part{Type: core.PartText, Text: unescaped(strings.Trim(strings.TrimSpace(text(own)), "*"))}
	} else {
		r.build(built, own, func(p *mdmark.Part) bool { return p.Of == nil }, mark)
	}
	for _, seq := range r.results[mark.Seq] {
		if seq == mark.Seq {
			continue
		}
		beside, err := r.segments(seq)
		if err != nil {
			return m, err
		}
		r.build(built, beside, func(p *mdmark.Part) bool { return p.Of != nil && *p.Of == mark.Seq }, mark)
	}
	indexes := make([]int, 0, len(built))
	for i := range built {
		indexes = append(indexes, i)
	}
	slices.Sort(indexes)
	for _, i := range indexes {
		m.Parts = append(m.Parts, built[i])
	}
	return m, nil
}

// text returns the text of all segments but notes.
func text(all []segment) string {
	var lines []string
	for _, s := range all {
		if s.mark.Type != "" {
			lines = append(lines, s.lines...)
		}
	}
	return strings.Join(lines, "\n")
}

// build adds the parts of the segments that belong to a message. An image of a result follows the result.
func (r *reader) build(built map[int]core.Part, all []segment, belongs func(*mdmark.Part) bool, m *mdmark.Message) {
	result := -1 // the index of the result to which inner parts belong
	for _, s := range all {
		if s.mark.Type == "" {
			continue
		}
		if s.mark.IsInner {
			if part, ok := built[result]; ok {
				part.Result = append(part.Result, r.part(&s, m))
				built[result] = part
			}
			continue
		}
		if s.mark.Type == core.PartToolResult {
			result = -1
		}
		if !belongs(&s.mark) {
			continue
		}
		if _, ok := built[s.mark.Index]; ok {
			continue
		}
		part := r.part(&s, m)
		if s.mark.Type == core.PartText && !s.mark.Injected && part.Text == "" {
			continue // before the first mark of a part
		}
		built[s.mark.Index] = part
		if s.mark.Type == core.PartToolResult {
			result = s.mark.Index
		}
	}
}

// segments returns the text of a message by its parts.
func (r *reader) segments(seq int64) ([]segment, error) {
	if r.parts != nil && r.seq == seq {
		return r.parts, nil
	}
	where := r.text[seq]
	if size := where.to - where.from; size > core.MaxValueBytes {
		return nil, core.E(core.Invalid, "message m%d has %d bytes of text", seq, size)
	}
	data := make([]byte, where.to-where.from)
	if n, err := r.file.Data.ReadAt(data, where.from); n < len(data) {
		return nil, core.Wrap(core.Unavailable, err, "read message m%d", seq)
	}
	lines := 0
	if at, ok := slices.BinarySearchFunc(r.entries, seq, func(e entry, seq int64) int { return cmp.Compare(e.mark.Seq, seq) }); ok {
		lines = r.entries[at].mark.Lines
	}
	r.seq, r.parts = seq, split(data, where.isQuoted, lines)
	return r.parts, nil
}

// split divides the text of a message into those of its parts. The first lines that are not blank are the export's.
func split(data []byte, isQuoted bool, ownLines int) []segment {
	all := []segment{{mark: mdmark.Part{Type: core.PartText}}}
	var fence fence
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		if isQuoted {
			line = bytes.TrimPrefix(bytes.TrimPrefix(line, []byte(">")), []byte(" "))
		}
		if ownLines > 0 {
			if len(bytes.TrimSpace(line)) > 0 {
				ownLines--
			}
			continue
		}
		if !fence.step(line) && mdmark.IsMark(line) {
			mark, _ := mdmark.ParsePart(line)
			all = append(all, segment{mark: mark}) // after a note the type is empty
			continue
		}
		last := &all[len(all)-1]
		last.lines = append(last.lines, string(line))
	}
	return all
}

// part returns the part that a segment describes.
func (r *reader) part(s *segment, m *mdmark.Message) core.Part {
	mark := &s.mark
	p := core.Part{
		Type: mark.Type, ID: mark.ID, Name: mark.Name, Server: mark.Server, IsError: mark.IsError, DurationMs: mark.DurationMs, Injected: mark.Injected, Redacted: mark.Redacted,
	}
	switch mark.Type {
	case core.PartText, core.PartSummary:
		if mark.IsVerbatim {
			p.Text = strings.Join(blocks(s.lines).texts(), "\n\n")
		} else {
			p.Text = restored(s.lines, m.Heading)
		}
	case core.PartReasoning:
		p.Text = reasoning(s.lines, m.Heading)
	case core.PartToolCall:
		if len(mark.Arguments) > 0 && jsontext.Check(mark.Arguments) == "" {
			p.Arguments = mark.Arguments
		} else {
			p.Text = strings.TrimSpace(strings.Join(withoutDetails(s.lines), "\n"))
		}
	case core.PartToolResult:
		p.Result, p.Structured = result(s)
	case core.PartMedia:
		p.Name = ""
		p.Media = r.media(s)
	default:
		if shown := blocks(s.lines); len(shown) > 0 {
			p.Text = shown[0].text
			if data := json.RawMessage(p.Text); jsontext.Check(data) == "" {
				p.Native, p.Text = data, ""
			}
		}
	}
	return p
}

// result returns the outputs that a card shows, and the data.
func result(s *segment) (parts []core.Part, structured json.RawMessage) {
	for _, block := range blocks(s.lines) {
		if data := json.RawMessage(block.text); block.language == "json" && structured == nil && jsontext.Check(data) == "" {
			structured = data
			continue
		}
		parts = append(parts, core.Part{Type: core.PartText, Text: block.text})
	}
	if len(parts) == 0 && s.mark.LeftOut > 0 {
		lines := " lines"
		if s.mark.LeftOut == 1 {
			lines = " line"
		}
		parts = append(parts, core.Part{Type: core.PartText, Text: "… " + decimal(s.mark.LeftOut) + lines + " left out …"})
	}
	return parts, structured
}

// block is code between fences.
type block struct{ language, text string }

type blockList []block

// texts returns the contents of the blocks.
func (l blockList) texts() []string {
	texts := make([]string, len(l))
	for i := range l {
		texts[i] = l[i].text
	}
	return texts
}

// blocks returns the code between fences.
func blocks(lines []string) blockList {
	var all blockList
	var fence fence
	var inside []string
	for _, line := range lines {
		was := fence.marks
		isCode := fence.step([]byte(line))
		switch {
		case !isCode:
		case was == 0:
			all, inside = append(all, block{language: strings.TrimLeft(line, "`")}), nil
		case fence.marks == 0:
			all[len(all)-1].text = strings.Join(inside, "\n")
		default:
			inside = append(inside, line)
		}
	}
	return all
}

// withoutDetails returns the lines of a card without its tags.
func withoutDetails(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return strings.HasPrefix(line, "<details>") || line == "</details>"
	})
}

// reasoning returns the text of a quote with a heading of the export.
func reasoning(lines []string, heading int) string {
	var inside []string
	for _, line := range lines {
		if line == "" {
			continue // between the mark and the quote, and after it
		}
		inside = append(inside, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
	}
	if len(inside) > 0 { // *Reasoning*
		inside = inside[1:]
	}
	return restored(inside, heading)
}

// media returns an attachment, with its bytes if the file beside the document has them.
func (r *reader) media(s *segment) *core.Media {
	media := &core.Media{MimeType: s.mark.MimeType, Name: s.mark.Name}
	line := strings.TrimSpace(strings.Join(s.lines, ""))
	_, address, ok := strings.Cut(line, "](<")
	name, _, closed := strings.Cut(address, ">)")
	if !ok || !closed || s.mark.Blob == "" {
		return media
	}
	name = strings.NewReplacer("%3C", "<", "%3E", ">", "%0A", "\n").Replace(name)
	if !filepath.IsLocal(name) || path.Dir(name) == "." {
		return media
	}
	data, err := core.ReadRegular(filepath.Join(filepath.Dir(r.file.Path), filepath.FromSlash(name)), core.MaxMessageMediaBytes)
	if err == nil && core.Hash(data) == s.mark.Blob { // not any file that a document names
		media.Data, media.SizeBytes = data, int64(len(data))
	}
	return media
}
