package sqlite

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/merge"
)

// chainOf yields a chain of n messages, and an error in the place of one; -1: none.
func chainOf(n, failsAt int, failure error) core.Incoming {
	in := incoming("long")
	in.Messages = func(yield func(core.IncomingMessage, error) bool) {
		parent := ""
		for i := range n {
			if i == failsAt {
				yield(core.IncomingMessage{}, failure)
				return
			}
			m := say(fmt.Sprintf("u%d", i), parent, core.RoleUser)
			parent = m.UID
			if !yield(core.IncomingMessage{Message: m}, nil) {
				return
			}
		}
	}
	in.Head = func() string { return "u0" }
	return in
}

// whileMerging runs act between two pieces of an import and ends the import once act is done. It fails if act had to wait until
// the last message of the import was written.
func whileMerging(t *testing.T, db *DB, in core.Incoming, act func() error) (core.Merged, error) {
	t.Helper()
	acted := make(chan error, 1)
	go func() {
		// The import has begun when it holds the writer: the iterator below runs ahead of it.
		for !db.library.File.Writing() {
			time.Sleep(time.Millisecond)
		}
		acted <- act()
	}()
	madeRoom := false
	whole := in.Messages
	in.Messages = func(yield func(core.IncomingMessage, error) bool) {
		n := 0
		for m, err := range whole {
			if n++; n > 1000 {
				time.Sleep(time.Millisecond) // a busy machine may need long to run act
			}
			if madeRoom = len(acted) > 0; madeRoom || !yield(m, err) {
				return
			}
		}
	}
	merged, err := core.Merge(t.Context(), db, in)
	check(t, <-acted)
	if err == nil && !madeRoom {
		t.Error("act waited for the end of the import")
	}
	return merged, err
}

// veryLong is how many messages an import has that whileMerging interrupts: at a millisecond each, half a minute.
const veryLong = 30_000

// A run that writes meanwhile does not wait for the end of a long import.
func TestMergeMakesRoomForAppend(t *testing.T) {
	db := openTest(t)
	other := must(db.CreateSession(t.Context(), core.Session{}))(t)
	got, err := whileMerging(t, db, chainOf(veryLong, -1, nil), func() error {
		_, err := db.Append(t.Context(), other.ID, say("x", "", core.RoleUser))
		return err
	})
	check(t, err)
	tree := must(db.Tree(t.Context(), got.SessionID))(t)
	if tree.Session.MessageCount != got.Added || tree.Head != "u0" {
		t.Errorf("%d of %d messages, head %s", tree.Session.MessageCount, got.Added, tree.Head)
	}
	wantSound(t, db)
}

// After an error the beginning of a long session is there, whole in itself, and the next import brings the rest.
func TestMergeContinuesAfterAPiece(t *testing.T) {
	db := openTest(t)
	merge.SetPatience(db.importStore, 0)
	broken := errors.New("the disk is gone")
	_, err := core.Merge(t.Context(), db, chainOf(200, 150, broken))
	if !errors.Is(err, broken) {
		t.Fatalf("the error is %v", err)
	}
	wantSound(t, db)
	sessions := must(db.Sessions(t.Context(), core.SessionFilter{}))(t)
	if len(sessions) != 1 || sessions[0].MessageCount == 0 || sessions[0].HeadUID != fmt.Sprintf("u%d", sessions[0].MessageCount-1) {
		t.Fatalf("left behind: %+v", sessions)
	}
	got := must(core.Merge(t.Context(), db, chainOf(200, -1, nil)))(t)
	if got.Created || got.SessionID != sessions[0].ID || got.Added != 200-sessions[0].MessageCount {
		t.Errorf("merged %+v, there were %d", got, sessions[0].MessageCount)
	}
	wantSound(t, db)
}

// A change made between two pieces of an import is not overwritten.
func TestMergeSeesWhatHappenedBetweenPieces(t *testing.T) {
	db := openTest(t)
	named := chainOf(veryLong, -1, nil)
	named.Session.Title = "the source's"
	merge.SetPatience(db.importStore, 0)
	id := merged(t, db, chainOf(10, -1, nil))
	merge.SetPatience(db.importStore, merge.Patience)
	got, err := whileMerging(t, db, named, func() error { return db.Rename(t.Context(), id, "mine") })
	check(t, err)
	if s := must(db.Session(t.Context(), got.SessionID))(t); s.Title != "mine" || s.MessageCount != 10+got.Added {
		t.Errorf("%d messages, title %q", s.MessageCount, s.Title)
	}
	_, err = whileMerging(t, db, chainOf(veryLong+1000, -1, nil), func() error {
		_, err := db.Append(t.Context(), id, say("own", "u0", core.RoleUser))
		return err
	})
	if core.CodeOf(err) != core.Conflict {
		t.Errorf("the error is %v", err)
	}
	wantSound(t, db)
}
