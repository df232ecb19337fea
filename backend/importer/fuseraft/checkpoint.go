package fuseraft

import (
	"encoding/json"
	"strconv"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// checkpointMessage makes a message of one in a checkpoint. What tools answered is not in the file.
func checkpointMessage(v gjson.Result) (core.Message, bool) {
	role, agent := jsonl.Text(v.Get("Role")), jsonl.Text(v.Get("AgentName"))
	m := core.Message{
		Role: core.Role(role), Kind: core.KindMessage, CreatedAtMs: jsonl.Millis(v.Get("Timestamp")),
		Usage: usage(v.Get("Usage")), CostNanoUSD: transcript.NanoUSD(v.Get("Usage.CostUsd")),
	}
	part := core.Part{Type: core.PartText, Text: jsonl.Text(v.Get("Content"))}
	var meta jsonl.Fields
	transcript.AddRest(&meta, v, "AgentName", "Content", "Timestamp", "Role", "Usage", "IsCompactionSummary", "ToolCalls")
	switch {
	case m.Role != core.RoleAssistant && m.Role != core.RoleUser && m.Role != core.RoleSystem:
		return core.Message{}, false
	case v.Get("IsCompactionSummary").Bool():
		m.Kind, part.Type = core.KindCompaction, core.PartSummary
		meta.Set("ToolCalls", jsonl.Raw(v.Get("ToolCalls"))) // of the turns that it sums up
		v = gjson.Result{}
	case m.Role == core.RoleAssistant:
		m.Agent = agent
	case m.Role == core.RoleUser && agent != "Human":
		m.Kind, m.Name = core.KindMeta, agent // words of the orchestrator
	}
	if part.Text != "" {
		m.Parts = append(m.Parts, part)
	}
	for _, call := range v.Get("ToolCalls").Array() {
		m.Parts = append(m.Parts, summarisedCall(call))
	}
	m.Meta = meta.JSON()
	return m, true
}

// summarisedCall reads a checkpoint's summary of a call: its name, a summary of its arguments, and whether it succeeded.
func summarisedCall(call gjson.Result) core.Part {
	p := core.Part{Type: core.PartToolCall, Name: jsonl.Text(call.Get("Name")), Text: jsonl.Text(call.Get("ArgsSummary"))}
	call.ForEach(func(key, v gjson.Result) bool {
		if k := key.String(); k != "Name" && k != "ArgsSummary" && v.Type != gjson.Null {
			if p.Extra == nil {
				p.Extra = map[string]json.RawMessage{}
			}
			p.Extra[k] = jsonl.Raw(v)
		}
		return true
	})
	return p
}

// nameCalls gives the calls of a checkpoint ids: it has none.
func nameCalls(m *core.Message) {
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartToolCall {
			p.ID = m.UID + "." + strconv.Itoa(i)
		}
	}
}

func usage(u gjson.Result) *core.Usage {
	if !u.IsObject() {
		return nil
	}
	out := core.Usage{InputTokens: max(0, u.Get("InputTokens").Int()), OutputTokens: max(0, u.Get("OutputTokens").Int()), Native: jsonl.Raw(u)}
	if out.InputTokens+out.OutputTokens == 0 {
		return nil
	}
	return &out
}
