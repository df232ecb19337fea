package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// scoped exports part of the first sample in a new library, reads it again and returns session and uids.
func scoped(t *testing.T, scope archive.Scope, leaf string, others ...string) (core.Session, []string) {
	t.Helper()
	s := newMemoryLibrary()
	s.read(t, golden(t, "session.v1.json"))
	data := write(t, s, s.ids, false, archive.Options{Scope: scope, LeafUID: leaf, OtherLeafUIDs: others})
	part := newMemoryLibrary()
	if problems := part.read(t, data); len(problems) > 0 {
		t.Fatal(problems)
	}
	if again := write(t, part, part.ids, false, archive.Options{}); !bytes.Equal(again, data) && scope != archive.ScopeTree {
		t.Errorf("%s is no whole of its own: %s", scope, difference(data, again))
	}
	session, err := part.Session(context.Background(), part.ids[0])
	if err != nil {
		t.Fatal(err)
	}
	var uids []string
	for _, m := range part.books[part.ids[0]].messages {
		uids = append(uids, m.UID)
	}
	return session, uids
}

func TestScopes(t *testing.T) {
	tests := []struct {
		scope archive.Scope
		leaf  string
		uids  []string
		head  string
	}{
		{archive.ScopeTree, "", []string{"m-0", "m-1", "m-2", "m-3", "m-4", "m-5"}, "m-3"},
		{archive.ScopePath, "", []string{"m-0", "m-1", "m-2", "m-3"}, "m-3"},
		{archive.ScopePath, "m-4", []string{"m-0", "m-4"}, "m-4"},
		{archive.ScopePath, "m-2", []string{"m-0", "m-1", "m-2"}, "m-2"},
		{archive.ScopeAlternatives, "m-4", []string{"m-0", "m-1", "m-4", "m-5"}, "m-4"},
		{archive.ScopeAlternatives, "m-5", []string{"m-0", "m-5"}, "m-5"},
	}
	for _, test := range tests {
		session, uids := scoped(t, test.scope, test.leaf)
		if !slices.Equal(uids, test.uids) || session.HeadUID != test.head || session.MessageCount != int64(len(uids)) {
			t.Errorf("%s to %q: %v, head %s, %d messages", test.scope, test.leaf, uids, session.HeadUID, session.MessageCount)
		}
	}
}

func TestScopeOfSeveralBranches(t *testing.T) {
	session, uids := scoped(t, archive.ScopeBranches, "m-2", "m-4")
	if want := []string{"m-0", "m-1", "m-2", "m-4"}; !slices.Equal(uids, want) || session.HeadUID != "m-2" || session.BranchCount != 2 {
		t.Errorf("%v, head %s, %d branches", uids, session.HeadUID, session.BranchCount)
	}
}

func TestUnknownScope(t *testing.T) {
	s := newMemoryLibrary()
	s.read(t, golden(t, "session.v1.json"))
	err := archive.Write(context.Background(), &bytes.Buffer{}, s, s.ids, archive.Options{Scope: "half"})
	if core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	if err := archive.Write(context.Background(), &bytes.Buffer{}, s, []string{"nobody"}, archive.Options{}); core.CodeOf(err) != core.NotFound {
		t.Errorf("%v", err)
	}
}

// words redacts two words.
type words struct{}

func (words) JSON(value json.RawMessage) json.RawMessage {
	return []byte(strings.NewReplacer("/home/ada", `C:\\\"`, "hello", "«redacted»").Replace(string(value)))
}

func (words) Blob(b core.Blob) core.Blob {
	b.Data = bytes.ReplaceAll(b.Data, []byte("hello"), []byte("«redacted»\n"))
	b.Hash = core.Hash(b.Data)
	return b
}

// TestRedact replaces a word wherever it occurs and leaves valid JSON that can be imported.
func TestRedact(t *testing.T) {
	for _, asLines := range []bool{false, true} {
		s := newMemoryLibrary()
		s.read(t, golden(t, "archive.v1.json"))
		data := write(t, s, s.ids, asLines, archive.Options{Redactor: words{}})
		if bytes.Contains(data, []byte("/home/ada")) || bytes.Contains(data, []byte("hello")) || !bytes.Contains(data, []byte(`C:\\\"`)) {
			t.Errorf("%s", data)
		}
		if !asLines && !json.Valid(data) {
			t.Error("it is no JSON any more")
		}
		again := newMemoryLibrary()
		if problems := again.read(t, data); len(problems) > 0 || len(again.ids) != 2 || len(again.blobs) != 1 {
			t.Errorf("%q, %d sessions, %d blobs", problems, len(again.ids), len(again.blobs))
		}
	}
}

// TestRedactedContents has an output of which the model received the beginning, and a file, both of text; and a missing one.
func TestRedactedContents(t *testing.T) {
	whole, missing := core.Blob{Data: []byte("hello\nhello\n")}, core.Hash([]byte("gone"))
	whole.Hash = core.Hash(whole.Data)
	in := small(1)
	in.Blobs = func(yield func(core.Blob, error) bool) { yield(whole, nil) }
	in.Messages = func(yield func(core.IncomingMessage, error) bool) {
		m := core.Message{UID: "s1-2", Role: core.RoleTool, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartToolResult, ID: "1", Result: []core.Part{
			{Type: core.PartText, Text: "hello …", Truncated: &core.Truncated{SizeBytes: 12, LineCount: 2, Blob: whole.Hash, Shown: true}},
			{Type: core.PartMedia, Media: &core.Media{MimeType: "text/plain", SizeBytes: 12, Blob: whole.Hash}},
			{Type: core.PartText, Text: "hello …", Truncated: &core.Truncated{SizeBytes: 9, LineCount: 1, Blob: missing}},
		}}}}
		yield(core.IncomingMessage{Message: m}, nil)
	}
	for _, asLines := range []bool{false, true} {
		s, again := newMemoryLibrary(), newMemoryLibrary()
		if err := s.merge(in); err != nil {
			t.Fatal(err)
		}
		if problems := again.read(t, write(t, s, s.ids, asLines, archive.Options{Redactor: words{}})); len(problems) > 0 {
			t.Fatalf("%q", problems)
		}
		want := words{}.Blob(whole)
		if len(again.blobs) != 1 || string(again.blobs[want.Hash].Data) != string(want.Data) {
			t.Errorf("contents %v", again.blobs)
		}
		parts := again.books["session-1"].messages[0].Parts[0].Result
		if cut := *parts[0].Truncated; cut != (core.Truncated{SizeBytes: int64(len(want.Data)), LineCount: 4, Blob: want.Hash, Shown: true}) {
			t.Errorf("of the output %+v", cut)
		}
		if media := parts[1].Media; media.Blob != want.Hash || media.SizeBytes != int64(len(want.Data)) {
			t.Errorf("of the file %+v", media)
		}
		if cut := *parts[2].Truncated; cut.Blob != missing || cut.SizeBytes != 9 {
			t.Errorf("of what is missing %+v", cut)
		}
	}
}

func TestExportStops(t *testing.T) {
	s := newMemoryLibrary()
	s.read(t, golden(t, "archive.v1.json"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, export := range []func() error{
		func() error { return archive.Write(ctx, &bytes.Buffer{}, s, s.ids, archive.Options{}) },
		func() error { return archive.WriteLines(ctx, &bytes.Buffer{}, s, s.ids, archive.Options{}) },
	} {
		if err := export(); core.CodeOf(err) != core.Canceled {
			t.Errorf("a cancelled export gives %v", err)
		}
	}
}
