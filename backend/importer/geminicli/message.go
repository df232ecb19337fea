package geminicli

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
)

// uid returns the id of a message. Its tools' results have ids derived from it.
func (s *skeleton) uid(n int32) string { return s.nodes[n].id }

func (s *skeleton) resultsUID(n int32) string { return s.nodes[n].id + resultsMark }

// lastUID returns the parent of the next message.
func (s *skeleton) lastUID(n int32) string {
	if s.nodes[n].results {
		return s.resultsUID(n)
	}
	return s.uid(n)
}

// headUID returns the message that the session continues from.
func (s *skeleton) headUID() string { return s.lastUID(s.tip()) }

// messages yields the messages in the order of the file. One whose newest version was imported before is only named.
func (s *skeleton) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for i := range s.nodes[1:] {
			n := int32(i + 1) //nolint:gosec // bounded by the elements of a file
			if err := ctx.Err(); err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
			if !s.yield(n, yield) {
				return
			}
		}
	}
}

func (s *skeleton) yield(n int32, yield func(core.IncomingMessage, error) bool) bool {
	at := &s.nodes[n]
	said := core.IncomingMessage{Message: core.Message{UID: s.uid(n), ParentUID: s.lastUID(at.parent)}, Known: at.at.Offset < s.file.FromBytes}
	did := core.IncomingMessage{Message: core.Message{UID: s.resultsUID(n), ParentUID: s.uid(n)}, Known: said.Known}
	if !said.Known {
		v, err := s.read(at.at)
		if err != nil {
			yield(said, err)
			return false
		}
		s.build(&said.Message, v, at)
		if at.results {
			buildResults(&did.Message, v, at)
		}
		s.file.Progress(at.at.Offset)
	}
	return yield(said, nil) && (!at.results || yield(did, nil))
}

// build makes a message.
func (s *skeleton) build(m *core.Message, v gjson.Result, at *node) {
	m.CreatedAtMs = at.timeMs
	m.Parts = []core.Part{}
	var meta jsonl.Fields
	switch classOf(v) {
	case reply:
		m.Role, m.Kind = core.RoleAssistant, core.KindMessage
		m.Parts = append(m.Parts, withoutRepeats(thoughtParts(v.Get("thoughts")), contentParts(content(v)))...)
		m.Parts = append(m.Parts, callParts(v, at.id)...)
		m.Usage = usageOf(v.Get("tokens"))
		if m.Model = jsonl.Text(v.Get("model")); m.Model == "" && m.Usage == nil {
			m.Model = s.facts.model
		}
		m.Origin = &core.Origin{Protocol: "gemini", Provider: "google", ResponseModel: m.Model}
	case notice:
		m.Role, m.Kind = core.RoleSystem, core.KindMeta
		m.Parts = append(m.Parts, contentParts(content(v))...)
		kind := jsonl.Text(v.Get("type"))
		meta.Set("type", jsonl.Quote(kind))
		if kind == "error" {
			m.Error = words(content(v))
		}
	case compaction:
		m.Role, m.Kind = core.RoleUser, core.KindCompaction
		m.Parts = append(m.Parts, summaryParts(content(v))...)
	case synthetic:
		m.Role, m.Kind = core.RoleAssistant, core.KindMeta
		m.Parts = append(m.Parts, contentParts(content(v))...)
	case answers:
		m.Role, m.Kind = core.RoleTool, core.KindMessage
		m.Parts = append(m.Parts, contentParts(content(v))...)
	default:
		m.Role, m.Kind = core.RoleUser, core.KindMessage
		if classOf(v) == inserted {
			m.Kind = core.KindMeta
		}
		m.Parts = append(m.Parts, contentParts(content(v))...)
		if shown := v.Get("displayContent"); !jsonl.Empty(shown) && words(shown) != words(content(v)) {
			meta.Set("displayContent", jsonl.Raw(shown))
		}
	}
	jsonl.Each(v, func(key string, value gjson.Result) bool {
		switch key {
		case "id", "type", "role", "timestamp", "ts", "content", "parts", "displayContent", "toolCalls", "thoughts", "tokens", "model":
		default:
			if !jsonl.Empty(value) {
				meta.Set(key, jsonl.Raw(value))
			}
		}
		return true
	})
	m.Meta = meta.JSON()
}

// usageOf reads the tokens of a call: thoughts and tool prompts are counted apart from the rest, cached ones within it.
func usageOf(v gjson.Result) *core.Usage {
	n := func(key string) int64 { return max(0, min(v.Get(key).Int(), 1<<50)) }
	u := core.Usage{
		InputTokens: n("input") + n("tool"), OutputTokens: n("output") + n("thoughts"), CacheReadTokens: n("cached"), ReasoningTokens: n("thoughts"),
	}
	if u.InputTokens == 0 && u.OutputTokens == 0 {
		return nil
	}
	u.CacheReadTokens = min(u.CacheReadTokens, u.InputTokens)
	u.Native = jsonl.Raw(v)
	return &u
}

// kept returns the records beside the messages.
func (s *skeleton) kept() iter.Seq[core.Record] {
	position := func(n int32) (twopass.Position, bool) { return s.extra[n].at.Position, true }
	return twopass.Records(&s.file, int32(len(s.extra)), position, func(n int32) (core.Record, error) { //nolint:gosec // bounded by the elements of a file
		e := &s.extra[n]
		v, err := s.read(e.at)
		return core.Record{AfterUID: s.lastUID(e.after), Type: e.kind, Body: json.RawMessage(v.Raw)}, err
	})
}
