// Package codex writes rollouts of Codex. docs/formats/codex.md lists what is written.
package codex

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// version is the version of Codex whose records are written.
const version = "0.50.0"

// Path returns the file of a new session below the folder of all sessions, by day. Codex names files by local time.
func Path(sessions string, c *exporter.Conversation, zone *time.Location) string {
	at := time.UnixMilli(c.WrittenMs).In(zone)
	return filepath.Join(sessions, at.Format("2006"), at.Format("01"), at.Format("02"), "rollout-"+at.Format("2006-01-02T15-04-05")+"-"+c.ID+".jsonl")
}

// Write writes a rollout: what is for the model, and for the screen what the user and the model wrote.
func Write(w io.Writer, c exporter.Conversation) error {
	s := session{Conversation: c, lines: exporter.NewLines(w), custom: map[string]bool{}}
	s.record(c.WrittenMs, "session_meta", exporter.Object{
		"id": c.ID, "timestamp": exporter.Timestamp(c.WrittenMs), "cwd": c.Folder, "originator": "codex_cli_rs", "cli_version": version,
		"source": "cli", "instructions": nil,
	})
	s.item(c.WrittenMs, message("developer", []exporter.Object{text("input_text", c.Note)}))
	for m, err := range c.Messages {
		if err != nil {
			s.lines.Fail(err)
			break
		}
		s.message(&m)
	}
	return s.lines.Err()
}

type session struct {
	exporter.Conversation
	lines  *exporter.Lines
	custom map[string]bool // ids of calls whose input is a text, until their result is written
}

func (s *session) record(timeMs int64, kind string, payload exporter.Object) {
	s.lines.Add(exporter.Object{"timestamp": exporter.Timestamp(timeMs), "type": kind, "payload": payload})
}

func (s *session) item(timeMs int64, payload exporter.Object) {
	s.record(timeMs, "response_item", payload)
}

func (s *session) event(timeMs int64, kind, words string) {
	payload := exporter.Object{"type": kind, "message": words}
	if kind == "user_message" {
		payload["kind"], payload["images"] = "plain", []string{}
	}
	s.record(timeMs, "event_msg", payload)
}

func message(role string, content []exporter.Object) exporter.Object {
	return exporter.Object{"type": "message", "role": role, "content": content}
}

func text(kind, words string) exporter.Object { return exporter.Object{"type": kind, "text": words} }

// wordsOf returns the texts of a content in lines, as Codex shows them.
func wordsOf(content []exporter.Object) string {
	var all []string
	for _, block := range content {
		if words, ok := block["text"].(string); ok {
			all = append(all, words)
		}
	}
	return strings.Join(all, "\n")
}

func (s *session) message(m *core.Message) {
	at := s.TimeMs(m)
	switch {
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		s.answer(at, m)
	case m.Role == core.RoleTool:
		s.results(at, m)
	case m.Kind == core.KindCompaction:
		if words := m.Text(); words != "" {
			s.record(at, "compacted", exporter.Object{"message": words})
		}
	case m.Role == core.RoleUser:
		content := inputs(m.Parts)
		if len(content) == 0 {
			return
		}
		s.item(at, message("user", content))
		if words := wordsOf(content); m.IsPrompt() && words != "" {
			s.event(at, "user_message", words)
		}
	case m.Role == core.RoleSystem && m.Error == "": // an error is for the screen
		if content := inputs(m.Parts); len(content) > 0 {
			s.item(at, message("developer", content))
		}
	default:
	}
}

// inputs returns the blocks of a message to the model.
func inputs(parts []core.Part) []exporter.Object {
	var content []exporter.Object
	for i := range parts {
		p := &parts[i]
		switch p.Type {
		case core.PartText, core.PartSummary:
			if p.Text != "" {
				content = append(content, text("input_text", p.Text))
			}
		case core.PartMedia:
			content = append(content, image(p.Media))
		case core.PartReasoning, core.PartToolCall, core.PartToolResult, core.PartOther: // the model's, not for it
		}
	}
	return content
}

// image returns a block for a picture, and for any other file its name.
func image(m *core.Media) exporter.Object {
	if url := exporter.DataURL(m); m.IsImage() && url != "" {
		return exporter.Object{"type": "input_image", "image_url": url}
	}
	return text("input_text", exporter.MediaName(m))
}

// answer writes the parts of an answer as items in their order. Texts in a row are one item.
func (s *session) answer(at int64, m *core.Message) {
	var words []exporter.Object
	flush := func() {
		if len(words) > 0 {
			s.event(at, "agent_message", wordsOf(words))
			s.item(at, message("assistant", words))
			words = nil
		}
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type == core.PartText {
			if p.Text != "" {
				words = append(words, text("output_text", p.Text))
			}
			continue
		}
		if item := s.itemOf(p); item != nil {
			flush()
			s.item(at, item)
		}
	}
	flush()
}

func (s *session) itemOf(p *core.Part) exporter.Object {
	switch p.Type {
	case core.PartReasoning:
		return s.reasoning(p)
	case core.PartToolCall:
		return s.call(p)
	case core.PartMedia, core.PartToolResult: // of a tool that the provider ran
		if p.Type == core.PartToolResult {
			return nil
		}
		return message("assistant", []exporter.Object{text("output_text", exporter.MediaName(p.Media))})
	default:
		return nil
	}
}

// reasoning returns an item that the API accepts: one with its encrypted content.
func (s *session) reasoning(p *core.Part) exporter.Object {
	var native exporter.Object
	if !s.Verbatim || json.Unmarshal(p.Native, &native) != nil || native["encrypted_content"] == nil {
		return nil
	}
	native["type"] = "reasoning"
	native["summary"] = []any{}
	if p.Text != "" {
		native["summary"] = []exporter.Object{text("summary_text", p.Text)}
	}
	return native
}

func (s *session) call(p *core.Part) exporter.Object {
	switch {
	case p.Server && p.Name == "web_search":
		return exporter.Object{"type": "web_search_call", "status": "completed", "action": p.Arguments}
	case p.Server: // its result cannot be repeated
		return message("assistant", []exporter.Object{text("output_text", "[Called "+p.Name+"] "+string(p.Arguments))})
	case len(p.Arguments) == 0 && p.Text != "":
		s.custom[p.ID] = true
		return exporter.Object{"type": "custom_tool_call", "status": "completed", "call_id": p.ID, "name": p.Name, "input": p.Text}
	default:
		arguments := string(p.Arguments)
		if arguments == "" {
			arguments = "{}"
		}
		return exporter.Object{"type": "function_call", "call_id": p.ID, "name": p.Name, "arguments": arguments}
	}
}

func (s *session) results(at int64, m *core.Message) {
	var beside []core.Part
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolResult {
			beside = append(beside, *p)
			continue
		}
		item := exporter.Object{"type": "function_call_output", "call_id": p.ID, "output": output(p)}
		if s.custom[p.ID] {
			item["type"] = "custom_tool_call_output"
			delete(s.custom, p.ID)
		}
		if p.IsError {
			item["success"] = false // for the library: Codex ignores it
		}
		s.item(at, item)
	}
	if content := inputs(beside); len(content) > 0 {
		s.item(at, message("user", content))
	}
}

// output returns a result: a text, or blocks where there is more.
func output(p *core.Part) any {
	if len(p.Result) == 0 {
		return string(p.Structured)
	}
	content := inputs(p.Result)
	if len(content) == 1 && p.Result[0].Type == core.PartText && !strings.HasPrefix(p.Result[0].Text, `{"output":`) { // older versions wrote JSON
		return p.Result[0].Text
	}
	if content == nil {
		return ""
	}
	return content
}
