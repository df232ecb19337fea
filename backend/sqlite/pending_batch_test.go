package sqlite

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/search"
)

// The words that are gathered while messages are written are those that the index reads of their bodies.
func TestGatheredWordsAreThoseOfBodies(t *testing.T) {
	db := openTest(t)
	sessions := 0
	rapid.Check(t, func(rt *rapid.T) {
		messages := chain(rapid.IntRange(1, 90).Draw(rt, "messages"))
		for i := range messages {
			for range rapid.IntRange(0, 2).Draw(rt, "more parts") {
				messages[i].Parts = append(messages[i].Parts, somePart(rt))
			}
		}
		sessions++
		merged(t, db, incoming(fmt.Sprint(sessions), messages...))
		if n := search.PendingBatchOf(db.searchStore).Messages(); n != len(messages) {
			rt.Fatalf("of %d messages %d were gathered", len(messages), n)
		}
		check(t, db.Index(t.Context(), nil))
	})
	wantIndexed(t, db)
	wantRebuilt(t, db)
}

func somePart(t *rapid.T) core.Part {
	text := rapid.SampledFrom([]string{
		"", "one two", "Größe \u2028 \"quoted\" \\ and\ttabs", "half \xff a rune", "记录 话", strings.Repeat("of few words that are "+strings.Repeat("long", 40)+" ", packing.SpillFrom/150), strings.Repeat("x", 200),
	}).Draw(t, "text")
	arguments := rapid.SampledFrom([]string{``, `{}`, `{ "path" : "a/b.go", "n": [1, 2.50, true, null] }`, `{"text":"say \"it\" \u00e4 \ud83d\ude00"}`}).Draw(t, "arguments")
	p := core.Part{Type: rapid.SampledFrom([]core.PartType{
		core.PartText, core.PartReasoning, core.PartSummary, core.PartToolCall, core.PartToolResult, core.PartOther, core.PartMedia, "future",
	}).Draw(t, "type"), Text: text}
	switch p.Type {
	case core.PartToolCall:
		p.ID, p.Name, p.Arguments = "t", "Read_File", json.RawMessage(arguments)
	case core.PartToolResult:
		p.ID, p.Name, p.Text = "t", "mcp.tool-x", ""
		for range rapid.IntRange(0, 2).Draw(t, "results") {
			p.Result = append(p.Result, core.Part{Type: core.PartText, Text: text})
		}
	case core.PartMedia:
		p.Media = &core.Media{MimeType: "image/png", Data: []byte(text)}
	default:
		p.Extra = map[string]json.RawMessage{"later": json.RawMessage(`"words"`)}
	}
	return p
}

// The room of words that were written serves the next ones, which are gathered as into new postings.
func TestGatheringUsesRoomAgain(t *testing.T) {
	db := openTest(t)
	for n := range 3 {
		merged(t, db, incoming(fmt.Sprint(n), chain(20+n)...))
		gathering := search.PendingBatchOf(db.searchStore)
		if gathering.Messages() == 0 {
			t.Fatal("no words were gathered")
		}
		check(t, search.WriteGathered(t.Context(), db.searchStore))
		if !gathering.IsEmpty() {
			t.Error("words are left of what was written")
		}
	}
	wantIndexed(t, db)
	wantRebuilt(t, db)
}

// What only the stored body can tell is left to the index.
func TestOddPartsWaitForTheIndex(t *testing.T) {
	for name, p := range map[string]core.Part{
		"a field of another type":    {Type: core.PartText, Extra: map[string]json.RawMessage{"text": json.RawMessage(`7`)}},
		"arguments that are no JSON": {Type: core.PartToolCall, Arguments: json.RawMessage(`{half`)},
		"a text that is elsewhere":   {Type: core.PartText, Text: "half", Truncated: &core.Truncated{Blob: core.Hash([]byte("half and half"))}},
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			m := say("u", "", core.RoleAssistant)
			m.Parts = []core.Part{{Type: core.PartText, Text: "before"}, p}
			merged(t, db, incoming("one", m))
			if n := search.PendingBatchOf(db.searchStore).Messages(); n > 0 {
				t.Error("it was gathered")
			}
			wantIndexed(t, db)
		})
	}
}

// Words of messages that were never committed do not get into the index.
func TestGatheredWordsOfFailedMerges(t *testing.T) {
	db := openTest(t)
	lost := chain(3)
	lost[2].ParentUID = "nobody"
	if _, err := core.Merge(t.Context(), db, incoming("lost", lost...)); err == nil {
		t.Fatal("a message without its parent was taken")
	}
	other := chain(3)
	for i := range other {
		other[i].Parts[0].Text = "something else"
	}
	merged(t, db, incoming("one", other...))
	wantIndexed(t, db)
	wantRebuilt(t, db)
}
