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

// childLeak is the environment variable that names the library of a process which does everything with it until it is killed.
const childLeak = "COPPICE_TEST_CHILD_LEAK"

// useForEver does with an encrypted library what writes to the disk, and prints each operation before it begins.
func useForEver(path string) {
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
	for {
		for _, operation := range []struct {
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

// TestNothingLeaks searches all files of an encrypted library, and temporary files, while a process works and after it was killed in each of
// its operations.
func TestNothingLeaks(t *testing.T) {
	skipEncrypted(t) // the other process knows the passphrase only
	folder := t.TempDir()
	path, temporary := filepath.Join(folder, "coppice.db"), filepath.Join(folder, "tmp")
	check(t, os.Mkdir(temporary, 0o700))
	check(t, CreateEncrypted(path, keyslot.New(), passphrase("library-passphrase")))
	for kills, killIn := range []string{"index", "backup", "recover", "rotate", "restore", "import"} {
		c := exec.Command(os.Args[0]) //nolint:gosec // this test program
		c.Env = append(os.Environ(), childLeak+"="+path, "TMPDIR="+temporary, "SQLITE_TMPDIR="+temporary)
		out := must(os.Create(filepath.Join(t.TempDir(), "out")))(t)
		c.Stdout, c.Stderr = out, out
		check(t, c.Start())
		for end := time.Now().Add(2 * time.Minute); ; {
			if found := leaked(t, folder); found != nil {
				t.Fatalf("while it works: %v", found)
			}
			log := must(os.ReadFile(out.Name()))(t)
			if bytes.Contains(log, []byte("FAILED")) || time.Now().After(end) {
				t.Fatalf("the other process: %s", log)
			}
			if at := bytes.LastIndex(log, []byte("\n"+killIn+"\n")); at >= 0 && bytes.HasSuffix(log, []byte("\n"+killIn+"\n")) {
				time.Sleep(time.Duration(kills*7) * time.Millisecond)
				break
			}
		}
		check(t, c.Process.Kill())
		_ = c.Wait() // it was killed
		check(t, out.Close())
		if found := leaked(t, folder); found != nil {
			t.Fatalf("killed in %s: %v", killIn, found)
		}
		check(t, Unlock(path, passphrase("library-passphrase")))
		db := must(Open(t.Context(), path, Options{}))(t)
		if problems := must(db.Check(t.Context(), nil))(t); len(problems) > 0 {
			t.Errorf("killed in %s: %q", killIn, problems)
		}
		check(t, db.Close())
	}
}
