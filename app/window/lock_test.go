package window

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"coppice/app/internal/apptest"
	"coppice/app/internal/library"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func stateNow(t *testing.T, b *bindings) string {
	t.Helper()
	return apptest.Must(b.GetLibraryState())(t).State
}

// TestEncryptedWindow encrypts the library of a window, locks it in each way and unlocks it.
func TestEncryptedWindow(t *testing.T) {
	keyring.MockInit()
	path := closedSamples(t, core.BackupDaily)
	b := newBindings(&quietHost{}, windowStateFile(filepath.Join(t.TempDir(), "window.json")))
	b.library.start(t.Context(), path)
	page := newAssets(b.program, true)
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	sessions := sessionsOf(t, b)
	if err := b.LockLibrary(); core.CodeOf(err) != core.Invalid {
		t.Errorf("locking a plain library: %v", err)
	}
	code, answer := post(t, page, encryptPath+"?keyring=1", "the passphrase")
	recovery := strings.Trim(answer, "\"\n")
	if code != http.StatusOK || len(recovery) != 44 {
		t.Fatalf("encrypting: %d %s", code, answer)
	}
	if encrypted := apptest.Must(sqlite.IsEncrypted(path))(t); !encrypted || sessionsOf(t, b) != sessions {
		t.Errorf("encrypted: %v", encrypted)
	}

	lock := func() {
		t.Helper()
		if err := b.LockLibrary(); err != nil {
			t.Fatal(err)
		}
		if state := apptest.Must(b.GetLibraryState())(t); state.State != libraryLocked || !state.InKeyring || !state.Encrypted {
			t.Fatalf("state %+v", state)
		}
		if _, err := b.ListSessions(core.SessionFilter{Limit: 10}); err == nil {
			t.Error("sessions of a locked library are listed")
		}
	}
	lock()
	if code, answer := post(t, page, unlockPath, "another"); code == http.StatusOK || !strings.Contains(answer, `"auth"`) || stateNow(t, b) != libraryLocked {
		t.Errorf("a wrong passphrase: %d %s", code, answer)
	}
	for _, secret := range []string{"the passphrase", recovery} {
		if code, answer := post(t, page, unlockPath, secret); code != http.StatusOK || sessionsOf(t, b) != sessions {
			t.Errorf("unlocking: %d %s", code, answer)
		}
		lock()
	}
	if err := b.UnlockByKeyring(); err != nil || sessionsOf(t, b) != sessions {
		t.Errorf("unlocking by the keyring: %v", err)
	}
	if code, answer := post(t, page, passphrasePath, "a new one"); code != http.StatusOK || sessionsOf(t, b) != sessions {
		t.Errorf("changing the passphrase: %d %s", code, answer)
	}
	// Another process asks for it.
	if err := library.RequestLock(path, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); stateNow(t, b) != libraryLocked && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
	}
	if stateNow(t, b) != libraryLocked {
		t.Error("the library was not locked")
	}
	if code, answer := post(t, page, unlockPath, "the passphrase"); code == http.StatusOK {
		t.Errorf("the former passphrase: %s", answer)
	}
	if code, answer := post(t, page, unlockPath, "a new one"); code != http.StatusOK || sessionsOf(t, b) != sessions {
		t.Errorf("the new passphrase: %d %s", code, answer)
	}
}

// TestWindowStartsWithKeyring opens a window on an encrypted library whose key is in the keyring, and on one whose key is not.
func TestWindowStartsWithKeyring(t *testing.T) {
	keyring.MockInit()
	path := closedSamples(t, core.BackupDaily)
	slots := &sqlite.Slots{Version: 1, ID: "0123"}
	secret := apptest.Must(library.KeyringSecret(slots))(t)
	if err := sqlite.Encrypt(t.Context(), path, slots, secret); err != nil {
		t.Fatal(err)
	}
	for _, stored := range []bool{true, false} {
		sqlite.Lock(path)
		if !stored {
			if err := library.ForgetKeyring(slots); err != nil {
				t.Fatal(err)
			}
		}
		b := newBindings(&quietHost{}, windowStateFile(filepath.Join(t.TempDir(), "window.json")))
		b.library.start(t.Context(), path)
		if got := stateNow(t, b); (got == libraryOpen) != stored {
			t.Errorf("with a key in the keyring %v: %s", stored, got)
		}
		if err := b.close(); err != nil {
			t.Error(err)
		}
	}
}
