package sqlite

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/keyslot"
)

// Environment variables of a process that does everything with a library until it kills itself: the library, the operation during which it
// does so, and how long after the beginning of it.
const (
	childLeak = "COPPICE_TEST_CHILD_LEAK"
	killIn    = "COPPICE_TEST_KILL_IN"
	killAfter = "COPPICE_TEST_KILL_AFTER"
)

// useUntilKilled does with an encrypted library what writes to the disk, and prints each operation before it begins.
func useUntilKilled(path string) {
	ctx, secret := context.Background(), passphrase("library-passphrase")
	use := func(work func(db *DB) error) func() error {
		return func() error {
			db, err := Open(ctx, path, Options{})
			if err != nil {
				return err
			}
			return errors.Join(work(db), db.Close())
		}
	}
	if err := Unlock(path, secret); err != nil {
		fmt.Println("FAILED unlock:", err)
		os.Exit(1)
	}
	after, err := time.ParseDuration(os.Getenv(killAfter))
	if err != nil {
		fmt.Println("FAILED:", err)
		os.Exit(1)
	}
	for round := 0; ; round++ {
		for i, operation := range []struct {
			name string
			do   func() error
		}{
			{"import", use(func(db *DB) error {
				_, err := core.Merge(ctx, db, incoming(fmt.Sprint("a title that leaks", time.Now().UnixNano()), chain(60)...))
				return err
			})},
			{"index", use(func(db *DB) error { return errors.Join(db.RebuildIndex(ctx), db.Index(ctx, nil)) })},
			{"backup", use(func(db *DB) error { _, err := db.KeepBackup(ctx, core.BackupManual); return err })},
			{"copy", use(func(db *DB) error { return db.Backup(ctx, fmt.Sprint(path, ".copy", time.Now().UnixNano(), ".db")) })},
			{"recover", func() error {
				_, aside, err := RecoverInPlace(ctx, path, nil)
				return errors.Join(err, os.Remove(aside))
			}},
			{"rotate", func() error { return Rotate(ctx, path, keyslot.New(), secret) }},
			{"restore", func() error {
				list, err := Backups(path)
				if err != nil || len(list) == 0 {
					return err
				}
				_, err = Restore(ctx, path, list[0].Path)
				return err
			}},
			{"change", func() error { return ChangeKey(ctx, path, string(core.KeyPassphrase), secret) }},
		} {
			fmt.Println(operation.name)
			if operation.name == os.Getenv(killIn) && round+i > 0 { // it has used the library before
				time.AfterFunc(after, killSelf)
			}
			if err := operation.do(); err != nil {
				fmt.Println("FAILED", operation.name+":", err)
				os.Exit(1)
			}
		}
	}
}

// leaked returns the files below a folder that contain what sessions of these tests hold. Files may come and go meanwhile.
func leaked(t *testing.T, folder string) (found []string) {
	t.Helper()
	words := []string{"this is what", "a title that leaks", "SQLite format", "CREATE TABLE", "search_index", "library-passphrase"}
	check(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		for _, word := range words {
			for _, form := range []string{word, hex.EncodeToString([]byte(word))} {
				if bytes.Contains(data, []byte(form)) {
					found = append(found, fmt.Sprintf("%s contains %q", path, form))
				}
			}
		}
		return err
	}))
	return found
}

// killSelf ends this process as a crash does.
func killSelf() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
}

// TestNothingLeaks searches all files of an encrypted library, and temporary files, while a process works and after it was killed in each of
// its operations.
func TestNothingLeaks(t *testing.T) {
	skipEncrypted(t) // the other process knows the passphrase only
	folder := t.TempDir()
	path, temporary := filepath.Join(folder, "coppice.db"), filepath.Join(folder, "tmp")
	check(t, os.Mkdir(temporary, 0o700))
	check(t, CreateEncrypted(path, keyslot.New(), passphrase("library-passphrase")))
	for kills, operation := range []string{"index", "backup", "recover", "rotate", "restore", "import"} {
		c := exec.Command(os.Args[0]) //nolint:gosec // this test program
		after := time.Duration(kills*7) * time.Millisecond
		c.Env = append(os.Environ(), childLeak+"="+path, killIn+"="+operation, killAfter+"="+after.String(), "TMPDIR="+temporary, "SQLITE_TMPDIR="+temporary)
		out := must(os.Create(filepath.Join(t.TempDir(), "out")))(t)
		c.Stdout, c.Stderr = out, out
		check(t, c.Start())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = c.Wait() // it kills itself
		}()
		for isActive := true; isActive; {
			select {
			case <-ended:
				isActive = false
			default:
			}
			if found := leaked(t, folder); found != nil {
				t.Fatalf("until it was killed in %s: %v", operation, found)
			}
		}
		if log := must(os.ReadFile(out.Name()))(t); bytes.Contains(log, []byte("FAILED")) || !bytes.Contains(log, []byte(operation+"\n")) {
			t.Fatalf("the other process: %s", log)
		}
		check(t, out.Close())
		check(t, Unlock(path, passphrase("library-passphrase")))
		db := must(Open(t.Context(), path, Options{}))(t)
		if problems := must(db.Check(t.Context(), nil))(t); len(problems) > 0 {
			t.Errorf("killed in %s: %q", operation, problems)
		}
		check(t, db.Close())
	}
}
