package archive_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// restored makes a session whose run was stopped with a queued message, and in which the user has restored checkpoints.
func restored(t testing.TB, db *sqlite.DB) {
	t.Helper()
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	worked(t, db)
	check(db.Enqueue(ctx, core.QueuedMessage{UID: "queued-1", RunID: "run-1", Parts: []core.Part{{Type: core.PartText, Text: "And <hurry>."}}, Cites: []string{"a"}, CreatedAtMs: 7}))
	check(db.Enqueue(ctx, core.QueuedMessage{UID: "queued-2", RunID: "run-1", Parts: []core.Part{{Type: core.PartText, Text: "Please."}}, CreatedAtMs: 8}))
	check(db.EndRun(ctx, "run-1", core.StatusInterrupted, core.StopUserInterrupt, ""))
	_, err := db.NameCheckpoint(ctx, ran, "p", "asked")
	check(err)
	for _, ref := range []string{"asked", "c1", "asked"} {
		_, err = db.RestoreCheckpoint(ctx, ran, ref)
		check(err)
	}
	_, err = db.UndoRestore(ctx, ran)
	check(err)
}

// TestRestoresRoundTrip exports restored checkpoints, the states of a split session and queued messages: the same bytes after an import and
// after another one, the restores can be undone, and the messages are still queued.
func TestRestoresRoundTrip(t *testing.T) {
	ctx := context.Background()
	for _, asLines := range []bool{false, true} {
		first, second := openLibrary(t), openLibrary(t)
		restored(t, first)
		split, err := first.Split(ctx, ran, "a", "The other way")
		if err != nil {
			t.Fatal(err)
		}
		ids := []string{ran, split.ID}
		want := write(t, first, ids, asLines, archive.Options{})
		for range 2 {
			readInto(t, second, want)
			if got := write(t, second, ids, asLines, archive.Options{}); !bytes.Equal(got, want) {
				t.Fatal(difference(want, got))
			}
		}
		if state, ok, err := second.StateAt(ctx, split.ID, ""); err != nil || !ok || state.System == "" || !state.Imported {
			t.Errorf("the split session continues with %+v, %t, %v", state, ok, err)
		}
		if all, err := second.Checkpoints(ctx, split.ID, core.CheckpointFilter{}); err != nil || len(all) == 0 {
			t.Errorf("checkpoints of the split session: %+v, %v", all, err)
		}
		left, err := second.Queued(ctx, ran)
		if err != nil || len(left) != 2 || left[0].UID != "queued-1" || left[0].Parts[0].Text != "And <hurry>." || !slices.Equal(left[0].Cites, []string{"a"}) {
			t.Errorf("queued %+v, %v", left, err)
		}
		for range 2 {
			of := func(db *sqlite.DB) string {
				done, err := db.UndoRestore(ctx, ran)
				if err != nil {
					t.Fatal(err)
				}
				return done.Session.HeadUID
			}
			if a, b := of(first), of(second); a != b {
				t.Errorf("undone to %s, want %s", b, a)
			}
		}
		if problems, err := second.Check(ctx, nil); err != nil || len(problems) > 0 {
			t.Error(problems, err)
		}
	}
}

// A library that has restores of its own keeps them, and what it has taken from the queue does not come back.
func TestRestoresAreMerged(t *testing.T) {
	ctx := context.Background()
	first, second := openLibrary(t), openLibrary(t)
	restored(t, first)
	data := write(t, first, []string{ran}, false, archive.Options{})
	readInto(t, second, data)
	waiting, err := second.QueuedAtRest(ctx, ran)
	if err != nil || len(waiting) != 2 {
		t.Fatal(waiting, err)
	}
	for _, q := range waiting {
		if err := second.DropQueued(ctx, q.UID); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := second.UndoRestore(ctx, ran); err != nil {
		t.Fatal(err)
	}
	want := write(t, second, []string{ran}, false, archive.Options{})
	readInto(t, second, data)
	if got := write(t, second, []string{ran}, false, archive.Options{}); !bytes.Equal(got, want) {
		t.Error(difference(want, got))
	}
}

// TestBadRestores leaves out what is not sound, and imports the rest.
func TestBadRestores(t *testing.T) {
	good := golden(t, "restored.v2.json")
	for _, test := range []struct{ old, new, want string }{
		{`{"uid":"queued-2","runId":"run-1"`, `{"uid":"queued-2","runId":"run-9"`, "its run is missing"},
		{`{"uid":"queued-2"`, `{"uid":"queued-1"`, "no valid uid"},
		{`{"uid":"queued-2"`, `{"uid":"p"`, "no valid uid"},
		{`{"type":"text","text":"Please."}`, `{"type":"tool_call","id":"c","name":"run_command","arguments":{}}`, "not a text"},
		{`"formerUid":"a"`, `"formerUid":"z"`, "no message of the session"},
		{`"restores":[` + "\n" + `{"uid":"p"`, `"restores":[` + "\n" + `{"uid":"z"`, "no message of the session"},
		{`"copiedStates":[` + "\n" + `{"uid":"a"`, `"copiedStates":[` + "\n" + `{"uid":"z"`, "no message of the session"},
	} {
		if !bytes.Contains(good, []byte(test.old)) {
			t.Fatalf("the golden file has no %s", test.old)
		}
		s := newMemoryLibrary()
		problems := s.read(t, bytes.Replace(good, []byte(test.old), []byte(test.new), 1))
		if len(s.ids) != 1 || len(problems) != 1 || !mentions(problems, test.want) {
			t.Errorf("%s: %q, want %q", test.new, problems, test.want)
		}
	}
}

// TestRedactedRequests marks the requests of an export without secrets: they cannot be rebuilt.
func TestRedactedRequests(t *testing.T) {
	ctx := context.Background()
	first, second := openLibrary(t), openLibrary(t)
	worked(t, first)
	want := write(t, first, []string{ran}, false, archive.Options{Redactor: words{}})
	readInto(t, second, want)
	requests, err := second.Requests(ctx, ran)
	if err != nil || len(requests) != 2 || !requests[0].Redacted || !requests[1].Redacted {
		t.Errorf("%+v, %v", requests, err)
	}
	if got := write(t, second, []string{ran}, false, archive.Options{}); !bytes.Equal(got, want) {
		t.Error(difference(want, got))
	}
}
