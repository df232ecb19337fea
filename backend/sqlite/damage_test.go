package sqlite

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// alter runs a statement on the library as another program could.
func alter(tb testing.TB, db *DB, query string, args ...any) {
	tb.Helper()
	check(tb, db.library.Write(tb.Context(), func(t *store.Txn) error {
		_, err := t.Direct().ExecContext(tb.Context(), query, args...)
		return err
	}))
}

func problemsOf(tb testing.TB, db *DB) string {
	tb.Helper()
	return strings.Join(must(db.Check(tb.Context(), nil))(tb), "\n")
}

// TestCheckComparesContentHashes changes bytes that still decode.
func TestCheckComparesContentHashes(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"text":   `UPDATE messages SET body = CAST(replace(CAST(body AS TEXT), 'what u1 says', 'what u1 sayz') AS BLOB) WHERE uid = 'u1'`,
		"model":  `UPDATE messages SET model = 'demo/two' WHERE uid = 'u1'`,
		"tokens": `UPDATE messages SET reasoning_tokens = 0, output_tokens = output_tokens + 1 WHERE uid = 'u1'`,
		"time":   `UPDATE messages SET created_at_ms = created_at_ms + 1 WHERE uid = 'u1'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := openTest(t)
			merged(t, db, incoming("s", chain(4)...))
			if found := problemsOf(t, db); found != "" {
				t.Fatalf("before: %s", found)
			}
			alter(t, db, query)
			if found := problemsOf(t, db); !strings.Contains(found, `message "u1"`) || !strings.Contains(found, "content hash") {
				t.Errorf("found %q", found)
			}
		})
	}
}

// absurd is a chain with numbers near 2^63.
func absurd() []core.Message {
	messages := chain(6)
	for _, i := range []int{1, 2, 4} {
		most := int64(math.MaxInt64)
		messages[i].Usage = &core.Usage{InputTokens: most, OutputTokens: most - 7, CacheReadTokens: math.MinInt64, ReasoningTokens: most}
		messages[i].CostNanoUSD = &most
	}
	return messages
}

// TestAbsurdNumbersAreLimited brings impossible numbers in, and once more.
func TestAbsurdNumbersAreLimited(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	first := must(core.Merge(t.Context(), db, incoming("s", absurd()...)))(t)
	if first.Bounded != 3 {
		t.Errorf("%d messages limited", first.Bounded)
	}
	if again := must(core.Merge(t.Context(), db, incoming("s", absurd()...)))(t); again.Updated != 0 {
		t.Errorf("updated %d", again.Updated)
	}
	s := must(db.Session(t.Context(), first.SessionID))(t)
	if want := int64(3*core.MaxTokens + 10); s.InputTokens != want {
		t.Errorf("input %d, want %d", s.InputTokens, want)
	}
	if found := problemsOf(t, db); found != "" {
		t.Errorf("found %s", found)
	}
}

// TestAbsurdNumbersOfAnOlderVersion reads a library that has stored them.
func TestAbsurdNumbersOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	id := merged(t, db, incoming("s", chain(6)...))
	other := merged(t, db, incoming("other", say("o1", "", core.RoleUser), say("o2", "o1", core.RoleAssistant)))
	storeAbsurd(t, db, absurd())
	alter(t, db, `UPDATE sessions SET input_tokens = 9223372036854775807, output_tokens = 9223372036854775800, cost_nano_usd = 9223372036854775807 WHERE id = ?`, id)
	if found := problemsOf(t, db); found != "" {
		t.Errorf("check: %s", found)
	}
	must(db.Sessions(t.Context(), core.SessionFilter{}))(t)
	must(db.Tree(t.Context(), id))(t)
	must(db.Shape(t.Context(), id, -1, 0))(t)
	must(db.ModelCosts(t.Context(), id))(t)
	for m := range db.Messages(t.Context(), id) {
		if m.Usage != nil && m.Usage.InputTokens > core.MaxTokens {
			t.Errorf("message %s has %d tokens", m.UID, m.Usage.InputTokens)
		}
	}
	must(db.Compare(t.Context(), id, "u1", "u5", 0, 10))(t)
	// It can still grow, and the other session is still checked.
	must(db.Append(t.Context(), id, say("u6", "u5", core.RoleAssistant)))(t)
	alter(t, db, `UPDATE sessions SET message_count = 7 WHERE id = ?`, other)
	if found := problemsOf(t, db); !strings.Contains(found, other) {
		t.Errorf("check: %q", found)
	}
}

// storeAbsurd stores messages as a version did that knew no limits.
func storeAbsurd(tb testing.TB, db *DB, messages []core.Message) {
	tb.Helper()
	for i := range messages {
		m := &messages[i]
		if m.Usage == nil || m.Usage.InputTokens <= core.MaxTokens {
			continue
		}
		s := packing.Spill(*m)
		body := must(packing.EncodeBody(nil, &s.Message))(tb)
		n := tables.TokenColumns(m.Usage)
		alter(tb, db, `UPDATE messages SET input_tokens = ?, output_tokens = ?, cache_read_tokens = ?, cache_write_tokens = ?, reasoning_tokens = ?,
			cost_nano_usd = ?, content_hash = ?, body = ?, model = ? WHERE uid = ?`, n[0], n[1], n[2], n[3], n[4], *m.CostNanoUSD, packing.ContentHash(&s.Message, body), body, m.Model, m.UID)
	}
}

// realLibrary makes a library with everything that one can have, closed, and returns its path and the messages' texts by uid.
func realLibrary(tb testing.TB, folder string) (path string, texts map[string]string) {
	tb.Helper()
	path = filepath.Join(folder, "real.db")
	db := must(Open(tb.Context(), path, Options{}))(tb)
	texts = map[string]string{}
	for n := range 40 {
		messages := chain(30)
		for i := range messages {
			m := &messages[i]
			m.UID = fmt.Sprintf("s%d-%s", n, m.UID)
			if m.ParentUID != "" {
				m.ParentUID = fmt.Sprintf("s%d-%s", n, m.ParentUID)
			}
			text := fmt.Sprintf("%s says %s", m.UID, strings.Repeat(core.Hash([]byte(m.UID)), 1+i%7))
			switch {
			case i == 7 && n%10 == 0: // over several pages
				text += hashes(m.UID, 40<<10)
			case i == 8 && n%10 == 0: // beside the message
				text += hashes(m.UID, 100<<10)
			}
			m.Parts[0].Text = text
			texts[m.UID] = text
		}
		messages[20].ParentUID = fmt.Sprintf("s%d-u5", n) // a branch
		id := merged(tb, db, incoming(fmt.Sprintf("source-%d", n), messages...))
		check(tb, db.SetLabel(tb.Context(), id, messages[6].UID, fmt.Sprintf("label %d", n)))
	}
	check(tb, db.Index(tb.Context(), nil))
	check(tb, db.Close())
	return path, texts
}

// hashes returns a text that does not compress.
func hashes(seed string, size int) string {
	var b strings.Builder
	for hash := seed; b.Len() < size; {
		hash = core.Hash([]byte(hash))
		b.WriteString(hash)
	}
	return b.String()
}

// textsOf reads every message of every session.
func textsOf(tb testing.TB, db *DB) map[string]string {
	tb.Helper()
	texts := map[string]string{}
	for _, s := range must(db.Sessions(tb.Context(), core.SessionFilter{}))(tb) {
		for _, m := range collect(tb, db.Messages(tb.Context(), s.ID)) {
			check(tb, db.Hydrate(tb.Context(), &m))
			if slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Truncated != nil }) {
				continue // only its beginning is there
			}
			if len(m.Parts) > 0 {
				texts[m.UID] = m.Parts[0].Text
			}
		}
	}
	return texts
}
