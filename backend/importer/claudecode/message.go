package claudecode

import (
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
)

// builder is the second pass: it builds messages from the records that the skeleton refers to.
type builder struct {
	skeleton *skeleton
	thread   *thread
	buffer   twopass.Buffer
}

// message builds the message at an index.
func (b *builder) message(p int32) (core.Message, error) {
	node, at := b.thread.nodes[p], b.thread.positions[p]
	m := core.Message{UID: node.uid, CreatedAtMs: at.timeMs, Parts: []core.Part{}}
	m.Role, m.Kind = roleAndKind(at.class)
	var meta jsonl.Fields
	var recordIDs []string
	for i := node.first; i != 0; i = b.skeleton.entries[i].next {
		r, err := b.record(&b.skeleton.entries[i])
		if err != nil {
			return m, err
		}
		if r.timeMs > m.EndMs() {
			m.FinishedAtMs = r.timeMs
		}
		if i == node.first {
			b.envelope(&r, &meta)
		} else {
			recordIDs = append(recordIDs, r.uuid)
		}
		b.take(&m, at.class, &r, &meta)
		b.skeleton.entries[i].read = nil // a second iteration reads it again
	}
	if len(recordIDs) > 0 {
		m.Parts = withoutTwins(m.Parts)
		ids, _ := json.Marshal(recordIDs) // strings always encode
		meta.Set("recordIds", ids)
	}
	if kept := b.skeleton.keptFiles[node.uid]; kept.count > 0 {
		// Claude Code finds the files by the uuid of the prompt.
		meta.Set("checkpoint", core.Checkpoint{ID: node.uid, FileCount: kept.count}.JSON())
	}
	m.Meta = meta.JSON()
	return m, nil
}

func roleAndKind(c class) (core.Role, core.Kind) {
	switch c {
	case reply:
		return core.RoleAssistant, core.KindMessage
	case synthetic:
		return core.RoleAssistant, core.KindMeta
	case result:
		return core.RoleTool, core.KindMessage
	case meta:
		return core.RoleUser, core.KindMeta
	case command:
		return core.RoleUser, core.KindCommand
	case compaction:
		return core.RoleUser, core.KindCompaction
	default:
		return core.RoleUser, core.KindMessage
	}
}

// record reads a record again, unless it was kept.
func (b *builder) record(at *entry) (record, error) {
	if at.read != nil {
		return *at.read, nil
	}
	v, err := b.skeleton.reader.Again(b.skeleton.file.Data, at.Position, &b.buffer)
	if err != nil {
		return record{}, err
	}
	r := readRecord(v)
	if at.embedded {
		r = embedded(&r)
	}
	return r, nil
}

// take adds a record to its message.
func (b *builder) take(m *core.Message, kind class, r *record, meta *jsonl.Fields) {
	switch kind {
	case reply, synthetic:
		takeReply(m, r, meta)
	case result:
		m.Parts = append(m.Parts, resultParts(r, b.skeleton.calls)...)
	case compaction:
		parts := contentParts(r.content)
		for i := range parts {
			if parts[i].Type == core.PartText {
				parts[i].Type = core.PartSummary
			}
		}
		m.Parts = append(m.Parts, parts...)
	default:
		content := r.content
		if r.kind == "attachment" {
			content = readContent(r.attachment.Get("prompt"))
			meta.Set("queued", json.RawMessage("true"))
		}
		parts := contentParts(content)
		if kind == prompt {
			parts = withInjected(parts)
		}
		m.Parts = append(m.Parts, parts...)
	}
}

func takeReply(m *core.Message, r *record, meta *jsonl.Fields) {
	if r.model != "" && r.model != "<synthetic>" {
		m.Model = r.model
	}
	m.Parts = append(m.Parts, contentParts(r.content)...)
	m.Origin = originOf(m.Origin, r)
	if u := usageOf(r.usage); u != nil && !r.isSynthetic() && (m.Usage == nil || u.OutputTokens >= m.Usage.OutputTokens) {
		m.Usage = u // each record repeats it; the last one is complete
	}
	if r.stopReason != "" {
		m.FinishRaw, m.FinishReason = r.stopReason, finishReason(r.stopReason)
	}
	if r.apiError {
		m.Error, m.FinishReason = errorText(r), "error"
	}
	if !jsonl.Empty(r.stopDetails) {
		meta.Set("stopDetails", jsonl.Raw(r.stopDetails))
	}
}

// withoutTwins leaves out duplicate tool calls: some versions repeat blocks.
func withoutTwins(parts []core.Part) []core.Part {
	seen := map[string]bool{}
	return slices.DeleteFunc(parts, func(p core.Part) bool {
		if p.Type != core.PartToolCall || p.ID == "" {
			return false
		}
		twice := seen[p.ID]
		seen[p.ID] = true
		return twice
	})
}

func originOf(have *core.Origin, r *record) *core.Origin {
	if have == nil {
		have = &core.Origin{Protocol: "anthropic", Provider: "anthropic", ResponseModel: r.model, ResponseID: r.messageID}
		if r.isSynthetic() {
			have.Provider = ""
		}
	}
	if r.requestID != "" {
		have.RequestID = r.requestID
	}
	return have
}

// errorText returns why a call failed, if the record contains it.
func errorText(r *record) string {
	if words := promptText(r); words != "" {
		return jsonl.Headline(words)
	}
	if e := jsonl.Text(r.all.Get("error")); e != "" {
		return e
	}
	return "the model's provider reported an error"
}

// finishReason maps the provider's reason to Coppice's.
func finishReason(stop string) string {
	switch stop {
	case "end_turn", "stop_sequence", "pause_turn":
		return "stop"
	case "max_tokens", "model_context_window_exceeded":
		return "length"
	case "tool_use":
		return "tool_call"
	case "refusal":
		return "content_filter"
	default:
		return ""
	}
}

// usageOf reads the tokens of a call. Anthropic counts cached input apart from the rest; here it is part of it.
func usageOf(u gjson.Result) *core.Usage {
	if !u.IsObject() || jsonl.Empty(u) {
		return nil
	}
	use := core.Usage{Native: jsonl.Raw(u)}
	u.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "input_tokens":
			use.InputTokens = max(0, v.Int())
		case "output_tokens":
			use.OutputTokens = max(0, v.Int())
		case "cache_read_input_tokens":
			use.CacheReadTokens = max(0, v.Int())
		case "cache_creation_input_tokens":
			use.CacheWriteTokens = max(0, v.Int())
		case "output_tokens_details":
			use.ReasoningTokens = max(0, v.Get("thinking_tokens").Int())
		}
		return true
	})
	use.InputTokens += use.CacheReadTokens + use.CacheWriteTokens
	if use.InputTokens == 0 && use.OutputTokens == 0 {
		return nil
	}
	return &use
}

// envelope keeps the fields of a record that are stored nowhere else. What every record of the session repeats is
// stored once, with the session.
func (b *builder) envelope(r *record, meta *jsonl.Fields) {
	jsonl.Each(r.all, func(key string, v gjson.Result) bool {
		switch key {
		case "type", "uuid", "parentUuid", "logicalParentUuid", "isSidechain", "sessionId", "session_id", "timestamp", "userType", "version",
			"entrypoint", "slug", "sessionKind", "message", "attachment", "toolUseResult", "requestId", "agentId", "forkedFrom", "isMeta",
			"isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "sourceToolAssistantUUID", "sourceToolUseID", "gitBranch":
			return true
		case "cwd":
			if jsonl.Text(v) == b.skeleton.facts.cwd {
				return true
			}
		}
		if !jsonl.Empty(v) {
			meta.Set(key, jsonl.Raw(v))
		}
		return true
	})
}
