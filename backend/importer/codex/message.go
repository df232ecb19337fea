package codex

import (
	"context"
	"encoding/json"
	"iter"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
	"coppice/backend/pages"
)

// builder is the second pass: it builds messages from the records that the skeleton refers to.
type builder struct {
	*skeleton
	buffer twopass.Buffer
}

// messages yields the messages in the order of the files, once. One that was imported before is only named.
func (s *skeleton) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	b := builder{skeleton: s}
	var last []int32
	at := int32(-1)
	return twopass.Messages(ctx, s.nodes.Len(), func(n int32) (core.IncomingMessage, error) {
		if last == nil {
			last = s.lastReaders()
		}
		if on := s.nodes.At(n).first / pages.Size; on != at {
			at = on
			s.dropRead(last, n)
		}
		m, err := b.incoming(n)
		m.ParentUID = s.uid(s.nodes.At(n).parent)
		return m, err
	})
}

// lastReaders returns the last message that needs each page of the entries.
func (s *skeleton) lastReaders() []int32 {
	last := make([]int32, (s.entries.Len()-1)/pages.Size+1)
	for n := range s.nodes.Len() {
		for i := s.nodes.At(n).first; i != 0; i = s.entries.At(i).next {
			last[i/pages.Size] = n
			if twin := s.entries.At(i).twin; twin != 0 {
				last[twin/pages.Size] = n
			}
		}
	}
	return last
}

// dropRead releases the pages of the entries that are not needed from a message on: the library's memory grows meanwhile.
func (s *skeleton) dropRead(last []int32, from int32) {
	for page, n := range last {
		if n < from {
			s.entries.Drop(int32(page)) //nolint:gosec // bounded by the lines of a file
		}
	}
}

// head returns the message that the session continues from.
func (s *skeleton) head() string { return s.uid(s.tip) }

// uid returns the uid of a message; that of the position before the first one is empty.
func (s *skeleton) uid(n int32) string {
	if n == 0 {
		return ""
	}
	return s.nodes.At(n).uid.String()
}

func (b *builder) incoming(n int32) (core.IncomingMessage, error) {
	at := b.nodes.At(n)
	if !at.fresh {
		return core.IncomingMessage{Message: core.Message{UID: at.uid.String()}, Known: true}, nil
	}
	m, err := b.message(n)
	if last := b.entries.At(at.last).Position; b.isOwn(last) && b.files[last.Source].spill == "" {
		b.file.Progress(last.Offset)
	}
	return core.IncomingMessage{Message: m}, err
}

// message builds a message from its records.
func (b *builder) message(n int32) (core.Message, error) {
	at := b.nodes.At(n)
	setting := &b.settings[b.entries.At(at.first).setting]
	m := core.Message{UID: at.uid.String(), CreatedAtMs: setting.timeMs, Parts: []core.Part{}, Usage: b.usageOf(n)}
	m.Role, m.Kind = roleAndKind(at.class)
	var meta jsonl.Fields
	if id := b.names.text(setting.turnID); id != "" && at.class == prompt {
		meta.Set("turnId", jsonl.Quote(id))
	}
	for i := at.first; i != 0; i = b.entries.At(i).next {
		r, err := b.record(b.entries.At(i).Position)
		if err != nil {
			return m, err
		}
		if i == at.first && setting.timeMs == 0 {
			m.CreatedAtMs = r.timeMs
		}
		if r.timeMs > m.EndMs() {
			m.FinishedAtMs = r.timeMs
		}
		if err := b.take(&m, at.class, i, &r, &meta); err != nil {
			return m, err
		}
	}
	if m.Role == core.RoleAssistant {
		m.Model = b.names.text(setting.model)
		m.Origin = &core.Origin{Protocol: "openai-responses", Provider: b.meta.provider, RequestModel: m.Model}
	}
	m.Meta = meta.JSON()
	return m, nil
}

func roleAndKind(c class) (core.Role, core.Kind) {
	switch c {
	case reply, reasoning, call, shownReply, shownReasoning, shownTool:
		return core.RoleAssistant, core.KindMessage
	case result:
		return core.RoleTool, core.KindMessage
	case inserted, insertedLate, agentWords:
		return core.RoleUser, core.KindMeta
	case command:
		return core.RoleUser, core.KindCommand
	case directive, notice:
		return core.RoleSystem, core.KindMeta
	case compaction:
		return core.RoleUser, core.KindCompaction
	default:
		return core.RoleUser, core.KindMessage
	}
}

// record reads a record again.
func (b *builder) record(at twopass.Position) (record, error) {
	v, err := b.reader.Again(b.files[at.Source], at, &b.buffer)
	if err != nil {
		return record{}, err
	}
	return readRecord(v), nil
}

// take adds a record to its message.
func (b *builder) take(m *core.Message, c class, i int32, r *record, meta *jsonl.Fields) error {
	e := b.entries.At(i)
	switch e.class {
	case reasoning:
		m.Parts = append(m.Parts, reasoningPart(r.payload))
	case shownReasoning:
		for _, words := range shownThoughts(r) {
			m.Parts = append(m.Parts, core.Part{Type: core.PartReasoning, Text: words})
		}
	case call:
		m.Parts = append(m.Parts, b.callParts(r, i)...)
	case result:
		p := b.resultPart(r, i)
		if e.twin != 0 {
			shown, err := b.record(b.entries.At(e.twin).Position)
			if err != nil {
				return err
			}
			enrich(&p, &shown)
		}
		m.Parts = append(m.Parts, p)
	case shownTool:
		if c == result {
			m.Parts = append(m.Parts, shownResult(r))
		} else {
			m.Parts = append(m.Parts, shownCall(r))
		}
	case shownPrompt, shownReply:
		m.Parts = append(m.Parts, shownParts(r)...)
	case compaction:
		m.Parts = append(m.Parts, compactionParts(r)...)
	case notice:
		text, reason := noticeOf(r)
		m.Parts, m.Error = append(m.Parts, core.Part{Type: core.PartText, Text: text}), reason
	default:
		if e.class == prompt {
			m.Parts = append(m.Parts, promptParts(r.payload)...)
		} else {
			m.Parts = append(m.Parts, contentParts(r.payload)...)
		}
		m.Name = author(r)
		for _, key := range []string{"phase", "model"} {
			if v := r.payload.Get(key); !jsonl.Empty(v) && (key != "model" || b.settings[e.setting].model == 0) {
				meta.Set(key, jsonl.Raw(v))
			}
		}
	}
	return nil
}

// author returns the agent that wrote a message to another one.
func author(r *record) string { return jsonl.Text(r.payload.Get("author")) }

// records returns what is stored beside the messages.
func (s *skeleton) records() iter.Seq[core.Record] {
	b := builder{skeleton: s}
	position := func(n int32) (twopass.Position, bool) {
		a := s.asides.At(n)
		return a.Position, a.mark != rollback && s.isOwn(a.Position)
	}
	return twopass.Records(&s.file, s.asides.Len(), position, func(n int32) (core.Record, error) {
		a := s.asides.At(n)
		r, err := b.record(a.Position)
		return core.Record{AfterUID: s.uid(a.after), Type: s.names.text(a.name), Known: a.mark == kept, Body: json.RawMessage(r.all.Raw)}, err
	})
}
