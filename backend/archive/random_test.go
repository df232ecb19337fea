package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// drawSession returns a random session with everything that a session can have.
func drawSession(t *rapid.T, id string) core.Incoming {
	words := rapid.SampledFrom([]string{"", "words", "<b>&</b>", "你好\nمرحبا", "a\u2028b\x00\xff", "\"quoted\\"})
	at := rapid.Int64Range(1, 2_000_000_000_000)
	s := core.Session{
		ID: id, Name: rapid.SampledFrom([]string{"", id + "-name"}).Draw(t, "name"), Title: words.Draw(t, "title"), Task: words.Draw(t, "task"),
		Source: rapid.SampledFrom(core.Sources()).Draw(t, "source"), SourceID: rapid.SampledFrom([]string{"", id + "-source"}).Draw(t, "source id"),
		SourcePath: words.Draw(t, "path"), Status: rapid.SampledFrom(core.Statuses()).Draw(t, "status"), StopReason: words.Draw(t, "stop"),
		Agent: words.Draw(t, "agent"), Model: words.Draw(t, "model"), WorkspacePath: words.Draw(t, "workspace"),
		Tags:          rapid.SampledFrom([][]string{nil, {"later"}, {"a b", "é"}}).Draw(t, "tags"),
		FilesModified: rapid.SampledFrom([][]string{{}, {"a.go"}, {"a.go", "b <&>.go"}}).Draw(t, "files"),
		PinnedAtMs:    rapid.SampledFrom([]int64{0, 5}).Draw(t, "pinned"), ArchivedAtMs: rapid.SampledFrom([]int64{0, 6}).Draw(t, "archived"),
		DeletedAtMs: rapid.SampledFrom([]int64{0, 7}).Draw(t, "deleted"), CreatedAtMs: at.Draw(t, "created"),
		Meta: rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage(`{"z":1,"a":{"<":[1.50]}}`), json.RawMessage(`{"unknownFields":{"later":[2]},"b":0}`)}).Draw(t, "meta"),
	}
	if rapid.Bool().Draw(t, "child") {
		s.ParentID, s.ParentUID, s.Relation = "elsewhere", "m-9", core.RelationSubagent
	}
	messages, blobs := drawMessages(t, id)
	head := ""
	if len(messages) > 0 && rapid.Bool().Draw(t, "has head") {
		head = rapid.SampledFrom(messages).Draw(t, "head").UID
	}
	in := core.Incoming{
		Header:   core.Header{Session: s, Keep: true},
		Messages: sequence(messages),
		Head:     func() string { return head },
		Records:  slices.Values(drawRecords(t)),
		Blobs: func(yield func(core.Blob, error) bool) {
			for _, b := range blobs {
				if !yield(b, nil) {
					return
				}
			}
		},
	}
	for i, m := range messages {
		if rapid.IntRange(0, 4).Draw(t, "labelled") == 0 {
			color := rapid.SampledFrom(append(core.Colors(), "")).Draw(t, "color")
			in.Labels = append(in.Labels, core.Label{UID: m.UID, Text: fmt.Sprint("label ", i), Color: color, CreatedAtMs: int64(i + 1)})
		}
		switch rapid.IntRange(0, 9).Draw(t, "tended") {
		case 0:
			in.Bookmarks = append(in.Bookmarks, core.Bookmark{UID: m.UID, CreatedAtMs: int64(i + 1)})
		case 1:
			in.Hidden = append(in.Hidden, core.HiddenTop{UID: m.UID, HiddenAtMs: int64(i + 1)})
		}
	}
	if head != "" && rapid.Bool().Draw(t, "copied") {
		in.Aliases = []core.Alias{{Source: s.Source, SourceID: id + "-copy", SourcePath: "/copy", HeadUID: head}}
	}
	return in
}

func sequence(messages []core.Message) func(func(core.IncomingMessage, error) bool) {
	return func(yield func(core.IncomingMessage, error) bool) {
		for _, m := range messages {
			if !yield(core.IncomingMessage{Message: m}, nil) {
				return
			}
		}
	}
}

func drawMessages(t *rapid.T, prefix string) ([]core.Message, []core.Blob) {
	var messages []core.Message
	var blobs []core.Blob
	for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
		m := core.Message{
			UID: fmt.Sprintf("%s-m%d", prefix, i), Parts: []core.Part{},
			Role:        rapid.SampledFrom([]core.Role{core.RoleUser, core.RoleAssistant, core.RoleTool, core.RoleSystem}).Draw(t, "role"),
			Kind:        rapid.SampledFrom([]core.Kind{core.KindMessage, core.KindMessage, core.KindMeta, core.KindCompaction}).Draw(t, "kind"),
			CreatedAtMs: rapid.Int64Range(0, 2_000_000_000_000).Draw(t, "at"),
			Usage: rapid.SampledFrom([]*core.Usage{nil, {}, {
				InputTokens: 5, OutputTokens: 2, CacheReadTokens: 3, Native: json.RawMessage(`{"in":5}`), Extra: map[string]json.RawMessage{"audioTokens": json.RawMessage("1")},
			}}).Draw(t, "usage"),
			CostNanoUSD: rapid.SampledFrom([]*int64{nil, new(int64)}).Draw(t, "cost"),
			Origin:      rapid.SampledFrom([]*core.Origin{nil, {Provider: "p", Extra: map[string]json.RawMessage{"region": json.RawMessage(`"eu"`)}}}).Draw(t, "origin"),
			Meta:        rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage(`{"k":[null]}`)}).Draw(t, "message meta"),
			Error:       rapid.SampledFrom([]string{"", "it broke"}).Draw(t, "error"),
			Extra:       rapid.SampledFrom([]map[string]json.RawMessage{nil, {"later": json.RawMessage(`{"deep":"<&>"}`)}}).Draw(t, "extra"),
		}
		if i > 0 && rapid.IntRange(0, 5).Draw(t, "root") > 0 {
			m.ParentUID = messages[rapid.IntRange(max(0, i-3), i-1).Draw(t, "parent")].UID
		}
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			part, blob := drawPart(t)
			m.Parts = append(m.Parts, part)
			if blob != nil {
				blobs = append(blobs, *blob)
			}
		}
		messages = append(messages, m)
	}
	return messages, blobs
}

func drawPart(t *rapid.T) (core.Part, *core.Blob) {
	picture := core.Blob{Hash: core.Hash([]byte("picture")), MimeType: "image/png", Data: []byte("picture")}
	long := string(bytes.Repeat([]byte("long text \n"), 7_000))
	parts := []core.Part{
		{Type: core.PartText, Text: "Hello <b>&amp;</b>"},
		{Type: core.PartText, Text: long},
		{Type: core.PartReasoning, Text: "hm", Native: json.RawMessage(`{"signature":"x"}`)},
		{Type: core.PartToolCall, ID: "c", Name: "edit_file", Arguments: json.RawMessage(`{"b":1,"a":"<"}`)},
		{Type: core.PartToolResult, ID: "c", IsError: true, Result: []core.Part{{Type: core.PartText, Text: long}}, Structured: json.RawMessage(`[1.50,"` + long[:9] + `"]`), DurationMs: 3},
		{Type: core.PartToolResult, ID: "c", Structured: json.RawMessage(`"` + string(bytes.Repeat([]byte("s"), 70_000)) + `"`)},
		{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: picture.Hash, Width: 2, Extra: map[string]json.RawMessage{"alt": json.RawMessage(`"a dot"`)}}},
		{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: core.Hash([]byte("lost"))}},
		{Type: "x_future", Extra: map[string]json.RawMessage{"payload": json.RawMessage(`{"z":[true]}`), "text": json.RawMessage("5")}},
		{Type: core.PartOther, Native: json.RawMessage(`{"type":"new"}`)},
	}
	part := rapid.SampledFrom(parts).Draw(t, "part")
	if part.Media != nil && part.Media.Blob == picture.Hash {
		return part, &picture
	}
	return part, nil
}

func drawRecords(t *rapid.T) []core.Record {
	all := []core.Record{
		{Line: 1, Type: "snapshot", Known: true, Body: json.RawMessage(`{"files":[]}`)},
		{Line: 2, AfterUID: "m-1", Type: "new", Body: json.RawMessage(`{"z":1,"a":"<&>"}`)},
		{AfterUID: "m-1", Type: "no lines", Body: json.RawMessage(`null`)},
	}
	return all[:rapid.IntRange(0, len(all)).Draw(t, "records")]
}

// TestRoundTrip checks the main property: export, import into an empty file and export again give the same bytes.
func TestRoundTrip(t *testing.T) {
	checked, most := 0, checksOf(15)
	rapid.Check(t, func(r *rapid.T) {
		if checked++; checked > most {
			return // each needs three databases
		}
		first, done := scratchLibrary(r)
		defer done()
		var ids []string
		for i := range rapid.IntRange(1, 2).Draw(r, "sessions") {
			m, err := core.Merge(context.Background(), first, drawSession(r, fmt.Sprint("s", i)))
			if err != nil {
				r.Fatal(err)
			}
			ids = append(ids, m.SessionID)
		}
		for _, asLines := range []bool{false, true} {
			want := write(t, first, ids, asLines, archive.Options{})
			second, done := scratchLibrary(r)
			defer done()
			if got := readInto(t, second, want); !slices.Equal(got, ids) {
				r.Fatalf("sessions %v became %v", ids, got)
			}
			if got := write(t, second, ids, asLines, archive.Options{}); !bytes.Equal(got, want) {
				r.Fatalf("%s", difference(want, got))
			}
			if flaws, err := second.Check(context.Background(), func(core.Progress) {}); err != nil {
				r.Fatal(err)
			} else if len(flaws) > 0 {
				r.Log(flaws) // a picture that was missing before stays missing
			}
		}
	})
}

// difference shows the first position at which two exports differ.
func difference(want, got []byte) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	from := max(0, at-300)
	return fmt.Sprintf("they differ at %d:\nwant …%s…\n got …%s…", at, want[from:min(len(want), at+200)], got[from:min(len(got), at+200)])
}
