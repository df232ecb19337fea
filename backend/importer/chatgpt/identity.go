package chatgpt

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/chatexport"
	"coppice/backend/importer/jsonl"
)

// id is the conversation's; empty if the file gives it none.
func id(v gjson.Result) string {
	if id := jsonl.Text(v.Get("conversation_id")); id != "" {
		return id
	}
	return jsonl.Text(v.Get("id"))
}

// hasPlainIDs reports whether messages are called like those of other conversations may be, such as node-1: ChatGPT itself
// gives them UUIDs.
func hasPlainIDs(mapping gjson.Result) (plain bool) {
	jsonl.Each(mapping, func(key string, v gjson.Result) bool {
		plain = v.Get("message").IsObject() && !isUUID(key)
		return !plain
	})
	return plain
}

func isUUID(text string) bool {
	digits := strings.ReplaceAll(text, "-", "")
	return len(text) == 36 && len(digits) == 32 && strings.Trim(strings.ToLower(digits), "0123456789abcdef") == ""
}

// deriveID derives an id from what stays when the conversation grows: its title, its time and its first words.
// Conversations of a file that have all of that in common are distinguished by their order.
func (t *tree) deriveID(c *chatexport.Conversation) string {
	first := ""
	jsonl.Each(t.all.Get("mapping"), func(_ string, v gjson.Result) bool {
		m := v.Get("message")
		if core.Role(jsonl.Text(m.Get("author.role"))) == core.RoleUser {
			first = m.Get("content").Raw
		}
		return first == ""
	})
	derived := core.DerivedID(0, "chatgpt", t.all.Get("title").Raw, t.all.Get("create_time").Raw, first)
	return core.DerivedID(0, derived, strconv.Itoa(c.Ordinal(derived)))
}
