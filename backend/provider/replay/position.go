package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"coppice/backend/core"
)

// position is the position of an answer in a conversation.
type position struct {
	key    string  // of all words of the user and the tools on the path
	prompt *prompt // the last prompt; nil if the path has none yet
	text   string  // the words of the prompt
	steps  int     // how many tool results followed it
}

// after returns the position after one more message. Texts of models do not count, so that the answers of another model
// lead to the same position. White space does not count either, nor whether results arrived in one message or in several.
func (p position) after(m *core.Message) position {
	switch m.Role {
	case core.RoleUser:
		text := words(m.Parts)
		p = p.extendKey(m.Role, text)
		if m.IsPrompt() {
			p.prompt, p.text, p.steps = nil, text, 0
		}
	case core.RoleTool:
		for _, part := range m.Parts {
			p = p.extendKey(m.Role, words(part.Result))
			p.steps++
		}
	default:
	}
	return p
}

func (p position) extendKey(role core.Role, text string) position {
	sum := sha256.Sum256([]byte(p.key + "\x00" + string(role) + "\x00" + text))
	p.key = hex.EncodeToString(sum[:16])
	return p
}

// words returns the texts of parts, with each run of white space as one space.
func words(parts []core.Part) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text + " ")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// maxWords limits how many words of a prompt are stored for comparison.
const maxWords = 400

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if len(set) == maxWords {
			break
		}
		set[strings.Trim(word, ".,;:!?\"'`()")] = true
	}
	return set
}

// similarity is the share of words that two prompts have in common, from 0 to 1.
func similarity(a, b map[string]bool) float64 {
	common := 0
	for word := range a {
		if b[word] {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 1
	}
	return float64(common) / float64(all)
}
