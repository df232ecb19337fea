// Package codex reads the rollout files of Codex CLI, versions 0.50 to 0.156, and what older ones wrote;
// docs/formats/codex.md describes them.
//
// A file is read twice. The first pass keeps a few dozen bytes per record, decides which records repeat each other, and
// builds the tree; the second one builds the messages in order. Neither holds more than one line.
package codex

import (
	"context"
	"iter"
	"path/filepath"
	"sync"

	"coppice/backend/core"
	"coppice/backend/importer"
)

// Format returns the format of Codex's files.
func Format() importer.Format {
	f := &format{}
	return importer.Format{
		Name: core.SourceCodex, Version: 3, Extensions: []string{".jsonl", ".zst", ".json"}, Sniff: sniff, Read: f.read,
	}
}

// format reads the files, and caches the list of names.
type format struct {
	mu    sync.Mutex
	index nameIndex
}

// Folders returns the folders of Codex's sessions: below CODEX_HOME, or .codex in the home folder.
func Folders(env func(string) string, home string) []string {
	root := env("CODEX_HOME")
	if root == "" {
		root = filepath.Join(home, ".codex")
	}
	return []string{filepath.Join(root, sessionsFolder), filepath.Join(root, archiveFolder)}
}

const (
	sessionsFolder = "sessions"
	archiveFolder  = "archived_sessions"
)

// read yields the session of a file; none for a file without messages, and for a compressed one with its plain form
// beside it.
func (f *format) read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		if hasPlainTwin(file.Path) {
			return
		}
		own, err := open(ctx, file)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		defer own.close()
		s, err := scan(ctx, file, own)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		defer s.close()
		if s.isEmpty() {
			return
		}
		in := core.Incoming{
			Header:   core.Header{Session: f.session(s), Spawned: s.spawns()},
			Messages: s.messages(ctx),
			Head:     s.head,
			Records:  s.records(),
		}
		in.ParentSourceID = s.meta.parentThread
		in.Cursor = &core.Cursor{OffsetBytes: own.cursor(s.endBytes)}
		yield(in, nil)
	}
}
