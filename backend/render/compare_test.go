package render

import (
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/toolcall/diff"
)

// twoWays returns a session whose two branches changed files, from depth 1 on: one has a failed call, the other a
// change that no call names.
func twoWays(t *testing.T) (f *forest, left, right Branch) {
	f = newForest(core.Session{ID: "s", WorkspacePath: "/app"})
	ask := f.add(t, "", said(core.RoleUser, text("fix it")))
	step := func(parent, id, name, arguments string, failed bool) string {
		call := f.add(t, parent, said(core.RoleAssistant, calls(id, name, arguments)))
		result := answers(id, text("done"))
		result.IsError = failed
		return f.add(t, call, said(core.RoleTool, result))
	}
	a := step(ask, "1", "Edit", `{"file_path":"/app/a.go","old_string":"x","new_string":"y\nz"}`, false)
	a = step(a, "2", "Edit", `{"file_path":"/app/a.go","old_string":"z","new_string":""}`, false)
	a = step(a, "3", "Edit", `{"file_path":"/app/failed.go","old_string":"z","new_string":"q"}`, true)
	b := step(ask, "4", "Write", `{"file_path":"/app/b.go","content":"one\ntwo\n"}`, false)
	for hash, content := range map[string]string{"old": "x\n", "left": "y\n", "right": "w\n"} {
		f.blobs[hash] = core.Blob{Hash: hash, Data: []byte(content)}
	}
	left = Branch{LeafUID: a, From: 1, Changes: []core.FileChange{{Path: "a.go", BeforeHash: "old", AfterHash: "between"}, {Path: "a.go", BeforeHash: "between", AfterHash: "left"}}}
	right = Branch{LeafUID: b, From: 1, Changes: []core.FileChange{{Path: "a.go", BeforeHash: "old", AfterHash: "right"}, {Path: "gone.go", BeforeHash: "old"}}}
	return f, left, right
}

func TestEffects(t *testing.T) {
	f, left, right := twoWays(t)
	got, err := shared().Effects(t.Context(), f, f.session, left, right)
	if err != nil {
		t.Fatal(err)
	}
	want := []FileEffect{
		{Path: "a.go", Left: Effect{Added: 2, Removed: 2, Changes: 2}, Right: Effect{Changes: 1}, Known: true},
		{Path: "b.go", Right: Effect{Added: 2, Changes: 1, Created: false}},
		{Path: "gone.go", Right: Effect{Changes: 1, Deleted: true}, Known: true},
	}
	if !reflect.DeepEqual(got.Files, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got.Files, want)
	}
}

func TestCompareFile(t *testing.T) {
	f, left, right := twoWays(t)
	compare := func(path string) FileComparison {
		got, err := shared().CompareFile(t.Context(), f, f.session, left, right, path)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if c := compare("a.go"); !c.Known || c.Between.Added != 1 || c.Between.Removed != 1 || c.Between.Hunks[0].Lines[0].Text != "y" {
		t.Errorf("a.go: %+v", c.Between)
	}
	if c := compare("gone.go"); !c.Known || c.Between.Removed != 1 || c.Between.Added != 0 {
		t.Errorf("what one branch deleted: %+v", c.Between)
	}
	if c := compare("b.go"); c.Known || len(c.Left) != 0 || len(c.Right) != 1 || c.Right[0].Added != 2 {
		t.Errorf("what is known by calls only: %+v", c)
	}
	left.Changes[1].AfterHash = "lost"
	if c := compare("a.go"); c.Known || len(c.Left) != 2 {
		t.Errorf("with a missing blob: %+v", c)
	}
}

func TestCompareWords(t *testing.T) {
	f := newForest(core.Session{ID: "s", WorkspacePath: "/app"})
	ask := f.add(t, "", said(core.RoleUser, text("fix it")))
	a := f.add(t, ask, said(core.RoleAssistant, core.Part{Type: core.PartReasoning, Text: "hm"}, text("I read it."), calls("1", "Read", `{"file_path":"/app/a.go"}`)))
	b := f.add(t, ask, said(core.RoleAssistant, text("I wrote it.")))
	got, err := shared().CompareWords(t.Context(), f, f.session, PathRange{LeafUID: a, From: 1, Messages: 1}, PathRange{LeafUID: b, From: 1, Messages: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := []diff.Span{{Text: "I "}, {Text: "read it.\n\n▸ Read  a.go", Changed: true}}
	if !reflect.DeepEqual(got.Left, want) || got.Cut || got.Same == 0 {
		t.Errorf("got %+v", got)
	}
	long := f.add(t, b, said(core.RoleAssistant, text(strings.Repeat("word ", maxWordBytes))))
	got, err = shared().CompareWords(t.Context(), f, f.session, PathRange{}, PathRange{LeafUID: long, From: 2, Messages: 1})
	if err != nil || !got.Cut || len(got.Left) != 0 || len(got.Right) != 1 || len(got.Right[0].Text) > maxWordBytes {
		t.Errorf("a long turn beside nothing: cut %t, %d spans, %v", got.Cut, len(got.Right), err)
	}
}
