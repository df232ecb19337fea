package sqlite

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/sessions"
	"coppice/backend/sqlite/internal/tables"
	"coppice/backend/sqlite/internal/trees"
)

func TestListIsOneRange(t *testing.T) {
	db := openTest(t)
	for _, list := range []struct {
		f     core.SessionFilter
		index string
	}{
		{core.SessionFilter{}, "sessions_list"},
		{core.SessionFilter{Sort: core.SortUpdated}, "sessions_list"},
		{core.SessionFilter{Sort: core.SortMatch, Query: " "}, "sessions_list"},
		{core.SessionFilter{Incomplete: true}, "sessions_unfinished"},
		{core.SessionFilter{Branched: true}, "sessions_forked"},
		{core.SessionFilter{Sort: core.SortCost}, "sessions_cost"},
	} {
		f := list.f
		var plan []struct {
			ID, Parent, Notused int64
			Detail              string
		}
		order, args := sessions.Order(f)
		check(t, readerOf(t, db).Select(&plan, `EXPLAIN QUERY PLAN SELECT `+tables.SessionColumns+` FROM sessions s WHERE `+sessions.Where(f).String()+` ORDER BY `+order+` LIMIT 50`, args...))
		text := fmt.Sprint(plan)
		if !strings.Contains(text, "INDEX "+list.index) || strings.Contains(text, "TEMP B-TREE") {
			t.Errorf("%+v: plan %s", f, text)
		}
	}
}

func TestHomeLists(t *testing.T) {
	db := openTest(t)
	want := map[string][]string{}
	for i := range 8 {
		name := fmt.Sprintf("s%d", i)
		prompt, answer := say(name+"q", "", core.RoleUser), say(name+"a", name+"q", core.RoleAssistant)
		prompt.CreatedAtMs, answer.CreatedAtMs = startMs+int64(i)*1000, startMs+int64(i)*1000
		answer.CostNanoUSD = nil
		if i%4 == 0 {
			cost := int64(i + 1)
			answer.CostNanoUSD = &cost
			want["expensive"] = append([]string{name}, want["expensive"]...)
		}
		in := incoming(name, prompt, answer)
		in.Session.Title = name
		if i%3 == 0 {
			other := say(name+"b", name+"q", core.RoleAssistant)
			other.CreatedAtMs, other.CostNanoUSD = answer.CreatedAtMs, nil
			in = incoming(name, prompt, answer, other)
			in.Session.Title = name
			want["forked"] = append([]string{name}, want["forked"]...)
		}
		if i%2 == 0 {
			in.Session.Status = core.StatusFailed
			want["unfinished"] = append([]string{name}, want["unfinished"]...)
		}
		merged(t, db, in)
		want["recent"] = append([]string{name}, want["recent"]...)
	}
	home := must(db.HomeLists(t.Context(), 3))(t)
	for name, got := range map[string][]core.Session{"recent": home.Recent, "unfinished": home.Unfinished, "forked": home.Forked, "expensive": home.Expensive} {
		titles := []string{}
		for _, s := range got {
			titles = append(titles, s.Title)
		}
		if first := want[name][:min(3, len(want[name]))]; !slices.Equal(titles, first) {
			t.Errorf("%s: %v, want %v", name, titles, first)
		}
	}
}

// No query of a path or a tree may read more than ranges.
func TestPlans(t *testing.T) {
	db := openTest(t)
	for _, query := range []string{
		tables.MessageRange, tables.MessageBySeq, tables.MessageByUID, tables.HeadAt, tables.HeadBySeq, tables.HeadByUID, tables.AppendContextQuery, trees.FirstsAt, trees.TurnEnds, tables.BranchColumns + `WHERE session = ? ORDER BY number`,
		`SELECT fork_depth, count(*) AS count FROM branches WHERE session = ? AND parent = ? AND fork_depth BETWEEN ? AND ? GROUP BY fork_depth`,
		`DELETE FROM blobs WHERE id = ?`, `DELETE FROM messages WHERE session = ?`,
	} {
		var plan []struct {
			ID, Parent, Notused int64
			Detail              string
		}
		check(t, readerOf(t, db).Select(&plan, `EXPLAIN QUERY PLAN `+query, make([]any, strings.Count(strings.ReplaceAll(query, "?1", ""), "?")+min(1, strings.Count(query, "?1")))...))
		for _, step := range plan {
			ours := strings.HasPrefix(step.Detail, "SCAN") && !strings.Contains(step.Detail, "SCAN n") && !strings.Contains(step.Detail, "SCAN (") && !strings.Contains(step.Detail, "SCAN spans")
			if ours || strings.Contains(step.Detail, "AUTOMATIC") || strings.Contains(step.Detail, "TEMP B-TREE") && query != trees.TurnEnds {
				t.Errorf("%s\n%s", query, step.Detail)
			}
		}
	}
}

// manySessions adds random sessions and returns them as they are listed without a filter, newest first.
func manySessions(t *testing.T, db *DB, n int) []core.Session {
	t.Helper()
	for i := range n {
		m := say(fmt.Sprintf("u%d", i), "", core.RoleUser)
		m.CreatedAtMs += int64(i * 7919 % 101)
		m.Parts[0].Text = fmt.Sprintf("%s number %d", []string{"Größe", "water", "100%", "a_b", `c:\d`}[i%5], i)
		in := incoming(fmt.Sprintf("s%03d", i), m)
		in.Session.Source = core.Sources()[i%3]
		in.Session.Status = core.Statuses()[i%4]
		in.Session.WorkspacePath = fmt.Sprintf("/home/w%d", i%2)
		in.Session.Model = fmt.Sprintf("model%d", i%2)
		id := merged(t, db, in)
		if i%6 == 0 {
			check(t, db.Pin(t.Context(), []string{id}, true))
		}
		if i%7 == 0 {
			check(t, db.Archive(t.Context(), []string{id}, true))
		}
		if i%8 == 0 {
			check(t, db.Trash(t.Context(), []string{id}))
		}
		if i%9 == 0 {
			check(t, db.SetLabel(t.Context(), id, m.UID, fmt.Sprintf("label%d", i%2)))
		}
	}
	all := []core.Session{}
	for _, f := range []core.SessionFilter{{}, {Archived: true}, {Trash: true}} {
		all = append(all, must(db.Sessions(t.Context(), f))(t)...)
	}
	if len(all) != n {
		t.Fatalf("%d of %d sessions are listed", len(all), n)
	}
	return all
}

// matches is the filter the obvious way.
func matches(s *core.Session, f core.SessionFilter, labelled bool) bool {
	place := map[bool]string{true: "trash", false: "list"}[s.DeletedAtMs > 0]
	if place == "list" && s.ArchivedAtMs > 0 {
		place = "archive"
	}
	wanted := "list"
	if f.Archived {
		wanted = "archive"
	}
	if f.Trash {
		wanted = "trash"
	}
	text := strings.ToLower(s.Title + "\n" + s.Task + "\n" + s.WorkspacePath + "\n" + s.ID + "\n" + s.SourceID)
	for word := range strings.FieldsSeq(f.Query) {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	incomplete := slices.Contains([]core.Status{core.StatusRunning, core.StatusPartial, core.StatusFailed}, s.Status)
	return place == wanted && (len(f.Sources) == 0 || slices.Contains(f.Sources, s.Source)) && (len(f.Statuses) == 0 || slices.Contains(f.Statuses, s.Status)) &&
		(f.Workspace == "" || f.Workspace == s.WorkspacePath) && (f.Model == "" || f.Model == s.Model) && (!f.Pinned || s.PinnedAtMs > 0) &&
		(!f.Incomplete || incomplete) && (f.Label == "" || labelled)
}

func TestFilters(t *testing.T) {
	db := openTest(t)
	all := manySessions(t, db, 60)
	labels := map[string]string{}
	for _, s := range all {
		for _, l := range must(db.Labels(t.Context(), s.ID))(t) {
			labels[s.ID] = l.Text
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		f := core.SessionFilter{
			Query:       rapid.SampledFrom([]string{"", "", "WATER", "GRÖSSE", "größe", "number 1", "100%", "_", `:\`, "s01 w1", "1790"}).Draw(rt, "query"),
			Workspace:   rapid.SampledFrom([]string{"", "", "/home/w1"}).Draw(rt, "workspace"),
			Model:       rapid.SampledFrom([]string{"", "", "model1"}).Draw(rt, "model"),
			Label:       rapid.SampledFrom([]string{"", "", "", "label1", "label0"}).Draw(rt, "label"),
			Incomplete:  rapid.Bool().Draw(rt, "incomplete"),
			Pinned:      rapid.IntRange(0, 4).Draw(rt, "pinned") == 0,
			Archived:    rapid.IntRange(0, 4).Draw(rt, "archived") == 0,
			Trash:       rapid.IntRange(0, 4).Draw(rt, "trash") == 0,
			PinnedFirst: rapid.Bool().Draw(rt, "pinned first"),
			Limit:       rapid.Int64Range(0, 8).Draw(rt, "limit"),
			Offset:      rapid.Int64Range(0, 8).Draw(rt, "offset"),
		}
		if rapid.IntRange(0, 2).Draw(rt, "by source") == 0 {
			f.Sources = core.Sources()[1:3]
			f.Statuses = core.Statuses()[:2]
		}
		want := []string{}
		for _, first := range []bool{true, false} {
			for i := range all {
				s := &all[i]
				if matches(s, f, labels[s.ID] == f.Label) && (!f.PinnedFirst && first || f.PinnedFirst && first == (s.PinnedAtMs > 0)) {
					want = append(want, s.SourceID)
				}
			}
		}
		if n := must(db.CountSessions(t.Context(), f))(t); n != int64(len(want)) {
			rt.Fatalf("%d are counted, want %d", n, len(want))
		}
		want = want[min(int(f.Offset), len(want)):]
		if f.Limit > 0 {
			want = want[:min(int(f.Limit), len(want))]
		}
		got := []string{}
		for _, s := range must(db.Sessions(t.Context(), f))(t) {
			got = append(got, s.SourceID)
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("%+v\ngot  %v\nwant %v", f, got, want)
		}
	})
}

func TestSorts(t *testing.T) {
	db := openTest(t)
	for i, name := range []string{"b", "C", "a"} {
		messages := chain(i + 1)
		messages[0].CreatedAtMs -= int64(i)
		in := incoming(name, messages...)
		in.Session.Title, in.Session.CreatedAtMs = name, startMs+int64(i)
		if name == "C" {
			in.Session.Relation, in.Session.ParentID = core.RelationFork, "elsewhere"
		}
		merged(t, db, in)
	}
	for order, want := range map[core.Sort]string{
		core.SortTitle: "[a b C]", core.SortCreated: "[a C b]", core.SortMessages: "[a C b]", core.SortCost: "[a C b]", core.SortUpdated: "[a C b]",
	} {
		if got := fmt.Sprint(sourceIDs(t, db, core.SessionFilter{Sort: order})); got != want {
			t.Errorf("by %s: %s, want %s", order, got, want)
		}
	}
}

// Whoever types a title whole means that session, however many newer ones hold the same words.
func TestWhatIsCalledAsTheQueryIsFirst(t *testing.T) {
	db := openTest(t)
	for i, title := range []string{"Größe", "deploy", "100%", "100% of it", "DEPLOY", "Deploy the site", "how to deploy", "Größe prüfen"} {
		m := say("m"+title, "", core.RoleUser)
		m.CreatedAtMs += int64(i)
		in := incoming(title, m)
		in.Session.Title = title
		if title == "how to deploy" {
			in.Session.Name = "site"
		}
		merged(t, db, in)
	}
	for query, want := range map[string]string{
		"deploy":  "[DEPLOY deploy how to deploy Deploy the site]",
		"Deploy ": "[DEPLOY deploy how to deploy Deploy the site]",
		"größe":   "[Größe Größe prüfen]",
		"100%":    "[100% 100% of it]",
		"site":    "[how to deploy Deploy the site]",
		"depl":    "[how to deploy Deploy the site DEPLOY deploy]",
	} {
		for limit := range int64(3) {
			got := sourceIDs(t, db, core.SessionFilter{Query: query, Sort: core.SortMatch, Children: true, Limit: limit})
			if text := strings.TrimSuffix(fmt.Sprint(got), "]"); !strings.HasPrefix(want, text) || limit == 0 && text+"]" != want {
				t.Errorf("%q, at most %d: %s, want %s", query, limit, text, want)
			}
		}
	}
	if got := sourceIDs(t, db, core.SessionFilter{Sort: core.SortMatch}); len(got) != 8 || got[0] != "Größe prüfen" {
		t.Errorf("without a query %v, want the newest first", got)
	}
}

func TestChildrenAreListedWithTheirParent(t *testing.T) {
	db := openTest(t)
	parent := family(t, db)
	for _, test := range []struct {
		f    core.SessionFilter
		want string
	}{
		{core.SessionFilter{}, "[parent fork]"},
		{core.SessionFilter{Children: true}, "[parent fork grandchild child]"},
		{core.SessionFilter{ParentID: parent}, "[fork child]"},
	} {
		if got := fmt.Sprint(sourceIDs(t, db, test.f)); got != test.want {
			t.Errorf("%+v: %s, want %s", test.f, got, test.want)
		}
	}
}

func TestFacets(t *testing.T) {
	db := openTest(t)
	all := manySessions(t, db, 60)
	f := must(db.Facets(t.Context()))(t)
	count := func(filter core.SessionFilter) int64 { return must(db.CountSessions(t.Context(), filter))(t) }
	if f.Total != count(core.SessionFilter{}) || f.Pinned != count(core.SessionFilter{Pinned: true}) || f.Archived != count(core.SessionFilter{Archived: true}) ||
		f.Trash != count(core.SessionFilter{Trash: true}) || f.Incomplete != count(core.SessionFilter{Incomplete: true}) {
		t.Errorf("facets %+v of %d sessions", f, len(all))
	}
	for _, x := range f.Sources {
		if x.Count != count(core.SessionFilter{Sources: []core.Source{core.Source(x.Value)}}) {
			t.Errorf("source %+v", x)
		}
	}
	for _, x := range f.Labels {
		if x.Count != count(core.SessionFilter{Label: x.Value}) {
			t.Errorf("label %+v", x)
		}
	}
	if len(f.Sources) != 3 || len(f.Statuses) != 4 || len(f.Workspaces) != 2 || len(f.Models) != 2 || len(f.Labels) != 2 {
		t.Errorf("facets %+v", f)
	}
	empty := must(openTest(t).Facets(t.Context()))(t)
	if empty.Sources == nil || empty.Labels == nil || !reflect.DeepEqual(empty.Models, []core.Facet{}) {
		t.Errorf("facets of nothing: %+v", empty)
	}
}

func TestAliasesOfAModelAreOne(t *testing.T) {
	db := openTest(t)
	for _, model := range []string{"claude-opus-4-5-20251101", "anthropic/claude-opus-4.5", "claude-opus-4-5", "gpt-5"} {
		must(db.CreateSession(t.Context(), core.Session{Model: model}))(t)
	}
	want := []core.Facet{{Value: "claude-opus-4-5", Count: 3}, {Value: "gpt-5", Count: 1}}
	if f := must(db.Facets(t.Context()))(t); !reflect.DeepEqual(f.Models, want) {
		t.Errorf("models %+v, want %+v", f.Models, want)
	}
	for model, n := range map[string]int64{"claude-opus-4-5": 3, "claude-opus-4-5-20251101": 3, "gpt-5": 1, "gpt": 0} {
		if got := must(db.CountSessions(t.Context(), core.SessionFilter{Model: model}))(t); got != n {
			t.Errorf("%d sessions of %q, want %d", got, model, n)
		}
	}
}

func TestSessionByReference(t *testing.T) {
	db := openTest(t)
	one := must(db.CreateSession(t.Context(), core.Session{ID: "aaaa-1111", SourceID: "src-xyz", Source: core.SourcePi, Name: "bert"}))(t)
	must(db.CreateSession(t.Context(), core.Session{ID: "aaaa-2222", Title: "the other"}))(t)
	gone := must(db.CreateSession(t.Context(), core.Session{ID: "aaab-3333", SourceID: "src-old", Source: core.SourcePi}))(t)
	check(t, db.Trash(t.Context(), []string{gone.ID}))
	for ref, want := range map[string]string{
		"aaaa-1111": one.ID, "aaaa-1": one.ID, "bert": one.ID, "src-xyz": one.ID, "src": one.ID, "src-old": gone.ID, "aaab": gone.ID, "aaa": "", "": "", "nobody": "", "ber": "",
	} {
		s, err := db.Session(t.Context(), ref)
		if want == "" {
			code := core.NotFound
			if ref == "aaa" || ref == "" {
				code = core.Invalid
			}
			wantCode(t, err, code)
			if ref == "aaa" && (!strings.Contains(err.Error(), "aaaa-2222 (the other)") || core.HintOf(err) == "") {
				t.Errorf("error %q", err)
			}
		} else if err != nil || s.ID != want {
			t.Errorf("%q is %s, %v, want %s", ref, s.ID, err, want)
		}
	}
	_, err := db.CreateSession(t.Context(), core.Session{ID: "aaaa-1111"})
	wantCode(t, err, core.Conflict)
	_, err = db.CreateSession(t.Context(), core.Session{Name: "bert"})
	wantCode(t, err, core.Conflict)
	wantCode(t, db.SetName(t.Context(), "aaaa-2222", "bert"), core.Conflict)
	wantCode(t, db.SetName(t.Context(), "aaaa-2222", "two words"), core.Invalid)
	check(t, db.SetName(t.Context(), "aaaa-1111", ""))
	check(t, db.SetName(t.Context(), "aaaa-2222", "bert"))
	if s := must(db.Session(t.Context(), "bert"))(t); s.ID != "aaaa-2222" {
		t.Errorf("bert is %s", s.ID)
	}
}

func TestNodeByReference(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("one",
		say("aabbcc-1", "", core.RoleUser), say("aabbcc-2", "aabbcc-1", core.RoleAssistant), say("n0", "aabbcc-2", core.RoleUser), say("aabbdd-4", "n0", core.RoleAssistant)))
	check(t, db.SetLabel(t.Context(), id, "aabbcc-2", "Plan"))
	check(t, db.SetLabel(t.Context(), id, "aabbdd-4", "m0"))
	for node, want := range map[string]string{
		"n0": "n0", "n1": "aabbdd-4", "m1": "aabbcc-2", "m0": "aabbcc-1", "plan": "aabbcc-2", "Plan": "aabbcc-2", "aabbdd": "aabbdd-4", "aabbcc-2": "aabbcc-2",
	} {
		m, err := db.Node(t.Context(), id, node)
		if err != nil || m.UID != want || len(m.Parts) != 0 {
			t.Errorf("%q is %+v, %v, want %s", node, m, err, want)
		}
	}
	for node, code := range map[string]core.Code{"aabbcc": core.Invalid, "aabb": core.NotFound, "m9": core.NotFound, "n9": core.NotFound, "m99999999999999999999": core.NotFound, "": core.NotFound} {
		_, err := db.Node(t.Context(), id, node)
		wantCode(t, err, code)
	}
	check(t, db.SetLabel(t.Context(), id, "n0", "PLAN"))
	_, err := db.Node(t.Context(), id, "plan")
	wantCode(t, err, core.Invalid)
	if m := must(db.Node(t.Context(), id, "PLAN"))(t); m.UID != "aabbdd-4" {
		t.Errorf("PLAN is %s", m.UID)
	}
}

func TestSettings(t *testing.T) {
	db := openTest(t)
	for _, value := range []string{"", "dark", "light", ""} {
		check(t, db.PutSetting(t.Context(), "theme", value))
		if got := must(db.Setting(t.Context(), "theme"))(t); got != value {
			t.Errorf("%q, want %q", got, value)
		}
	}
}

func TestBackup(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("one", chain(3)...))
	path := t.TempDir() + "/copy.db"
	check(t, db.Backup(t.Context(), path))
	wantCode(t, db.Backup(t.Context(), path), core.Conflict)
	wantCode(t, db.Backup(t.Context(), t.TempDir()+"/missing/copy.db"), core.NotFound)
	if s := must(openAt(t, path).Session(t.Context(), id))(t); s.MessageCount != 3 {
		t.Errorf("%d messages", s.MessageCount)
	}
}

// TestFilterByTime lists a session on every day that something was done in it, or in a subagent of it.
func TestFilterByTime(t *testing.T) {
	db := openTest(t)
	const dayMs = int64(24 * time.Hour / time.Millisecond)
	first := startMs / dayMs * dayMs
	at := func(uid, parent string, day int64) core.Message {
		m := say(uid, parent, core.RoleUser)
		m.CreatedAtMs = first + day*dayMs
		return m
	}
	parent := merged(t, db, incoming("long", at("a", "", 0), at("b", "a", 3)))
	child := incoming("child", at("c", "", 5))
	child.Session.Relation, child.Session.ParentID = core.RelationSubagent, parent
	merged(t, db, child)
	short := merged(t, db, incoming("short", at("d", "", 3)))
	check(t, db.Pin(t.Context(), []string{short}, true))
	merged(t, db, incoming("timeless", func() core.Message { m := at("e", "", 0); m.CreatedAtMs = 0; return m }()))
	for _, test := range []struct {
		from, before int64
		want         string
	}{
		{0, 1, "[long]"}, {1, 3, "[]"}, {3, 4, "[short long]"}, {5, 6, "[long]"}, {4, 5, "[]"}, {6, 9, "[]"},
	} {
		f := core.SessionFilter{ActiveFromMs: first + test.from*dayMs, ActiveBeforeMs: first + test.before*dayMs, PinnedFirst: true}
		if got := fmt.Sprint(sourceIDs(t, db, f)); got != test.want {
			t.Errorf("days %d to %d: %s, want %s", test.from, test.before, got, test.want)
		}
		if n := must(db.CountSessions(t.Context(), f))(t); n != int64(len(sourceIDs(t, db, f))) {
			t.Errorf("days %d to %d: %d are counted", test.from, test.before, n)
		}
	}
	open := core.SessionFilter{ActiveFromMs: first + 4*dayMs, Children: true}
	if got := fmt.Sprint(sourceIDs(t, db, open)); got != "[child long]" {
		t.Errorf("from the fifth day on: %s", got)
	}
}
