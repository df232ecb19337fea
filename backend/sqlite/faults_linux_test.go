package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/faultfs"
	"coppice/backend/sqlite/internal/conn"
)

// everyFault makes the campaign fail each system call in turn; without it, some of them.
const everyFault = "COPPICE_TEST_EVERY_FAULT"

// someFaults is how many system calls of an operation fail in turn without everyFault.
const someFaults = 3

// operation is work on a library during which the disk fails. It can be repeated after it failed.
type operation struct {
	name    string
	prepare func(t *testing.T, path string)              // makes the library; nil: a session of three messages
	do      func(ctx context.Context, db *DB) error      // on an open library
	opens   func(ctx context.Context, path string) error // in place of do: opens the library itself
	takes   string                                       // the source id of a session that it removes
}

func operations() []operation {
	return []operation{
		{name: "first open", prepare: func(*testing.T, string) {}, opens: openOnce},
		{name: "open", opens: openOnce},
		{name: "close", opens: mergeAndClose},
		{name: "append", do: onSession("one", func(ctx context.Context, db *DB, id string) error {
			m := say("new", "u2", core.RoleUser)
			m.Parts[0].Text = noise(40_000)
			_, err := db.Append(ctx, id, m)
			return err
		})},
		{name: "run", do: onSession("one", (&steps{}).do)},
		{name: "import", do: func(ctx context.Context, db *DB) error {
			_, err := core.Merge(ctx, db, incoming("two", noisy(60)...))
			return err
		}},
		{name: "index", prepare: withSessions(6), do: func(ctx context.Context, db *DB) error {
			if err := db.RebuildIndex(ctx); err != nil {
				return err
			}
			return db.Index(ctx, nil)
		}},
		{name: "trash", do: onSession("one", func(ctx context.Context, db *DB, id string) error { return db.Trash(ctx, []string{id}) })},
		{name: "purge", prepare: trashed, takes: "s1", do: func(ctx context.Context, db *DB) error {
			_, err := db.Purge(ctx, nil)
			return err
		}},
		{name: "checkpoint", do: func(ctx context.Context, db *DB) error {
			var blocked struct{ Busy, Log, Checkpointed int64 }
			return conn.Fail(db.library.File.Exclusive(ctx, func(conn *sqlx.Conn) error {
				return conn.QueryRowxContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).StructScan(&blocked)
			}), "empty the log")
		}},
		{name: "backup", prepare: withSessions(3), do: func(ctx context.Context, db *DB) error { return db.Backup(ctx, db.FilePath()+".copy") }},
	}
}

func openOnce(ctx context.Context, path string) error {
	db, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	return db.Close()
}

func mergeAndClose(ctx context.Context, path string) (err error) {
	db, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = core.Merge(ctx, db, incoming("two", noisy(20)...))
	return err
}

// onSession is work on the session that came from a source.
func onSession(source string, do func(ctx context.Context, db *DB, id string) error) func(ctx context.Context, db *DB) error {
	id := ""
	return func(ctx context.Context, db *DB) error {
		if id == "" {
			s, err := db.Session(ctx, source)
			if err != nil {
				return err
			}
			id = s.ID
		}
		return do(ctx, db, id)
	}
}

// steps is a run of the engine: each step is committed before the next one begins. After a failure it continues with the step that failed.
type steps struct{ done int }

func (s *steps) do(ctx context.Context, db *DB, id string) error {
	for i, step := range []func() error{
		func() error {
			_, err := db.StartRun(ctx, core.Run{ID: "r1", SessionID: id, Mode: core.ModeYolo, Owner: core.Owner{PID: 1, Host: "here"}})
			return err
		},
		func() error { _, err := db.AppendInput(ctx, "r1", say("p", "u2", core.RoleUser)); return err },
		func() error {
			_, err := db.AppendStep(ctx, "r1", say("a", "p", core.RoleAssistant), []core.ToolExec{{CallID: "c0", Name: "write_file"}})
			return err
		},
		func() error { return db.BeginExec(ctx, core.ToolExec{RunID: "r1", MessageUID: "a", StartedAtMs: 5}) },
		func() error {
			return db.EndExec(ctx, core.ToolExec{RunID: "r1", MessageUID: "a", CallID: "c0", State: core.ExecDone, Result: resultOf("c0", noise(9_000)), EndedAtMs: 9})
		},
		func() error {
			_, err := db.AppendResults(ctx, "r1", core.Message{UID: "t", ParentUID: "a", Role: core.RoleTool, Parts: []core.Part{*resultOf("c0", "written")}})
			return err
		},
		func() error { return db.EndRun(ctx, "r1", core.StatusSuccess, core.StopDone, "") },
	} {
		if i < s.done {
			continue
		}
		if err := step(); err != nil {
			return err
		}
		s.done++
	}
	return nil
}

// noisy is a chain of messages that cannot be compressed.
func noisy(n int) []core.Message {
	messages := chain(n)
	for i := range messages {
		messages[i].Parts[0].Text += " " + noise(3_000+i)
	}
	return messages
}

// withSessions prepares a library of several sessions.
func withSessions(n int) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		db, err := Open(t.Context(), path, Options{})
		check(t, err)
		merged(t, db, incoming("one", chain(3)...))
		for i := range n {
			messages := noisy(6)
			for j := range messages {
				messages[j].UID = fmt.Sprintf("s%d-%s", i, messages[j].UID)
				if j > 0 {
					messages[j].ParentUID = messages[j-1].UID
				}
			}
			merged(t, db, incoming(fmt.Sprintf("s%d", i), messages...))
		}
		check(t, db.Index(t.Context(), nil))
		check(t, db.Close())
	}
}

func trashed(t *testing.T, path string) {
	t.Helper()
	withSessions(3)(t, path)
	db, err := Open(t.Context(), path, Options{})
	check(t, err)
	check(t, db.Trash(t.Context(), []string{must(db.Session(t.Context(), "s1"))(t).ID}))
	check(t, db.Close())
}

// fault is a way for a disk to fail.
type fault struct {
	name string
	faultfs.Fault
	hints []string // one of them is in the hint
}

func diskFaults() []fault {
	room, disk := []string{"make room"}, []string{"disk", "writable", "make room"}
	return []fault{
		{"full", faultfs.Fault{Ops: faultfs.Grow, Errno: syscall.ENOSPC}, room},
		{"full within a write", faultfs.Fault{Ops: faultfs.Grow, Errno: syscall.ENOSPC, Short: true}, room},
		{"error", faultfs.Fault{Ops: faultfs.Write | faultfs.Truncate, Errno: syscall.EIO}, disk},
		{"one error", faultfs.Fault{Ops: faultfs.Write | faultfs.Truncate, Errno: syscall.EIO, Once: true}, disk},
		{"fsync", faultfs.Fault{Ops: faultfs.Sync, Errno: syscall.EIO}, disk},
		{"one fsync", faultfs.Fault{Ops: faultfs.Sync, Errno: syscall.EIO, Once: true}, disk},
		{"read-only", faultfs.Fault{Ops: faultfs.Change &^ faultfs.Sync, Errno: syscall.EROFS}, disk},
	}
}

// A disk that fails at any system call of an operation costs nothing that was committed: the error has a code and a hint, the library is
// sound, and the operation succeeds when the disk is well again.
func TestDiskFails(t *testing.T) {
	for _, op := range operations() {
		t.Run(op.name, func(t *testing.T) {
			template := filepath.Join(t.TempDir(), "coppice.db")
			prepare := op.prepare
			if prepare == nil {
				prepare = func(t *testing.T, path string) {
					t.Helper()
					withSessions(0)(t, path)
				}
			}
			prepare(t, template)
			for _, f := range diskFaults() {
				t.Run(f.name, func(t *testing.T) {
					c := campaign{name: op.name, fault: f, template: template}
					total := c.strike(t, 0)
					for _, from := range chosen(total) {
						c.strike(t, from)
					}
				})
			}
		})
	}
}

// chosen returns the numbers of the calls that fail, one by one: all, or some from the first to the last.
func chosen(total int) []int {
	var calls []int
	for n := 1; n <= total; n++ {
		calls = append(calls, n)
	}
	if os.Getenv(everyFault) != "" || total <= someFaults {
		return calls
	}
	var some []int
	for i := range someFaults {
		some = append(some, calls[i*(total-1)/(someFaults-1)])
	}
	return some
}

// campaign lets one operation fail in one way.
type campaign struct {
	name     string
	fault    fault
	template string
}

// strike does the operation on a copy of the library while the call of a number fails, and returns how many calls there were.
func (c campaign) strike(t *testing.T, from int) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "coppice.db")
	if data, err := os.ReadFile(c.template); err == nil {
		check(t, os.WriteFile(path, data, 0o600))
	}
	op := operations()[slices.IndexFunc(operations(), func(o operation) bool { return o.name == c.name })]
	before := holdings(t, path)
	if len(before) == 0 && c.name != "first open" {
		t.Fatal("there is nothing to lose")
	}
	disk, err := faultfs.Install(filepath.Dir(path))
	check(t, err)
	defer func() { check(t, disk.Close()) }()
	var db *DB
	if op.do != nil {
		db = must(Open(t.Context(), path, Options{}))(t)
		defer db.Close()
		op.opens = func(ctx context.Context, _ string) error { return op.do(ctx, db) }
	}
	f := c.fault.Fault
	f.From = from
	disk.Inject(f)
	err = op.opens(t.Context(), path)
	count := disk.Count()
	disk.Inject(faultfs.Fault{})
	at := fmt.Sprintf("call %d of %d", from, count)
	c.judge(t, at, err)
	if from > 0 && db == nil {
		before.wantIn(t, at, holdings(t, path), op.takes)
	}
	if err != nil {
		if err := op.opens(t.Context(), path); err != nil {
			t.Fatalf("%s: the disk is well again: %v", at, err)
		}
	}
	if db != nil {
		check(t, db.Close())
	}
	before.wantIn(t, at, holdings(t, path), op.takes)
	after := openAt(t, path)
	wantSound(t, after)
	c.wantDone(t, at, after)
	check(t, after.Close())
	return count
}

func (c campaign) judge(t *testing.T, at string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	hint := core.HintOf(err)
	if code := core.CodeOf(err); code != core.Unavailable && code != core.Denied {
		t.Errorf("%s: error %v of code %q", at, err, code)
	}
	if !slices.ContainsFunc(c.fault.hints, func(want string) bool { return strings.Contains(hint, want) }) {
		t.Errorf("%s: error %v has the hint %q, want one of %q", at, err, hint, c.fault.hints)
	}
}

// wantDone checks that the operation was done in the end.
func (c campaign) wantDone(t *testing.T, at string, db *DB) {
	t.Helper()
	count := func(session string) int64 {
		s, err := db.Session(t.Context(), session)
		if err != nil {
			return -1
		}
		return s.MessageCount
	}
	want := map[string]map[string]int64{
		"append": {"one": 4}, "run": {"one": 6}, "import": {"two": 60}, "close": {"two": 20}, "purge": {"s0": 6, "s1": -1, "s2": 6}, "index": {"s0": 6},
	}[c.name]
	for session, n := range want {
		if got := count(session); got != n {
			t.Errorf("%s: session %s has %d messages in the end, want %d", at, session, got, n)
		}
	}
	if c.name == "backup" {
		copied := must(Open(t.Context(), db.FilePath()+".copy", Options{ReadOnly: true}))(t)
		defer copied.Close()
		wantSound(t, copied)
		if parts := must(filepath.Glob(db.FilePath() + ".copy.*"))(t); len(parts) > 0 {
			t.Errorf("%s: left behind: %v", at, parts)
		}
	}
}

// held is what a library holds: the content of each message by session and uid.
type held map[string]string

// holdings reads a library as another program would; of one that does not exist, nothing.
func holdings(t *testing.T, path string) held {
	t.Helper()
	all := held{}
	if _, err := os.Stat(path); err != nil {
		return all
	}
	check(t, conn.Unlock(path))
	db := must(conn.Connect(t.Context(), path, conn.ReadPragmas()))(t)
	defer db.Close()
	var tables int
	check(t, db.Get(&tables, `SELECT count(*) FROM sqlite_schema WHERE name = 'messages'`))
	if tables == 0 {
		return all
	}
	var rows []struct{ Source, UID, Hash string }
	check(t, db.Select(&rows, `SELECT s.source_id AS source, m.uid, hex(m.content_hash) AS hash FROM messages m JOIN sessions s ON s.key = m.session`))
	for _, r := range rows {
		all[cmp.Or(r.Source, "-")+"/"+r.UID] = r.Hash
	}
	return all
}

// wantIn checks that everything is still in a library, except the session that was to be removed.
func (h held) wantIn(t *testing.T, at string, now held, but string) {
	t.Helper()
	for message, hash := range h {
		if but != "" && strings.HasPrefix(message, but+"/") {
			continue
		}
		if now[message] != hash {
			t.Errorf("%s: message %s is lost or changed", at, message)
		}
	}
}

// A commit whose fsync failed is not reported as done, and can be done again.
func TestFailedSyncIsNoCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	id := merged(t, db, incoming("one", chain(3)...))
	disk := must(faultfs.Install(filepath.Dir(path)))(t)
	defer func() { check(t, disk.Close()) }()
	disk.Inject(faultfs.Fault{Ops: faultfs.Sync, From: 1, Once: true, Errno: syscall.EIO, File: "-wal"})
	_, err := db.Append(t.Context(), id, say("new", "u2", core.RoleUser))
	wantCode(t, err, core.Unavailable)
	if s := must(db.Session(t.Context(), id))(t); s.MessageCount != 3 {
		t.Errorf("%d messages after a commit that failed", s.MessageCount)
	}
	must(db.Append(t.Context(), id, say("new", "u2", core.RoleUser)))(t)
	wantSound(t, db)
}

// What a backup left that was killed is removed by the next backup to the same name.
func TestBackupRemovesLeftovers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	withSessions(0)(t, path)
	db := openAt(t, path)
	left := path + ".copy.123.part"
	check(t, os.Mkdir(left, 0o700))
	check(t, os.WriteFile(left+".lock", nil, 0o600))
	check(t, os.WriteFile(filepath.Join(left, "copy.db"), []byte("text of the library"), 0o600))
	check(t, db.Backup(t.Context(), path+".copy"))
	if parts := must(filepath.Glob(path + ".copy.*"))(t); len(parts) > 0 {
		t.Errorf("left behind: %v", parts)
	}
}
