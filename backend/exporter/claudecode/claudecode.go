// Package claudecode writes sessions of Claude Code. docs/formats/claude-code.md lists what is written.
package claudecode

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// version is the version of Claude Code whose records are written.
const version = "2.1.30"

// Path returns the file of a new session: projects is the folder with the sessions of all workspaces.
func Path(projects string, c *exporter.Conversation) string {
	return filepath.Join(projects, nameOf(c.Folder), c.ID+".jsonl")
}

// nameOf returns the name of a workspace's folder. Claude Code replaces all characters but ASCII letters and digits.
func nameOf(folder string) string {
	return regexp.MustCompile(`[^A-Za-z0-9-]`).ReplaceAllString(folder, "-")
}

// Write writes a session: a record for each message, each the child of the one before it.
func Write(w io.Writer, c exporter.Conversation) error {
	s := session{Conversation: c, lines: exporter.NewLines(w), answers: map[string]bool{}}
	if c.Title != "" {
		s.lines.Add(exporter.Object{"type": "custom-title", "customTitle": c.Title, "sessionId": c.ID})
	}
	s.note()
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
	lines   *exporter.Lines
	last    any             // the uuid of the record before; nil: none
	answers map[string]bool // ids of answers
}

// note writes where the conversation comes from: for the user, and for a model that has not seen it.
func (s *session) note() {
	note := core.Message{UID: "note", CreatedAtMs: s.WrittenMs}
	if s.Native {
		s.add(s.CopyID(&note), &note, exporter.Object{"type": "system", "subtype": "informational", "content": s.Note, "level": "info", "isMeta": false})
		return
	}
	s.add(s.CopyID(&note), &note, exporter.Object{"type": "user", "isMeta": true, "message": exporter.Object{"role": "user", "content": s.Note}})
}

// add writes a record below the last one.
func (s *session) add(uuid string, m *core.Message, fields exporter.Object) {
	record := exporter.Object{
		"parentUuid": s.last, "isSidechain": false, "userType": "external", "cwd": s.Folder, "sessionId": s.ID, "version": version,
		"uuid": uuid, "timestamp": s.Time(m),
	}
	for key, value := range fields {
		record[key] = value
	}
	s.lines.Add(record)
	s.last = uuid
}

func (s *session) message(m *core.Message) {
	id := s.CopyID(m)
	switch {
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		s.answer(id, m)
	case m.Role == core.RoleTool:
		record := exporter.Object{"type": "user", "message": exporter.Object{"role": "user", "content": s.results(m)}}
		if data := dataOf(m); data != nil {
			record["toolUseResult"] = data
		}
		s.add(id, m, record)
	case m.Kind == core.KindCompaction:
		s.compaction(id, m)
	case m.Role == core.RoleUser:
		content := s.content(m.Parts)
		if len(content) == 0 {
			return
		}
		record := exporter.Object{"type": "user", "message": exporter.Object{"role": "user", "content": plainContent(content)}}
		if m.Kind == core.KindMeta || m.Kind == core.KindBranchSummary {
			record["isMeta"] = true
		}
		s.add(id, m, record)
	default: // notices of the tool are not for the model
	}
}

// plainContent returns the text of a content that is one text, as Claude Code writes it.
func plainContent(content []any) any {
	if len(content) == 1 {
		if block, ok := content[0].(exporter.Object); ok && block["type"] == "text" {
			return block["text"]
		}
	}
	return content
}

func (s *session) answer(id string, m *core.Message) {
	content := s.content(m.Parts)
	if len(content) == 0 {
		return
	}
	stop := "end_turn"
	if m.Parts[len(m.Parts)-1].Type == core.PartToolCall {
		stop = "tool_use"
	}
	var usage any = exporter.Object{"input_tokens": 0, "output_tokens": 0}
	if s.Verbatim && m.Usage != nil && len(m.Usage.Native) > 0 {
		usage = m.Usage.Native // a copy with other ids would count it twice
	}
	s.add(id, m, exporter.Object{"type": "assistant", "message": exporter.Object{
		"id": s.answerID(id, m), "type": "message", "role": "assistant", "model": exporter.Model(m), "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage,
	}})
}

// answerID returns the API's id of an answer: records with the same one are one answer.
func (s *session) answerID(id string, m *core.Message) string {
	if s.Verbatim && m.Origin != nil && strings.HasPrefix(m.Origin.ResponseID, "msg_") && !s.answers[m.Origin.ResponseID] {
		s.answers[m.Origin.ResponseID] = true
		return m.Origin.ResponseID
	}
	return "msg_" + strings.ReplaceAll(id, "-", "")
}

// compaction writes a summary: Claude Code sends the model what follows the boundary.
func (s *session) compaction(id string, m *core.Message) {
	text := m.Text()
	if text == "" {
		return
	}
	before := s.last
	s.last = nil
	boundary := core.Message{UID: m.UID + "/boundary", CreatedAtMs: s.TimeMs(m)}
	s.add(s.CopyID(&boundary), &boundary, exporter.Object{
		"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": false, "level": "info",
		"logicalParentUuid": before, "compactMetadata": exporter.Object{"trigger": "manual", "preTokens": 0},
	})
	s.add(id, m, exporter.Object{
		"type": "user", "isCompactSummary": true, "isVisibleInTranscriptOnly": true,
		"message": exporter.Object{"role": "user", "content": text},
	})
}

// content returns the blocks of a message.
func (s *session) content(parts []core.Part) []any {
	var blocks []any
	for i := range parts {
		if block := s.block(&parts[i]); block != nil {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

func (s *session) block(p *core.Part) any {
	switch p.Type {
	case core.PartText, core.PartSummary:
		if p.Text == "" { // the API refuses empty texts
			return nil
		}
		return exporter.Object{"type": "text", "text": p.Text}
	case core.PartReasoning:
		return s.thinking(p)
	case core.PartToolCall:
		return callBlock(p)
	case core.PartToolResult: // of a tool that the provider ran
		block, ok := object(p.Native)
		if !ok {
			return exporter.Object{"type": "text", "text": p.PlainText()}
		}
		block["content"] = p.Structured
		return block
	case core.PartMedia:
		return mediaBlock(p.Media)
	default:
		return nil
	}
}

// thinking returns a block that the API accepts: one with the signature that the model gave it.
func (s *session) thinking(p *core.Part) any {
	block, ok := object(p.Native)
	if !s.Verbatim || !ok {
		return nil
	}
	switch block["type"] {
	case "redacted_thinking":
		return block
	case "thinking":
		if signature, _ := block["signature"].(string); signature == "" {
			return nil
		}
		block["thinking"] = p.Text
		return block
	default:
		return nil
	}
}

func object(native json.RawMessage) (exporter.Object, bool) {
	var fields exporter.Object
	return fields, json.Unmarshal(native, &fields) == nil && fields != nil
}

func callBlock(p *core.Part) any {
	kind := "tool_use"
	if p.Server {
		kind = "server_tool_use"
	}
	input := p.Arguments
	if len(input) == 0 { // the API wants an object
		input, _ = json.Marshal(exporter.Object{"input": p.Text}) // strings always encode
	}
	return exporter.Object{"type": kind, "id": toolID(p.ID), "name": p.Name, "input": input}
}

// toolID returns an id that the API accepts.
func toolID(id string) string {
	if regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(id) {
		return id
	}
	return "toolu_" + strings.ReplaceAll(core.DerivedID(0, id), "-", "")
}

func mediaBlock(m *core.Media) any {
	kind := "document"
	if m.IsImage() {
		kind = "image"
	}
	switch {
	case m == nil:
		return nil
	case len(m.Data) > 0 && (m.IsImage() || m.MimeType == "application/pdf"):
		return exporter.Object{"type": kind, "source": exporter.Object{
			"type": "base64", "media_type": m.MimeType, "data": base64.StdEncoding.EncodeToString(m.Data),
		}}
	case m.URI != "" && m.IsImage():
		return exporter.Object{"type": kind, "source": exporter.Object{"type": "url", "url": m.URI}}
	default:
		return exporter.Object{"type": "text", "text": exporter.MediaName(m)}
	}
}

// results returns the blocks of results, and what the user wrote beside them.
func (s *session) results(m *core.Message) []any {
	var blocks []any
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolResult {
			if block := s.block(p); block != nil {
				blocks = append(blocks, block)
			}
			continue
		}
		block := exporter.Object{"type": "tool_result", "tool_use_id": toolID(p.ID), "content": s.resultContent(p)}
		if p.IsError {
			block["is_error"] = true
		}
		blocks = append(blocks, block)
	}
	return blocks
}

func (s *session) resultContent(p *core.Part) any {
	content := s.content(p.Result)
	if len(content) == 0 {
		return ""
	}
	return plainContent(content)
}

// dataOf returns the result as data, of which a record has one; nil for none.
func dataOf(m *core.Message) json.RawMessage {
	if len(m.Parts) == 1 && len(m.Parts[0].Structured) > 0 {
		return m.Parts[0].Structured
	}
	return nil
}
