package pi

import (
	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// class is what a record is for the tree.
type class uint8

const (
	unknown    class = iota // stored verbatim
	kept                    // stored beside the messages
	control                 // sets something of the session or the tree, and is not stored
	prompt                  // the user's words
	reply                   // a model's
	result                  // of a tool
	command                 // a shell command of the user's and its output
	inserted                // added by an extension
	compaction              // the summary that replaces what came before it
	summary                 // of a branch that was left
)

// isMessage reports whether a record becomes a message, or a piece of one.
func (c class) isMessage() bool { return c >= prompt }

// classOf returns the class of a record.
func classOf(v gjson.Result) class {
	switch jsonl.Text(v.Get("kind")) {
	case "header", "fact":
		return control
	case "record", "lane":
		return kept
	}
	switch jsonl.Text(v.Get("type")) {
	case "session", "label", "session_info":
		return control
	case "model_change", "thinking_level_change", "custom":
		return kept
	case "message":
		return messageClass(v.Get("message"))
	case "compaction":
		return compaction
	case "branch_summary":
		return summary
	case "custom_message":
		return inserted
	default:
		return unknown
	}
}

func messageClass(m gjson.Result) class {
	switch jsonl.Text(m.Get("role")) {
	case "user":
		return prompt
	case "assistant":
		return reply
	case "toolResult":
		return result
	case "bashExecution":
		return command
	case "custom", "hookMessage": // it was called a hook before version 3
		return inserted
	case "compactionSummary":
		return compaction
	case "branchSummary":
		return summary
	default:
		return unknown
	}
}

// body returns the content of a record: its message, or the record itself.
func body(v gjson.Result) gjson.Result {
	if m := v.Get("message"); m.IsObject() {
		return m
	}
	return v
}

// typeOf returns the type that a record names.
func typeOf(v gjson.Result) string {
	kind, sub := jsonl.Text(v.Get("kind")), jsonl.Text(v.Get("type"))
	switch {
	case kind == "" || kind == "entry":
		return sub
	case sub == "":
		return kind
	default:
		return kind + "/" + sub
	}
}
