// Package pi reads the session files of the coding agent pi, versions 1 to 4; docs/formats/pi.md describes them.
//
// A file is read twice. The first pass keeps a few dozen bytes per entry and builds the tree; the second one builds the
// messages in order. Neither holds more than one line.
package pi

import (
	"bytes"
	"context"
	"iter"
	"path/filepath"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsonl"
	"coppice/backend/jsontext"
)

// Format returns the format of pi's files.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourcePi, Version: 2, Extensions: []string{".jsonl"}, Sniff: sniff, Read: sessions,
	}
}

// Folders returns the folders of pi's sessions, below PI_CODING_AGENT_DIR or in the home folder, and those of omp, which
// has the same format.
func Folders(env func(string) string, home string) []string {
	agent := env("PI_CODING_AGENT_DIR")
	if agent == "" {
		agent = filepath.Join(home, ".pi", "agent")
	}
	return []string{filepath.Join(agent, "sessions"), filepath.Join(home, ".omp", "agent", "sessions")}
}

// sniff looks for the head of a session in the first line.
func sniff(_ string, head []byte) bool {
	for l := range bytes.Lines(head) {
		if l = bytes.TrimSpace(l); len(l) > 0 {
			return jsontext.Check(l) == "" && isHead(gjson.ParseBytes(l))
		}
	}
	return false
}

// isHead recognises the first line of a session, of versions 1 to 3 and of version 4.
func isHead(v gjson.Result) bool {
	if jsonl.Text(v.Get("id")) == "" {
		return false
	}
	if jsonl.Text(v.Get("kind")) == "header" {
		return v.Get("version").Int() >= 3 && v.Get("createdAt").Type == gjson.Number
	}
	return jsonl.Text(v.Get("type")) == "session" && v.Get("timestamp").Type == gjson.String && (v.Get("cwd").Exists() || v.Get("version").Exists())
}

// sessions yields the session of a file; none for a file without messages.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		s, err := scan(ctx, file)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		if len(s.nodes) == 1 {
			return
		}
		yield(core.Incoming{
			Header:   core.Header{Session: s.facts.session(file.Path), Labels: s.named(), Cursor: &core.Cursor{OffsetBytes: s.endBytes}},
			Messages: s.messages(ctx),
			Head:     s.head,
			Records:  s.records(),
		}, nil)
	}
}
