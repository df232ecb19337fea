package pi

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
	"coppice/backend/importer/twopass"
)

// messages yields the messages in the order of the file. One whose entries were all imported before is only named.
func (s *skeleton) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return twopass.Messages(ctx, int32(len(s.nodes)), func(n int32) (core.IncomingMessage, error) { //nolint:gosec // bounded by the lines of a file
		at := &s.nodes[n]
		last := s.entries[at.last].Offset
		m := core.IncomingMessage{Known: last < s.file.FromBytes}
		var err error
		if !m.Known {
			err = s.build(&m.Message, at)
			s.file.Progress(last)
		}
		m.UID, m.ParentUID = at.uid, s.nodes[at.parent].uid
		return m, err
	})
}

// build builds a message from its entries.
func (s *skeleton) build(m *core.Message, at *node) error {
	m.Parts = []core.Part{}
	m.CreatedAtMs = at.timeMs
	var meta jsonl.Fields
	for n := at.first; n != 0; n = s.entries[n].next {
		v, err := s.read(s.entries[n].Position)
		if err != nil {
			return err
		}
		take(m, &meta, body(v), s.entries[n].class)
		if lane := jsonl.Text(v.Get("lane")); lane != "" && lane != mainLane {
			meta.Set("lane", jsonl.Quote(lane))
		}
		if timeMs := jsonl.Millis(v.Get("timestamp")); timeMs > m.CreatedAtMs {
			m.CreatedAtMs = timeMs // of the last result
		}
	}
	m.Meta = meta.JSON()
	return nil
}

// take adds a record to its message.
func take(m *core.Message, meta *jsonl.Fields, v gjson.Result, c class) {
	m.Role, m.Kind = core.RoleUser, core.KindMessage
	switch c {
	case reply:
		m.Role = core.RoleAssistant
		m.Parts = append(m.Parts, contentParts(v.Get("content"))...)
		m.Model = jsonl.Text(v.Get("model"))
		m.Origin = &core.Origin{Protocol: jsonl.Text(v.Get("api")), Provider: jsonl.Text(v.Get("provider")), ResponseModel: m.Model, ResponseID: jsonl.Text(v.Get("responseId"))}
		m.Error = jsonl.Text(v.Get("errorMessage"))
		finish(m, jsonl.Text(v.Get("stopReason")))
		transcript.AddRest(meta, v, "role", "content", "model", "api", "provider", "responseId", "errorMessage", "stopReason", "usage", "timestamp")
	case result:
		m.Role = core.RoleTool
		m.Parts = append(m.Parts, core.Part{
			Type: core.PartToolResult, ID: jsonl.Text(v.Get("toolCallId")), Name: jsonl.Text(v.Get("toolName")), IsError: v.Get("isError").Bool(),
			Result: contentParts(v.Get("content")), Structured: jsonl.Raw(v.Get("details")),
		})
	case command:
		m.Kind = core.KindCommand
		m.Parts = append(m.Parts, textParts("$ "+jsonl.Text(v.Get("command")))...)
		m.Parts = append(m.Parts, textParts(jsonl.Text(v.Get("output")))...)
		transcript.AddRest(meta, v, "role", "command", "output", "timestamp")
	case inserted:
		m.Kind = core.KindMeta
		m.Name = jsonl.Text(v.Get("customType"))
		m.Parts = append(m.Parts, contentParts(v.Get("content"))...)
		transcript.AddRest(meta, v, "role", "type", "kind", "id", "parentId", "lane", "seq", "customType", "content", "timestamp")
	case compaction, summary:
		m.Kind = core.KindCompaction
		if c == summary {
			m.Kind = core.KindBranchSummary
		}
		if text := jsonl.Text(v.Get("summary")); text != "" {
			m.Parts = append(m.Parts, core.Part{Type: core.PartSummary, Text: text})
		}
		transcript.AddRest(meta, v, "role", "type", "kind", "id", "parentId", "lane", "seq", "summary", "usage", "retainedTail", "timestamp")
	default:
		m.Parts = append(m.Parts, contentParts(v.Get("content"))...)
		jsonl.Each(v.Get("attachments"), func(_ string, a gjson.Result) bool {
			m.Parts = append(m.Parts, attachment(a))
			return true
		})
	}
	account(m, v.Get("usage"))
}

// account adds the usage of a call of the model. pi counts cached tokens apart from the input, and writes a cost of 0
// if it does not know the price.
func account(m *core.Message, v gjson.Result) {
	n := func(key string) int64 { return max(0, min(v.Get(key).Int(), 1<<50)) }
	u := core.Usage{CacheReadTokens: n("cacheRead"), CacheWriteTokens: n("cacheWrite"), OutputTokens: n("output")}
	u.InputTokens = n("input") + u.CacheReadTokens + u.CacheWriteTokens
	u.ReasoningTokens = min(n("reasoning"), u.OutputTokens)
	if u.InputTokens > 0 || u.OutputTokens > 0 {
		u.Native = jsonl.Raw(v)
		if before := m.Usage; before != nil { // of another result's tool
			u.InputTokens += before.InputTokens
			u.OutputTokens += before.OutputTokens
			u.CacheReadTokens += before.CacheReadTokens
			u.CacheWriteTokens += before.CacheWriteTokens
			u.ReasoningTokens += before.ReasoningTokens
			u.Native = nil
		}
		m.Usage = &u
	}
	if cost := transcript.NanoUSD(v.Get("cost.total")); cost != nil && *cost > 0 {
		if m.CostNanoUSD != nil {
			*cost += *m.CostNanoUSD
		}
		m.CostNanoUSD = cost
	}
}

// finish reads why the model stopped.
func finish(m *core.Message, raw string) {
	m.FinishRaw = raw
	switch raw {
	case "stop":
		m.FinishReason = core.FinishStop
	case "length":
		m.FinishReason = core.FinishLength
	case "toolUse":
		m.FinishReason = core.FinishToolCall
	case "error":
		m.FinishReason = core.FinishError
	case "aborted":
		m.FinishReason = core.FinishAborted
	}
}

// records returns what is stored beside the messages.
func (s *skeleton) records() iter.Seq[core.Record] {
	position := func(n int32) (twopass.Position, bool) {
		e := &s.entries[n]
		return e.Position, e.class == kept || e.class == unknown && n > 0
	}
	return twopass.Records(&s.file, int32(len(s.entries)), position, func(n int32) (core.Record, error) { //nolint:gosec // bounded by the lines of a file
		e := &s.entries[n]
		v, err := s.read(e.Position)
		return core.Record{AfterUID: s.nodes[e.node].uid, Type: typeOf(v), Known: e.class == kept, Body: json.RawMessage(v.Raw)}, err
	})
}
