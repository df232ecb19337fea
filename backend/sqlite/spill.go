package sqlite

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

const (
	spillFrom = 64 << 10 // bytes from which a text or a structured value goes to a blob
	headBytes = 16 << 10 // what stays of such a text
)

// spilled is a message whose bulk was taken out.
type spilled struct {
	message core.Message
	blobs   []core.Blob // what was taken out
	refs    []string    // the hashes of all blobs it refers to, these included
}

// spill moves media, long texts and large values of a message to blobs. The message that is given stays as it is.
func spill(m core.Message) spilled {
	s := spilled{message: m}
	s.message.Parts = slices.Clone(m.Parts)
	for i := range s.message.Parts {
		s.message.Parts[i].Result = slices.Clone(s.message.Parts[i].Result)
	}
	eachPart(s.message.Parts, func(p *core.Part) { s.part(p) })
	return s
}

func (s *spilled) part(p *core.Part) {
	s.media(p)
	if p.Truncated != nil {
		s.refer(p.Truncated.Blob)
	} else if len(p.Text) > spillFrom {
		hash := s.move("text/plain; charset=utf-8", []byte(p.Text))
		p.Truncated = &core.Truncated{SizeBytes: int64(len(p.Text)), LineCount: lineCount(p.Text), Blob: hash}
		p.Text = headOf(p.Text)
	}
	if len(p.Structured) > spillFrom {
		p.StructuredBlob = s.move("application/json", compact(p.Structured))
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
	s.blobs = append(s.blobs, core.Blob{Hash: hash, MimeType: mimeType, Data: data})
	s.refer(hash)
	return hash
}

func (s *spilled) refer(hash string) {
	if hash != "" && !slices.Contains(s.refs, hash) {
		s.refs = append(s.refs, hash)
	}
}

// compact takes white space out, as the encoder does with values that stay in the body.
func compact(value json.RawMessage) []byte {
	small, ok := jsontext.AppendCompact(make([]byte, 0, len(value)), value)
	if !ok {
		return value // the encoder keeps it as it is likewise
	}
	return small
}

// headOf cuts a text between two runes.
func headOf(text string) string {
	end := headBytes
	for end > headBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func lineCount(text string) int64 {
	n := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
