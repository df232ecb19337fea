package archive_test

import (
	"bytes"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// TestSplitRoundTrip exports a session that was split off and imports it elsewhere: the export is the same, including the time of the last
// change.
func TestSplitRoundTrip(t *testing.T) {
	first := openLibrary(t)
	in := core.Incoming{
		Header: core.Header{Session: core.Session{Source: core.SourceCodex, SourceID: "s", CreatedAtMs: 1_790_000_000_000}},
		Messages: sequence([]core.Message{
			{UID: "q", Role: core.RoleUser, Kind: core.KindMessage, CreatedAtMs: 1_790_000_000_000, Parts: []core.Part{{Type: core.PartText, Text: "q"}}},
			{UID: "a", ParentUID: "q", Role: core.RoleAssistant, Kind: core.KindMessage, CreatedAtMs: 1_790_000_001_000, FinishedAtMs: 1_790_000_003_000, Parts: []core.Part{{Type: core.PartText, Text: "a"}}},
		}),
		Head: func() string { return "a" },
	}
	m, err := core.Merge(t.Context(), first, in)
	if err != nil {
		t.Fatal(err)
	}
	split, err := first.Split(t.Context(), m.SessionID, "a", "The other way")
	if err != nil {
		t.Fatal(err)
	}
	want := write(t, first, []string{split.ID}, false, archive.Options{})
	second := openLibrary(t)
	readInto(t, second, want)
	got, err := second.Session(t.Context(), split.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.UpdatedAtMs != split.UpdatedAtMs || got.UpdatedAtMs < got.CreatedAtMs {
		t.Errorf("updated at %d, was %d", got.UpdatedAtMs, split.UpdatedAtMs)
	}
	if again := write(t, second, []string{split.ID}, false, archive.Options{}); !bytes.Equal(again, want) {
		t.Errorf("%s", difference(want, again))
	}
}
