package script

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"
	"unicode/utf8"

	"coppice/backend/core"
)

// pieceBytes is about one token.
const pieceBytes = 4

// player streams one answer. After its last event, or after the caller has stopped, it yields nothing.
type player struct {
	ctx             context.Context // lives as long as one call
	yield           func(core.StreamEvent, error) bool
	tokensPerSecond float64
	said            []core.Part // the text and reasoning that were yielded
	bytes           int64
}

func (p *player) play(ready plan) {
	if !p.wait(time.Duration(ready.delayMs) * time.Millisecond) {
		return
	}
	for index, part := range ready.parts {
		switch goesOn := p.part(index, part, ready.limit); goesOn {
		case halted:
			return
		case cut:
			p.abort(ready.fault)
			return
		case whole:
		}
	}
	if ready.fault != nil {
		p.abort(ready.fault)
		return
	}
	if p.ctx.Err() != nil {
		p.abort(p.ctx.Err())
		return
	}
	p.yield(core.StreamEvent{Type: core.StreamDone, Message: &ready.done}, nil)
}

// progress is the result of playing a part.
type progress int

const (
	whole  progress = iota
	cut             // the limit was reached
	halted          // the caller stopped, or ctx ended and the abort was yielded
)

// part yields a part in pieces, up to a limit of bytes for the whole answer.
func (p *player) part(index int, part core.Part, limit int64) progress {
	event := core.StreamEvent{Index: index}
	switch part.Type {
	case core.PartReasoning:
		event.Type = core.StreamReasoning
	case core.PartToolCall:
		event.Type = core.StreamToolCall
		event.ID, event.Name = part.ID, part.Name
	default:
		event.Type = core.StreamText
	}
	for text := written(part); text != ""; {
		event.Text, text = piece(text)
		clipped := limit >= 0 && int64(len(event.Text)) > limit-p.bytes
		if clipped {
			event.Text = clip(event.Text, limit-p.bytes)
		}
		if !p.piece(event, part.Type) {
			return halted
		}
		if clipped {
			return cut
		}
		event.ID, event.Name = "", ""
	}
	return whole
}

// piece yields one piece at its time.
func (p *player) piece(event core.StreamEvent, kind core.PartType) bool {
	if event.Text == "" {
		return true
	}
	if !p.wait(p.pace()) {
		return false
	}
	p.keep(event.Index, kind, event.Text)
	return p.yield(event, nil)
}

// keep stores what was yielded, for an answer that ends too early. A partial call is left out.
func (p *player) keep(index int, kind core.PartType, text string) {
	p.bytes += int64(len(text))
	if kind == core.PartToolCall {
		return
	}
	if index == len(p.said) {
		p.said = append(p.said, core.Part{Type: kind})
	}
	p.said[index].Text += text
}

func (p *player) pace() time.Duration {
	if p.tokensPerSecond <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / p.tokensPerSecond)
}

// wait returns false, after it has yielded the abort, if ctx ends first.
func (p *player) wait(d time.Duration) bool {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-p.ctx.Done():
		}
	}
	if err := p.ctx.Err(); err != nil {
		p.abort(err)
		return false
	}
	return true
}

func (p *player) abort(err error) {
	if code := core.CodeOf(err); code == core.Canceled || (code == core.Timeout && p.ctx.Err() != nil) {
		err = core.Wrap(code, err, "play the script")
	}
	message := &core.Message{Role: core.RoleAssistant, Kind: core.KindMessage, Parts: parts(p.said), FinishReason: core.FinishError}
	p.yield(core.StreamEvent{Type: core.StreamAborted, Message: message}, err)
}

// piece cuts about one token off, never inside a character.
func piece(text string) (head, rest string) {
	end := 0
	for end < len(text) && end < pieceBytes {
		_, width := utf8.DecodeRuneInString(text[end:])
		end += width
	}
	return text[:end], text[end:]
}

// clip cuts a text to at most that many bytes, never inside a character.
func clip(text string, bytes int64) string {
	end := int(max(bytes, 0))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// written returns the text that a model writes for a part.
func written(part core.Part) string {
	if part.Type == core.PartToolCall && part.Text == "" {
		return string(part.Arguments)
	}
	return part.Text
}

// newCallID returns a unique ID, like those of real providers.
func newCallID() string {
	var b [9]byte
	rand.Read(b[:]) //nolint:errcheck // never fails, see crypto/rand
	return "call_" + hex.EncodeToString(b[:])
}
