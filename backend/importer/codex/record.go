package codex

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// record is the object of one line: the fields that matter.
type record struct {
	all     gjson.Result
	kind    string // its "type"
	payload gjson.Result
	sub     string // the payload's "type"
	timeMs  int64  // 0: unknown
	ordinal int64  // -1: unknown
}

// readRecord reads the fields of an object. Versions before 0.30 wrote items without an envelope.
func readRecord(all gjson.Result) record {
	r := record{all: all, ordinal: -1}
	var role, recordType string
	jsonl.Each(all, func(key string, v gjson.Result) bool {
		switch key {
		case "type":
			r.kind = jsonl.Text(v)
		case "payload":
			r.payload = v
		case "timestamp", "created_at":
			r.timeMs = jsonl.Millis(v)
		case "ordinal":
			if v.Type == gjson.Number {
				r.ordinal = v.Int()
			}
		case "role":
			role = jsonl.Text(v)
		case "record_type":
			recordType = jsonl.Text(v)
		}
		return true
	})
	if r.payload.IsObject() {
		r.sub = jsonl.Text(r.payload.Get("type"))
		if r.kind == "response_item" && r.sub == "" && r.payload.Get("role").Exists() {
			r.sub = "message"
		}
		return r
	}
	r.payload = all
	switch {
	case recordType != "":
		r.kind = "record_type/" + recordType
	case r.kind == "" && role != "":
		r.kind, r.sub = "response_item", "message"
	case r.kind == "" && isOldMeta(all):
		r.kind = "session_meta"
	case itemClass(r.kind) != other:
		r.kind, r.sub = "response_item", r.kind
	}
	return r
}

// class is what a record is for the tree.
type class uint8

const (
	other        class = iota // not part of a message
	prompt                    // the user's words
	command                   // a shell command of the user's and its output
	inserted                  // added by the tool in the user's name
	insertedLate              // the same, but version 2 took it for a prompt: its uid is derived as if it were one
	directive                 // of the system or the developer
	reply                     // a model's words
	reasoning                 // a model's thoughts
	call                      // a tool call
	result                    // the result of a tool call
	agentWords                // a message of another agent
	compaction                // the summary that replaces what came before it
	notice                    // an error or the end of a turn that Codex reports

	// The following classes repeat, for the screen, what another record holds for the model.
	shownPrompt
	shownReply
	shownReasoning
	shownTool
)

// isShown reports whether a record is written for the screen.
func (c class) isShown() bool { return c >= shownPrompt }

// isTurn reports whether a rollback counts a record as the beginning of a turn.
func (c class) isTurn() bool { return c == prompt || c == shownPrompt || c == agentWords }

// itemClass returns the class of an item of the model's API, before its role is considered.
func itemClass(sub string) class {
	switch sub {
	case "message":
		return reply
	case "reasoning":
		return reasoning
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call", "image_generation_call",
		"mcp_tool_call", "tool_call":
		return call
	case "function_call_output", "custom_tool_call_output", "tool_search_output", "mcp_tool_call_output", "tool_result", "function_result":
		return result
	case "agent_message":
		return agentWords
	case "compaction", "context_compaction", "compaction_summary":
		return compaction
	default:
		return other
	}
}

// class returns the class of the record.
func (r *record) class() class {
	switch r.kind {
	case "response_item":
		if r.sub == "message" {
			return r.messageClass()
		}
		return itemClass(r.sub)
	case "compacted":
		return compaction
	case "inter_agent_communication":
		return agentWords
	case "event_msg":
		return eventClass(r)
	default:
		return other
	}
}

func (r *record) messageClass() class {
	switch jsonl.Text(r.payload.Get("role")) {
	case "assistant":
		return reply
	case "user":
		return userClass(r.payload)
	default:
		return directive
	}
}

// userClass returns whether an item holds the user's words, or what Codex adds in the user's name.
func userClass(item gjson.Result) class {
	words := strings.TrimSpace(contentText(item))
	switch {
	case strings.HasPrefix(words, "<user_shell_command>"):
		return command
	case isInserted(words):
		return inserted
	case isInjected(item):
		return insertedLate
	default:
		return prompt
	}
}

// isInserted reports whether a text begins like a text that Codex writes in the user's name. The list is fixed: uids depend on
// it. What later versions inject is in isContext.
func isInserted(words string) bool {
	if strings.HasPrefix(words, "# AGENTS.md instructions") || strings.HasPrefix(words, "Another language model started to solve this problem") {
		return true
	}
	if !strings.HasPrefix(words, "<") {
		return false
	}
	name, _, _ := strings.Cut(words[1:], ">")
	switch name {
	case "environment_context", "user_instructions", "permissions instructions", "turn_aborted", "skill", "goal_context", "subagent_notification",
		"collaboration_mode", "personality_spec", "model_switch", "apps_instructions", "plugins_instructions", "environments", "INSTRUCTIONS",
		"realtime_conversation", "user_action", "ENVIRONMENT_CONTEXT":
		return true
	default:
		return false
	}
}

// eventClass returns what an event repeats.
func eventClass(r *record) class {
	switch r.sub {
	case "user_message":
		return shownPrompt
	case "agent_message":
		return shownReply
	case "agent_reasoning", "agent_reasoning_raw_content":
		return shownReasoning
	case "exec_command_end", "patch_apply_end", "mcp_tool_call_end", "web_search_end", "image_generation_end", "dynamic_tool_call_response",
		"view_image_tool_call":
		return shownTool
	case "item_completed":
		switch jsonl.Text(r.payload.Get("item.type")) {
		case "UserMessage":
			return shownPrompt
		case "AgentMessage":
			return shownReply
		case "Reasoning":
			return shownReasoning
		case "CommandExecution", "FileChange", "McpToolCall", "WebSearch", "ImageView", "ImageGeneration", "DynamicToolCall", "Extension":
			return shownTool
		}
	}
	return other
}

// contentText returns the words of a message item, without the marks around pictures.
func contentText(item gjson.Result) string {
	content := item.Get("content")
	if !content.Exists() {
		content = item.Get("message")
	}
	if content.Type == gjson.String {
		return jsonl.Text(content)
	}
	var words []string
	jsonl.Each(content, func(_ string, v gjson.Result) bool {
		if t := jsonl.Text(v.Get("text")); t != "" && !isImageMark(t) {
			words = append(words, t)
		}
		return true
	})
	return strings.Join(words, "\n")
}

// isImageMark reports whether Codex puts a text before or after a picture.
func isImageMark(words string) bool {
	words = strings.TrimSpace(words)
	return words == "</image>" || strings.HasPrefix(words, "<image") && strings.HasSuffix(words, ">") && !strings.Contains(words, "\n")
}

// shownText returns the words of a record for the screen.
func shownText(r *record) string {
	if item := r.payload.Get("item"); item.IsObject() {
		if jsonl.Text(item.Get("type")) == "Reasoning" {
			return strings.Join(shownThoughts(r), "\n")
		}
		return contentText(item)
	}
	if words := r.payload.Get("message"); words.Exists() {
		return jsonl.Text(words)
	}
	return jsonl.Text(r.payload.Get("text"))
}

// showsPictures reports whether a record for the screen shows more than its words.
func showsPictures(r *record) bool {
	return slices.ContainsFunc(shownParts(r), func(p core.Part) bool { return p.Type != core.PartText })
}

// shownThoughts returns the pieces of reasoning that a record shows.
func shownThoughts(r *record) []string {
	item := r.payload.Get("item")
	if !item.IsObject() {
		return []string{jsonl.Text(r.payload.Get("text"))}
	}
	var pieces []string
	for _, key := range []string{"summary_text", "raw_content"} {
		jsonl.Each(item.Get(key), func(_ string, v gjson.Result) bool {
			pieces = append(pieces, jsonl.Text(v))
			return true
		})
	}
	return pieces
}

// thoughts returns the pieces of a reasoning item: its summary, or without one its content.
func thoughts(item gjson.Result) []string {
	var pieces []string
	for _, key := range []string{"summary", "content"} {
		jsonl.Each(item.Get(key), func(_ string, v gjson.Result) bool {
			if t := jsonl.Text(v.Get("text")); t != "" {
				pieces = append(pieces, t)
			}
			return true
		})
	}
	return pieces
}

// callID returns the id of the tool call a record belongs to; empty if it has none.
func callID(r *record) string {
	for _, path := range []string{"call_id", "callId", "item.id"} {
		if id := jsonl.Text(r.payload.Get(path)); id != "" {
			return id
		}
	}
	switch r.sub {
	case "web_search_call", "image_generation_call", "local_shell_call": // the last one's results are called so, too
		return jsonl.Text(r.payload.Get("id"))
	}
	return ""
}
