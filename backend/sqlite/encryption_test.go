package sqlite

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/keyslot"
)

func passphrase(text string) Secret { return Secret{Kind: core.KeyPassphrase, Text: text} }

// skipEncrypted skips a test that begins with a plain library.
func skipEncrypted(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	check(t, conn.MakeFile(path))
	if must(IsEncrypted(path))(t) {
		t.Skip("every library is encrypted: see encrypt_tests_on.go")
	}
}

// wantNoText searches all files below a folder for what the sessions of these tests hold.
func wantNoText(t *testing.T, folder string) {
	t.Helper()
	words := []string{"this is what", "SQLite format", "CREATE TABLE", "search_index", "library-passphrase"}
	files := 0
	check(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, word := range words {
			for _, form := range []string{word, strings.ToUpper(word), hex.EncodeToString([]byte(word))} {
				if bytes.Contains(data, []byte(form)) {
					t.Errorf("%s contains %q", path, form)
				}
			}
		}
		return nil
	}))
	if files == 0 {
		t.Error("no files were searched")
	}
}

// TestEncrypt encrypts a library with backups, uses it, changes its keys and decrypts it.
func TestEncrypt(t *testing.T) {
	skipEncrypted(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "coppice.db")
	db := must(Open(t.Context(), path, Options{}))(t)
	id := merged(t, db, incoming("one", chain(50)...))
	check(t, db.Index(t.Context(), nil))
	must(db.KeepBackup(t.Context(), core.BackupDaily))(t)
	busy := Encrypt(t.Context(), path, keyslot.New(), passphrase("library-passphrase"))
	wantCode(t, busy, core.Busy)
	check(t, db.Close())

	check(t, Encrypt(t.Context(), path, keyslot.New(), passphrase("library-passphrase")))
	wantNoText(t, folder)
	wantCode(t, Encrypt(t.Context(), path, keyslot.New(), passphrase("x")), core.Conflict)
	db = must(Open(t.Context(), path, Options{}))(t)
	merged(t, db, incoming("two", chain(20)...))
	wantNoText(t, folder)
	must(db.KeepBackup(t.Context(), core.BackupManual))(t)
	check(t, db.Backup(t.Context(), filepath.Join(folder, "copy.db")))
	wantNoText(t, folder)
	if problems := must(db.Check(t.Context(), nil))(t); len(problems) > 0 {
		t.Error(problems)
	}
	check(t, db.Close())
	wantNoText(t, folder)

	Lock(path)
	if !must(IsLocked(path))(t) {
		t.Error("the library is not locked")
	}
	before := must(os.ReadFile(path))(t)
	_, err := Open(t.Context(), path, Options{Fallback: true})
	wantCode(t, err, core.Auth)
	wantCode(t, Unlock(path, passphrase("library-Passphrase")), core.Auth)
	if !bytes.Equal(before, must(os.ReadFile(path))(t)) {
		t.Error("a wrong passphrase changed the file")
	}
	check(t, Unlock(path, passphrase("library-passphrase")))
	code := keyslot.NewRecoveryCode()
	must(AddKey(t.Context(), path, Secret{Kind: core.KeyRecovery, Text: code}))(t)
	check(t, ChangeKey(t.Context(), path, "passphrase", passphrase("another")))
	copied := filepath.Join(folder, "copy.db")
	for _, b := range append(must(Backups(path))(t), core.Backup{Path: copied}) {
		Lock(path)
		opens := "another"
		if b.Path == copied { // nobody knows of it
			opens = "library-passphrase"
		}
		check(t, Unlock(b.Path, passphrase(opens)))
		if n := len(collect(t, must(Open(t.Context(), b.Path, Options{ReadOnly: true}))(t).Messages(t.Context(), id))); n != 50 {
			t.Errorf("%s has %d messages", b.Path, n)
		}
	}
	Lock(path)
	wantCode(t, Unlock(path, passphrase("library-passphrase")), core.Auth)
	check(t, Unlock(path, passphrase(code)))
	check(t, RemoveKey(t.Context(), path, "passphrase"))
	wantCode(t, RemoveKey(t.Context(), path, "recovery"), core.Conflict)

	check(t, os.Remove(copied))
	check(t, Decrypt(t.Context(), path))
	for _, name := range []string{path, must(Backups(path))(t)[0].Path} {
		if must(IsEncrypted(name))(t) {
			t.Errorf("%s is encrypted", name)
		}
	}
	db = must(Open(t.Context(), path, Options{}))(t)
	defer db.Close()
	if n := len(collect(t, db.Messages(t.Context(), id))); n != 50 {
		t.Errorf("%d messages", n)
	}
}

// TestRotate gives a library a new data key: what the former one opens is no longer there.
func TestRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	check(t, CreateEncrypted(path, keyslot.New(), passphrase("one"), Secret{Kind: core.KeyKeyring, Text: "stored"}))
	db := must(Open(t.Context(), path, Options{}))(t)
	id := merged(t, db, incoming("one", chain(10)...))
	must(db.KeepBackup(t.Context(), core.BackupDaily))(t)
	check(t, db.Close())
	former := must(cryptvfs.KeyOf(path))(t)
	check(t, Rotate(t.Context(), path, keyslot.New(), passphrase("two")))
	if must(cryptvfs.KeyOf(path))(t) == former {
		t.Error("the data key is the former one")
	}
	Lock(path)
	for text, code := range map[string]core.Code{"one": core.Auth, "two": ""} {
		wantCode(t, Unlock(path, passphrase(text)), code)
	}
	wantCode(t, Unlock(path, Secret{Kind: core.KeyKeyring, Text: "stored"}), core.Auth)
	for _, name := range []string{path, must(Backups(path))(t)[0].Path} {
		if n := len(collect(t, must(Open(t.Context(), name, Options{ReadOnly: true}))(t).Messages(t.Context(), id))); n != 10 {
			t.Errorf("%s has %d messages", name, n)
		}
	}
}

// TestEncryptionIsInterrupted stops conversions with a full disk or by cancelling, and expects a library that is as it was.
func TestEncryptionIsInterrupted(t *testing.T) {
	skipEncrypted(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "coppice.db")
	db := must(Open(t.Context(), path, Options{}))(t)
	id := merged(t, db, incoming("one", chain(50)...))
	check(t, db.Close())
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Encrypt(canceled, path, keyslot.New(), passphrase("one")); err == nil {
		t.Error("a canceled conversion ended well")
	}
	if must(IsEncrypted(path))(t) {
		t.Error("it is encrypted")
	}
	// What a process that was killed leaves: a part, and an original that was not destroyed.
	stray, aside := path+".new-20260101T000000.000Z", filepath.Join(folder, "coppice.converted-20260101T000000.000Z.db")
	check(t, Encrypt(t.Context(), path, keyslot.New(), passphrase("one")))
	check(t, os.WriteFile(stray, []byte("this is what was left"), 0o600))
	check(t, os.WriteFile(aside, []byte("this is what was left"), 0o600))
	db = must(Open(t.Context(), path, Options{}))(t)
	defer db.Close()
	wantNoText(t, folder)
	if n := len(collect(t, db.Messages(t.Context(), id))); n != 50 {
		t.Errorf("%d messages", n)
	}
}

// TestEncryptedPagesAreChecked changes pages of an encrypted library: the check names them, and nothing of them is read.
func TestEncryptedPagesAreChecked(t *testing.T) {
	folder := t.TempDir()
	path, other := filepath.Join(folder, "coppice.db"), filepath.Join(folder, "other.db")
	check(t, CreateEncrypted(path, keyslot.New(), passphrase("one")))
	db := must(Open(t.Context(), path, Options{}))(t)
	merged(t, db, incoming("one", chain(200)...))
	check(t, db.Backup(t.Context(), other))
	check(t, db.Close())
	sound, foreign := must(os.ReadFile(path))(t), must(os.ReadFile(other))(t)
	at := pagesAt(t, path)
	page := func(data []byte, n int) []byte { return data[at[n-1]:][:conn.PageSize] }
	last := len(at)
	for name, change := range map[string]func(data []byte){
		"a bit":          func(data []byte) { page(data, last)[17] ^= 8 },
		"another page":   func(data []byte) { copy(page(data, last), page(data, last-1)) },
		"a foreign page": func(data []byte) { copy(page(data, last), page(foreign, last)) },
		"zeros":          func(data []byte) { clear(page(data, last)) },
	} {
		t.Run(name, func(t *testing.T) {
			data := bytes.Clone(sound)
			change(data)
			check(t, os.WriteFile(path, data, 0o600))
			db := must(Open(t.Context(), path, Options{}))(t)
			problems := must(db.Check(t.Context(), nil))(t)
			if want := fmt.Sprintf("page %d is damaged or was changed", last); len(problems) == 0 || !strings.Contains(problems[0], want) {
				t.Errorf("problems %q, want %q", problems, want)
			}
			db.Close() //nolint:errcheck // the file is damaged
		})
	}
	check(t, os.WriteFile(path, sound[:len(sound)-conn.PageSize/2], 0o600))
	db, err := Open(t.Context(), path, Options{})
	if err == nil {
		if problems := must(db.Check(t.Context(), nil))(t); len(problems) == 0 {
			t.Error("a page that was cut off is not reported")
		}
		db.Close() //nolint:errcheck // the file is damaged
	}
}
