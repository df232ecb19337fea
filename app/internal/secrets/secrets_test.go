package secrets

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

const (
	password = "hunter2-Zx81Qq"
	token    = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
)

// put stores a session with a message for each text.
func put(t testing.TB, db *sqlite.DB, id string, texts ...string) string {
	t.Helper()
	merged, err := core.Merge(t.Context(), db, core.Incoming{
		Header: core.Header{Session: core.Session{Source: core.SourceClaudeCode, SourceID: id, Title: id}},
		Messages: func(yield func(core.IncomingMessage, error) bool) {
			parent := ""
			for i, text := range texts {
				m := core.Message{UID: fmt.Sprint(id, i), ParentUID: parent, Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: text}}, CreatedAtMs: int64(i + 1)}
				parent = m.UID
				if !yield(core.IncomingMessage{Message: m}, nil) {
					return
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return merged.SessionID
}

func scan(t testing.TB, db *sqlite.DB) Result {
	t.Helper()
	return apptest.Must(apptest.Must(New(t.Context(), db))(t).Scan(t.Context(), nil, nil))(t)
}

func TestScan(t *testing.T) {
	db := apptest.OpenLibrary(t)
	one := put(t, db, "one", "password = "+password, "nothing", "again: DB_PASSWORD="+password+" and "+token)
	two := put(t, db, "two", "export GITHUB_TOKEN="+token+" and "+token)
	put(t, db, "three", "no secret here")
	if got := scan(t, db); got.Scanned != 3 || got.Failed != 0 {
		t.Errorf("%+v", got)
	}
	secrets, total, err := db.Secrets(t.Context(), 10)
	if err != nil || total != 2 || len(secrets) != 2 {
		t.Fatalf("%d of %d, %v", len(secrets), total, err)
	}
	if s := secrets[0]; s.Sessions != 2 || s.Count != 3 || len(s.Places) != 2 {
		t.Errorf("the token: %+v", s)
	}
	if s := secrets[1]; s.Sessions != 1 || s.Count != 2 || len(s.Places) != 2 || s.Places[0].Seq != 0 || s.Places[1].Seq != 2 || s.Places[0].SessionID != one {
		t.Errorf("the password: %+v", s)
	}
	if ids := apptest.Must(db.SessionsWithSecrets(t.Context()))(t); len(ids) != 2 || ids[0] != one || ids[1] != two {
		t.Errorf("sessions %v", ids)
	}
	// Only what has changed is scanned again, and secrets keep their ids.
	put(t, db, "three", "no secret here", "but now: password = "+password)
	if got := scan(t, db); got.Scanned != 1 {
		t.Errorf("%+v", got)
	}
	again, _, err := db.Secrets(t.Context(), 10)
	if err != nil || again[1].Sessions != 2 || again[1].ID != secrets[0].ID && again[1].ID != secrets[1].ID {
		t.Errorf("%+v, %v", again, err)
	}
	if got := scan(t, db); got.Scanned != 0 {
		t.Errorf("nothing has changed: %+v", got)
	}
}

// The library holds a secret only where it was: not with the results of the scan.
func TestNoSecretIsStored(t *testing.T) {
	db := apptest.OpenLibrary(t)
	put(t, db, "one", "password = "+password)
	before := occurrences(t, db)
	scan(t, db)
	if after := occurrences(t, db); after != before {
		t.Errorf("the file has the secret %d times, before the scan %d times", after, before)
	}
}

func occurrences(t testing.TB, db *sqlite.DB) int {
	t.Helper()
	count := 0
	for _, file := range []string{db.FilePath(), db.FilePath() + "-wal"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		count = max(count, bytes.Count(data, []byte(password)))
	}
	return count
}

// A session whose scan fails counts as not scanned, and the others are scanned. A scan that was stopped continues where it was.
func TestFailuresAndStops(t *testing.T) {
	db := apptest.OpenLibrary(t)
	for i := range 5 {
		put(t, db, fmt.Sprint("s", i), fmt.Sprint("text ", i, " password = ", password))
	}
	s := apptest.Must(New(t.Context(), db))(t)
	inner := s.find
	s.find = func(m core.Message, found func(string)) {
		if strings.Contains(m.Text(), "text 2") {
			panic("a rule fails")
		}
		inner(m, found)
	}
	ctx, stop := context.WithCancel(t.Context())
	steps := 0
	if _, err := s.Scan(ctx, nil, func(time.Duration) {
		if steps++; steps == 2 {
			stop()
		}
	}); err == nil {
		t.Error("a scan that was stopped ended without an error")
	}
	result, err := s.Scan(t.Context(), nil, nil)
	if err == nil || result.Failed != 1 || result.Scanned > 3 {
		t.Errorf("%+v, %v", result, err)
	}
	if left := apptest.Must(db.UnscannedSessions(t.Context(), Version))(t); len(left) != 1 {
		t.Errorf("%d sessions left", len(left))
	}
	if got := scan(t, db); got.Scanned != 1 {
		t.Errorf("%+v", got)
	}
}
