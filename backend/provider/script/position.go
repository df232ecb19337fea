package script

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"coppice/backend/core"
)

// position is the position of a request in a script. All of it except the choice of the alternative follows from the
// conversation, so that another process continues with the right step.
type position struct {
	prompt  string // the user's last prompt
	result  string // the last tool result after it; empty if none yet
	prompts int    // the number of prompts, this one included
	earlier []string
	step    int    // how many answers followed the prompt
	answer  string // the ResponseID of the last of them
	key     string // of the conversation up to the prompt
}

func locate(messages []core.Message) position {
	var p position
	hash := sha256.New()
	for i := range messages {
		m := &messages[i]
		if c, ok := m.Compaction(); ok {
			p = after(m, &c)
		}
		switch {
		case m.IsPrompt():
			if p.prompts > 0 {
				p.earlier = append(p.earlier, p.prompt)
			}
			p.prompts++
			p.prompt, p.result, p.step, p.answer = textOf(m.Parts), "", 0, ""
			fmt.Fprintf(hash, "%s\x00", p.prompt)
			p.key = hex.EncodeToString(hash.Sum(nil)[:12])
		case m.BrokeOff(): // the step is played again
		case m.Role == core.RoleAssistant:
			p.step++
			p.answer = ""
			if m.Origin != nil {
				p.answer = m.Origin.ResponseID
			}
			fmt.Fprintf(hash, "%s\x00", textOf(m.Parts))
		case m.Role == core.RoleTool:
			p.result = resultOf(m.Parts)
		}
	}
	return p
}

// after returns the position after a summary: that of the messages which it replaces.
func after(m *core.Message, c *core.Compaction) position {
	p := position{prompts: int(c.CoveredTurns), step: int(c.CoveredSteps), earlier: make([]string, max(c.CoveredTurns-1, 0))}
	for i := range m.Parts {
		if m.Parts[i].Name == core.PartRequest {
			p.prompt = strings.TrimPrefix(m.Parts[i].Text, core.RequestLine)
		}
	}
	return p
}

// turn returns the index of the turn that answers the prompt, or -1: the first turn whose expression matches, else the
// next one without an expression, starting over after the last.
func (s *Script) turn(p position) int {
	if t := s.matching(p.prompt); t >= 0 {
		return t
	}
	var plain []int
	for t := range s.Turns {
		if s.Turns[t].match == nil {
			plain = append(plain, t)
		}
	}
	if len(plain) == 0 {
		return -1
	}
	played := 0
	for _, prompt := range p.earlier {
		if s.matching(prompt) < 0 {
			played++
		}
	}
	return plain[played%len(plain)]
}

func (s *Script) matching(prompt string) int {
	for t := range s.Turns {
		if m := s.Turns[t].match; m != nil && m.MatchString(prompt) {
			return t
		}
	}
	return -1
}

// The ResponseID of an answer holds its turn and alternative, for the step after it.
func answerID(turn, alternative, step int) string {
	return fmt.Sprintf("script:%d:%d:%d", turn, alternative, step)
}

// alternativeOf parses the alternative from the ID of an answer of the same turn.
func alternativeOf(id string, turn, alternatives int) (int, bool) {
	fields := strings.Split(id, ":")
	if len(fields) != 4 || fields[0] != "script" || fields[1] != strconv.Itoa(turn) {
		return 0, false
	}
	a, err := strconv.Atoi(fields[2])
	return a, err == nil && a >= 0 && a < alternatives
}

// stepAt returns the step with that index. A script that ends with tool calls repeats them.
func stepAt(steps []step, number int) (step, bool) {
	if number < len(steps) {
		return steps[number], true
	}
	last := steps[len(steps)-1]
	return last, len(last.ToolCalls) > 0
}

func textOf(parts []core.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if (p.Type == core.PartText || p.Type == core.PartSummary) && !p.Injected {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func resultOf(parts []core.Part) string {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Type == core.PartToolResult {
			return textOf(parts[i].Result)
		}
	}
	return ""
}

// size estimates the tokens of a request: in English about four bytes per token.
func size(r core.Request) int64 {
	bytes := len(r.System)
	for i := range r.Messages {
		for _, p := range r.Messages[i].Parts {
			bytes += len(p.Text) + len(p.Arguments) + len(textOf(p.Result))
		}
	}
	for _, t := range r.Tools {
		bytes += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	return tokens(bytes)
}

func tokens(bytes int) int64 { return int64(bytes+3) / 4 }
