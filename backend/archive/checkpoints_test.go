package archive_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// TestCheckpointsRoundTrip exports a session with named checkpoints and imports it: the same bytes, the checkpoints can be restored, and
// importing it again adds nothing.
func TestCheckpointsRoundTrip(t *testing.T) {
	ctx := context.Background()
	for _, asLines := range []bool{false, true} {
		first, second := openLibrary(t), openLibrary(t)
		worked(t, first)
		for uid, name := range map[string]string{"p": "asked <b>", "a": "first answer"} {
			if _, err := first.NameCheckpoint(ctx, ran, uid, name); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := first.NameCheckpoint(ctx, ran, "a", "second name"); err != nil {
			t.Fatal(err)
		}
		want := write(t, first, []string{ran}, asLines, archive.Options{})
		for range 2 {
			readInto(t, second, want)
			if got := write(t, second, []string{ran}, asLines, archive.Options{}); !bytes.Equal(got, want) {
				t.Fatal(difference(want, got))
			}
		}
		before, err := first.Checkpoints(ctx, ran, core.CheckpointFilter{Named: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range before {
			got, err := second.Checkpoint(ctx, ran, *c.Name)
			if err != nil || got.UID != c.UID || got.StateHash != c.StateHash || got.CreatedAtMs != c.CreatedAtMs || got.State.System == "" {
				t.Errorf("%s: %+v, %v", *c.Name, got, err)
			}
		}
		if done, err := second.RestoreCheckpoint(ctx, ran, "asked <b>"); err != nil || done.Session.HeadUID != "p" {
			t.Errorf("restored %+v, %v", done, err)
		}
		// The state is still that of a stranger: it permits nothing.
		if state, ok, err := second.StateAt(ctx, ran, ""); err != nil || !ok || !state.Imported {
			t.Errorf("the state is %+v, %v", state, err)
		}
		if flaws, err := second.Check(ctx, nil); err != nil || len(flaws) > 0 {
			t.Error(flaws, err)
		}
	}
}

// TestBadCheckpoints leaves out a checkpoint that is not sound, and imports the rest.
func TestBadCheckpoints(t *testing.T) {
	ctx := context.Background()
	first := openLibrary(t)
	worked(t, first)
	if _, err := first.NameCheckpoint(ctx, ran, "a", "here"); err != nil {
		t.Fatal(err)
	}
	good := write(t, first, []string{ran}, false, archive.Options{})
	for _, test := range []struct{ old, new, want string }{
		{`{"uid":"a","name":"here"`, `{"uid":"zz","name":"here"`, `the checkpoint is left out: "zz" is no message of the session`},
		{`"name":"here"`, `"name":"c1"`, "the checkpoint is left out: invalid checkpoint name"},
		{`"name":"here","stateHash":"sha256:`, `"name":"here","stateHash":"sha256:0`, "the checkpoint is left out: its state is missing"},
		{`"name":"here"`, `"name":7`, `the checkpoint is left out: field "name"`},
	} {
		bad := bytes.Replace(good, []byte(test.old), []byte(test.new), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s is not in the file", test.old)
		}
		s := newMemoryLibrary()
		if problems := s.read(t, bad); len(s.ids) != 1 || len(problems) == 0 || !strings.Contains(problems[0], test.want) {
			t.Errorf("%s: %q, want %q", test.new, problems, test.want)
		}
	}
}
