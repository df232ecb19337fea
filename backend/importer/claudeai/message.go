package claudeai

import (
	"encoding/json"
	"mime"
	"path"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// builder makes messages of one of the export, which has calls and their results between the words of an answer.
type builder struct {
	uid  string
	said []core.Message
	open []core.Part // calls that have no result yet
}

// build builds messages; none for an empty one. known is false for an unknown sender.
func build(uid string, v gjson.Result) (said []core.Message, known bool) {
	b := builder{uid: uid}
	role := core.RoleUser
	switch jsonl.Text(v.Get("sender")) {
	case "human":
	case "assistant":
		role = core.RoleAssistant
	default:
		return nil, false
	}
	n := 0
	jsonl.Each(v.Get("content"), func(_ string, block gjson.Result) bool {
		n++
		b.block(role, block, n)
		return true
	})
	if len(b.said) == 0 {
		b.text(role, v.Get("text"))
	}
	for _, list := range []string{"attachments", "files", "files_v2"} {
		jsonl.Each(v.Get(list), func(_ string, file gjson.Result) bool {
			b.file(role, file)
			return true
		})
	}
	if len(b.said) > 0 {
		b.said[0].Meta = transcript.Rest(v, "uuid", "sender", "content", "text", "attachments", "files", "files_v2", "model", "created_at", "updated_at",
			"parent_message_uuid", "index", "stop_reason")
		if role == core.RoleAssistant {
			b.finish(jsonl.Text(v.Get("stop_reason")), jsonl.Text(v.Get("model")))
		}
	}
	return b.said, true
}

// block adds one piece of a message's content.
func (b *builder) block(role core.Role, v gjson.Result, n int) {
	startMs := jsonl.Millis(v.Get("start_timestamp"))
	switch jsonl.Text(v.Get("type")) {
	case "text":
		if words := jsonl.Text(v.Get("text")); strings.TrimSpace(words) != "" {
			b.add(role, startMs, with(core.Part{Type: core.PartText, Text: words}, v, "citations"))
		}
	case "thinking":
		if words := jsonl.Text(v.Get("thinking")); strings.TrimSpace(words) != "" {
			b.add(role, startMs, with(core.Part{Type: core.PartReasoning, Text: words}, v, "summaries"))
		}
	case "voice_note":
		b.text(role, v.Get("text"))
	case "tool_use":
		call := callPart(v, b.uid+"."+strconv.Itoa(n))
		b.open = append(b.open, call)
		b.add(role, startMs, call)
	case "tool_result":
		b.add(core.RoleTool, startMs, b.answer(v))
	case "token_budget": // how much was left is not part of the conversation
	default:
		if !jsonl.Empty(v) {
			b.add(role, startMs, core.Part{Type: core.PartOther, Native: jsonl.Raw(v)})
		}
	}
}

func (b *builder) text(role core.Role, v gjson.Result) {
	if words := jsonl.Text(v); strings.TrimSpace(words) != "" {
		b.add(role, 0, core.Part{Type: core.PartText, Text: words})
	}
}

// add appends a part to the last message, or to a new one for another role.
func (b *builder) add(role core.Role, startMs int64, p core.Part) {
	n := len(b.said)
	if n == 0 || b.said[n-1].Role != role {
		uid := b.uid
		if n > 0 {
			uid += "/" + strconv.Itoa(n)
		}
		b.said = append(b.said, core.Message{UID: uid, Role: role, Kind: core.KindMessage, CreatedAtMs: startMs})
		n++
	}
	m := &b.said[n-1]
	m.Parts = append(m.Parts, p)
}

// answer reads a result. It belongs to the call it names, else to the first open one of its tool.
func (b *builder) answer(v gjson.Result) core.Part {
	p := resultPart(v)
	for i, call := range b.open {
		if p.ID == call.ID || p.ID == "" && (p.Name == call.Name || p.Name == "") {
			p.ID, p.Name = call.ID, call.Name
			b.open = append(b.open[:i:i], b.open[i+1:]...)
			break
		}
	}
	return p
}

// file adds a file that was sent along. Of some the export has the text.
func (b *builder) file(role core.Role, v gjson.Result) {
	name := jsonl.Text(v.Get("file_name"))
	if words := jsonl.Text(v.Get("extracted_content")); strings.TrimSpace(words) != "" {
		p := core.Part{Type: core.PartText, Text: quoted(name, words), Extra: map[string]json.RawMessage{}}
		if about := transcript.Rest(v, "extracted_content"); about != nil {
			p.Extra["attachment"] = about
		}
		b.add(role, 0, p)
		return
	}
	m := &core.Media{Name: name, SizeBytes: max(0, v.Get("file_size").Int()), MimeType: mime.TypeByExtension(path.Ext(name))}
	if m.MimeType == "" {
		m.MimeType = "application/octet-stream"
	}
	if id := jsonl.Text(v.Get("file_uuid")); id != "" {
		m.Extra = map[string]json.RawMessage{"fileUuid": jsonl.Quote(id)}
		if m.Name == "" {
			m.Name = id
		}
	}
	if m.Name != "" {
		b.add(role, 0, core.Part{Type: core.PartMedia, Media: m})
	}
}

// finish records how an answer ended, and which model gave it.
func (b *builder) finish(reason, model string) {
	for i := range b.said {
		m := &b.said[i]
		if m.Role != core.RoleAssistant {
			continue
		}
		m.Model = model
		if i+1 < len(b.said) {
			m.FinishReason = core.FinishToolCall
			continue
		}
		m.FinishRaw = reason
		m.FinishReason = finishes[reason]
	}
}

var finishes = map[string]string{
	"end_turn": core.FinishStop, "stop_sequence": core.FinishStop, "max_tokens": core.FinishLength, "tool_use": core.FinishToolCall, "refusal": core.FinishContentFilter,
}

// quoted shows a file's text below its name, in a fence that the text does not contain.
func quoted(name, words string) string {
	fence := "```"
	for strings.Contains(words, fence) {
		fence += "`"
	}
	if name != "" {
		name += "\n\n"
	}
	return name + fence + "\n" + strings.TrimRight(words, "\n") + "\n" + fence
}
