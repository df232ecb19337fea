package title

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Role is the system prompt of a model that writes titles.
const Role = "You write the title of a conversation between a user and an AI agent, so that the user recognizes it in a long list. " +
	"The conversation is quoted between <conversation> tags. Do not answer it."

const question = `Name what the user wants and what it is about: the feature, the bug, the file or the topic. At most 9 words and 70 characters, in the
language of the user, without quotation marks and without a full stop. Answer with the title alone.`

const (
	askedPromptBytes = 1500 // of each prompt
	askedPrompts     = 3
	askedFiles       = 8
)

// Material is what a model reads of a session to write its title.
type Material struct {
	Prompts []string // the first ones, without what tools add
	Answer  string   // the beginning of the last answer
	Files   []string // that the session changed
}

// Question returns the message that asks for the title of a session; empty if there is nothing to name.
func Question(m Material) string {
	var b strings.Builder
	for _, prompt := range m.Prompts[:min(len(m.Prompts), askedPrompts)] {
		if text, _ := withoutMarkup(strings.ToValidUTF8(prompt[:min(len(prompt), readBytes)], "")); strings.TrimSpace(text) != "" {
			fmt.Fprintf(&b, "User: %s\n\n", beginning(strings.TrimSpace(text), askedPromptBytes))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	if m.Answer != "" {
		fmt.Fprintf(&b, "Last answer of the agent: %s\n\n", m.Answer)
	}
	if len(m.Files) > 0 {
		fmt.Fprintf(&b, "Changed files: %s\n\n", strings.Join(m.Files[:min(len(m.Files), askedFiles)], ", "))
	}
	return "<conversation>\n" + strings.ReplaceAll(strings.TrimSpace(b.String()), "</conversation>", "") + "\n</conversation>\n\n" + question
}

// beginning returns the longest beginning of a text with at most so many bytes that ends with a whole character.
func beginning(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes] + "…"
}

// FromAnswer returns the title in an answer of a model: its first line with words, without quotation marks, markup and a full stop;
// empty if it has none.
func FromAnswer(answer string) string {
	for line := range strings.Lines(answer) {
		line = strings.Trim(strings.TrimSpace(line), "#*_` \t")
		if rest, ok := cutFold(line, "title:"); ok {
			line = strings.Trim(rest, "*_` \t")
		}
		line = strings.TrimSuffix(strings.Trim(line, `"'“”„«»‘’ `), ".")
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			return shorten(line)
		}
	}
	return ""
}

func cutFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}
