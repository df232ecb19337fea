package library

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// TestBackUpDailyForWeeks keeps a library open for three weeks of simulated time.
func TestBackUpDailyForWeeks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "coppice.db")
		db := apptest.Must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
		apptest.Must(db.CreateSession(t.Context(), core.Session{Title: "one"}))(t)
		ctx, cancel := context.WithCancel(t.Context())
		go BackUpDaily(ctx, db, 0, func(err error) { t.Error(err) })
		time.Sleep(20*24*time.Hour + 12*time.Hour)
		cancel()
		synctest.Wait()
		days := map[string]bool{}
		list := apptest.Must(sqlite.Backups(path))(t)
		for _, b := range list {
			days[time.UnixMilli(b.CreatedAtMs).Format(time.DateOnly)] = true
		}
		for ago := range 7 {
			day := time.Now().AddDate(0, 0, -ago).Format(time.DateOnly)
			if !days[day] {
				t.Errorf("no backup of %s", day)
			}
		}
		if len(list) != len(days) || len(list) < 8 || len(list) > 10 {
			t.Errorf("%d backups of %d days", len(list), len(days))
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestBackUpDailyReportsOnce makes backups fail for a day, and again after a success.
func TestBackUpDailyReportsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := apptest.Must(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "coppice.db"), sqlite.Options{}))(t)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := 0
		go BackUpDaily(ctx, db, 0, func(error) { failed++ })
		time.Sleep(24 * time.Hour)
		cancel()
		synctest.Wait()
		if failed != 1 {
			t.Errorf("reported %d times", failed)
		}
	})
}
