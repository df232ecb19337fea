// Package geminicli reads the session files of Gemini CLI, versions 0.6 to 0.58;
// docs/formats/gemini-cli.md describes them.
//
// A file is read twice. The first pass records the position of each message's newest version and builds the tree; the
// second one builds the messages in order. Neither holds more than one line or one element.
package geminicli

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
	"coppice/backend/jsontext"
)

// Format returns the format of Gemini CLI's files.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceGeminiCLI, Version: 2, Extensions: []string{".json", ".jsonl"}, Sniff: sniff, Read: sessions,
	}
}

// Folder returns the folder of Gemini CLI's sessions: below GEMINI_CLI_HOME, or the home folder.
func Folder(env func(string) string, home string) string {
	if dir := env("GEMINI_CLI_HOME"); dir != "" {
		home = dir
	}
	return filepath.Join(home, ".gemini", "tmp")
}

// sniff looks for the head of a session, or for messages of Gemini CLI. It skips files that Gemini CLI is still writing,
// or could not read itself.
func sniff(path string, head []byte) bool {
	if name := filepath.Base(path); strings.HasPrefix(name, ".tmp-") || strings.HasPrefix(name, ".unreadable-") {
		return false
	}
	for l := range bytes.Lines(head) {
		l = bytes.TrimSpace(l)
		if len(l) == 0 {
			continue
		}
		if jsontext.Check(l) == "" && isHead(gjson.ParseBytes(l)) {
			return true
		}
		break
	}
	h, ok := transcript.Sniff(head, "messages", "history")
	if !ok {
		return false
	}
	if h.Has("sessionId", "projectHash") {
		return true
	}
	first := func(list []jsondoc.Element) gjson.Result {
		if len(list) == 0 {
			return gjson.Result{}
		}
		return gjson.ParseBytes(head[list[0].Offset : list[0].Offset+list[0].Length])
	}
	return isMessage(first(h.Lists["messages"])) || isContent(first(h.Lists["history"]))
}

// isHead recognises the first line of a session.
func isHead(r gjson.Result) bool {
	return r.Get("sessionId").Exists() && r.Get("projectHash").Exists() && !r.Get("uuid").Exists()
}

// isMessage recognises a message by its type.
func isMessage(v gjson.Result) bool {
	switch jsonl.Text(v.Get("type")) {
	case "user", "gemini", "info", "error", "warning":
		return v.Get("timestamp").Exists() && (v.Get("content").Exists() || v.Get("parts").Exists()) && !v.Get("message").Exists()
	default:
		return false
	}
}

// isContent recognises a message in the API's form.
func isContent(v gjson.Result) bool {
	switch jsonl.Text(v.Get("role")) {
	case "user", "gemini", "model":
		return v.Get("parts").IsArray()
	default:
		return false
	}
}

// sessions yields the session of a file. A file without messages has no session, nor has an old file that a new one continues.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		if goesOn(file.Path) {
			return
		}
		s, err := scan(ctx, file)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		if len(s.nodes) == 1 {
			return
		}
		session, parent := s.session()
		yield(core.Incoming{
			Header:   core.Header{Session: session, ParentSourceID: parent, Spawned: s.spawns(), Repeated: s.repeated(), Cursor: &core.Cursor{OffsetBytes: s.endBytes}},
			Messages: s.messages(ctx),
			Head:     s.headUID,
			Records:  s.kept(),
		}, nil)
	}
}

// goesOn reports whether a session that was resumed by a newer version has a file with lines beside the old one.
func goesOn(path string) bool {
	if filepath.Ext(path) != ".json" {
		return false
	}
	info, err := os.Stat(path + "l")
	return err == nil && info.Mode().IsRegular()
}
