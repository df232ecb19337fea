package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"coppice/backend/core"
)

// childLibrary names the library that a copy of this test program is to write to until it is killed.
const childLibrary = "COPPICE_TEST_CHILD_LIBRARY"

// childIndex names the library whose index a child process builds again.
const childIndex = "COPPICE_TEST_CHILD_INDEX"

func TestMain(m *testing.M) {
	if path := os.Getenv(childLibrary); path != "" {
		writeForEver(path)
	}
	if path := os.Getenv(childIndex); path != "" {
		indexForEver(path)
	}
	if path := os.Getenv(childLeak); path != "" {
		useUntilKilled(path)
	}
	if path := os.Getenv(childWriter); path != "" {
		writeOnce(path)
	}
	if path := os.Getenv(childOlder); path != "" {
		writeAsOlder(path)
	}
	os.Exit(m.Run())
}

// writeForEver appends messages and prints which ones are safe.
func writeForEver(path string) {
	stop := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	stop(err)
	s, err := db.CreateSession(ctx, core.Session{})
	stop(err)
	fmt.Println(s.ID)
	parent := ""
	for i := 0; ; i++ {
		m := say(fmt.Sprintf("u%d", i), parent, core.RoleUser)
		m.Parts[0].Text = strings.Repeat(m.Parts[0].Text, 1+i%500)
		_, err := db.Append(ctx, s.ID, m)
		stop(err)
		fmt.Println(m.UID)
		if i%5 != 0 {
			parent = m.UID
		}
	}
}

// What Append has answered for survives the end of the process at any moment.
func TestKilledWhileAppending(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("kills by signal")
	}
	path := filepath.Join(t.TempDir(), "coppice.db")
	for _, after := range []int{1, 2, 7, 40, 150} {
		child := exec.Command(os.Args[0]) //nolint:gosec // this test program
		child.Env = append(os.Environ(), childLibrary+"="+path)
		out, err := child.StdoutPipe()
		check(t, err)
		check(t, child.Start())
		lines := bufio.NewScanner(out)
		lines.Scan()
		id := lines.Text()
		safe := []string{}
		for len(safe) < after && lines.Scan() {
			safe = append(safe, lines.Text())
		}
		check(t, child.Process.Kill())
		for lines.Scan() { // what it said before it died counts too
			safe = append(safe, lines.Text())
		}
		child.Wait() //nolint:errcheck // it was killed
		if len(safe) < after {
			t.Fatalf("the child wrote %d messages", len(safe))
		}
		db := openAt(t, path)
		s := must(db.Session(t.Context(), id))(t)
		if got := s.MessageCount - int64(len(safe)); got < 0 || got > 1 {
			t.Errorf("%d messages are there, %d were safe", s.MessageCount, len(safe))
		}
		for _, uid := range safe {
			if _, err := db.Message(t.Context(), id, uid); err != nil {
				t.Error(err)
			}
		}
		wantSound(t, db)
		if _, err := db.Append(t.Context(), id, say("more", s.HeadUID, core.RoleUser)); err != nil {
			t.Error(err)
		}
	}
}

func TestDiskFull(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("one", chain(3)...))
	limit := func(pages string) {
		var n int64
		check(t, writerOf(t, db).GetContext(t.Context(), &n, `PRAGMA max_page_count = `+pages))
	}
	limit("1") // as many as there are
	before := dump(t, db.FilePath(), true)
	big := say("big", "u2", core.RoleUser)
	big.Parts[0].Text = noise(200_000)
	_, err := db.Append(t.Context(), id, big)
	wantCode(t, err, core.Unavailable)
	if !strings.Contains(core.HintOf(err), "full") {
		t.Errorf("hint %q", core.HintOf(err))
	}
	_, err = core.Merge(t.Context(), db, incoming("two", big))
	if core.CodeOf(err) == "" {
		t.Error("a session fits on a full disk")
	}
	big.ParentUID = ""
	_, err = core.Merge(t.Context(), db, incoming("two", big))
	wantCode(t, err, core.Unavailable)
	if after := dump(t, db.FilePath(), true); after != before {
		t.Errorf("something was written:\n%s", after)
	}
	limit("1073741823")
	big.ParentUID = "u2"
	if _, err := db.Append(t.Context(), id, big); err != nil {
		t.Errorf("with room again: %v", err)
	}
	wantSound(t, db)
}

// noise makes text that cannot be compressed.
func noise(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(core.Hash([]byte{byte(i), byte(i >> 8)}))
	}
	return b.String()
}
