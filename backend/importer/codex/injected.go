package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// eachBlock calls f for the blocks of a user's item, with whether Codex added the block. Rollouts since 0.146 record what each block
// is; in older ones known marks decide.
func eachBlock(item gjson.Result, f func(block gjson.Result, injected bool)) {
	content := item.Get("content")
	if !content.IsArray() {
		return
	}
	kinds := item.Get("internal_chat_message_metadata_passthrough.content_item_kinds").Array()
	hasKinds := len(kinds) == len(content.Array())
	i := 0
	jsonl.Each(content, func(_ string, block gjson.Result) bool {
		injected := isContext(blockText(block))
		if hasKinds && jsonl.Text(kinds[i]) != "" {
			injected = !strings.HasPrefix(jsonl.Text(kinds[i]), "user.")
		}
		f(block, injected && blockText(block) != "")
		i++
		return true
	})
}

func blockText(block gjson.Result) string {
	text := jsonl.Text(block.Get("text"))
	if isImageMark(text) {
		return ""
	}
	return text
}

// isInjected reports whether an item of the user's role holds nothing from the user.
func isInjected(item gjson.Result) bool {
	injected, own := false, false
	eachBlock(item, func(block gjson.Result, is bool) {
		injected = injected || is
		if _, shown := blockPart(block); shown && !is {
			own = true
		}
	})
	return injected && !own
}

// userText returns the words of a prompt without injected blocks.
func userText(item gjson.Result) string {
	if !item.Get("content").IsArray() {
		return contentText(item)
	}
	var words []string
	eachBlock(item, func(block gjson.Result, injected bool) {
		if text := blockText(block); text != "" && !injected {
			words = append(words, text)
		}
	})
	return strings.Join(words, "\n")
}

// promptParts converts the content of a prompt to parts and marks those that Codex added.
func promptParts(item gjson.Result) []core.Part {
	if !item.Get("content").IsArray() {
		return contentParts(item)
	}
	var parts []core.Part
	eachBlock(item, func(block gjson.Result, injected bool) {
		if p, ok := blockPart(block); ok {
			p.Injected = injected && p.Type == core.PartText
			parts = append(parts, p)
		}
	})
	return parts
}

// isContext reports whether Codex injects a text.
func isContext(text string) bool {
	text = strings.TrimSpace(text)
	if isInserted(text) {
		return true
	}
	if !strings.HasPrefix(text, "<") {
		return false
	}
	name, _, closed := strings.Cut(text[1:], ">")
	name, _, _ = strings.Cut(name, " ")
	switch name {
	case "recommended_plugins", "skills_instructions", "codex_internal_context", "multi_agent_mode", "app-context", "hook_context":
		return closed
	default:
		return false
	}
}
