package sqlite

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/conn"
)

const startMs = 1_790_000_000_000

// reading queries a library by its own connections that read, with statements that are not kept.
type reading struct {
	tb testing.TB
	db *DB
}

func readerOf(tb testing.TB, db *DB) reading { return reading{tb, db} }

// Get reads one row.
func (r reading) Get(dest any, query string, args ...any) error {
	return r.db.library.File.Read(r.tb.Context(), func(t *conn.Tx) error { return sqlx.GetContext(r.tb.Context(), t.Direct(), dest, query, args...) })
}

// Select reads all rows.
func (r reading) Select(dest any, query string, args ...any) error {
	return r.db.library.File.Read(r.tb.Context(), func(t *conn.Tx) error { return sqlx.SelectContext(r.tb.Context(), t.Direct(), dest, query, args...) })
}

// writerOf returns the connection that writes. The caller must not write by other means at the same time.
func writerOf(tb testing.TB, db *DB) (conn *sqlx.Conn) {
	tb.Helper()
	check(tb, db.library.File.Exclusive(tb.Context(), func(c *sqlx.Conn) error {
		conn = c
		return nil
	}))
	return conn
}

// openTest opens a new library in a folder of the test.
func openTest(tb testing.TB) *DB {
	tb.Helper()
	return openAt(tb, filepath.Join(tb.TempDir(), "library", "coppice.db"))
}

func openAt(tb testing.TB, path string) *DB {
	tb.Helper()
	nowMs := int64(startMs)
	db, err := Open(tb.Context(), path, Options{Now: func() int64 { nowMs++; return nowMs }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { check(tb, db.Close()) })
	return db
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		check(tb, err)
		return v
	}
}

// pagesAt returns where each page of a library is in its file: an encrypted one has more than pages in it.
func pagesAt(tb testing.TB, path string) (all []int64) {
	tb.Helper()
	if !must(cryptvfs.IsEncrypted(path))(tb) {
		for at := int64(0); at < must(os.Stat(path))(tb).Size(); at += testPageSize {
			all = append(all, at)
		}
		return all
	}
	check(tb, conn.Unlock(path))
	pages := must(cryptvfs.OpenPages(path))(tb)
	defer pages.Close()
	for n := range must(pages.Size())(tb) / testPageSize {
		all = append(all, pages.Offset(n+1))
	}
	return all
}

// pagesOf returns the pages of a file one behind the other.
func pagesOf(file []byte, at []int64) (pages []byte) {
	for _, offset := range at {
		pages = append(pages, file[offset:offset+testPageSize]...)
	}
	return pages
}

// withPages returns a file with other pages. If they are fewer, the file ends with the last one.
func withPages(file []byte, at []int64, pages []byte) []byte {
	file = bytes.Clone(file)
	for _, offset := range at {
		if len(pages) < testPageSize {
			return append(file[:offset], pages...)
		}
		copy(file[offset:], pages[:testPageSize])
		pages = pages[testPageSize:]
	}
	return file
}

// wantCode checks an error's code and that it says something.
func wantCode(tb testing.TB, err error, code core.Code) {
	tb.Helper()
	if core.CodeOf(err) != code {
		tb.Fatalf("error %v of code %q, want %q", err, core.CodeOf(err), code)
	}
}

// say makes a message that says something of its own.
func say(uid, parent string, role core.Role) core.Message {
	m := core.Message{
		UID: uid, ParentUID: parent, Role: role, Kind: core.KindMessage, CreatedAtMs: startMs,
		Parts: []core.Part{{Type: core.PartText, Text: "this is what " + uid + " says"}},
	}
	if role == core.RoleAssistant {
		cost := int64(250)
		m.Model, m.Usage, m.CostNanoUSD = "demo/one", &core.Usage{InputTokens: 10, OutputTokens: 3, CacheReadTokens: 2}, &cost
	}
	return m
}

// sequenceOf yields messages as an Incoming does.
func sequenceOf(messages ...core.Message) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for _, m := range messages {
			if !yield(core.IncomingMessage{Message: m}, nil) {
				return
			}
		}
	}
}

// incoming makes a session of a source; its head is the last message.
func incoming(sourceID string, messages ...core.Message) core.Incoming {
	return core.Incoming{
		Header:   core.Header{Session: core.Session{Source: core.SourceClaudeCode, SourceID: sourceID, CreatedAtMs: startMs}},
		Messages: sequenceOf(messages...),
		Head: func() string {
			if len(messages) == 0 {
				return ""
			}
			return messages[len(messages)-1].UID
		},
	}
}

// merged brings a session in and returns its id.
func merged(tb testing.TB, db *DB, in core.Incoming) string {
	tb.Helper()
	return must(core.Merge(tb.Context(), db, in))(tb).SessionID
}

// chain makes messages one below the other, every third a prompt.
func chain(n int) []core.Message {
	messages := make([]core.Message, n)
	parent := ""
	for i := range messages {
		role := core.RoleAssistant
		if i%3 == 0 {
			role = core.RoleUser
		}
		messages[i] = say(fmt.Sprintf("u%d", i), parent, role)
		messages[i].CreatedAtMs += int64(i)
		parent = messages[i].UID
	}
	return messages
}

func uids(messages []core.Message) []string {
	list := make([]string, len(messages))
	for i, m := range messages {
		list[i] = m.UID
	}
	return list
}

// collect reads a sequence to its end.
func collect[T any](tb testing.TB, seq iter.Seq2[T, error]) []T {
	tb.Helper()
	all := []T{}
	for v, err := range seq {
		check(tb, err)
		all = append(all, v)
	}
	return all
}
