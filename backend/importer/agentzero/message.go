package agentzero

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// build makes a message.
func build(v gjson.Result) (core.Message, bool) {
	text := jsonl.Text(v.Get("content"))
	m := core.Message{Role: core.Role(jsonl.Text(v.Get("role"))), Kind: core.KindMessage, Meta: transcript.Rest(v, "role", "content", "tool_calls")}
	if text != "" {
		m.Parts = []core.Part{{Type: core.PartText, Text: text}}
	}
	switch m.Role {
	case core.RoleUser:
	case core.RoleSystem:
		if isSummary(text) {
			m.Kind, m.Parts[0].Type = core.KindMeta, core.PartSummary
		}
	case core.RoleAssistant:
		for _, call := range v.Get("tool_calls").Array() {
			m.Parts = append(m.Parts, callPart(call.Get("function")))
		}
		if len(v.Get("tool_calls").Array()) > 0 {
			m.FinishReason = "tool_call"
		}
	case core.RoleTool:
		failed := strings.HasPrefix(text, "Error: ") || strings.HasSuffix(text, " denied by user. Do not retry without asking.")
		m.Parts = []core.Part{{Type: core.PartToolResult, IsError: failed, Result: m.Parts}}
	default:
		return core.Message{}, false
	}
	return m, true
}

// isSummary reports whether a system message of AgentZero replaces older ones.
func isSummary(text string) bool {
	return strings.HasPrefix(text, "[Context summary of ") || strings.HasPrefix(text, "[COMPACTION SUMMARY]")
}

// callPart reads a call; its arguments are an object.
func callPart(function gjson.Result) core.Part {
	p := core.Part{Type: core.PartToolCall, Name: jsonl.Text(function.Get("name"))}
	if arguments := function.Get("arguments"); arguments.IsObject() {
		p.Arguments = jsonl.Raw(arguments)
	} else {
		p.Text = arguments.String()
	}
	return p
}

// pairs finds the calls that results answer: the first result behind a message with calls answers its first call, and so on.
type pairs struct {
	names    []string // of the calls of the last answer, in order
	answered int
	from     int            // the message with these calls
	calls    map[int]paired // by the message that holds the result
}

type paired struct {
	from, call int
	name       string
}

func (p *pairs) see(i int, m *core.Message) {
	switch m.Role {
	case core.RoleAssistant:
		p.names, p.answered, p.from = nil, 0, i
		for _, part := range m.Parts {
			if part.Type == core.PartToolCall {
				p.names = append(p.names, part.Name)
			}
		}
	case core.RoleTool:
		if p.answered == len(p.names) {
			return // there is no call for it
		}
		if p.calls == nil {
			p.calls = map[int]paired{}
		}
		p.calls[i] = paired{p.from, p.answered, p.names[p.answered]}
		p.answered++
	default:
		p.names, p.answered = nil, 0
	}
}

func (p *pairs) finish(i int, m *core.Message, uid func(int) string) {
	call := 0
	for n := range m.Parts {
		switch part := &m.Parts[n]; part.Type {
		case core.PartToolCall:
			part.ID = callID(m.UID, call)
			call++
		case core.PartToolResult:
			if to, ok := p.calls[i]; ok {
				part.ID, part.Name = callID(uid(to.from), to.call), to.name
			}
		default:
		}
	}
}

func callID(uid string, call int) string { return uid + "." + strconv.Itoa(call) }
