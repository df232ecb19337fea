package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// gated is an export as JSON lines, with what it has to hold.
type gated struct {
	data  []byte
	books []*gatedSession
	// stored are the messages of the library, by the id of their session.
	stored map[string][]core.Message
	// golden is the export of what another version of Coppice wrote: a file that has to be read for ever.
	golden, goldenAgain []byte
	t                   *testing.T
}

// gatedSession is a session as a program reads it that knows docs/format.md.
type gatedSession struct {
	head struct {
		Format   string
		Version  int
		Session  core.Session
		Branches []core.Branch
	}
	lines    []gatedLine // all of them, the head first
	messages []core.Message
}

// gatedLine is a line: its kind is the only field that decides what it is, uid for a message.
type gatedLine struct {
	kind   string
	raw    []byte
	fields map[string]json.RawMessage
}

// exportGated exports sessions as lines, and reads the lines and the library.
func exportGated(t *testing.T, db *sqlite.DB, sessions []core.Session) *gated {
	t.Helper()
	g := &gated{stored: map[string][]core.Message{}, t: t}
	for _, session := range sessions {
		g.stored[session.ID] = storedMessages(t, db, session)
	}
	g.data = linesOf(t, db, sessions)
	g.books = readGated(g.data)
	return g
}

func linesOf(t *testing.T, db *sqlite.DB, sessions []core.Session) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (Plan{Sessions: sessions, Format: Lines}).To(t.Context(), db, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readGated reads lines and leaves out those that are no JSON, as jq -R 'fromjson?' does.
func readGated(data []byte) []*gatedSession {
	var books []*gatedSession
	for raw := range bytes.Lines(data) {
		l := gatedLine{raw: raw}
		if json.Unmarshal(raw, &l.fields) != nil {
			continue
		}
		for _, kind := range slices.Sorted(maps.Keys(l.fields)) {
			if kind == "format" || kind == "uid" || len(l.fields) == 1 {
				l.kind = kind
				break
			}
		}
		if l.kind == "format" || len(books) == 0 {
			books = append(books, &gatedSession{})
		}
		book := books[len(books)-1]
		book.lines = append(book.lines, l)
		switch l.kind {
		case "format":
			_ = json.Unmarshal(raw, &book.head) // a head that cannot be read fails the gates
		case "uid":
			var m core.Message
			if json.Unmarshal(raw, &m) == nil {
				book.messages = append(book.messages, m)
			}
		}
	}
	return books
}

// importLines imports lines into a new library.
func importLines(t *testing.T, data []byte) (*sqlite.DB, []core.Session, []string) {
	t.Helper()
	db := apptest.OpenLibrary(t)
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	im := importer.Importer{Library: db, Formats: formats.All()}
	report, err := im.Import(t.Context(), []string{path}, "")
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, p := range report.Problems {
		problems = append(problems, p.Message)
	}
	return db, apptest.Must(Everything(t.Context(), db))(t), problems
}
