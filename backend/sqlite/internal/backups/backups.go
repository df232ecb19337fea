// Package backups makes, verifies and restores backups, and replaces the file of a library.
package backups

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// stampLayout is the time in a backup's name, in UTC.
const stampLayout = "20060102T150405.000Z"

// backupName is the name of a verified backup, behind that of its library: coppice-daily-20260302T090005.000Z.db.
var backupName = lazyregexp.New(`^(daily|migration|manual)-(\d{8}T\d{6}\.\d{3}Z)\.db$`)

// Folder returns the folder that holds the backups of the library at path.
func Folder(path string) string { return filepath.Join(filepath.Dir(path), "backups") }

// backupPrefix returns how the names of the backups of one library begin; others may be in the same folder.
func backupPrefix(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + "-"
}

// Backups lists the backups of the library at path, the newest first. The library need not be one that can be opened.
func Backups(path string) ([]core.Backup, error) {
	list := []core.Backup{}
	entries, err := os.ReadDir(Folder(path))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err = nil, nil
	}
	if err != nil {
		return list, conn.Fail(err, "list the backups of %s", path)
	}
	for _, entry := range entries {
		rest, ours := strings.CutPrefix(entry.Name(), backupPrefix(path))
		if b, ok := backupOf(rest); ours && ok && entry.Type().IsRegular() {
			b.Path = filepath.Join(Folder(path), entry.Name())
			list = append(list, b)
		}
	}
	list = append(list, olderBackups(path)...)
	for i := range list {
		if info, err := os.Stat(list[i].Path); err == nil {
			list[i].SizeBytes = info.Size()
		}
	}
	slices.SortFunc(list, func(a, b core.Backup) int { return cmp.Compare(b.CreatedAtMs, a.CreatedAtMs) })
	return list, nil
}

func backupOf(name string) (core.Backup, bool) {
	match := backupName.FindStringSubmatch(name)
	if match == nil {
		return core.Backup{}, false
	}
	at, err := time.Parse(stampLayout, match[2])
	return core.Backup{Kind: core.BackupKind(match[1]), CreatedAtMs: at.UnixMilli(), Verified: true}, err == nil
}

// olderBackups lists what earlier versions have put beside the library before a migration: NAME.v12-TIME.backup.
func olderBackups(path string) (list []core.Backup) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		name, isBackup := strings.CutSuffix(entry.Name(), ".backup")
		rest, ours := strings.CutPrefix(name, filepath.Base(path)+".v")
		_, stamp, dated := strings.Cut(rest, "-")
		at, err := time.Parse(stampLayout, stamp)
		if isBackup && ours && dated && err == nil {
			list = append(list, core.Backup{Path: filepath.Join(filepath.Dir(path), entry.Name()), Kind: core.BackupMigration, CreatedAtMs: at.UnixMilli()})
		}
	}
	return list
}

// KeepBackup makes a backup in the folder of backups, verifies it and removes those that are no longer kept.
// Busy if another process is making one.
func (db *Store) KeepBackup(ctx context.Context, kind core.BackupKind) (core.Backup, error) {
	b, err := db.keepBackup(ctx, kind)
	return b, conn.Fail(conn.Explain(err, db.FilePath()), "back up the library %s", db.FilePath())
}

func (db *Store) keepBackup(ctx context.Context, kind core.BackupKind) (b core.Backup, err error) {
	folder := Folder(db.FilePath())
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return b, err
	}
	lock := flock.New(filepath.Join(folder, ".lock"), flock.SetPermissions(0o600))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return b, cmp.Or(err, error(core.E(core.Busy, "another process is making a backup")))
	}
	defer lock.Close() //nolint:errcheck // the process's end unlocks it too
	before, err := db.stats(ctx)
	if err != nil {
		return b, err
	}
	if free := conn.FreeBytes(folder); free < before.SizeBytes+before.SizeBytes/8+conn.FullBytes {
		return b, core.E(core.Unavailable, "%s has too little room for a backup of %d bytes", folder, before.SizeBytes).WithHint("make room on the disk")
	}
	b = core.Backup{Kind: kind, CreatedAtMs: db.Now(), Verified: true}
	b.Path = NameBackup(db.FilePath(), kind, b.CreatedAtMs)
	counts := func() (n BackupCounts, err error) {
		err = db.Read(ctx, func(t *store.Txn) error { return t.Get(ctx, &n, CountBackup) })
		return n, err
	}
	if b.SizeBytes, err = WriteBackup(ctx, b.Path, counts, func(part string) error { return BackUpFile(ctx, db.Library, part) }); err != nil {
		return b, err
	}
	return b, removeOld(db.FilePath(), b.CreatedAtMs)
}

func (db *Store) stats(ctx context.Context) (stats core.Stats, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		stats, err = tables.ReadStats(ctx, t.Tx)
		return err
	})
	return stats, err
}

// NameBackup returns the path of a backup of the library at path, made at a time.
func NameBackup(path string, kind core.BackupKind, atMs int64) string {
	return filepath.Join(Folder(path), backupPrefix(path)+string(kind)+"-"+Stamp(atMs)+".db")
}

// BackupCounts are what a backup is compared by.
type BackupCounts struct{ Sessions, Messages int64 }

// CountBackup selects the BackupCounts of a library.
const CountBackup = `SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM messages) AS messages`

// WriteBackup makes a backup beside its place, verifies it, and moves it there. What others write meanwhile may be in it or not.
func WriteBackup(ctx context.Context, path string, counts func() (BackupCounts, error), write func(part string) error) (size int64, err error) {
	part := path + ".new"
	defer os.Remove(part) //nolint:errcheck // it is not there if all went well
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	before, err := counts()
	if err != nil {
		return 0, err
	}
	if err := write(part); err != nil {
		return 0, err
	}
	after, err := counts()
	if err != nil {
		return 0, err
	}
	copied, err := verifyBackup(ctx, part)
	if err != nil {
		return 0, err
	}
	if !between(before.Sessions, copied.Sessions, after.Sessions) || !between(before.Messages, copied.Messages, after.Messages) {
		return 0, core.E(core.Corrupt, "the backup has %d messages, the library has %d", copied.Messages, after.Messages)
	}
	info, err := os.Stat(part)
	if err != nil {
		return 0, err
	}
	return info.Size(), os.Rename(part, path)
}

func between(a, n, b int64) bool { return min(a, b) <= n && n <= max(a, b) }

// verifyBackup reads a backup whole and returns what it holds; Corrupt if it is damaged, Invalid if it is no library.
func verifyBackup(ctx context.Context, path string) (n BackupCounts, err error) {
	if err := conn.Unlock(path); err != nil {
		return n, err
	}
	defer cryptvfs.Forget(path)
	db, err := conn.ConnectBy(ctx, path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"temp_store(MEMORY)"}})
	if err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var id int64
	if err := db.GetContext(ctx, &id, `PRAGMA application_id`); err != nil {
		return n, err
	}
	if id != ApplicationID {
		return n, core.E(core.Invalid, "%s is not a Coppice library", path)
	}
	var lines []string
	if err := db.SelectContext(ctx, &lines, `PRAGMA quick_check(1)`); err != nil {
		return n, err
	}
	if !slices.Equal(lines, []string{"ok"}) {
		return n, core.E(core.Corrupt, "%s is damaged: %s", path, strings.Join(lines, "; "))
	}
	return n, db.GetContext(ctx, &n, CountBackup)
}

// Verify reads a library that is not in use whole, and returns what is wrong with it. A file that was never opened is sound.
func Verify(ctx context.Context, path string) error {
	db, err := conn.ConnectBy(ctx, path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"temp_store(MEMORY)"}})
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it only read
	var lines []string
	if err := db.SelectContext(ctx, &lines, `PRAGMA integrity_check(1)`); err != nil {
		return err
	}
	if !slices.Equal(lines, []string{"ok"}) {
		return core.E(core.Corrupt, "%s is damaged: %s", path, strings.Join(lines, "; ")).WithRemedy(core.CheckLibrary)
	}
	return nil
}

// What is kept of the backups.
const (
	keptDaily      = 7
	keptWeekly     = 4
	keptMigrations = 2
	keptManual     = 5
	KeptBytes      = 20 << 30
)

// removeOld removes the backups that are no longer kept.
func removeOld(path string, nowMs int64) error {
	list, err := Backups(path)
	var errs []error
	for _, b := range Superfluous(list, nowMs) {
		errs = append(errs, os.Remove(b.Path))
	}
	return errors.Join(append(errs, err)...)
}

// Superfluous returns the backups that are not kept, of a list with the newest first: of each day the newest, of the last seven that
// have one; before these of each week the newest, four weeks long; two of migrations, five of the user. Of all together the newest
// that fit into KeptBytes, but always one.
func Superfluous(list []core.Backup, nowMs int64) (gone []core.Backup) {
	days, weeks, others := map[string]bool{}, map[string]bool{}, map[core.BackupKind]int{}
	bytes := int64(0)
	for i, b := range list {
		at := time.UnixMilli(b.CreatedAtMs)
		day := at.Format(time.DateOnly)
		year, number := at.ISOWeek()
		week := fmt.Sprint(year, number)
		var kept bool
		switch b.Kind {
		case core.BackupDaily:
			isNewDay := !days[day] && len(days) < keptDaily
			isNewWeek := !days[day] && !weeks[week] && nowMs-b.CreatedAtMs < (keptWeekly+1)*7*24*time.Hour.Milliseconds()
			if kept = isNewDay || isNewWeek; isNewDay {
				days[day] = true
			}
			weeks[week] = true
		case core.BackupMigration:
			others[b.Kind]++
			kept = others[b.Kind] <= keptMigrations
		default:
			others[b.Kind]++
			kept = others[b.Kind] <= keptManual
		}
		if kept && (i == 0 || bytes+b.SizeBytes <= KeptBytes) {
			bytes += b.SizeBytes
			continue
		}
		gone = append(gone, b)
	}
	return gone
}

// backupsSetting is the setting that turns the daily backups off.
const backupsSetting = "backups"

// DailyBackups reports whether a backup is made each day.
func (db *Store) DailyBackups(ctx context.Context) (bool, error) {
	value, err := tables.ReadSetting(ctx, db.Library, backupsSetting)
	return value != "off", err
}

// SetDailyBackups turns the daily backups on or off.
func (db *Store) SetDailyBackups(ctx context.Context, on bool) error {
	if on {
		return tables.StoreSetting(ctx, db.Library, backupsSetting, "")
	}
	return tables.StoreSetting(ctx, db.Library, backupsSetting, "off")
}

// BackupDue reports whether today's backup is missing: daily backups are on, the library holds something, and none was made today.
func (db *Store) BackupDue(ctx context.Context) (bool, error) {
	on, err := db.DailyBackups(ctx)
	if err != nil || !on || db.Refusal() != nil {
		return false, err
	}
	list, err := Backups(db.FilePath())
	if err != nil {
		return false, err
	}
	today := time.UnixMilli(db.Now()).Format(time.DateOnly)
	for _, b := range list {
		if b.Verified && time.UnixMilli(b.CreatedAtMs).Format(time.DateOnly) == today {
			return false, nil
		}
	}
	stats, err := db.stats(ctx)
	return stats.Sessions > 0, conn.Fail(err, "see whether a backup is due")
}

// ApplicationID marks the file as ours: "copp". See https://sqlite.org/pragma.html#pragma_application_id.
const ApplicationID = 0x636f7070

// Stamp returns a time, in Unix milliseconds, as the names of backups contain it: UTC, sorted as text like the times.
func Stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("20060102T150405.000Z") }
