package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"coppice/backend/compact"
	"coppice/backend/core"
	"coppice/backend/team"
)

// replayable returns the messages of a path that can be sent to a model: the newest compaction, what it kept and what follows it,
// unfinished answers as what they had said, every tool call followed by its one result. It is a pure function of the path: the
// same path returns the same bytes, so that a provider finds its prompt cache again.
func replayable(path []core.Message) []core.Message {
	path = compact.Messages(path)
	out := make([]core.Message, 0, len(path))
	for i := range path {
		m, ok := sendable(&path[i])
		if !ok {
			continue
		}
		out = joined(out, m)
		if calls := ownCalls(&m); len(calls) > 0 {
			out = append(out, answers(calls, path[i+1:]))
		}
	}
	return out
}

// nextMessage separates two messages of the user without an answer between them, userMessage the user's message from a summary
// before it.
const (
	nextMessage = "[The user sent a further message:]"
	userMessage = "[The user's message:]"
)

// joined appends a message to a conversation. Providers accept no two messages of the user in a row, so they become one.
func joined(messages []core.Message, m core.Message) []core.Message {
	if m.Role != core.RoleUser || len(messages) == 0 || messages[len(messages)-1].Role != core.RoleUser {
		return append(messages, m)
	}
	last := messages[len(messages)-1]
	var between []core.Part
	switch {
	case m.Kind != core.KindMessage:
	case last.Kind == core.KindMessage:
		between = []core.Part{{Type: core.PartText, Text: nextMessage}}
	case last.Kind == core.KindCompaction:
		between = []core.Part{{Type: core.PartText, Text: userMessage, Injected: true}}
	}
	last.Parts = slices.Concat(last.Parts, between, m.Parts)
	if m.Kind == core.KindMessage {
		last.Kind = m.Kind // the user's words decide
	}
	return append(messages[:len(messages)-1], last)
}

// sendable returns the part of a message that may be sent to a model; ok is false if that is nothing. Tool messages are
// not among them: see answers.
func sendable(m *core.Message) (core.Message, bool) {
	switch {
	case m.Role == core.RoleSystem, m.Role == core.RoleTool, isClosing(m), team.IsChange(m):
		return core.Message{}, false
	case m.Role == core.RoleAssistant && (m.FinishReason == core.FinishAborted || m.FinishReason == core.FinishError):
		return unfinished(m)
	}
	out := *m
	out.Parts = make([]core.Part, 0, len(m.Parts))
	for _, p := range m.Parts {
		switch {
		case p.Type == core.PartToolResult, p.Type == core.PartText && strings.TrimSpace(p.Text) == "" && p.Native == nil:
			continue
		case p.Type == core.PartSummary:
			p = core.Part{Type: core.PartText, Text: p.Text, Name: p.Name, Injected: true}
		case p.Type == core.PartToolCall && p.Arguments == nil:
			// It never ran. Providers accept only an object.
			p.Arguments, p.Native = json.RawMessage(`{}`), nil
		}
		out.Parts = append(out.Parts, p)
	}
	return out, len(out.Parts) > 0
}

// unfinished returns what an answer had said before it broke off; ok is false if that is nothing. Its calls were never
// executed, and its reasoning is incomplete.
func unfinished(m *core.Message) (core.Message, bool) {
	out := *m
	out.FinishReason, out.Origin, out.Usage = "", nil, nil
	out.Parts = nil
	for _, p := range m.Parts {
		if p.Type == core.PartText && strings.TrimSpace(p.Text) != "" {
			out.Parts = append(out.Parts, core.Part{Type: core.PartText, Text: p.Text})
		}
	}
	if len(out.Parts) == 0 {
		return core.Message{}, false
	}
	out.Parts = append(out.Parts, core.Part{Type: core.PartText, Text: core.AnswerEnds})
	return out, true
}

// ownCalls returns the calls of a message that need a result from us, not those that the provider runs.
func ownCalls(m *core.Message) []core.Part {
	return slices.DeleteFunc(m.ToolCalls(), func(p core.Part) bool { return p.Server })
}

// answers returns the tool message for calls: for each the first result before the next answer of a model. A call
// without one gets a result that states this, always with the same words.
func answers(calls []core.Part, after []core.Message) core.Message {
	found := map[string]core.Part{}
	missing := "[not executed]"
	for i := range after {
		if after[i].Role == core.RoleAssistant && after[i].FinishReason != core.FinishAborted {
			break
		}
		for _, p := range after[i].Parts {
			if _, there := found[p.ID]; p.Type == core.PartToolResult && !there {
				found[p.ID] = p
			}
		}
	}
	m := core.Message{Role: core.RoleTool, Kind: core.KindMessage, Parts: make([]core.Part, 0, len(calls))}
	for _, call := range calls {
		result, ok := found[call.ID]
		if !ok {
			result = resultPart(call, core.ErrorResult(missing+" no result of this call is recorded; it may have been executed in part"))
		}
		m.Parts = append(m.Parts, result)
	}
	return m
}

// resultPart returns a result as the part that answers a call.
func resultPart(call core.Part, result core.ToolResult) core.Part {
	return core.Part{
		Type: core.PartToolResult, ID: call.ID, Name: call.Name, IsError: result.IsError, Result: result.Parts, Structured: result.Structured,
	}
}

// neutral removes the blocks that only the provider that made them understands.
func neutral(messages []core.Message) []core.Message {
	out := make([]core.Message, 0, len(messages))
	for _, m := range messages {
		m.Origin = nil
		m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p core.Part) bool {
			return p.Type == core.PartReasoning || p.Type == core.PartOther || p.Type == core.PartToolCall && p.Server
		})
		for i := range m.Parts {
			m.Parts[i].Native = nil
		}
		if len(m.Parts) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// contextTokens returns how much of a model's window a conversation takes: the count by the last answer's provider, and
// a guess for the messages since.
func contextTokens(messages []core.Message) int64 {
	for i := len(messages) - 1; i >= 0; i-- {
		if u := messages[i].Usage; u != nil && u.InputTokens > 0 {
			return u.InputTokens + u.OutputTokens + compact.SizeOf(messages[i+1:]).Tokens
		}
	}
	return compact.SizeOf(messages).Tokens
}
