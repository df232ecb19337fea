package claudecode

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// record is the object of one line: the fields that matter for the tree.
type record struct {
	all            gjson.Result
	kind           string // its "type"
	subtype        string
	uuid           string
	parent         string
	hasParent      bool // it has a parentUuid, even if it is null
	logicalParent  string
	sessionID      string
	cwd            string
	version        string
	gitBranch      string
	slug           string
	entrypoint     string
	forkedFrom     string // the session
	agentID        string
	sourceToolID   string // sourceToolUseID
	parentToolID   string // parentToolUseID
	timeMs         int64  // 0: unknown
	sidechain      bool
	meta           bool
	compactSummary bool
	apiError       bool
	message        gjson.Result
	content        content // message.content
	messageID      string
	model          string
	usage          gjson.Result
	stopReason     string
	stopDetails    gjson.Result
	requestID      string
	data           gjson.Result
	attachment     gjson.Result
	toolUseResult  gjson.Result
	origin         string // origin.kind
	promptSource   string
}

// readRecord reads the fields of an object.
func readRecord(all gjson.Result) record {
	r := record{all: all}
	jsonl.Each(all, func(key string, value gjson.Result) bool {
		r.take(key, value)
		return true
	})
	return r
}

func (r *record) take(key string, v gjson.Result) {
	switch key {
	case "type":
		r.kind = jsonl.Text(v)
	case "subtype":
		r.subtype = jsonl.Text(v)
	case "uuid":
		r.uuid = jsonl.Text(v)
	case "parentUuid":
		r.parent, r.hasParent = jsonl.Text(v), true
	case "logicalParentUuid":
		r.logicalParent = jsonl.Text(v)
	case "sessionId":
		r.sessionID = jsonl.Text(v)
	case "cwd":
		r.cwd = jsonl.Text(v)
	case "version":
		r.version = jsonl.Text(v)
	case "gitBranch":
		r.gitBranch = jsonl.Text(v)
	case "slug":
		r.slug = jsonl.Text(v)
	case "entrypoint":
		r.entrypoint = jsonl.Text(v)
	case "forkedFrom":
		r.forkedFrom = jsonl.Text(v.Get("sessionId"))
	case "agentId":
		r.agentID = jsonl.Text(v)
	case "requestId":
		r.requestID = jsonl.Text(v)
	case "sourceToolUseID":
		r.sourceToolID = jsonl.Text(v)
	case "parentToolUseID":
		r.parentToolID = jsonl.Text(v)
	case "timestamp":
		r.timeMs = jsonl.Millis(v)
	case "isSidechain":
		r.sidechain = v.Bool()
	case "isMeta":
		r.meta = v.Bool()
	case "isCompactSummary":
		r.compactSummary = v.Bool()
	case "isApiErrorMessage":
		r.apiError = v.Bool()
	case "message":
		r.takeMessage(v)
	case "data":
		r.data = v
	case "attachment":
		r.attachment = v
	case "toolUseResult":
		r.toolUseResult = v
	case "origin":
		r.origin = jsonl.Text(v.Get("kind"))
	case "promptSource":
		r.promptSource = jsonl.Text(v)
	}
}

func (r *record) takeMessage(v gjson.Result) {
	r.message = v
	if !v.IsObject() {
		return
	}
	jsonl.Each(v, func(key string, value gjson.Result) bool {
		switch key {
		case "id":
			r.messageID = jsonl.Text(value)
		case "model":
			r.model = jsonl.Text(value)
		case "content":
			r.content = readContent(value)
		case "usage":
			r.usage = value
		case "stop_reason":
			r.stopReason = jsonl.Text(value)
		case "stop_details":
			r.stopDetails = value
		}
		return true
	})
}

// keep copies the strings that outlive the line, which they would otherwise keep in memory.
func (r *record) keep(names names) {
	r.uuid = strings.Clone(r.uuid)
	r.messageID = strings.Clone(r.messageID)
	r.agentID = names.one(r.agentID)
	r.kind, r.subtype, r.model = names.one(r.kind), names.one(r.subtype), names.one(r.model)
	r.sessionID, r.forkedFrom = names.one(r.sessionID), names.one(r.forkedFrom)
	r.cwd, r.version, r.gitBranch = names.one(r.cwd), names.one(r.version), names.one(r.gitBranch)
	r.slug, r.entrypoint = names.one(r.slug), names.one(r.entrypoint)
}

// names holds one copy of each of the few strings that occur repeatedly.
type names map[string]string

func (n names) one(s string) string {
	kept, known := n[s]
	if !known {
		kept = strings.Clone(s)
		n[kept] = kept
	}
	return kept
}

// class is the meaning of a record for the tree.
type class uint8

const (
	structural class = iota // not a message, but possibly a parent of one
	prompt                  // the user's words
	result                  // the result of a tool call
	meta                    // added by the tool
	command                 // a local command, its output, the note about both
	compaction              // the summary that replaces what came before
	reply                   // a model's
	synthetic               // written by the tool in the model's name
	malformed               // of a message's type, but without a message
)

func (c class) isMessage() bool { return c != structural && c != malformed }

// isCommand reports whether a text is what a local command leaves in the conversation.
func isCommand(words string) bool {
	return startsWithAny(words,
		"<command-name>", "<command-message>", "<command-args>", "<local-command-stdout>", "<local-command-stderr>",
		"<local-command-caveat>", "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<user-memory-input>",
		"Caveat: The messages below were generated by the user while running local commands")
}

// isNotice reports whether Claude Code writes a text in the user's name.
func isNotice(words string) bool {
	return startsWithAny(words, "[Request interrupted by user", "<task-notification>", "<system-reminder>")
}

// class returns the class of the record.
func (r *record) class() class {
	switch r.kind {
	case "assistant":
		if !r.message.IsObject() {
			return malformed
		}
		if r.isSynthetic() {
			return synthetic
		}
		return reply
	case "user":
		if !r.message.IsObject() {
			return malformed
		}
		return r.userClass()
	case "attachment":
		if r.isQueuedPrompt() {
			return prompt
		}
	}
	return structural
}

// isSynthetic reports whether the tool wrote the record in the model's name.
func (r *record) isSynthetic() bool { return r.apiError || r.model == "<synthetic>" }

func (r *record) userClass() class {
	if r.compactSummary {
		return compaction
	}
	first, hasText, isResult := firstWords(r.content)
	switch {
	case isResult:
		return result
	case isCommand(first):
		return command
	case r.meta, !hasText, r.origin == "task-notification", r.promptSource == "system", isNotice(first):
		return meta
	default:
		return prompt
	}
}

// isQueuedPrompt reports whether the record is a user's prompt that was sent while the model worked.
func (r *record) isQueuedPrompt() bool {
	if jsonl.Text(r.attachment.Get("type")) != "queued_command" || r.meta {
		return false
	}
	if mode := jsonl.Text(r.attachment.Get("commandMode")); mode != "" && mode != "prompt" {
		return false
	}
	if jsonl.Text(r.attachment.Get("origin.kind")) == "task-notification" {
		return false
	}
	first, hasText, _ := firstWords(readContent(r.attachment.Get("prompt")))
	return hasText && !isNotice(first) && !isCommand(first)
}

// firstWords returns the first text of a content, whether the content has anything at all, and whether it holds the
// result of a tool call.
func firstWords(c content) (first string, hasText, isResult bool) {
	if c.Type == gjson.String {
		first = strings.TrimSpace(ownWords(jsonl.Text(c.Result)))
		return first, first != "", false
	}
	for i := range c.blocks {
		b := &c.blocks[i]
		switch {
		case b.kind == "tool_result":
			return first, hasText, true
		case b.kind == "text" && b.all.IsObject():
			if words := strings.TrimSpace(ownWords(jsonl.Text(b.text))); words != "" {
				hasText = true
				if first == "" {
					first = words
				}
			}
		default:
			hasText = hasText || !jsonl.Empty(b.all)
		}
	}
	return first, hasText, false
}

func startsWithAny(s string, marks ...string) bool {
	for _, m := range marks {
		if strings.HasPrefix(s, m) {
			return true
		}
	}
	return false
}
