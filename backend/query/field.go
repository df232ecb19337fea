package query

import (
	"slices"
	"strings"

	"coppice/backend/core"
)

// field returns the node of name:value.
func (p *parser) field(t *token) (*Node, error) {
	n := &Node{Op: Op(t.name), Text: t.text, At: t.at}
	switch n.Op {
	case Role:
		n.Values = matching(t.text, roles())
		if len(n.Values) == 0 {
			return nil, wrongValue(t, "one of "+strings.Join(roles(), ", "))
		}
	case Source:
		n.Values = matching(strings.ReplaceAll(t.text, "-", "_"), sources())
		if len(n.Values) == 0 {
			return nil, wrongValue(t, "one of "+strings.Join(sources(), ", "))
		}
	case Is:
		n.Values = matching(t.text, states())
		if len(n.Values) != 1 {
			return nil, wrongValue(t, "one of "+strings.Join(states(), ", "))
		}
	case Tool:
		n.Words, n.Prefix = Words(t.text), t.prefix
		if len(n.Words) == 0 {
			return nil, wrongValue(t, "the name of a tool")
		}
	case Before, After:
		at, ok := parseTime(t.text, p.Now)
		if !ok {
			return nil, wrongValue(t, "a day such as 2026-01-31, a month such as 2026-01, a time ago such as 7d, today or yesterday")
		}
		n.TimeMs = at.UnixMilli()
	default:
		if strings.TrimSpace(t.text) == "" {
			return nil, wrongValue(t, "a text")
		}
	}
	return n, nil
}

func wrongValue(t *token, wanted string) error {
	return refuse(t.at, "%s: takes %s, not %.200q", t.name, wanted, t.text).WithHint("to look for the text itself, put it in quotes")
}

// matching returns the value if it is among values, else those that begin with it.
func matching(text string, values []string) []string {
	text = strings.ToLower(text)
	if slices.Contains(values, text) {
		return []string{text}
	}
	var begin []string
	for _, v := range values {
		if text != "" && strings.HasPrefix(v, text) {
			begin = append(begin, v)
		}
	}
	return begin
}

func roles() []string {
	return []string{string(core.RoleUser), string(core.RoleAssistant), string(core.RoleTool), string(core.RoleSystem)}
}

func states() []string { return []string{Hidden, Bookmarked, AnyState} }

func sources() []string {
	return []string{
		"coppice", "claude_code", "codex", "gemini_cli", "opencode", "pi", "chatgpt", "claude_ai", "openassistant",
		"architect", "agent_base", "agent_harness", "fuseraft", "agentzero",
	}
}

// fields are the names that narrow a search, in the order in which the user sees them.
func fields() []Op {
	return []Op{Role, Tool, Model, Source, Path, File, Label, Before, After, In, Is}
}

func isField(name string) bool { return slices.Contains(fields(), Op(name)) }
