package compact

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"coppice/backend/core"
)

// View is the part of a path that its context is derived from.
type View struct {
	Summary  *core.Message  // the newest compaction; nil: the path has none
	Messages []core.Message // what follows it in the context: the messages that it kept, and those below it
	Kept     int            // how many of Messages are before the compaction in the tree
	// FirstIndex is the position of the first of Messages on the path.
	FirstIndex int
}

// ViewOf returns the view of a path. It is a pure function of the path, and changes none of its messages.
//
// The messages that a compaction kept have no usage: it counted a context that is no longer sent.
func ViewOf(path []core.Message) View {
	at := newest(path)
	if at < 0 {
		return View{Messages: path}
	}
	v := View{Summary: &path[at], FirstIndex: at + 1}
	if c, ok := path[at].Compaction(); ok {
		if first := slices.IndexFunc(path[:at], func(m core.Message) bool { return m.UID == c.FirstKept }); first >= 0 {
			v.Messages, v.FirstIndex = kept(path[first:at], &c), first
			v.Kept = len(v.Messages)
		}
	}
	v.Messages = slices.Concat(v.Messages, path[at+1:])
	return v
}

// Messages returns the messages that the context of a path is derived from: the newest compaction, what it kept, and what follows.
func Messages(path []core.Message) []core.Message {
	v := ViewOf(path)
	if v.Summary == nil {
		return v.Messages
	}
	return append([]core.Message{*v.Summary}, v.Messages...)
}

// Covered returns how many messages of a path its newest compaction replaces.
func Covered(path []core.Message) int {
	v := ViewOf(path)
	if v.Summary != nil && v.Kept == 0 {
		return v.FirstIndex - 1
	}
	return v.FirstIndex
}

func newest(path []core.Message) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind == core.KindCompaction {
			return i
		}
	}
	return -1
}

// kept returns the messages that a compaction keeps, without older compactions, with the outputs of tools blanked and cut.
func kept(messages []core.Message, c *core.Compaction) []core.Message {
	out := make([]core.Message, 0, len(messages))
	blanking := c.BlankedBefore != ""
	for _, m := range messages {
		if m.UID == c.BlankedBefore {
			blanking = false
		}
		if m.Kind == core.KindCompaction {
			continue
		}
		m.Usage = nil
		m.Parts = slices.Clone(m.Parts)
		for i := range m.Parts {
			switch p := &m.Parts[i]; {
			case p.Type != core.PartToolResult:
			case blanking:
				blank(p)
			case c.MaxOutputChars > 0:
				shorten(p, c.MaxOutputChars)
			}
		}
		out = append(out, m)
	}
	return out
}

// minBlankedChars is the longest output that stays: the note in its place would be hardly shorter.
const minBlankedChars = 200

// blank replaces the output of a tool by a note.
func blank(p *core.Part) {
	chars, media := outputOf(p)
	if chars <= minBlankedChars && !media {
		return
	}
	p.Result = []core.Part{{Type: core.PartText, Text: fmt.Sprintf("[output removed from the context: %d characters. Call the tool again if you need it.]", chars)}}
	p.Structured, p.StructuredBlob, p.Native = nil, "", nil
}

// shorten cuts the output of a tool to a number of characters.
func shorten(p *core.Part, limit int64) {
	chars, _ := outputOf(p)
	if chars <= limit {
		return
	}
	left := limit
	result := make([]core.Part, 0, len(p.Result))
	for _, r := range p.Result {
		if r.Media == nil {
			r.Text = core.Cut(r.Text, int(left))
			left -= int64(utf8.RuneCountInString(r.Text))
			r.Truncated, r.Native = nil, nil
		}
		result = append(result, r)
	}
	p.Result = append(result, core.Part{Type: core.PartText, Text: fmt.Sprintf(truncatedMark, chars)})
	p.Structured, p.StructuredBlob, p.Native = nil, "", nil
}

func outputOf(p *core.Part) (chars int64, media bool) {
	for i := range p.Result {
		chars += int64(utf8.RuneCountInString(p.Result[i].Text))
		media = media || p.Result[i].Media != nil
	}
	return chars, media
}
