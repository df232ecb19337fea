package opencode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// builder builds our messages from one of OpenCode's.
type builder struct {
	facts    *facts
	uid      string
	messages []core.Message
}

// build builds the messages, and returns false if it is not part of a conversation.
func (b *builder) build(r *raw) bool {
	switch r.role() {
	case "user":
		b.user(r)
	case "assistant":
		if r.kind == "" {
			b.steps(r)
		} else {
			b.reply(r)
		}
	case "system", "synthetic", "skill":
		return r.kind != "" && b.said(r)
	case "shell":
		return r.kind != "" && b.shell(r)
	case "compaction":
		return r.kind != "" && b.compaction(r)
	default:
		return false
	}
	return true
}

// isMarker reports whether a message of 2.x marks a position in the conversation and has no content.
func isMarker(kind string) bool {
	switch kind {
	case "model-switched", "agent-switched", "location-switched", "idle":
		return true
	default:
		return false
	}
}

// body is the whole of a message, as it is kept.
func (r *raw) body() json.RawMessage {
	if len(r.parts) == 0 {
		return json.RawMessage(r.info.Raw)
	}
	var parts strings.Builder
	for i, p := range r.parts {
		if i > 0 {
			parts.WriteByte(',')
		}
		parts.WriteString(p.Raw)
	}
	return json.RawMessage(`{"info":` + r.info.Raw + `,"parts":[` + parts.String() + `]}`)
}

// add adds a message. The first one has OpenCode's id, the ids of the others derive from it.
func (b *builder) add(m core.Message, r *raw) *core.Message {
	m.UID = b.uid
	if n := len(b.messages); n > 0 {
		m.UID = fmt.Sprintf("%s/%d", b.uid, n)
	}
	if m.Kind == "" {
		m.Kind = core.KindMessage
	}
	if m.CreatedAtMs == 0 {
		m.CreatedAtMs = r.timeMs()
	}
	if m.Parts == nil {
		m.Parts = []core.Part{}
	}
	b.messages = append(b.messages, m)
	return &b.messages[len(b.messages)-1]
}

// user builds the user's prompt, of both versions.
func (b *builder) user(r *raw) {
	m := core.Message{Role: core.RoleUser, Agent: jsonl.Text(r.info.Get("agent"))}
	if text := jsonl.Text(r.info.Get("text")); text != "" {
		m.Parts = append(m.Parts, core.Part{Type: core.PartText, Text: text})
	}
	jsonl.Each(r.info.Get("files"), func(_ string, v gjson.Result) bool {
		m.Parts = append(m.Parts, filePart(v))
		return true
	})
	said := len(m.Parts) > 0
	for _, p := range r.parts {
		if isBookkeeping(p) {
			continue
		}
		m.Parts = append(m.Parts, plainPart(p))
		said = said || !p.Get("synthetic").Bool() && jsonl.Text(p.Get("type")) != "compaction"
	}
	if !said && len(m.Parts) > 0 {
		m.Kind = core.KindMeta
	}
	var meta jsonl.Fields
	transcript.AddRest(&meta, r.info, "id", "sessionID", "role", "type", "time", "text", "files", "agent", "model", "summary", "system", "tools")
	m.Meta = meta.JSON()
	b.add(m, r)
}

// isBookkeeping reports whether a part has no content for the conversation.
func isBookkeeping(p gjson.Result) bool {
	switch jsonl.Text(p.Get("type")) {
	case "step-start", "step-finish", "snapshot", "patch":
		return true
	default:
		return false
	}
}

// steps builds the messages of an answer of 1.x: for each call of the model its output, and the results of the tools it
// called.
func (b *builder) steps(r *raw) {
	segments, ended := split(r.parts), tellsEnds(r.parts)
	for i, parts := range segments {
		said := core.Message{Role: core.RoleAssistant, Agent: agentOf(r.info), Model: jsonl.Text(r.info.Get("modelID"))}
		said.Origin = origin(jsonl.Text(r.info.Get("providerID")), said.Model)
		did := core.Message{Role: core.RoleTool}
		finish := gjson.Result{}
		var meta jsonl.Fields
		for _, p := range parts {
			switch jsonl.Text(p.Get("type")) {
			case "step-start":
				if i == 0 {
					keepCheckpoint(&meta, jsonl.Text(p.Get("snapshot")))
				}
			case "snapshot":
			case "step-finish":
				finish = p
			case "patch":
				jsonl.Each(p.Get("files"), func(_ string, v gjson.Result) bool { b.facts.change(jsonl.Text(v)); return true })
			case "tool":
				t := legacyTool(p)
				said.Parts = append(said.Parts, t.call())
				if t.answered() {
					did.Parts = append(did.Parts, t.result())
					did.CreatedAtMs = max(did.CreatedAtMs, t.endedMs)
					b.facts.change(t.changes())
				}
			default:
				said.Parts = append(said.Parts, plainPart(p))
			}
		}
		last := i == len(segments)-1
		said.CreatedAtMs = startedMs(parts, i)
		b.account(&said, r.info, finish, len(segments) == 1 || last && !ended)
		if last {
			said.Error = failure(r.info.Get("error"))
			finished(&said, jsonl.Text(r.info.Get("finish")))
			transcript.AddRest(&meta, r.info, "id", "sessionID", "role", "time", "parentID", "modelID", "providerID", "mode", "agent", "path", "cost", "tokens", "error", "finish", "summary", "system", "model")
		}
		said.Meta = meta.JSON()
		if said.FinishRaw == "" {
			finished(&said, jsonl.Text(finish.Get("reason")))
		}
		if r.info.Get("summary").Type == gjson.True {
			summarise(&said)
		}
		b.add(said, r)
		if len(did.Parts) > 0 {
			b.add(did, r)
		}
	}
}

// keepCheckpoint records the tree of files that an answer began with, as Git names it; empty: OpenCode saved none.
func keepCheckpoint(meta *jsonl.Fields, tree string) {
	if tree != "" {
		meta.Set("checkpoint", core.Checkpoint{ID: tree}.JSON())
	}
}

// split splits an answer at the calls of the model. There is at least one.
func split(parts []gjson.Result) [][]gjson.Result {
	var all [][]gjson.Result
	from, begun := 0, false
	for i, p := range parts {
		if jsonl.Text(p.Get("type")) != "step-start" {
			continue
		}
		if begun {
			all = append(all, parts[from:i])
			from = i
		}
		begun = true
	}
	return append(all, parts[from:])
}

// tellsEnds reports whether the steps of an answer record their usage.
func tellsEnds(parts []gjson.Result) bool {
	return slices.ContainsFunc(parts, func(p gjson.Result) bool { return jsonl.Text(p.Get("type")) == "step-finish" })
}

// startedMs returns when a later call of the model began; 0: with the message, or unknown.
func startedMs(parts []gjson.Result, i int) int64 {
	for _, p := range parts {
		if at := jsonl.Millis(p.Get("time.start")); i > 0 && at > 0 {
			return at
		}
	}
	return 0
}

// account reads the cost of a call of the model. The step's values count, else the message's: of its one call, or of its last one if
// no step records them, since OpenCode stores the tokens of that and the cost of all.
func (b *builder) account(m *core.Message, message, step gjson.Result, alone bool) {
	m.Usage, m.CostNanoUSD = usageOf(step.Get("tokens")), costOf(step.Get("cost"))
	if alone && m.Usage == nil {
		m.Usage = usageOf(message.Get("tokens"))
	}
	if alone && m.CostNanoUSD == nil {
		m.CostNanoUSD = costOf(message.Get("cost"))
	}
}

// reply makes the messages of an answer of 2.x, which is one call of the model.
func (b *builder) reply(r *raw) {
	said := core.Message{Role: core.RoleAssistant, Agent: agentOf(r.info), Model: jsonl.Text(r.info.Get("model.id"))}
	said.Origin = origin(jsonl.Text(r.info.Get("model.providerID")), said.Model)
	did := core.Message{Role: core.RoleTool}
	jsonl.Each(r.info.Get("content"), func(_ string, v gjson.Result) bool {
		if jsonl.Text(v.Get("type")) != "tool" {
			said.Parts = append(said.Parts, plainPart(v))
			return true
		}
		t := currentTool(v)
		said.Parts = append(said.Parts, t.call())
		if t.answered() {
			did.Parts = append(did.Parts, t.result())
			did.CreatedAtMs = max(did.CreatedAtMs, t.endedMs)
			b.facts.change(t.changes())
		}
		return true
	})
	b.account(&said, r.info, gjson.Result{}, true)
	said.Error = failure(r.info.Get("error"))
	finished(&said, jsonl.Text(r.info.Get("finish")))
	var meta jsonl.Fields
	keepCheckpoint(&meta, jsonl.Text(r.info.Get("snapshot.start")))
	transcript.AddRest(&meta, r.info, "id", "type", "time", "agent", "model", "content", "cost", "tokens", "error", "finish", "snapshot")
	said.Meta = meta.JSON()
	jsonl.Each(r.info.Get("snapshot.files"), func(_ string, v gjson.Result) bool { b.facts.change(jsonl.Text(v)); return true })
	b.add(said, r)
	if len(did.Parts) > 0 {
		b.add(did, r)
	}
}

// said builds what OpenCode itself writes in the conversation.
func (b *builder) said(r *raw) bool {
	m := core.Message{Role: core.RoleUser, Kind: core.KindMeta, Name: jsonl.Text(r.info.Get("name"))}
	if r.kind == "system" {
		m.Role = core.RoleSystem
	}
	m.Parts = textPart(jsonl.Text(r.info.Get("text")))
	m.Meta = rest(r.info, "id", "type", "time", "text", "name")
	b.add(m, r)
	return true
}

// shell builds a command that the user ran, and its output.
func (b *builder) shell(r *raw) bool {
	m := core.Message{Role: core.RoleUser, Kind: core.KindCommand}
	output := r.info.Get("output")
	if output.IsObject() {
		output = output.Get("output")
	}
	m.Parts = append(textPart("$ "+jsonl.Text(r.info.Get("command"))), textPart(jsonl.Text(output))...)
	m.Meta = rest(r.info, "id", "type", "time", "command", "output", "shellID", "callID")
	b.add(m, r)
	return true
}

// compaction builds the summary that replaces what came before it; false while it does not exist.
func (b *builder) compaction(r *raw) bool {
	summary := jsonl.Text(r.info.Get("summary"))
	if summary == "" {
		return false
	}
	m := core.Message{Role: core.RoleUser, Parts: textPart(summary)}
	summarise(&m)
	b.account(&m, r.info, gjson.Result{}, true)
	m.Meta = rest(r.info, "id", "type", "time", "summary", "tokens", "cost")
	b.add(m, r)
	return true
}

// summarise marks a message as a replacement of what came before it.
func summarise(m *core.Message) {
	m.Kind = core.KindCompaction
	for i := range m.Parts {
		if m.Parts[i].Type == core.PartText {
			m.Parts[i].Type = core.PartSummary
		}
	}
}

func agentOf(info gjson.Result) string {
	if agent := jsonl.Text(info.Get("agent")); agent != "" {
		return agent
	}
	return jsonl.Text(info.Get("mode"))
}

func origin(provider, model string) *core.Origin {
	if provider == "" && model == "" {
		return nil
	}
	return &core.Origin{Provider: provider, ResponseModel: model}
}

// finished reads why the model stopped.
func finished(m *core.Message, raw string) {
	m.FinishRaw = raw
	switch raw {
	case "stop", "completed":
		m.FinishReason = core.FinishStop
	case "length":
		m.FinishReason = core.FinishLength
	case "tool-calls":
		m.FinishReason = core.FinishToolCall
	case "content-filter":
		m.FinishReason = core.FinishContentFilter
	case "error":
		m.FinishReason = core.FinishError
	}
}

// failure returns why an answer failed.
func failure(v gjson.Result) string {
	for _, path := range []string{"data.message", "message", "name", "type"} {
		if words := jsonl.Text(v.Get(path)); words != "" {
			return words
		}
	}
	return jsonl.Text(v)
}

// usageOf reads tokens: OpenCode excludes cached ones from the input and thoughts from the output.
func usageOf(v gjson.Result) *core.Usage {
	n := func(path string) int64 { return max(0, min(v.Get(path).Int(), 1<<50)) }
	u := core.Usage{CacheReadTokens: n("cache.read"), CacheWriteTokens: n("cache.write"), ReasoningTokens: n("reasoning")}
	u.InputTokens = n("input") + u.CacheReadTokens + u.CacheWriteTokens
	u.OutputTokens = n("output") + u.ReasoningTokens
	if u.InputTokens == 0 && u.OutputTokens == 0 {
		return nil
	}
	u.Native = jsonl.Raw(v)
	return &u
}

// costOf reads dollars. OpenCode writes 0 for a model whose price it does not know.
func costOf(v gjson.Result) *int64 {
	if v.IsObject() {
		v = v.Get("usd")
	}
	if jsonl.Empty(v) {
		return nil
	}
	return transcript.NanoUSD(v)
}
