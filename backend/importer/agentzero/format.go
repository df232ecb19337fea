// Package agentzero reads the sessions and the checkpoints of AgentZero (az), version 0.15, encrypted ones
// too; docs/formats/agentzero.md describes them.
package agentzero

import (
	"bytes"
	"context"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// Format returns the format of AgentZero's files. getenv looks up the environment, in which AZ_PASSPHRASE
// opens encrypted sessions, and the names that the machine's own passphrase is derived from; nil: nothing is set.
func Format(getenv func(name string) string) importer.Format {
	f := &format{getenv: getenv}
	return importer.Format{
		Name: core.SourceAgentZero, Version: 2, Extensions: []string{".json", ".enc"}, Sniff: sniff, Read: f.read,
	}
}

// format reads the files.
type format struct {
	getenv func(name string) string
	keys   keyring
}

// Folder returns the folder of AgentZero's sessions of a workspace.
func Folder(workspace string) string { return filepath.Join(workspace, ".agentzero", "sessions") }

// sniff looks for the members of a session or a checkpoint, or for what an encrypted session looks like.
func sniff(path string, head []byte) bool {
	if strings.HasSuffix(strings.ToLower(path), ".json.enc") && looksSealed(head) {
		return true
	}
	h, ok := transcript.Sniff(head, "messages")
	if !ok {
		return false
	}
	if h.Has("version", "session_id") {
		return h.Has("session_approvals") || h.Cut && h.Has("messages") && h.Keys[0] == "version"
	}
	// The keys of a session are in alphabetical order: its id may be far behind.
	return h.Has("message_count", "messages") && (h.Has("session_id") || h.Cut && len(h.Keys) == 2)
}

// read yields the session of a file.
func (f *format) read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		data, size, err := f.open(file)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		outliner, doc, err := transcript.Open(ctx, file, data, size, "messages")
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		if len(doc.Lists["messages"]) == 0 {
			return
		}
		t := transcript.Transcript{File: file, Data: data, Outliner: outliner, Elements: doc.Lists["messages"], Session: session(file, doc.Head)}
		t.StartedMs, t.EndedMs = t.Session.CreatedAtMs, t.Session.CreatedAtMs
		if state := transcript.Rest(doc.Head, "messages", "model", "session_id"); state != nil && doc.Head.Get("session_approvals").Exists() {
			t.Records = []core.Record{{Type: "checkpoint", Known: true, Body: state}}
			t.Wakes = wakes(doc.Head.Get("wake_triggers"))
		}
		answered, err := prepare(ctx, &t, data, outliner)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		if !answered && doc.Damage != nil {
			return // the file is being written: the ids of its messages depend on what is missing
		}
		yield(t.Incoming(ctx), nil)
	}
}

// open returns the text of a file, decrypted if it is encrypted.
func (f *format) open(file core.SourceFile) (io.ReaderAt, int64, error) {
	head := make([]byte, min(file.SizeBytes, 64<<10))
	if n, err := file.Data.ReadAt(head, 0); n < len(head) {
		return nil, 0, err
	}
	if !looksSealed(head) {
		return file.Data, file.SizeBytes, nil
	}
	if file.SizeBytes > maxSealedBytes {
		return nil, 0, core.E(core.Invalid, "an encrypted session of more than %s", humanize.IBytes(maxSealedBytes))
	}
	sealed := make([]byte, file.SizeBytes)
	if n, err := file.Data.ReadAt(sealed, 0); n < len(sealed) {
		return nil, 0, err
	}
	text, err := f.unseal(sealed)
	return bytes.NewReader(text), int64(len(text)), err
}

// session returns what a file records of its session. A session's file has no time, so that of the file counts.
func session(file core.SourceFile, head gjson.Result) core.Session {
	s := core.Session{
		Source: core.SourceAgentZero, SourceID: jsonl.Text(head.Get("session_id")), SourcePath: file.Path, Model: jsonl.Text(head.Get("model")),
		CreatedAtMs: jsonl.Millis(head.Get("created_at")), WorkspacePath: workspace(file.Path),
	}
	if s.SourceID == "" {
		s.SourceID, _, _ = strings.Cut(filepath.Base(file.Path), ".")
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = file.ModifiedMs
	}
	if !jsonl.Empty(head.Get("idle_reason")) {
		s.Status = core.StatusHibernated // the session's file, which may come later, does not record it
	}
	if !head.Get("session_approvals").Exists() {
		s.Meta = transcript.Rest(head, "session_id", "model", "messages", "message_count")
	}
	return s
}

// workspace returns the folder that holds .agentzero/sessions.
func workspace(path string) string {
	sessions := filepath.Dir(path)
	tool := filepath.Dir(sessions)
	if filepath.Base(sessions) != "sessions" || filepath.Base(tool) != ".agentzero" {
		return ""
	}
	return filepath.Dir(tool)
}

// prepare pairs results with their calls, which have no ids, by order; and names the conversation by its beginning, so that a
// resumed session, which has another id and another file, is recognised as the same conversation.
// It reports whether the conversation has an answer. Before that its messages are named by the session's id, and keep those ids.
func prepare(ctx context.Context, t *transcript.Transcript, data io.ReaderAt, outliner *jsondoc.Outliner) (answered bool, err error) {
	p := pairs{}
	t.See, t.Finish, t.Build = p.see, p.finish, build
	key, answered, err := opening(ctx, t, data, outliner)
	if err != nil {
		return false, err
	}
	t.Key = string(core.SourceAgentZero) + " " + key
	t.FormerKey = string(core.SourceAgentZero) + " " + t.Session.SourceID
	return answered, nil
}

// opening returns the conversation up to the first answer, or the session's id without one. Two conversations that
// begin with the same question are different, unless they also have the same answer.
func opening(ctx context.Context, t *transcript.Transcript, data io.ReaderAt, outliner *jsondoc.Outliner) (key string, answered bool, err error) {
	var said []string
	for _, e := range t.Elements {
		if err := ctx.Err(); err != nil {
			return "", false, err
		}
		v, err := outliner.Read(data, e)
		if core.CodeOf(err) == core.Invalid {
			return "", false, err
		}
		if err != nil {
			continue // it is reported when it is read
		}
		m, ok := build(v)
		if !ok {
			continue
		}
		said = append(said, transcript.Content(&m))
		if m.Role == core.RoleAssistant {
			return strings.Join(said, " "), true, nil
		}
	}
	return t.Session.SourceID, false, nil
}
