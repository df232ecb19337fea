package compact

import "coppice/backend/core"

// charsPerToken, charsPerMessage and imageTokens estimate the size of a text without a token count.
const (
	charsPerToken   = 4
	charsPerMessage = 16
	imageTokens     = 1500
)

// Size is the size of a context.
type Size struct {
	Messages int64
	Bytes    int64 // of its texts
	Tokens   int64 // estimated
}

// Plus returns the sum of two sizes.
func (s Size) Plus(t Size) Size {
	return Size{Messages: s.Messages + t.Messages, Bytes: s.Bytes + t.Bytes, Tokens: s.Tokens + t.Tokens}
}

// SizeOf estimates the size of messages.
func SizeOf(messages []core.Message) Size {
	s := Size{Messages: int64(len(messages))}
	for i := range messages {
		text, images := weigh(messages[i].Parts)
		s.Bytes += text
		s.Tokens += (text+charsPerMessage)/charsPerToken + images*imageTokens
	}
	return s
}

// FixedSize estimates the size of what is sent besides the messages: the system prompt, which counts as a message, and the tools.
func FixedSize(system string, tools []core.ToolSpec) Size {
	s := Size{}
	if system != "" {
		s = Size{Messages: 1, Bytes: int64(len(system)), Tokens: int64(len(system) / charsPerToken)}
	}
	s.Tokens += ToolTokens(tools)
	return s
}

// ToolTokens estimates the size of the definitions of tools.
func ToolTokens(tools []core.ToolSpec) (tokens int64) {
	for i := range tools {
		tokens += int64((len(tools[i].Name) + len(tools[i].Description) + len(tools[i].Parameters)) / charsPerToken)
	}
	return tokens
}

func weigh(parts []core.Part) (bytes, images int64) {
	for i := range parts {
		p := &parts[i]
		bytes += int64(len(p.Text) + len(p.Arguments))
		if p.Media != nil {
			images++
		}
		for j := range p.Result {
			bytes += int64(len(p.Result[j].Text))
			if p.Result[j].Media != nil {
				images++
			}
		}
	}
	return bytes, images
}

// TokensOf estimates how many tokens a text of so many bytes has.
func TokensOf(bytes int) int64 { return int64(bytes+charsPerToken-1) / charsPerToken }

// Turns counts the prompts of a context.
func Turns(messages []core.Message) (n int64) {
	for i := range messages {
		if messages[i].IsPrompt() {
			n++
		}
	}
	return n
}
