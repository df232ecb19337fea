package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/backups"
)

func TestBackupsAreVerifiedAndListed(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	if due := must(db.BackupDue(t.Context()))(t); due {
		t.Error("a backup of an empty library is due")
	}
	id := merged(t, db, incoming("one", chain(5)...))
	if due := must(db.BackupDue(t.Context()))(t); !due {
		t.Error("no backup is due")
	}
	made := must(db.KeepBackup(t.Context(), core.BackupDaily))(t)
	if due := must(db.BackupDue(t.Context()))(t); due {
		t.Error("a second one is due")
	}
	for path, want := range map[string]os.FileMode{made.Path: 0o600, filepath.Dir(made.Path): 0o700} {
		if info := must(os.Stat(path))(t); runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
	}
	list := must(backups.Backups(db.FilePath()))(t)
	if len(list) != 1 || list[0] != made || !list[0].Verified || list[0].SizeBytes == 0 {
		t.Errorf("list %+v, made %+v", list, made)
	}
	copied := openAt(t, made.Path)
	if got := collect(t, copied.Messages(t.Context(), id)); len(got) != 5 {
		t.Errorf("%d messages", len(got))
	}
	check(t, db.SetDailyBackups(t.Context(), false))
	check(t, os.Remove(made.Path))
	if due := must(db.BackupDue(t.Context()))(t); due {
		t.Error("one is due though they are off")
	}
}

// TestDamagedBackupDoesNotCount damages the source in a way that a copy takes along.
func TestDamagedBackupDoesNotCount(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	merged(t, db, incoming("one", chain(5)...))
	path := filepath.Join(t.TempDir(), "copy.db")
	counts := func() (backups.BackupCounts, error) { return backups.BackupCounts{Sessions: 1, Messages: 5}, nil }
	_, err := backups.WriteBackup(t.Context(), path, counts, func(part string) error { return os.WriteFile(part, make([]byte, 9000), 0o600) })
	if err == nil {
		t.Error("zeros were taken for a backup")
	}
	few := func() (backups.BackupCounts, error) { return backups.BackupCounts{Sessions: 1, Messages: 4}, nil }
	_, err = backups.WriteBackup(t.Context(), path, few, func(part string) error { return backups.BackUpFile(t.Context(), db.library, part) })
	wantCode(t, err, core.Corrupt)
	if left := must(filepath.Glob(filepath.Join(filepath.Dir(path), "*")))(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhichBackupsAreKept(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.Local)
	var list []core.Backup
	for day := range 60 {
		list = append(list, core.Backup{Kind: core.BackupDaily, CreatedAtMs: now.AddDate(0, 0, -day).UnixMilli(), SizeBytes: 1})
	}
	for n := range 4 {
		list = append(list, core.Backup{Kind: core.BackupMigration, CreatedAtMs: now.AddDate(0, -6, -n).UnixMilli(), SizeBytes: 1})
	}
	gone := backups.Superfluous(list, now.UnixMilli())
	kept := map[core.BackupKind]int{core.BackupDaily: 60, core.BackupMigration: 4}
	for _, b := range gone {
		kept[b.Kind]--
	}
	if kept[core.BackupDaily] < 10 || kept[core.BackupDaily] > 12 || kept[core.BackupMigration] != 2 {
		t.Errorf("kept %v", kept)
	}
	for i := range list[:3] {
		list[i].SizeBytes = backups.KeptBytes
	}
	if gone := backups.Superfluous(list[:3], now.UnixMilli()); len(gone) != 2 || gone[0] != list[1] {
		t.Errorf("of three that are too large %v are removed", gone)
	}
}

func TestRestore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := must(Open(t.Context(), path, Options{}))(t)
	id := merged(t, db, incoming("one", chain(5)...))
	backup := must(db.KeepBackup(t.Context(), core.BackupManual))(t)
	must(db.Append(t.Context(), id, say("later", "u4", core.RoleUser)))(t)
	check(t, db.Close())
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	check(t, os.WriteFile(damaged, []byte(strings.Repeat("no library ", 1000)), 0o600))
	_, err := backups.Restore(t.Context(), path, damaged)
	wantCode(t, err, core.Corrupt)
	aside := must(backups.Restore(t.Context(), path, backup.Path))(t)
	for file, want := range map[string]int{path: 5, aside: 6} {
		if got := collect(t, openAt(t, file).Messages(t.Context(), id)); len(got) != want {
			t.Errorf("%s has %d messages, want %d", file, len(got), want)
		}
	}
}

func TestRecoverInPlace(t *testing.T) {
	t.Parallel()
	path, texts := realLibrary(t, t.TempDir())
	data := must(os.ReadFile(path))(t)
	clear(data[pagesAt(t, path)[0]:][:testPageSize])
	check(t, os.WriteFile(path, data, 0o600))
	report, aside, err := RecoverInPlace(t.Context(), path, nil)
	check(t, err)
	if kept := must(os.ReadFile(aside))(t); string(kept) != string(data) {
		t.Error("the damaged file was changed")
	}
	if saved := textsOf(t, openAt(t, path)); len(saved) != len(texts) || report.Messages != int64(len(texts)) {
		t.Errorf("saved %d of %d", len(saved), len(texts))
	}
	if left := must(filepath.Glob(path + ".new*"))(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	other := must(backups.SetAside(aside))(t)
	if info := must(os.Stat(aside))(t); info.Size() > cryptvfs.HeaderSize || !strings.Contains(other, "damaged-") {
		t.Errorf("%d bytes are left in place of %s", info.Size(), other)
	}
}
