// Package opencode reads the sessions of OpenCode: the databases of 1.x and 2.x, the JSON files of the versions before, and
// what "opencode export" writes; docs/formats/opencode.md describes them.
//
// A session is read twice: first for its facts, then to yield its messages. Each pass holds one message at a time.
package opencode

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/foreigndb"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// Format returns the format of OpenCode's files.
func Format() importer.Format {
	f := &format{}
	return importer.Format{
		Name: core.SourceOpenCode, Version: 3, Extensions: []string{".db", ".json"}, Sniff: sniff, Read: f.read,
	}
}

// format reads the files. It remembers the states of a database's sessions when it last
// read them, and reads those again that have changed since.
type format struct {
	mu    sync.Mutex
	known map[string]map[string]string // by path and session
}

// Places returns where OpenCode stores its sessions: OPENCODE_DB, else the databases in its data folder, and the
// session files of earlier versions.
func Places(env func(string) string, home string) []string {
	data := env("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	data = filepath.Join(data, "opencode")
	found := []string{filepath.Join(data, "storage", "session")}
	if named := env("OPENCODE_DB"); named != "" {
		return append(found, named)
	}
	// One for each channel. A missing folder has none.
	entries, err := os.ReadDir(data)
	if err != nil {
		return found
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, "opencode") && filepath.Ext(name) == ".db" {
			found = append(found, filepath.Join(data, name))
		}
	}
	return found
}

// sniff recognises a database by its tables, a session file and an export by their members.
func sniff(path string, head []byte) bool {
	if foreigndb.Is(head) {
		return isDatabase(path)
	}
	h, ok := transcript.Sniff(head, "messages")
	if !ok {
		return false
	}
	if h.Has("info") {
		return isInfo(h.Head.Get("info"))
	}
	return isInfo(h.Head) && !h.Has("messages")
}

// isInfo recognises the record of a session.
func isInfo(v gjson.Result) bool {
	return jsonl.Text(v.Get("id")) != "" && v.Get("time.created").Type == gjson.Number && v.Get("title").Type == gjson.String &&
		(v.Get("projectID").Exists() || v.Get("directory").Exists())
}

// isDatabase opens a database and looks for the tables of one of the versions.
func isDatabase(path string) bool {
	ctx := context.Background()
	db, err := foreigndb.Open(ctx, path)
	if err != nil {
		return looksOurs(path)
	}
	defer db.Close() //nolint:errcheck // it was only read
	found, err := readTables(ctx, db)
	return err == nil && (found.legacy || found.current)
}

// looksOurs judges a database that cannot be opened now, so that reading it can report why.
func looksOurs(path string) bool {
	return strings.HasPrefix(filepath.Base(path), "opencode")
}

// read yields the sessions of a database, or the one of a session file or an export.
func (f *format) read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		head := make([]byte, min(64, file.SizeBytes))
		n, _ := file.Data.ReadAt(head, 0)     // reading the file reports what is wrong with it
		file.Problem = onceEach(file.Problem) // everything is read twice
		var err error
		if foreigndb.Is(head[:n]) {
			err = f.readDatabase(ctx, file, yield)
		} else {
			err = readFile(ctx, file, yield)
		}
		if err != nil {
			yield(core.Incoming{}, err)
		}
	}
}

// onceEach reports the same problem once.
func onceEach(report func(int64, string)) func(int64, string) {
	type problem struct {
		line    int64
		message string
	}
	reported := map[problem]bool{}
	return func(line int64, message string) {
		if p := (problem{line, message}); !reported[p] {
			reported[p] = true
			report(line, message)
		}
	}
}
