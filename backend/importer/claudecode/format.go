// Package claudecode reads the session files of Claude Code, versions 2.0.64 to 2.1.292;
// docs/formats/claude-code.md describes them.
//
// A file is read twice. The first pass builds a skeleton of a few hundred bytes per message and decides the tree; the
// second one builds the messages in order. Neither holds more than one line, except that the first one keeps the
// records of a small file.
package claudecode

import (
	"bytes"
	"context"
	"iter"
	"path/filepath"
	"sync"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsonl"
)

// Format returns the format of Claude Code's files.
func Format() importer.Format {
	f := &format{}
	return importer.Format{
		Name: core.SourceClaudeCode, Version: 2, Extensions: []string{".jsonl", ".json"}, Sniff: sniff, Read: f.read,
	}
}

// format reads the files, and caches the latest session that subagents belong to.
type format struct {
	mu   sync.Mutex
	last *parent
}

// Folder returns the folder of Claude Code's sessions: CLAUDE_CONFIG_DIR, or .claude in the home folder.
func Folder(env func(string) string, home string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, "projects")
	}
	return filepath.Join(home, ".claude", "projects")
}

// sniff looks for one record of Claude Code among the first lines, or in the list of a document.
func sniff(_ string, head []byte) bool {
	return sniffDocument(head) || jsonl.AnyRecord(head, isOurs, looksOurs)
}

// isOurs reports whether only Claude Code writes such a record.
func isOurs(r gjson.Result) bool {
	switch jsonl.Text(r.Get("type")) {
	case "user", "assistant":
		return r.Get("message").IsObject() && !r.Get("message.parts").Exists() // Qwen Code has these
	case "system":
		return r.Get("subtype").Exists() && r.Get("sessionId").Exists()
	case "progress", "attachment":
		return r.Get("parentUuid").Exists() && r.Get("sessionId").Exists()
	case "summary":
		return r.Get("leafUuid").Exists() && r.Get("summary").Exists()
	case "file-history-snapshot", "file-history-delta":
		return r.Get("messageId").Exists()
	case "queue-operation", "last-prompt", "custom-title", "ai-title", "permission-mode", "mode", "agent-name", "pr-link":
		return r.Get("sessionId").Exists()
	default:
		return false
	}
}

// looksOurs judges a line that is damaged, or too long to be read whole.
func looksOurs(l []byte) bool {
	return bytes.Contains(l, []byte(`"parentUuid":`)) && bytes.Contains(l, []byte(`"sessionId":`))
}

// read yields the session of a file and the subagents that it contains; or, for the file of a subagent, its session
// with the parent's id.
func (f *format) read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		agent := agentOf(file.Path)
		s, err := scan(ctx, file, agent != "")
		if err == nil && s.misread() {
			agent = ""
			file.Problem = func(int64, string) {} // they are reported already
			s, err = scan(ctx, file, !s.allMain)
		}
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		f.yield(ctx, s, agent, yield)
	}
}

// misread reports whether the file's name was misleading: it is named like a subagent's but contains more, or is not
// and contains nothing else.
func (s *skeleton) misread() bool {
	if s.allMain {
		return s.ownMessages && !inSubagents(s.file.Path)
	}
	return s.threads[0].newest() == 0 && len(s.threads) > 1
}

// yield yields the sessions of a file; the last one carries the cursor.
func (f *format) yield(ctx context.Context, s *skeleton, agent string, yield func(core.Incoming, error) bool) {
	if s.threads[0].newest() == 0 {
		return
	}
	session := s.session()
	parentSourceID := ""
	if agent != "" {
		session, parentSourceID = f.child(ctx, s, agent)
	}
	in := s.incoming(ctx, 0, session)
	in.ParentSourceID = parentSourceID
	more := s.subagents(ctx, session, func(next core.Incoming) bool {
		ok := yield(in, nil)
		in = next
		return ok
	})
	if more {
		in.Cursor = &core.Cursor{OffsetBytes: s.endBytes}
		yield(in, nil)
	}
}
