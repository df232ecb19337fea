// Package opencode writes what "opencode import" reads. docs/formats/opencode.md lists what is written.
package opencode

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// version is the version of OpenCode whose export is written.
const version = "1.3.17"

// FileName returns the name of the file of a new session.
func FileName(c *exporter.Conversation) string { return SessionID(c) + ".json" }

// SessionID returns the id of the new session.
func SessionID(c *exporter.Conversation) string { return "ses_" + c.ID }

// Write writes a session: an object with its record and its messages, a line each. The results of tools are in the message of the
// answer that called them.
func Write(w io.Writer, c exporter.Conversation) error {
	s := session{Conversation: c, w: w}
	info, err := compact(exporter.Object{
		"id": SessionID(&c), "slug": "coppice-" + c.ID[:8], "projectID": "global", "directory": c.Folder, "title": titleOf(&c), "version": version,
		"time": exporter.Object{"created": c.WrittenMs, "updated": c.WrittenMs},
	})
	if err != nil {
		return err
	}
	s.print(`{"info":%s,"messages":[`, info)
	for m, err := range c.Messages {
		if err != nil {
			return err
		}
		if s.written == 0 {
			s.add(s.user(&core.Message{CreatedAtMs: m.CreatedAtMs}, part{"type": "text", "text": c.Note, "synthetic": true}))
		}
		s.message(&m)
	}
	s.flush()
	s.print("\n]}\n")
	return s.err
}

func titleOf(c *exporter.Conversation) string {
	if c.Title == "" {
		return "Handed over by Coppice"
	}
	return c.Title
}

type part = exporter.Object

type message struct {
	info  exporter.Object
	parts []part
}

type session struct {
	exporter.Conversation
	w       io.Writer
	err     error
	ids     int64
	written int
	lastMs  int64           // when the message before was created
	prompt  any             // the id of the last prompt
	answer  *message        // the last answer, to which results are added; nil: none
	calls   map[string]part // its calls by id
}

func (s *session) print(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

func compact(v any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// nextID returns an id that sorts after those before it, and before those that OpenCode gives later: it begins with the time.
func (s *session) nextID(prefix string) string {
	const perMs, mask = 0x1000, 1<<48 - 1
	s.ids++
	id := strings.ReplaceAll(s.ID, "-", "")
	return fmt.Sprintf("%s_%012x%s", prefix, ((s.WrittenMs-1000)*perMs+s.ids)&mask, id[len(id)-14:])
}

// createdMs returns when a message was created, but not before the one above it: OpenCode sorts messages by time, then by id.
func (s *session) createdMs(m *core.Message) int64 {
	s.lastMs = max(s.lastMs, s.TimeMs(m))
	return s.lastMs
}

// add writes a message.
func (s *session) add(m *message) {
	for _, p := range m.parts {
		p["id"], p["sessionID"], p["messageID"] = s.nextID("prt"), SessionID(&s.Conversation), m.info["id"]
		if state, ok := p["state"].(exporter.Object); ok {
			s.attach(m, state)
		}
	}
	text, err := compact(exporter.Object{"info": m.info, "parts": m.parts})
	if s.err == nil {
		s.err = err
	}
	separator := ","
	if s.written == 0 {
		separator = ""
	}
	s.written++
	s.print("%s\n%s", separator, text)
}

// attach gives the files of a result their ids.
func (s *session) attach(m *message, state exporter.Object) {
	files, _ := state["attachments"].([]part) // nil if it has no attachments
	for _, file := range files {
		file["id"], file["sessionID"], file["messageID"] = s.nextID("prt"), SessionID(&s.Conversation), m.info["id"]
	}
}

// flush writes the last answer.
func (s *session) flush() {
	if s.answer != nil {
		s.add(s.answer)
	}
	s.answer, s.calls = nil, nil
}

func (s *session) user(m *core.Message, parts ...part) *message {
	id := s.nextID("msg")
	s.prompt = id
	return &message{exporter.Object{
		"id": id, "sessionID": SessionID(&s.Conversation), "role": "user", "time": exporter.Object{"created": s.createdMs(m)}, "agent": "build",
		"model": exporter.Object{"providerID": exporter.Provider(m), "modelID": exporter.Model(m)},
	}, parts}
}

func (s *session) message(m *core.Message) {
	if m.Role == core.RoleTool {
		s.results(m)
		return
	}
	s.flush()
	switch {
	case m.Kind == core.KindCompaction:
		s.compaction(m)
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		s.begin(m, s.answerParts(m))
	case m.Role == core.RoleUser:
		parts := content(m.Parts, m.Kind == core.KindMeta)
		if len(parts) > 0 {
			s.add(s.user(m, parts...))
		}
	default: // notices of the tool are not for the model
	}
}

// begin begins an answer.
func (s *session) begin(m *core.Message, parts []part) {
	if len(parts) == 0 {
		return
	}
	createdMs := s.createdMs(m)
	s.answer = &message{exporter.Object{
		"id": s.nextID("msg"), "sessionID": SessionID(&s.Conversation), "role": "assistant", "parentID": s.prompt,
		"time":    exporter.Object{"created": createdMs, "completed": max(m.EndMs(), createdMs)},
		"modelID": exporter.Model(m), "providerID": exporter.Provider(m), "mode": "build", "agent": "build",
		"path": exporter.Object{"cwd": s.Folder, "root": s.Folder}, "cost": 0,
		"tokens": exporter.Object{"input": 0, "output": 0, "reasoning": 0, "cache": exporter.Object{"read": 0, "write": 0}},
	}, parts}
}

func (s *session) answerParts(m *core.Message) []part {
	var parts []part
	s.calls = map[string]part{}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolCall {
			parts = append(parts, content(m.Parts[i:i+1], false)...)
			continue
		}
		input := p.Arguments
		if len(input) == 0 {
			input, _ = json.Marshal(exporter.Object{"input": p.Text}) // strings always encode
		}
		call := part{"type": "tool", "callID": p.ID, "tool": p.Name, "state": exporter.Object{
			"status": "error", "input": input, "error": exporter.NotExecuted, "time": span(s.TimeMs(m), 0),
		}}
		s.calls[p.ID] = call
		parts = append(parts, call)
	}
	if len(parts) == 0 {
		return nil
	}
	return append([]part{{"type": "step-start"}}, parts...)
}

func span(startMs, durationMs int64) exporter.Object {
	return exporter.Object{"start": startMs, "end": startMs + durationMs}
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
		state := call["state"].(exporter.Object) //nolint:errcheck // set by answerParts
		state["time"] = span(s.TimeMs(m), p.DurationMs)
		text := p.PlainText()
		if len(p.Result) == 0 {
			text = string(p.Structured)
		}
		if p.IsError { // such a state has no attachments
			for _, r := range p.Result {
				if r.Type == core.PartMedia {
					text += "\n" + exporter.MediaName(r.Media)
				}
			}
			state["error"] = text
			continue
		}
		delete(state, "error")
		state["status"], state["output"], state["title"], state["metadata"] = "completed", text, "", exporter.Object{}
		if strings.HasPrefix(strings.TrimSpace(string(p.Structured)), "{") && len(p.Result) > 0 {
			state["metadata"] = p.Structured
		}
		if files := attachments(p.Result); len(files) > 0 {
			state["attachments"] = files
		}
	}
	if parts := content(beside, false); len(parts) > 0 {
		s.flush()
		s.add(s.user(m, parts...))
	}
}

// compaction writes a summary: the request for it, and the answer that OpenCode begins the context with.
func (s *session) compaction(m *core.Message) {
	text := m.Text()
	if text == "" {
		return
	}
	s.add(s.user(m, part{"type": "compaction", "auto": false}))
	s.begin(m, []part{{"type": "text", "text": text}})
	s.answer.info["summary"], s.answer.info["mode"], s.answer.info["agent"], s.answer.info["finish"] = true, "compaction", "compaction", "stop"
	s.flush()
}

// content returns the texts and files of a message.
func content(all []core.Part, synthetic bool) []part {
	var parts []part
	for i := range all {
		switch p := &all[i]; p.Type {
		case core.PartText, core.PartSummary:
			if p.Text == "" {
				continue
			}
			text := part{"type": "text", "text": p.Text}
			if synthetic || p.Injected || string(p.Extra["synthetic"]) == "true" {
				text["synthetic"] = true
			}
			parts = append(parts, text)
		case core.PartMedia:
			parts = append(parts, file(p.Media))
		default: // calls and results are written with the answer
		}
	}
	return parts
}

func attachments(all []core.Part) []part {
	var files []part
	for i := range all {
		if all[i].Type == core.PartMedia {
			files = append(files, file(all[i].Media))
		}
	}
	return files
}

func file(m *core.Media) part {
	url := exporter.DataURL(m)
	if url == "" {
		return part{"type": "text", "text": exporter.MediaName(m)}
	}
	file := part{"type": "file", "mime": m.MimeType, "url": url}
	if m.Name != "" {
		file["filename"] = m.Name
	}
	return file
}
