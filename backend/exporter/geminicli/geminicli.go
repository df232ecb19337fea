// Package geminicli writes sessions of Gemini CLI. docs/formats/gemini-cli.md lists what is written.
package geminicli

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// Path returns the file of a new session in the folder of a project.
func Path(project string, c *exporter.Conversation) string {
	at := time.UnixMilli(c.WrittenMs).UTC().Format("2006-01-02T15-04")
	return filepath.Join(project, "chats", "session-"+at+"-"+c.ID[:8]+".jsonl")
}

// Hash returns Gemini CLI's hash of a workspace.
func Hash(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return hex.EncodeToString(sum[:])
}

// Write writes a session: a record for each message. The results of tools are in the record of the answer that called them.
func Write(w io.Writer, c exporter.Conversation) error {
	s := session{Conversation: c, lines: exporter.NewLines(w)}
	at := exporter.Timestamp(c.WrittenMs)
	head := exporter.Object{"sessionId": c.ID, "projectHash": Hash(c.Folder), "startTime": at, "lastUpdated": at, "kind": "main"}
	if c.Title != "" {
		head["summary"] = c.Title
	}
	s.lines.Add(head)
	s.note()
	for m, err := range c.Messages {
		if err != nil {
			s.lines.Fail(err)
			break
		}
		s.message(&m)
	}
	s.flush()
	return s.lines.Err()
}

type session struct {
	exporter.Conversation
	lines  *exporter.Lines
	answer exporter.Object            // the last answer, to which results are added; nil: none
	calls  map[string]exporter.Object // its calls by id
}

// note writes where the conversation comes from: for the user, and for a model that has not seen it.
func (s *session) note() {
	note := core.Message{UID: "note", CreatedAtMs: s.WrittenMs}
	if s.Native {
		s.lines.Add(s.record(&note, "info", s.Note))
		return
	}
	s.lines.Add(s.record(&note, "user", []exporter.Object{{"text": "<hook_context>" + s.Note + "</hook_context>"}}))
}

func (s *session) record(m *core.Message, kind string, content any) exporter.Object {
	return exporter.Object{"id": s.NewID(m), "timestamp": s.Time(m), "type": kind, "content": content}
}

// flush writes the last answer.
func (s *session) flush() {
	if s.answer != nil {
		s.lines.Add(s.answer)
	}
	s.answer, s.calls = nil, nil
}

func (s *session) message(m *core.Message) {
	if m.Role == core.RoleTool {
		s.results(m)
		return
	}
	s.flush()
	switch {
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		s.begin(m)
	case m.Kind == core.KindCompaction:
		s.compaction(m)
	case m.Role == core.RoleUser:
		if content := parts(m.Parts); len(content) > 0 {
			s.lines.Add(s.record(m, "user", content))
		}
	default: // notices of the tool are not for the model
	}
}

// begin begins an answer.
func (s *session) begin(m *core.Message) {
	var calls []exporter.Object
	s.calls = map[string]exporter.Object{}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolCall {
			continue
		}
		arguments := p.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
			if p.Text != "" {
				arguments, _ = json.Marshal(exporter.Object{"input": p.Text}) // strings always encode
			}
		}
		call := exporter.Object{"id": p.ID, "name": p.Name, "args": arguments, "status": "success", "timestamp": s.Time(m)}
		s.calls[p.ID] = call
		calls = append(calls, call)
	}
	content := parts(m.Parts)
	if len(content) == 0 && len(calls) == 0 {
		return
	}
	s.answer = s.record(m, "gemini", content)
	if len(content) == 0 {
		s.answer["content"] = ""
	}
	s.answer["model"] = exporter.Model(m)
	// Without it, the library takes a thanks for the tool's.
	s.answer["tokens"] = exporter.Object{"input": 0, "output": 0, "cached": 0, "thoughts": 0, "tool": 0, "total": 0}
	if len(calls) > 0 {
		s.answer["toolCalls"] = calls
	}
}

// results adds results to the calls of the last answer.
func (s *session) results(m *core.Message) {
	var beside []core.Part
	for i := range m.Parts {
		p := &m.Parts[i]
		call := s.calls[p.ID]
		if p.Type != core.PartToolResult || call == nil {
			beside = append(beside, *p)
			continue
		}
		call["timestamp"] = s.Time(m)
		if p.IsError {
			call["status"] = "error"
		}
		response := exporter.Object{"id": p.ID, "name": p.Name, "response": responseOf(p)}
		if files := media(p.Result); len(files) > 0 {
			response["parts"] = files
		}
		call["result"] = []exporter.Object{{"functionResponse": response}}
		if data := strings.TrimSpace(string(p.Structured)); strings.HasPrefix(data, "{") && len(p.Result) > 0 {
			call["resultDisplay"] = p.Structured
		}
	}
	if content := parts(beside); len(content) > 0 {
		s.flush()
		s.lines.Add(s.record(m, "user", content))
	}
}

// responseOf returns what a function answered: an output, an error, or data.
func responseOf(p *core.Part) any {
	if len(p.Result) == 0 && strings.HasPrefix(strings.TrimSpace(string(p.Structured)), "{") {
		return p.Structured
	}
	var texts []string
	for _, r := range p.Result {
		if r.Type == core.PartText && r.Text != "" {
			texts = append(texts, r.Text)
		}
	}
	key := "output"
	if p.IsError {
		key = "error"
	}
	return exporter.Object{key: strings.Join(texts, "\n")}
}

// compaction writes a summary: Gemini CLI continues from the messages of a checkpoint.
func (s *session) compaction(m *core.Message) {
	text := m.Text()
	if text == "" {
		return
	}
	if !strings.Contains(text, "<state_snapshot>") {
		text = "<state_snapshot>\n" + text + "\n</state_snapshot>"
	}
	thanks := core.Message{UID: m.UID + "/thanks", CreatedAtMs: s.TimeMs(m)}
	s.lines.Add(exporter.Object{"$set": exporter.Object{"messages": []exporter.Object{
		s.record(m, "user", []exporter.Object{{"text": text}}),
		s.record(&thanks, "gemini", "Got it. Thanks for the additional context!"),
	}}})
}

// parts returns the texts and files of a message as parts of the API.
func parts(all []core.Part) []exporter.Object {
	var content []exporter.Object
	for i := range all {
		switch p := &all[i]; p.Type {
		case core.PartText, core.PartSummary:
			if p.Text != "" {
				content = append(content, exporter.Object{"text": p.Text})
			}
		case core.PartMedia:
			content = append(content, file(p.Media))
		default: // calls and results are written with the answer
		}
	}
	return content
}

func media(all []core.Part) []exporter.Object {
	var files []exporter.Object
	for i := range all {
		if all[i].Type == core.PartMedia {
			files = append(files, file(all[i].Media))
		}
	}
	return files
}

func file(m *core.Media) exporter.Object {
	switch {
	case m != nil && len(m.Data) > 0:
		return exporter.Object{"inlineData": exporter.Object{"mimeType": m.MimeType, "data": base64.StdEncoding.EncodeToString(m.Data)}}
	case m != nil && m.URI != "":
		return exporter.Object{"fileData": exporter.Object{"mimeType": m.MimeType, "fileUri": m.URI}}
	default:
		return exporter.Object{"text": exporter.MediaName(m)}
	}
}
