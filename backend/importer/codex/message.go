package codex

import (
	"context"
	"encoding/json"
	"hash/maphash"
	"iter"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/pages"
)

// builder is the second pass: it builds messages from the records that the skeleton refers to.
type builder struct {
	*skeleton
	line []byte // reused from record to record
}

// messages yields the messages in the order of the files, once. One that was imported before is only named.
func (s *skeleton) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		b := builder{skeleton: s}
		last, at := s.lastReaders(), int32(-1)
		for n := int32(1); n < s.nodes.Len(); n++ {
			if err := ctx.Err(); err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
			if on := s.nodes.At(n).first / pages.Size; on != at {
				at = on
				s.dropRead(last, n)
			}
			m, err := b.incoming(n)
			m.ParentUID = s.uid(s.nodes.At(n).parent)
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
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
	if last := b.entries.At(at.last).spot; b.isOwn(last) && b.files[last.file].spill == "" {
		b.file.Progress(last.offset)
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
		r, err := b.record(b.entries.At(i).spot)
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

// keptLine is the longest line whose buffer is reused.
const keptLine = 1 << 20

// record reads a record again. A different record means that the file was rewritten.
func (b *builder) record(at spot) (record, error) {
	line := b.line
	if cap(line) < int(at.length) {
		line = make([]byte, at.length)
	}
	if at.length <= keptLine {
		b.line = line
	}
	line = line[:at.length]
	n, _ := b.files[at.file].ReadAt(line, at.offset)       // a short read gives another sum
	if uint32(maphash.Bytes(b.seed, line[:n])) != at.sum { //nolint:gosec // the lower bits are enough
		return record{}, core.E(core.Invalid, "line %d changed while it was read", at.number).WithHint("import it again")
	}
	return readRecord(jsonl.ParseAgain(line, int32(at.part))), nil
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
			shown, err := b.record(b.entries.At(e.twin).spot)
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

// records yields what is stored beside the messages. A line that was imported before is not repeated.
func (s *skeleton) records(yield func(core.Record) bool) {
	b := builder{skeleton: s}
	for i := range s.asides.Len() {
		a := s.asides.At(i)
		if a.mark == rollback || !s.isOwn(a.spot) || a.offset < s.file.FromBytes {
			continue
		}
		r, err := b.record(a.spot)
		if err != nil {
			s.file.Problem(int64(a.number), err.Error())
			continue
		}
		rec := core.Record{AfterUID: s.uid(a.after), Line: int64(a.number), Type: s.names.text(a.name), Known: a.mark == kept, Body: json.RawMessage(r.all.Raw)}
		if !yield(rec) {
			return
		}
	}
}
