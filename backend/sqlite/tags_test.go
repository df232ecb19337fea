package sqlite

import (
	"fmt"
	"testing"

	"coppice/backend/core"
)

func listed(t *testing.T, db *DB, f core.SessionFilter) string {
	t.Helper()
	ids := []string{}
	for _, s := range must(db.Sessions(t.Context(), f))(t) {
		ids = append(ids, s.SourceID)
	}
	return fmt.Sprint(ids)
}

func TestTags(t *testing.T) {
	db := openTest(t)
	var ids []string
	for _, name := range []string{"a", "b", "c"} {
		ids = append(ids, merged(t, db, incoming(name, say("u"+name, "", core.RoleUser))))
	}
	changed := must(db.TagSessions(t.Context(), ids[:2], "later", false))(t)
	again := must(db.TagSessions(t.Context(), ids, "later", false))(t)
	if len(changed) != 2 || len(again) != 1 {
		t.Errorf("changed %v, then %v", changed, again)
	}
	must(db.TagSessions(t.Context(), ids[1:], "later", true))(t)
	must(db.TagSessions(t.Context(), ids[:1], "web", false))(t)
	check(t, db.ColorTag(t.Context(), "later", "red"))
	wantCode(t, db.ColorTag(t.Context(), "later", "mauve"), core.Invalid)
	wantCode(t, db.RenameTag(t.Context(), "never", "x"), core.NotFound)
	check(t, db.RenameTag(t.Context(), "later", "soon"))
	if tags := must(db.Tags(t.Context()))(t); fmt.Sprint(tags) != "[{soon red 1} {web  1}]" {
		t.Errorf("tags %v", tags)
	}
	for query, want := range map[string]string{"tag:soon": "[a]", "tag:so": "[a]", "tag:later": "[]", "tag:": "[c b a]"} {
		if got := listed(t, db, core.SessionFilter{Query: query}); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if got := listed(t, db, core.SessionFilter{Sort: core.SortTag}); got != "[a c b]" {
		t.Errorf("by tag: %s", got)
	}
}

func TestListByProjectAndFile(t *testing.T) {
	db := openTest(t)
	for name, folder := range map[string]string{"a": "/x/web", "b": "/x/api/.worktrees/2", "c": "", "d": "/y/api"} {
		m, mr := edits("m"+name, "u"+name, "c"+name, folder+"/src/main_"+name+".go", name == "d")
		in := incoming(name, say("u"+name, "", core.RoleUser), m, mr)
		in.Session.WorkspacePath = folder
		merged(t, db, in)
	}
	for _, c := range []struct {
		filter core.SessionFilter
		want   string
	}{
		{core.SessionFilter{Project: "web"}, "[a]"},
		{core.SessionFilter{Query: "file:main_b.go"}, "[b]"},
		{core.SessionFilter{Query: "file:src/main_b.go"}, "[b]"},
		{core.SessionFilter{Query: "file:rc/main_b.go"}, "[]"},
		{core.SessionFilter{Query: "file:main_d.go"}, "[]"}, // its call failed
		{core.SessionFilter{Errors: true}, "[d]"},
		{core.SessionFilter{Branched: true}, "[]"},
	} {
		if got := listed(t, db, c.filter); got != c.want {
			t.Errorf("%+v: %s, want %s", c.filter, got, c.want)
		}
	}
	if got := listed(t, db, core.SessionFilter{Sort: core.SortProject}); got != "[d b a c]" && got != "[b d a c]" {
		t.Errorf("by project: %s", got)
	}
	f := must(db.Facets(t.Context()))(t)
	if fmt.Sprint(f.Projects) != "[{api 2} {web 1}]" {
		t.Errorf("projects %v", f.Projects)
	}
}
