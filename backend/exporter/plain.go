package exporter

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
)

// Plain returns the messages of Paired without what only the tool understands that they come from: calls of tools and their
// results become short texts of the answer, each a part of its own. Reasoning, injected texts and the notices of the tool are left
// out; images and files of the user stay.
func Plain(messages iter.Seq2[core.Message, error]) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		var answer *core.Message // whose results may follow
		flush := func() bool {
			m := answer
			answer = nil
			return m == nil || len(m.Parts) == 0 || yield(*m, nil)
		}
		for m, err := range messages {
			if err != nil {
				yield(core.Message{}, err)
				return
			}
			if m.Role == core.RoleTool && answer != nil {
				answer.Parts = append(answer.Parts, outcomes(m.Parts)...)
				continue
			}
			if !flush() {
				return
			}
			if plain := plainMessage(m); plain.Role == core.RoleAssistant {
				answer = &plain
			} else if len(plain.Parts) > 0 && !yield(plain, nil) {
				return
			}
		}
		flush()
	}
}

func plainMessage(m core.Message) core.Message {
	parts := m.Parts
	m.Parts, m.Meta = nil, nil
	switch {
	case m.Kind == core.KindCompaction:
		m.Role = core.RoleUser
		m.Parts = summaries(parts)
	case m.Kind == core.KindBranchSummary:
		m.Role, m.Kind = core.RoleUser, core.KindMessage
		if text := (&core.Message{Parts: parts}).Text(); text != "" {
			m.Parts = []core.Part{{Type: core.PartText, Text: "[Summary of a branch that was left]\n" + text}}
		}
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		m.Parts = answerParts(parts)
	case m.Role == core.RoleUser && m.Kind == core.KindMessage:
		m.Parts = promptParts(parts)
	case m.Role == core.RoleUser && m.Kind == core.KindCommand:
		m.Kind = core.KindMessage
		if text := (&core.Message{Parts: parts}).Text(); text != "" {
			m.Parts = []core.Part{{Type: core.PartText, Text: "[Local command]\n" + abridged(text)}}
		}
	}
	return m
}

func summaries(parts []core.Part) []core.Part {
	if text := (&core.Message{Parts: parts}).Text(); text != "" {
		return []core.Part{{Type: core.PartSummary, Text: text}}
	}
	return nil
}

func promptParts(parts []core.Part) []core.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p core.Part) bool {
		return p.Type == core.PartText && (p.Injected || p.Text == "") || p.Type != core.PartText && p.Type != core.PartMedia
	})
}

// answerParts returns the words of an answer, and a text for each call.
func answerParts(parts []core.Part) []core.Part {
	var plain []core.Part
	for i := range parts {
		switch p := &parts[i]; p.Type {
		case core.PartText:
			if p.Text != "" {
				plain = append(plain, core.Part{Type: core.PartText, Text: p.Text})
			}
		case core.PartToolCall:
			plain = append(plain, core.Part{Type: core.PartText, Text: invocation(p)})
		case core.PartToolResult:
			plain = append(plain, core.Part{Type: core.PartText, Text: outcome(p)})
		case core.PartMedia:
			plain = append(plain, core.Part{Type: core.PartText, Text: MediaName(p.Media)})
		default: // reasoning is bound to its model
		}
	}
	return plain
}

func outcomes(parts []core.Part) []core.Part {
	var plain []core.Part
	for i := range parts {
		if p := &parts[i]; p.Type == core.PartToolResult {
			plain = append(plain, core.Part{Type: core.PartText, Text: outcome(p)})
		} else if text := p.PlainText(); text != "" {
			plain = append(plain, core.Part{Type: core.PartText, Text: "[Comment of the user: " + text + "]"})
		}
	}
	return plain
}

// maxArguments is the number of bytes up to which the arguments of a call are written.
const maxArguments = 1000

// invocation returns a text for a call: the tool and what it was called with.
func invocation(p *core.Part) string {
	arguments := string(p.Arguments)
	if arguments == "" {
		arguments = p.Text
	} else if command := commandOf(p.Arguments); command != "" {
		arguments = command
	}
	if over := len(arguments) - maxArguments; over > 0 {
		cut := maxArguments
		for !utf8.RuneStart(arguments[cut]) {
			cut--
		}
		arguments = fmt.Sprintf("%s… (%d more bytes left out)", arguments[:cut], len(arguments)-cut)
	}
	return "[Called " + p.Name + "] " + arguments
}

// commandOf returns the command of a shell's arguments; empty if there are other arguments that matter.
func commandOf(arguments json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(arguments, &fields) != nil {
		return ""
	}
	for _, key := range []string{"command", "cmd"} {
		if text, ok := fields[key].(string); ok {
			return text
		}
	}
	return ""
}

// outcome returns a text for a result.
func outcome(p *core.Part) string {
	head := "[Result of " + p.Name + "]"
	if p.Name == "" {
		head = "[Result]"
	}
	if p.IsError {
		head = strings.TrimSuffix(head, "]") + ", failed]"
	}
	text := p.PlainText()
	if text == "" {
		text = string(p.Structured)
	}
	for _, r := range p.Result {
		if r.Media != nil {
			text += "\n" + MediaName(r.Media)
		}
	}
	if text = strings.TrimRight(text, "\n"); text == "" {
		return head + " no output"
	}
	return head + "\n" + abridged(text)
}

// Long outputs are written up to so many lines and bytes: the other model can read the file or run the command again.
const (
	maxLines = 40
	maxBytes = 4000
)

// abridged returns the beginning of a text, with what was left out.
func abridged(text string) string {
	kept, lines := 0, 0
	for line := range strings.Lines(text) {
		if lines == maxLines || kept+len(line) > maxBytes {
			break
		}
		kept, lines = kept+len(line), lines+1
	}
	rest := text[kept:]
	if rest == "" {
		return text
	}
	if kept == 0 { // one very long line
		kept = maxBytes
		for !utf8.RuneStart(text[kept]) {
			kept--
		}
		return fmt.Sprintf("%s…\n[%d more bytes left out]", text[:kept], len(text)-kept)
	}
	left := strings.Count(strings.TrimSuffix(rest, "\n"), "\n") + 1
	if left == 1 {
		return text[:kept] + "[1 more line left out]"
	}
	return fmt.Sprintf("%s[%d more lines left out]", text[:kept], left)
}
