package archive_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// TestDivergedCopies lets a session grow on two machines: merged it has two branches and every message once, whichever
// comes first, and merging it again changes nothing.
func TestDivergedCopies(t *testing.T) {
	ctx := context.Background()
	home, away := openLibrary(t), openLibrary(t)
	original, err := core.Merge(ctx, home, small(0))
	if err != nil {
		t.Fatal(err)
	}
	id := original.SessionID
	readInto(t, away, write(t, home, []string{id}, false, archive.Options{}))
	for _, db := range []struct {
		library appender
		words   []string
	}{{home, []string{"at home", "again at home"}}, {away, []string{"on the way"}}} {
		parent := "s0-2"
		for _, text := range db.words {
			m, err := db.library.Append(ctx, id, core.Message{ParentUID: parent, Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: text}}, CreatedAtMs: now})
			if err != nil {
				t.Fatal(err)
			}
			parent = m.UID
		}
	}
	copyOfHome := write(t, home, []string{id}, false, archive.Options{})
	copyOfAway := write(t, away, []string{id}, true, archive.Options{})
	for range 2 {
		readInto(t, home, copyOfAway)
		readInto(t, away, copyOfHome)
	}
	for name, library := range map[string]archive.Library{"home": home, "away": away} {
		s, err := library.Session(ctx, id)
		if err != nil || s.MessageCount != 6 || s.BranchCount != 2 {
			t.Errorf("%s: %d messages in %d branches, %v", name, s.MessageCount, s.BranchCount, err)
		}
		var texts []string
		for m, err := range library.Messages(ctx, id) {
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, m.Text())
		}
		slices.Sort(texts)
		if want := []string{"again at home", "at home", "on the way", "words 0", "words 1", "words 2"}; !slices.Equal(texts, want) {
			t.Errorf("%s: %q", name, texts)
		}
	}
}

type appender interface {
	Append(ctx context.Context, sessionID string, m core.Message) (core.Message, error)
}

// TestNothingOfAFailedSession refuses a session in the middle of its messages.
func TestNothingOfAFailedSession(t *testing.T) {
	ctx := context.Background()
	db := openLibrary(t)
	data := bytes.Replace(three(t, false), []byte(`"uid":"s1-2"`), []byte(`"uid":"s1-1"`), 1)
	var problems []string
	file := core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data)), Problem: func(_ int64, m string) { problems = append(problems, m) }}
	for in, err := range archive.Read(ctx, file) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := core.Merge(ctx, db, in); err != nil {
			t.Fatal(err)
		}
	}
	stats, err := db.Stats(ctx)
	if err != nil || stats.Sessions != 2 || stats.Messages != 6 || len(problems) != 1 {
		t.Fatalf("%+v, %v, %q", stats, err, problems)
	}
}
