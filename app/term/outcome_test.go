package term

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/find"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// The printed resume command names one session only, even if another session was created in the same millisecond.
func TestResumeCommandMeansOneSession(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "coppice.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const one, other = "019cbd39-c208-7000-8000-000000000001", "019cbd39-c208-7000-9000-000000000002"
	for _, id := range []string{one, other} {
		if _, err := db.CreateSession(t.Context(), core.Session{ID: id, Title: "A session"}); err != nil {
			t.Fatal(err)
		}
	}
	s := &Shell{Terminal: Terminal{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}}
	typed := strings.TrimPrefix(s.resumeCommand(t.Context(), db, one), "coppice resume ")
	if found, err := find.Session(t.Context(), db, typed); err != nil || found.ID != one || typed == one {
		t.Errorf("%s means %s: %v", typed, found.ID, err)
	}
}
