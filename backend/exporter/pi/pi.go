// Package pi writes sessions of pi, version 3. docs/formats/pi.md lists what is written.
package pi

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// Path returns the file of a new session below the folder of all sessions.
func Path(sessions string, c *exporter.Conversation) string {
	workspace := regexp.MustCompile(`[/\\:]`).ReplaceAllString(strings.TrimLeft(c.Folder, `/\`), "-")
	at := strings.NewReplacer(":", "-", ".", "-").Replace(exporter.Timestamp(c.WrittenMs))
	return filepath.Join(sessions, "--"+workspace+"--", at+"_"+c.ID+".jsonl")
}

// Write writes a session: an entry for each message, and for each result of a tool, each the child of the one before it.
func Write(w io.Writer, c exporter.Conversation) error {
	s := session{Conversation: c, lines: exporter.NewLines(w)}
	at := exporter.Timestamp(c.WrittenMs)
	s.lines.Add(exporter.Object{"type": "session", "version": 3, "id": c.ID, "timestamp": at, "cwd": c.Folder})
	if c.Native {
		s.entry(at, exporter.Object{"type": "custom", "customType": "coppice", "data": exporter.Object{"note": c.Note}})
	} else { // the model has not seen the conversation
		s.entry(at, exporter.Object{"type": "custom_message", "customType": "coppice", "content": c.Note, "display": true})
	}
	if c.Title != "" {
		s.entry(at, exporter.Object{"type": "session_info", "name": c.Title})
	}
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
	lines *exporter.Lines
	count int
	last  any // the id of the entry before; nil: none
}

// entry writes an entry below the last one.
func (s *session) entry(at string, entry exporter.Object) {
	s.count++
	entry["id"], entry["parentId"], entry["timestamp"] = s.nextID(s.count), s.last, at
	s.last = entry["id"]
	s.lines.Add(entry)
}

// nextID returns the id of the nth entry: pi's own are eight random digits.
func (s *session) nextID(n int) string { return fmt.Sprintf("%08x", n) }

func (s *session) message(m *core.Message) {
	switch {
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		s.answer(m)
	case m.Role == core.RoleTool:
		s.results(m)
	case m.Kind == core.KindCompaction, m.Kind == core.KindBranchSummary:
		s.summary(m)
	case m.Kind == core.KindCommand:
		s.command(m)
	case m.Kind == core.KindMeta && m.Role == core.RoleUser:
		if content := s.content(m.Parts); len(content) > 0 {
			name := m.Name
			if name == "" {
				name = "note"
			}
			s.entry(s.Time(m), exporter.Object{"type": "custom_message", "customType": name, "content": content, "display": false})
		}
	case m.Role == core.RoleUser:
		if content := s.content(m.Parts); len(content) > 0 {
			s.add(m, exporter.Object{"role": "user", "content": content})
		}
	default: // notices of the tool are not for the model
	}
}

func (s *session) add(m *core.Message, message exporter.Object) {
	message["timestamp"] = s.TimeMs(m)
	s.entry(s.Time(m), exporter.Object{"type": "message", "message": message})
}

func (s *session) answer(m *core.Message) {
	content := s.content(m.Parts)
	if len(content) == 0 {
		return
	}
	reason := "stop"
	for i := range m.Parts {
		if m.Parts[i].Type == core.PartToolCall {
			reason = "toolUse"
		}
	}
	s.add(m, exporter.Object{
		"role": "assistant", "content": content, "api": protocol(m), "provider": exporter.Provider(m), "model": exporter.Model(m), "stopReason": reason,
		"usage": exporter.Object{
			"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0,
			"cost": exporter.Object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
		},
	})
}

// protocol returns pi's name of the API of an answer.
func protocol(m *core.Message) string {
	switch exporter.Provider(m) {
	case "anthropic":
		return "anthropic-messages"
	case "google":
		return "google-generative-ai"
	case "openai":
		return "openai-responses"
	default:
		return "openai-completions"
	}
}

func (s *session) results(m *core.Message) {
	var beside []core.Part
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolResult {
			beside = append(beside, *p)
			continue
		}
		content := s.content(p.Result)
		if len(content) == 0 {
			content = []exporter.Object{}
		}
		result := exporter.Object{"role": "toolResult", "toolCallId": p.ID, "toolName": p.Name, "content": content, "isError": p.IsError}
		if len(p.Structured) > 0 {
			result["details"] = p.Structured
		}
		s.add(m, result)
	}
	if content := s.content(beside); len(content) > 0 {
		s.add(m, exporter.Object{"role": "user", "content": content})
	}
}

func (s *session) summary(m *core.Message) {
	text := m.Text()
	switch {
	case text == "":
	case m.Kind == core.KindBranchSummary:
		s.entry(s.Time(m), exporter.Object{"type": "branch_summary", "fromId": "root", "summary": text})
	default: // nothing before it is in the context: the first entry of which is the summary itself
		s.entry(s.Time(m), exporter.Object{"type": "compaction", "summary": text, "firstKeptEntryId": s.nextID(s.count + 1), "tokensBefore": 0})
	}
}

// command writes a command of the user and its output. Those of other tools are marked up as one text.
func (s *session) command(m *core.Message) {
	text := m.Text()
	command, output, _ := strings.Cut(text, "\n\n")
	if len(m.Parts) > 0 {
		command = strings.TrimPrefix(m.Parts[0].Text, "$ ")
		output = (&core.Message{Parts: m.Parts[1:]}).Text()
	}
	s.add(m, exporter.Object{"role": "bashExecution", "command": command, "output": output, "exitCode": 0, "cancelled": false, "truncated": false})
}

func (s *session) content(parts []core.Part) []exporter.Object {
	var content []exporter.Object
	for i := range parts {
		if block := s.block(&parts[i]); block != nil {
			content = append(content, block)
		}
	}
	return content
}

func (s *session) block(p *core.Part) exporter.Object {
	switch p.Type {
	case core.PartText, core.PartSummary:
		if p.Text != "" {
			return exporter.Object{"type": "text", "text": p.Text}
		}
	case core.PartReasoning:
		return s.thinking(p)
	case core.PartToolCall:
		arguments := p.Arguments
		if len(arguments) == 0 {
			arguments, _ = json.Marshal(exporter.Object{"input": p.Text}) // strings always encode
		}
		return exporter.Object{"type": "toolCall", "id": p.ID, "name": p.Name, "arguments": arguments}
	case core.PartMedia:
		if p.Media.IsImage() && len(p.Media.Data) > 0 {
			return exporter.Object{"type": "image", "data": base64.StdEncoding.EncodeToString(p.Media.Data), "mimeType": p.Media.MimeType}
		}
		return exporter.Object{"type": "text", "text": exporter.MediaName(p.Media)}
	default: // results are entries of their own
	}
	return nil
}

// thinking returns a block that the provider accepts: one with its signature.
func (s *session) thinking(p *core.Part) exporter.Object {
	var native exporter.Object
	if !s.Verbatim || json.Unmarshal(p.Native, &native) != nil || native["thinkingSignature"] == nil {
		return nil
	}
	native["type"], native["thinking"] = "thinking", p.Text
	if p.Redacted {
		native["redacted"] = true
	}
	return native
}
