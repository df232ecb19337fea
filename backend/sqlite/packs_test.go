package sqlite

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/merge"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// talkative returns a chain of messages whose texts repeat each other, long enough for packs.
func talkative(n int) []core.Message {
	messages := chain(n)
	for i := range messages {
		messages[i].Parts[0].Text = fmt.Sprintf("%s of %s", messages[i].UID, strings.Repeat("the same file, read again. ", 40))
	}
	return messages
}

// packedMessages counts the packs of a library and the messages in them.
func packedMessages(tb testing.TB, db *DB) (packs, messages int) {
	tb.Helper()
	check(tb, db.library.Read(tb.Context(), func(t *store.Txn) error {
		if err := t.Get(tb.Context(), &packs, `SELECT count(*) FROM packs`); err != nil {
			return err
		}
		var bodies [][]byte
		err := t.All(tb.Context(), &bodies, `SELECT body FROM messages`)
		for _, body := range bodies {
			if _, ok := packing.ParseReference(body); ok {
				messages++
			}
		}
		return err
	}))
	return packs, messages
}

// wantTexts checks the library, and that it has these messages and no others.
func wantTexts(tb testing.TB, db *DB, messages []core.Message) {
	tb.Helper()
	if problems := problemsOf(tb, db); problems != "" {
		tb.Error(problems)
	}
	want := map[string]string{}
	for i := range messages {
		want[messages[i].UID] = messages[i].Parts[0].Text
	}
	if got := textsOf(tb, db); !maps.Equal(got, want) {
		tb.Errorf("%d texts, or others than the %d that were stored", len(got), len(want))
	}
}

// TestImportPacksMessages imports a session as one transaction, and in pieces of one message.
func TestImportPacksMessages(t *testing.T) {
	for name, inPieces := range map[string]bool{"at once": false, "in pieces": true} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			if inPieces {
				merge.SetPatience(db.importStore, 0)
			}
			messages := talkative(300)
			id := merged(t, db, incoming("one", messages...))
			wantTexts(t, db, messages)
			wantIndexed(t, db)
			packs, packed := packedMessages(t, db)
			if packs < 2 || packed != len(messages) {
				t.Errorf("%d messages in %d packs, want %d in several", packed, packs, len(messages))
			}
			if m := must(db.Message(t.Context(), id, "u123"))(t); m.Parts[0].Text != messages[123].Parts[0].Text {
				t.Errorf("message u123 is %q", m.Parts[0].Text)
			}
			if found := must(db.Search(t.Context(), core.SearchQuery{Text: "u250 file"}))(t); len(found.Hits) != 1 {
				t.Errorf("%d hits, want 1", len(found.Hits))
			}
		})
	}
}

// TestPacksLeaveNothingBehind removes messages, replaces one and removes the session: no pack keeps what was removed.
func TestPacksLeaveNothingBehind(t *testing.T) {
	db := openTest(t)
	messages := talkative(500)
	id := merged(t, db, incoming("one", messages...))
	before, _ := packedMessages(t, db)

	longer := slices.Clone(messages)
	longer[10].Parts = []core.Part{{Type: core.PartText, Text: "a longer form of it"}}
	merged(t, db, incoming("one", longer...))
	wantTexts(t, db, longer)
	replaced, packed := packedMessages(t, db)
	if replaced != before-1 || packed >= len(messages) || packed == 0 {
		t.Errorf("%d messages in %d packs after a message was replaced, %d packs before", packed, replaced, before)
	}

	must(db.Hide(t.Context(), id, []string{"u300"}))(t)
	if n := must(db.PurgeHidden(t.Context(), id))(t); n != 200 {
		t.Errorf("%d messages removed, want 200", n)
	}
	wantTexts(t, db, longer[:300])
	wantIndexed(t, db)
	left, packed := packedMessages(t, db)
	if left >= replaced || packed == 0 {
		t.Errorf("%d messages in %d packs after messages were removed, %d packs before", packed, left, replaced)
	}

	grown := append(slices.Clone(longer[:300]), say("more", "u299", core.RoleUser))
	merged(t, db, incoming("one", grown...))
	wantTexts(t, db, grown)

	check(t, db.Trash(t.Context(), []string{id}))
	must(db.Purge(t.Context(), []string{id}))(t)
	if packs, _ := packedMessages(t, db); packs != 0 {
		t.Errorf("%d packs of a session that was removed", packs)
	}
}

// TestPackIsMissing removes a pack: a check reports its messages, reading one is an error, and what a search needs of others is found.
func TestPackIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	messages := talkative(300)
	id := merged(t, db, incoming("one", messages...))
	wantIndexed(t, db)
	raw(t, path, `DELETE FROM packs WHERE id = (SELECT min(id) FROM packs)`)
	if problems := problemsOf(t, db); !strings.Contains(problems, `"u0" is damaged`) || strings.Contains(problems, `"u299" is damaged`) {
		t.Errorf("found: %s", problems)
	}
	_, err := db.Message(t.Context(), id, "u0")
	wantCode(t, err, core.Corrupt)
	if m := must(db.Message(t.Context(), id, "u299"))(t); m.Parts[0].Text != messages[299].Parts[0].Text {
		t.Errorf("message u299 is %q", m.Parts[0].Text)
	}
	check(t, db.RebuildIndex(t.Context()))
	check(t, db.Index(t.Context(), nil))
	if found := must(db.Search(t.Context(), core.SearchQuery{Text: "u250 file"}))(t); len(found.Hits) != 1 {
		t.Errorf("%d hits, want 1", len(found.Hits))
	}
	report, saved := recovered(t, path)
	if report.Messages != 300 || saved["u299"] != messages[299].Parts[0].Text {
		t.Errorf("recovered %d messages, the last one as %q", report.Messages, saved["u299"])
	}
}
