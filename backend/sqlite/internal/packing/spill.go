package packing

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// SpillFrom and HeadBytes are the sizes that decide what of a message goes to blobs.
const (
	SpillFrom = 64 << 10 // bytes from which a text or a structured value goes to a blob
	HeadBytes = 16 << 10 // what stays of such a text
	TailBytes = 2 << 10  // what stays of its end
)

// spilled is a message whose bulk was taken out.
type spilled struct {
	Message core.Message
	Blobs   []core.Blob // what was taken out
	Refs    []string    // the hashes of all blobs it refers to, these included
}

// Spill moves media, long texts and large values of a message to blobs. The message that is given stays as it is.
func Spill(m core.Message) spilled {
	s := spilled{Message: m}
	s.Message.Parts = slices.Clone(m.Parts)
	for i := range s.Message.Parts {
		s.Message.Parts[i].Result = slices.Clone(s.Message.Parts[i].Result)
	}
	EachPart(s.Message.Parts, func(p *core.Part) { s.part(p) })
	return s
}

func (s *spilled) part(p *core.Part) {
	s.media(p)
	if p.Truncated != nil {
		s.refer(p.Truncated.Blob)
	} else if len(p.Text) > SpillFrom {
		hash := s.move("text/plain; charset=utf-8", []byte(p.Text))
		p.Truncated = &core.Truncated{SizeBytes: int64(len(p.Text)), LineCount: lineCount(p.Text), Blob: hash, Tail: tailOf(p.Text)}
		p.Text = headOf(p.Text)
	}
	if len(p.Structured) > SpillFrom {
		p.StructuredBlob = s.move("application/json", Compact(p.Structured))
		p.Structured = nil
	} else {
		s.refer(p.StructuredBlob)
	}
}

func (s *spilled) media(p *core.Part) {
	if p.Media == nil {
		return
	}
	media := *p.Media
	if media.Data != nil {
		media.Blob, media.SizeBytes = s.move(media.MimeType, media.Data), int64(len(media.Data))
		media.Data = nil
	} else {
		s.refer(media.Blob)
	}
	p.Media = &media
}

func (s *spilled) move(mimeType string, data []byte) string {
	hash := core.Hash(data)
	s.Blobs = append(s.Blobs, core.Blob{Hash: hash, MimeType: mimeType, Data: data})
	s.refer(hash)
	return hash
}

func (s *spilled) refer(hash string) {
	if hash != "" && !slices.Contains(s.Refs, hash) {
		s.Refs = append(s.Refs, hash)
	}
}

// Compact takes white space out, as the encoder does with values that stay in the body.
func Compact(value json.RawMessage) []byte {
	small, ok := jsontext.AppendCompact(make([]byte, 0, len(value)), value)
	if !ok {
		return value // the encoder keeps it as it is likewise
	}
	return small
}

// headOf cuts a text between two runes.
func headOf(text string) string {
	end := HeadBytes
	for end > HeadBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// tailOf returns the end of a text, from the start of a rune.
func tailOf(text string) string {
	from := len(text) - TailBytes
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return text[from:]
}

func lineCount(text string) int64 {
	n := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
