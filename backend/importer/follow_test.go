package importer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
	"coppice/backend/importer/foreigndb/foreigndbtest"
	"coppice/backend/importer/opencode"
	"coppice/backend/sqlite"
)

// followed is a library that follows places, and the reports it received.
type followed struct {
	t       *testing.T
	library *sqlite.DB
	told    chan core.Report
}

func follow(t *testing.T, places ...string) *followed {
	t.Helper()
	return followAsking(t, nil, places...)
}

// followAsking follows with a replacement for how the system is asked to watch a folder; nil: none.
func followAsking(t *testing.T, ask func(folder string) error, places ...string) *followed {
	t.Helper()
	f := &followed{t: t, library: openLibrary(t), told: make(chan core.Report, 100)}
	follower := importer.Follower{
		Importer: importer.Importer{Library: f.library, Formats: []importer.Format{claudecode.Format(), opencode.Format()}},
		Paths:    places,
		Report: func(r core.Report, err error) {
			if err != nil {
				t.Error(err)
			}
			f.told <- r
		},
	}
	follower.Ask(ask)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		follower.Follow(ctx)
	}()
	t.Cleanup(func() { cancel(); <-done })
	return f
}

// waitFor waits until the library holds these sessions: source ids and their numbers of messages.
func (f *followed) waitFor(want ...string) {
	f.t.Helper()
	patience := time.After(20 * time.Second)
	for {
		sessions, err := f.library.Sessions(f.t.Context(), core.SessionFilter{})
		if err != nil {
			f.t.Fatal(err)
		}
		var have []string
		for _, s := range sessions {
			have = append(have, fmt.Sprintf("%s %d", s.SourceID, s.MessageCount))
		}
		slices.Sort(have)
		if slices.Equal(have, want) {
			return
		}
		select {
		case <-f.told:
		case <-patience:
			f.t.Fatalf("the library holds %q, want %q", have, want)
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(text)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func uuidOf(n int) string { return fmt.Sprintf("11111111-2222-4333-8444-%012d", n) }

// session writes a file of one session, named by its id.
func session(t *testing.T, folder string, n int) string {
	t.Helper()
	return write(t, filepath.Join(folder, uuidOf(n)+".jsonl"), lines(uuidOf(n)))
}

func TestFollow(t *testing.T) {
	folder := t.TempDir()
	one := session(t, folder, 1)
	f := follow(t, folder)
	f.waitFor(uuidOf(1) + " 2")

	appendTo(t, one, another(uuidOf(1), "x")+"\n")
	f.waitFor(uuidOf(1) + " 3")

	session(t, filepath.Join(folder, "new", "deep"), 2)
	f.waitFor(uuidOf(1)+" 3", uuidOf(2)+" 2")

	// A file written in pieces, and one that is renamed into place.
	three := lines(uuidOf(3))
	path := write(t, filepath.Join(folder, "new", uuidOf(3)+".jsonl"), "")
	for len(three) > 0 {
		n := min(40, len(three))
		appendTo(t, path, three[:n])
		three = three[n:]
	}
	f.waitFor(uuidOf(1)+" 3", uuidOf(2)+" 2", uuidOf(3)+" 2")
	other := session(t, t.TempDir(), 4)
	if err := os.Rename(other, filepath.Join(folder, "new", filepath.Base(other))); err != nil {
		t.Fatal(err)
	}
	f.waitFor(uuidOf(1)+" 3", uuidOf(2)+" 2", uuidOf(3)+" 2", uuidOf(4)+" 2")

	// What is deleted there stays here.
	if err := os.RemoveAll(filepath.Join(folder, "new")); err != nil {
		t.Fatal(err)
	}
	session(t, folder, 5)
	f.waitFor(uuidOf(1)+" 3", uuidOf(2)+" 2", uuidOf(3)+" 2", uuidOf(4)+" 2", uuidOf(5)+" 2")
}

// A tool may be installed, or its history removed, while its place is followed. Files beside a place are ignored.
func TestFollowPlaceThatComesAndGoes(t *testing.T) {
	for _, there := range []bool{false, true} {
		t.Run(fmt.Sprintf("there at first: %v", there), func(t *testing.T) {
			home := t.TempDir()
			folder := filepath.Join(home, ".tool", "sessions")
			if there {
				session(t, folder, 1)
			}
			f := follow(t, folder)
			session(t, home, 9)
			if !there {
				session(t, folder, 1)
			}
			f.waitFor(uuidOf(1) + " 2")
			if err := os.RemoveAll(filepath.Join(home, ".tool")); err != nil {
				t.Fatal(err)
			}
			session(t, home, 8)
			session(t, folder, 2)
			f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2")
			session(t, folder, 3)
			f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2", uuidOf(3)+" 2")
		})
	}
}

// A place that is moved away and back, as a whole or one of its folders, is still followed.
func TestFollowRenamedFolders(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, "sessions")
	session(t, filepath.Join(folder, "a"), 1)
	f := follow(t, folder)
	f.waitFor(uuidOf(1) + " 2")
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(home, from), filepath.Join(home, to)); err != nil {
			t.Fatal(err)
		}
	}
	rename("sessions/a", "sessions/b")
	session(t, filepath.Join(folder, "b"), 2)
	f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2")
	rename("sessions", "away")
	session(t, filepath.Join(home, "away", "b"), 3)
	rename("away", "sessions")
	f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2", uuidOf(3)+" 2")
	session(t, filepath.Join(folder, "b"), 4)
	f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2", uuidOf(3)+" 2", uuidOf(4)+" 2")
}

// A file that is truncated and rewritten is read again; what it held before stays.
func TestFollowTruncated(t *testing.T) {
	folder := t.TempDir()
	path := session(t, folder, 1)
	appendTo(t, path, another(uuidOf(1), "x")+"\n")
	f := follow(t, folder)
	f.waitFor(uuidOf(1) + " 3")
	write(t, path, "")
	write(t, path, lines(uuidOf(1), another(uuidOf(1), "y")))
	f.waitFor(uuidOf(1) + " 4")
}

func TestFollowOneFile(t *testing.T) {
	folder := t.TempDir()
	path := session(t, folder, 1)
	f := follow(t, path)
	f.waitFor(uuidOf(1) + " 2")
	session(t, folder, 2)
	appendTo(t, path, another(uuidOf(1), "x")+"\n")
	f.waitFor(uuidOf(1) + " 3")
}

// A problem is reported once, however often its folder is scanned.
func TestFollowReportsAProblemOnce(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, id+".jsonl"), lines(id)+"{damaged\n"+another(id, "x")+"\n")
	f := follow(t, folder)
	first := <-f.told
	if len(first.Problems) != 1 || first.Problems[0].Line != 3 || first.Imported != 1 {
		t.Fatalf("told %+v", first)
	}
	session(t, folder, 1)
	if second := <-f.told; len(second.Problems) != 0 || second.Imported != 1 {
		t.Fatalf("told %+v", second)
	}
}

// If the system cannot watch more folders, they are scanned periodically, and that is reported once.
func TestFollowBeyondTheLimit(t *testing.T) {
	folder := t.TempDir()
	path := session(t, filepath.Join(folder, "deep"), 1)
	var asked atomic.Int64
	f := followAsking(t, func(string) error {
		asked.Add(1)
		return syscall.ENOSPC // as inotify_add_watch returns it
	}, folder)
	first := <-f.told
	if first.Imported != 1 || len(first.Problems) != 1 || !strings.Contains(first.Problems[0].Message, "tells of no changes") || first.Problems[0].Path != folder {
		t.Fatalf("told %+v", first)
	}
	for n := int64(3); n < 5; n++ {
		appendTo(t, path, another(uuidOf(1), fmt.Sprint("x", n))+"\n")
		if next := <-f.told; next.Updated != 1 || len(next.Problems) != 0 {
			t.Fatalf("told %+v", next)
		}
		f.waitFor(fmt.Sprintf("%s %d", uuidOf(1), n))
	}
	if n := asked.Load(); n > 30 {
		t.Errorf("asked for three folders %d times within seconds", n)
	}
}

// Links that form a circle cause no endless scan; what is behind a link that leads out is imported.
func TestFollowLinks(t *testing.T) {
	folder, away := t.TempDir(), t.TempDir()
	for link, to := range map[string]string{"a/up": folder, "a/down": filepath.Join(folder, "a"), "one": filepath.Join(folder, "two"), "two": filepath.Join(folder, "one"), "none": "nowhere"} {
		link = filepath.Join(folder, link)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err) // not every user may do this on Windows
		}
	}
	path := session(t, filepath.Join(folder, "a"), 1)
	f := follow(t, folder)
	f.waitFor(uuidOf(1) + " 2")
	appendTo(t, path, another(uuidOf(1), "x")+"\n")
	f.waitFor(uuidOf(1) + " 3")
	session(t, away, 2)
	if err := os.Symlink(away, filepath.Join(folder, "out")); err != nil {
		t.Fatal(err)
	}
	f.waitFor(uuidOf(1)+" 3", uuidOf(2)+" 2")
}

// TestFollowDatabase follows a database that another tool has open: new data is in the log beside it.
func TestFollowDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	tool := foreigndbtest.Open(t, path)
	run := func(statement string) { foreigndbtest.Run(t, tool, foreigndbtest.Statement{SQL: statement}) }
	run(`CREATE TABLE session_v2 (id TEXT, title TEXT, directory TEXT, time_created INTEGER);
		CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT);
		INSERT INTO session_v2 VALUES ('ses_1', 'beds', '/garden', 1);
		INSERT INTO session_message VALUES ('msg_1', 'ses_1', 'user', 1, 1, 1, '{"text":"Plan the beds"}')`)
	f := follow(t, path)
	f.waitFor("ses_1 1")
	run(`INSERT INTO session_message VALUES ('msg_2', 'ses_1', 'user', 2, 2, 2, '{"text":"Make them five"}')`)
	f.waitFor("ses_1 2")
}
