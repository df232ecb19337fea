package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/query"
	"coppice/backend/sqlite/internal/store"
)

// wantIndexed brings the index up to date and checks it.
func wantIndexed(tb testing.TB, db *DB) {
	tb.Helper()
	check(tb, db.Index(tb.Context(), nil))
	for _, problem := range must(db.CheckIndex(tb.Context(), nil))(tb) {
		tb.Errorf("check: %s", problem)
	}
	if n := must(db.Pending(tb.Context()))(tb); n > 0 {
		tb.Errorf("%d messages are not in the index", n)
	}
}

// terms lists what the index holds: word, message and place.
func terms(tb testing.TB, db *DB) []string {
	tb.Helper()
	conn := writerOf(tb, db)
	_, err := conn.ExecContext(tb.Context(), `CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab (main, search_index, instance)`)
	check(tb, err)
	var all []string
	check(tb, conn.SelectContext(tb.Context(), &all, `SELECT concat_ws(' ', v.term, d.message, v.offset) FROM temp.terms v
		LEFT JOIN search_docs d ON d.id = v.doc ORDER BY v.term, d.message, v.offset`))
	return all
}

// wantRebuilt checks that the index, grown step by step, is that of a rebuild.
func wantRebuilt(tb testing.TB, db *DB) {
	tb.Helper()
	check(tb, db.Index(tb.Context(), nil))
	grown := terms(tb, db)
	check(tb, db.RebuildIndex(tb.Context()))
	check(tb, db.Index(tb.Context(), nil))
	if rebuilt := terms(tb, db); !slices.Equal(grown, rebuilt) {
		tb.Fatalf("the index is\n%v\nrebuilt\n%v", grown, rebuilt)
	}
}

// modelMessage is a message as the slow model knows it.
type modelMessage struct {
	session, uid, tool string
	role               core.Role
	createdAtMs        int64
	texts              []string
}

// holds is what a query asks, the slow and obvious way.
func (s *modelMessage) holds(n *query.Node) bool {
	switch n.Op {
	case query.All:
		return !slices.ContainsFunc(n.Kids, func(k *query.Node) bool { return !s.holds(k) })
	case query.Any:
		return slices.ContainsFunc(n.Kids, s.holds)
	case query.Not:
		return !s.holds(n.Kids[0])
	case query.Phrase:
		return slices.ContainsFunc(s.texts, func(text string) bool { return hasPhrase(text, n) })
	case query.Tool:
		return hasPhrase(s.tool, n)
	case query.Role:
		return slices.Contains(n.Values, string(s.role))
	case query.After:
		return s.createdAtMs >= n.TimeMs
	case query.Before:
		return s.createdAtMs < n.TimeMs
	case query.In:
		return s.session == n.Text
	default:
		panic(n.Op)
	}
}

func hasPhrase(text string, n *query.Node) bool {
	words := query.Words(text)
	for i := range words {
		if len(words)-i < len(n.Words) {
			return false
		}
		last := len(n.Words) - 1
		if slices.Equal(words[i:i+last], n.Words[:last]) &&
			(words[i+last] == n.Words[last] || n.Prefix && strings.HasPrefix(words[i+last], n.Words[last])) {
			return true
		}
	}
	return false
}

// someText draws a text of few words, so that queries hit.
func someText(t *rapid.T) string {
	words := []string{
		"alpha", "Alphabet", "beta", "gamma_delta", "x.y", "42", "ÄRGER", "arger", "会话记录", "=>", "\n", strings.Repeat("long", 40),
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), rapid.SampledFrom([]string{" ", "-", ""}).Draw(t, "between"))
}

func someQuery(t *rapid.T) string {
	operands := []string{
		"alpha", "alph*", "beta", `"alpha beta"`, "gamma", "delta", "x.y", "42", "ärger", "会", "会话", "记*", "nothing", "role:user", "role:tool",
		"tool:read", "tool:read_f*", "after:2026-09-21T14:13:21Z", "before:2026-09-21T14:13:21Z", "in:two", strings.Repeat("long", 40),
	}
	var b strings.Builder
	for i := range rapid.IntRange(1, 4).Draw(t, "operands") {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{" ", " AND ", " OR ", " NOT "}).Draw(t, "operator"))
		}
		one := rapid.SampledFrom(operands).Draw(t, "operand")
		if rapid.IntRange(0, 4).Draw(t, "bracket") == 0 {
			one = "(" + one + " OR " + rapid.SampledFrom(operands).Draw(t, "operand") + ")"
		}
		b.WriteString(one)
	}
	return b.String()
}

// indexedLibrary is the slow model of a library: what was said, in the order of writing, without the trash.
type indexedLibrary struct {
	db       *DB
	messages []modelMessage
	ids      map[string]string // of sessions, by their source's id
}

// write imports a session again: messages grow, change and join.
func (s *indexedLibrary) write(rt *rapid.T, tb testing.TB) {
	session := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(rt, "session")
	var messages []core.Message
	kept := s.messages[:0:0]
	for _, m := range s.messages {
		if m.session != session {
			kept = append(kept, m)
		}
	}
	parent := ""
	for i := range rapid.IntRange(1, 5).Draw(rt, "messages") {
		m := say(fmt.Sprintf("u%d", i), parent, rapid.SampledFrom(roles).Draw(rt, "role"))
		m.CreatedAtMs = startMs + int64(rapid.IntRange(0, 3).Draw(rt, "second"))*1000
		text, result := someText(rt), someText(rt)
		m.Parts = []core.Part{{Type: core.PartText, Text: text}}
		one := modelMessage{session: session, uid: m.UID, role: m.Role, createdAtMs: m.CreatedAtMs, texts: []string{text}}
		if m.Role == core.RoleTool {
			m.Parts = append(m.Parts, core.Part{Type: core.PartToolResult, Name: "read_file", Result: []core.Part{{Type: core.PartText, Text: result}}})
			one.tool, one.texts = "read_file", append(one.texts, result)
		}
		messages, kept, parent = append(messages, m), append(kept, one), m.UID
	}
	for _, old := range s.messages { // those that did not come again stay
		if old.session == session && !slices.ContainsFunc(messages, func(m core.Message) bool { return m.UID == old.uid }) {
			kept = append(kept, old)
		}
	}
	in := incoming(session, messages...)
	in.Again = true // drop may have removed it for good
	s.messages, s.ids[session] = kept, merged(tb, s.db, in)
	check(tb, s.db.Restore(tb.Context(), []string{s.ids[session]}))
}

// drop removes a session, for good or not.
func (s *indexedLibrary) drop(rt *rapid.T, tb testing.TB) {
	session := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(rt, "session")
	id := s.ids[session]
	if id == "" {
		return
	}
	check(tb, s.db.Trash(tb.Context(), []string{id}))
	must(s.db.Purge(tb.Context(), []string{id}))(tb)
	s.messages = slices.DeleteFunc(s.messages, func(m modelMessage) bool { return m.session == session })
	delete(s.ids, session)
}

// compare asks the library and the model the same.
func (s *indexedLibrary) compare(rt *rapid.T, tb testing.TB, q core.SearchQuery, holds func(*modelMessage) bool) {
	q.Limit = 1000
	found := must(s.db.Search(tb.Context(), q))(tb)
	var got, want []string
	last := int64(math.MaxInt64 - 64)
	for _, h := range found.Hits {
		got = append(got, must(s.db.Session(tb.Context(), h.SessionID))(tb).SourceID+h.UID)
		if h.CreatedAtMs > last+64 {
			rt.Fatalf("%+v: a hit of %d comes behind one of %d", q, h.CreatedAtMs, last)
		}
		last = h.CreatedAtMs
	}
	for _, m := range s.messages {
		if holds(&m) {
			want = append(want, m.session+m.uid)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !found.Loose && !slices.Equal(got, want) {
		rt.Fatalf("%+v finds %v, want %v", q, got, want)
	}
	if found.Total != int64(len(found.Hits)) || found.Uncounted || found.Next != 0 {
		rt.Fatalf("%+v: %d hits, %d in all, uncounted %t, goes on at %d", q, len(found.Hits), found.Total, found.Uncounted, found.Next)
	}
	if q.Regex || q.Substring || found.Loose {
		return
	}
	if s.compareCounts(rt, tb, q, found); len(found.Hits) > 1 {
		q.Limit = 1
		s.compareCounts(rt, tb, q, found)
	}
}

// compareCounts counts the hits of a query, and compares that with all that there are.
func (s *indexedLibrary) compareCounts(rt *rapid.T, tb testing.TB, q core.SearchQuery, all core.Found) {
	page := must(s.db.Search(tb.Context(), q))(tb)
	if page.Uncounted != (q.Limit <= int64(len(page.Hits))) {
		rt.Fatalf("%+v: %d hits, uncounted %t", q, len(page.Hits), page.Uncounted)
	}
	n, err := s.db.CountHits(tb.Context(), q)
	if core.CodeOf(err) == core.Invalid {
		return // it has no words
	}
	check(tb, err)
	sum := int64(0)
	for _, of := range n.Sessions {
		sum += of.Hits
	}
	if n.AddTo(&page); page.Total != all.Total || page.More || page.Uncounted || sum != all.Total {
		rt.Fatalf("%+v: %d of %d counted, %d by session", q, page.Total, all.Total, sum)
	}
	for i, hit := range page.Hits {
		if hit.UID != all.Hits[i].UID || hit.SessionHits != all.Hits[i].SessionHits {
			rt.Fatalf("%+v: hit %d is %+v, want %+v", q, i, hit, all.Hits[i])
		}
	}
}

func TestSearchIsWhatASlowSearchFinds(t *testing.T) {
	db := openTest(t)
	rapid.Check(t, func(rt *rapid.T) {
		for _, session := range must(db.Sessions(t.Context(), core.SessionFilter{}))(t) { // of the check before
			check(t, db.Trash(t.Context(), []string{session.ID}))
		}
		must(db.Purge(t.Context(), nil))(t)
		s := &indexedLibrary{db: db, ids: map[string]string{}}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				s.drop(rt, t)
			case 1:
				check(t, s.db.Index(t.Context(), nil))
			default:
				s.write(rt, t)
			}
		}
		check(t, s.db.Index(t.Context(), nil))
		for range 6 {
			text := someQuery(rt)
			q, err := query.Parse(text, query.Context{Now: time.UnixMilli(startMs).UTC()})
			if err != nil {
				rt.Fatal(err)
			}
			if strings.Contains(text, "in:two") && s.ids["two"] == "" {
				continue // there is no such session
			}
			s.compare(rt, t, core.SearchQuery{Text: text}, func(m *modelMessage) bool { return m.holds(q.Root) })
			needle := rapid.SampledFrom([]string{"lph", "A a", "ta", "x.", "话记", "=>", "gamma_", "longlo", "4", "-", strings.Repeat("long", 30)}).Draw(rt, "substring")
			has := func(m *modelMessage) bool {
				return slices.ContainsFunc(m.texts, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(needle)) })
			}
			s.compare(rt, t, core.SearchQuery{Text: needle, Substring: true}, has)
			s.compare(rt, t, core.SearchQuery{Text: "(?i)" + strings.ReplaceAll(needle, ".", `\.`), Regex: true}, has)
		}
		wantRebuilt(t, s.db)
	})
}

// indexForEver builds the index again and again until it is killed.
func indexForEver(path string) {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	for err == nil {
		if err = db.RebuildIndex(ctx); err == nil {
			fmt.Println("emptied")
			err = db.Index(ctx, nil)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestKilledWhileIndexing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("kills by signal")
	}
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	for i := range 4 {
		messages := chain(700)
		for j := range messages {
			messages[j].Parts[0].Text += strings.Repeat(fmt.Sprintf(" word%d", i*j), 1+j%40)
		}
		merged(t, db, incoming(fmt.Sprint("s", i), messages...))
	}
	for _, wait := range []time.Duration{0, 20 * time.Millisecond, 70 * time.Millisecond, 150 * time.Millisecond} {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childIndex+"="+path)
		out, err := child.StdoutPipe()
		check(t, err)
		check(t, child.Start())
		_, err = out.Read(make([]byte, 1))
		check(t, err)
		time.Sleep(wait)
		check(t, child.Process.Kill())
		if err := child.Wait(); err == nil {
			t.Fatal("the child was not killed")
		}
		for _, problem := range must(db.CheckIndex(t.Context(), nil))(t) {
			t.Errorf("after %v: %s", wait, problem)
		}
	}
	wantIndexed(t, db) // continues where the last one was killed
	if n := must(db.CountHits(t.Context(), core.SearchQuery{Text: "says"}))(t).Total; n != 2800 {
		t.Errorf("%d hits", n)
	}
}

// What is wrong with the index is found, and mended by a rebuild.
func TestCheckIndexFindsDamage(t *testing.T) {
	for name, damage := range map[string]string{
		"a message is forgotten":       `DELETE FROM search_docs WHERE message = 2`,
		"a message is put in twice":    `INSERT INTO search_queue VALUES (2, 0)`,
		"its words are gone":           `DELETE FROM search_index WHERE rowid = (SELECT id FROM search_docs WHERE message = 2)`,
		"words of nothing":             `INSERT INTO search_index (rowid, text) VALUES (1, 'ghost')`,
		"other words":                  `INSERT OR REPLACE INTO search_index (rowid, text) SELECT id, 'one' FROM search_docs WHERE message = 2`,
		"a page is lost":               `DELETE FROM search_index_data WHERE id > 10`,
		"the vocabulary is incomplete": `UPDATE search_words SET words = ''`,
		"other symbols":                `UPDATE search_docs SET signature = x'00' WHERE message = 2`,
		"it belongs to another time":   `UPDATE search_docs SET created_at_ms = 1 WHERE message = 2`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "coppice.db")
			db := openAt(t, path)
			merged(t, db, incoming("one", chain(5)...))
			wantIndexed(t, db)
			raw(t, path, damage)
			if len(must(db.CheckIndex(t.Context(), nil))(t)) == 0 {
				t.Error("not found")
			}
			if problems := must(db.Check(t.Context(), nil))(t); len(problems) > 0 {
				t.Errorf("the library itself is sound, but: %v", problems)
			}
			check(t, db.RebuildIndex(t.Context()))
			wantIndexed(t, db)
		})
	}
}

// Several processes and goroutines may index at once.
func TestIndexTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	first := openAt(t, path)
	merged(t, first, incoming("one", chain(3000)...))
	errs := make(chan error, 4)
	for range cap(errs) {
		db := openAt(t, path)
		go func() { errs <- errors.Join(db.Index(t.Context(), nil), db.Index(t.Context(), nil)) }()
	}
	for range cap(errs) {
		check(t, <-errs)
	}
	wantRebuilt(t, first)
}

// A session without times gets consecutive numbers, whatever the index has already.
func TestIndexWithoutTimes(t *testing.T) {
	db := openTest(t)
	for i := range 3 {
		messages := chain(1500)
		for j := range messages {
			messages[j].CreatedAtMs = 5
		}
		merged(t, db, incoming(fmt.Sprint("s", i), messages...))
	}
	wantIndexed(t, db)
	q := core.SearchQuery{Text: "says", Limit: 2}
	found := must(db.Search(t.Context(), q))(t)
	must(db.CountHits(t.Context(), q))(t).AddTo(&found)
	if found.Total != 4500 || found.Hits[0].Seq != 1499 || found.Hits[1].Seq != 1498 {
		t.Errorf("%d hits, first m%d, m%d", found.Total, found.Hits[0].Seq, found.Hits[1].Seq)
	}
}

// A library of an earlier version has no signatures. Searches read all of it until the next indexing computes them.
func TestIndexSignsEarlierMessages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	messages := chain(1100)
	messages[7].Parts = []core.Part{{Type: core.PartText, Text: "items.map(item => { return item })"}}
	merged(t, db, incoming("one", messages...))
	wantIndexed(t, db)
	raw(t, path, `UPDATE search_docs SET signature = NULL`)
	wantFound := func(looked int64) {
		t.Helper()
		for wanted, hits := range map[string]int{"=> {": 1, "<=>": 0} {
			found := must(db.Search(t.Context(), core.SearchQuery{Text: wanted}))(t)
			if len(found.Hits) != hits || found.Looked != looked {
				t.Errorf("%q: %d hits of %d messages, want %d of %d", wanted, len(found.Hits), found.Looked, hits, looked)
			}
		}
	}
	wantFound(1100)
	check(t, db.Index(t.Context(), nil))
	var unsigned int
	check(t, db.library.Read(t.Context(), func(r *store.Txn) error {
		return r.Get(t.Context(), &unsigned, `SELECT count(*) FROM search_docs WHERE signature IS NULL`)
	}))
	if unsigned > 0 {
		t.Errorf("%d messages have no signature", unsigned)
	}
	wantFound(1100)
	wantIndexed(t, db)
}
