package mirror

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// add stores a session with one prompt and one answer.
func add(t *testing.T, db *sqlite.DB, id, title, workspace, parent, prompt string) {
	t.Helper()
	relation := core.RelationNone
	if parent != "" {
		relation = core.RelationSubagent
	}
	text := func(text string) []core.Part { return []core.Part{{Type: core.PartText, Text: text}} }
	messages := []core.IncomingMessage{
		{Message: core.Message{UID: id + "-1", Role: core.RoleUser, Kind: core.KindMessage, Parts: text(prompt), CreatedAtMs: 1795087048000}},
		{Message: core.Message{UID: id + "-2", ParentUID: id + "-1", Role: core.RoleAssistant, Kind: core.KindMessage, Parts: text("The answer.")}},
	}
	in := core.Incoming{
		Header: core.Header{Session: core.Session{
			ID: id, Title: title, WorkspacePath: workspace, ParentID: parent, Relation: relation,
			Source: core.SourceCoppice, Status: core.StatusIdle, CreatedAtMs: 1795087048000,
		}},
		Head: func() string { return id + "-2" },
		Messages: func(yield func(core.IncomingMessage, error) bool) {
			for _, m := range messages {
				if !yield(m, nil) {
					return
				}
			}
		},
	}
	if _, err := core.Merge(t.Context(), db, in); err != nil {
		t.Fatal(err)
	}
}

const (
	login = "01930000-0000-7000-8000-0000000000a1"
	child = "01930000-0000-7000-8000-0000000000a2"
	other = "01930000-0000-7000-8000-0000000000b1"
)

// sample returns a library of three sessions in two workspaces, one of them of a subagent.
func sample(t *testing.T) *sqlite.DB {
	t.Helper()
	db := apptest.OpenLibrary(t)
	add(t, db, login, "Add a login page", "/home/ann/shop", "", "Add a login page, ann@example.org")
	add(t, db, child, "Find the routes", "/home/ann/shop", login, "Find the routes")
	add(t, db, other, "Über <b>Röhren</b>", "/srv/con", "", "What is a tube?")
	return db
}

func run(t *testing.T, db *sqlite.DB, o Options) Report {
	t.Helper()
	return apptest.Must(Update(t.Context(), db, o, nil))(t)
}

// want fails the test if an update did not write, keep and remove so many sessions, or skipped a file.
func want(t *testing.T, r Report, written, unchanged, removed int64) {
	t.Helper()
	if r.Written != written || r.Unchanged != unchanged || r.Removed != removed || len(r.Skipped) > 0 {
		t.Errorf("%+v, want %d written, %d unchanged, %d removed, nothing skipped", r, written, unchanged, removed)
	}
}

// filesIn returns the files below a folder with their contents, without those of the mirror itself.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, folder+string(filepath.Separator)))
		if entry.IsDir() {
			if name == ownFolder {
				return fs.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(path)
		found[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func names(files map[string]string) []string {
	var all []string
	for name := range files {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	db, o := sample(t), Options{Folder: filepath.Join(t.TempDir(), "new", "mirror"), Format: "md"}
	want(t, run(t, db, o), 3, 0, 0)
	all := []string{
		"con-workspace/2026-11-19-ber-b-r-hren-b-000000b1.md",
		"index.md",
		"shop/2026-11-19-add-a-login-page-000000a1.md",
		"shop/2026-11-19-add-a-login-page-000000a1/2026-11-19-find-the-routes-000000a2.md",
	}
	files := filesIn(t, o.Folder)
	if got := names(files); !slices.Equal(got, all) {
		t.Fatalf("files: %q", got)
	}
	if !strings.Contains(files[all[2]], "The answer.") {
		t.Errorf("%s: %s", all[2], files[all[2]])
	}
	if parent, child := strings.Index(files["index.md"], "(shop/2026-11-19-add-a-login-page-000000a1.md)"), strings.Index(files["index.md"], "  - 2026-11-19 [Find"); parent < 0 || child < parent {
		t.Errorf("the subagent is not after the session that started it: %s", files["index.md"])
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(files["index.md"], -1) {
		if _, ok := files[link[1]]; !ok {
			t.Errorf("the index links to %s", link[1])
		}
	}
	if !strings.Contains(files["index.md"], `Über &lt;b\>Röhren&lt;/b\>`) {
		t.Errorf("index: %s", files["index.md"])
	}

	before := apptest.Must(os.Stat(filepath.Join(o.Folder, all[2])))(t)
	want(t, run(t, db, o), 0, 3, 0)
	if after := apptest.Must(os.Stat(filepath.Join(o.Folder, all[2])))(t); !os.SameFile(before, after) {
		t.Error("an unchanged file was written again")
	}

	if err := db.Rename(t.Context(), login, "Add a login form"); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, db, o), 2, 1, 0) // the child's folder has the name of its parent
	all[2], all[3] = "shop/2026-11-19-add-a-login-form-000000a1.md", "shop/2026-11-19-add-a-login-form-000000a1/2026-11-19-find-the-routes-000000a2.md"
	if got := names(filesIn(t, o.Folder)); !slices.Equal(got, all) {
		t.Errorf("after a rename: %q", got)
	}
	if _, err := os.Stat(filepath.Join(o.Folder, "shop/2026-11-19-add-a-login-page-000000a1")); err == nil {
		t.Error("the empty folder of the former title is left")
	}
}

// TestOthersFilesStay changes, adds and removes files in a mirror as a user would.
func TestOthersFilesStay(t *testing.T) {
	t.Parallel()
	db, o := sample(t), Options{Folder: t.TempDir(), Format: "md"}
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(o.Folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const page, tubes = "shop/2026-11-19-add-a-login-page-000000a1.md", "con-workspace/2026-11-19-ber-b-r-hren-b-000000b1.md"
	put(tubes, "mine")
	put("shop/notes.md", "mine")
	r := run(t, db, o)
	if r.Written != 2 || len(r.Skipped) != 1 || r.Skipped[0].Path != tubes {
		t.Fatalf("a file that was there before: %+v", r)
	}
	put(page, "edited")
	if err := db.Trash(t.Context(), []string{login, child}); err != nil {
		t.Fatal(err)
	}
	r = run(t, db, o)
	if r.Removed != 2 || len(r.Skipped) != 2 || !slices.ContainsFunc(r.Skipped, func(s Skip) bool { return s.Path == page }) {
		t.Errorf("an edited file of a deleted session: %+v", r)
	}
	files := filesIn(t, o.Folder)
	if got, want := names(files), []string{tubes, "index.md", page, "shop/notes.md"}; !slices.Equal(got, want) {
		t.Errorf("files: %q", got)
	}
	if files[tubes] != "mine" || files[page] != "edited" || files["shop/notes.md"] != "mine" {
		t.Errorf("files: %q", files)
	}
	if err := os.Remove(filepath.Join(o.Folder, tubes)); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, db, o), 1, 0, 0)
}

// TestEditedFileStays changes a session whose file a user has edited.
func TestEditedFileStays(t *testing.T) {
	t.Parallel()
	db, o := sample(t), Options{Folder: t.TempDir(), Format: "md"}
	run(t, db, o)
	page := filepath.Join(o.Folder, "shop/2026-11-19-add-a-login-page-000000a1.md")
	if err := os.WriteFile(page, []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := db.SetLabel(t.Context(), login, login+"-1", "start"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it is reported each time
		if r := run(t, db, o); len(r.Skipped) != 1 || r.Written != 0 {
			t.Errorf("%+v", r)
		}
	}
	if data := apptest.Must(os.ReadFile(page))(t); string(data) != "edited" {
		t.Errorf("the edited file is %q", data)
	}
}

// TestInterruptedUpdate repeats an update that ended after some files had their new names.
func TestInterruptedUpdate(t *testing.T) {
	t.Parallel()
	db, o := sample(t), Options{Folder: t.TempDir(), Format: "md"}
	run(t, db, o)
	former := filesIn(t, o.Folder)
	if err := db.SetLabel(t.Context(), login, login+"-1", "start"); err != nil {
		t.Fatal(err)
	}
	u := &update{options: o, db: db, report: Report{Skipped: []Skip{}}}
	unlock := apptest.Must(u.open())(t)
	const page = "shop/2026-11-19-add-a-login-page-000000a1.md"
	f := &file{session: apptest.Must(db.Session(t.Context(), login))(t), folder: "shop", path: page}
	one := apptest.Must(u.stage(t.Context(), f, ownFolder+"/staging/x"))(t)
	if err := u.announce([]staged{one}); err != nil {
		t.Fatal(err)
	}
	if err := u.root.Rename(one.sources[page], page); err != nil {
		t.Fatal(err)
	}
	unlock()
	if filesIn(t, o.Folder)[page] == former[page] {
		t.Fatal("the label is not in the file")
	}
	want(t, run(t, db, o), 1, 2, 0)
}

// TestFormats reads what each format has written: JSON with the importer, the page with its policy.
func TestFormats(t *testing.T) {
	t.Parallel()
	db, folder := sample(t), t.TempDir()
	for _, format := range []string{"html", "json", "md"} {
		want(t, run(t, db, Options{Folder: folder, Format: format}), 3, 0, 0)
		files := filesIn(t, folder)
		if len(files) != 4 {
			t.Errorf("%s: the files of another format are left: %q", format, names(files))
		}
		switch format {
		case "html":
			page := files["index.html"]
			style := page[strings.Index(page, "<style>")+len("<style>") : strings.Index(page, "</style>")]
			sum := sha256.Sum256([]byte(style))
			if !strings.Contains(page, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") && !strings.Contains(page, "sha256-"+strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;")) {
				t.Errorf("the policy does not allow the style: %s", page[:600])
			}
			if strings.Contains(page, "<b>") || strings.Contains(page, "<script") {
				t.Errorf("markup of a title: %s", page)
			}
		case "json":
			page := files["shop/2026-11-19-add-a-login-page-000000a1.json"]
			if !json.Valid([]byte(page)) || !strings.Contains(page, "\n  \"session\": {\n    \"id\": ") {
				t.Errorf("not indented: %s", page)
			}
			library := apptest.OpenLibrary(t)
			im := importer.Importer{Library: library, Formats: formats.All()}
			report := apptest.Must(im.Import(t.Context(), []string{filepath.Join(folder, "shop"), filepath.Join(folder, "con-workspace")}, ""))(t)
			if report.Imported != 3 || len(report.Problems) > 0 {
				t.Errorf("imported again: %+v", report)
			}
		}
	}
}

func TestRedacted(t *testing.T) {
	t.Parallel()
	db, o := sample(t), Options{Folder: t.TempDir(), Format: "md", Redact: true}
	run(t, db, o)
	for name, text := range filesIn(t, o.Folder) {
		if strings.Contains(name+text, "ann@") || strings.Contains(name+text, "/home/ann") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestOutsideStays replaces folders of a mirror by links to elsewhere.
func TestOutsideStays(t *testing.T) {
	t.Parallel()
	db, outside := sample(t), t.TempDir()
	for _, link := range []string{ownFolder, "shop"} {
		o := Options{Folder: t.TempDir(), Format: "md"}
		if err := os.Symlink(outside, filepath.Join(o.Folder, link)); err != nil {
			t.Skip(err)
		}
		if r, err := Update(t.Context(), db, o, nil); err == nil && len(r.Skipped) == 0 {
			t.Errorf("%s is a link: %+v", link, r)
		}
		if entries := apptest.Must(os.ReadDir(outside))(t); len(entries) > 0 {
			t.Errorf("%s: written outside: %v", link, entries)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	db := sample(t)
	if _, err := Update(t.Context(), db, Options{Folder: t.TempDir(), Format: "pdf"}, nil); core.CodeOf(err) != core.Invalid {
		t.Errorf("an unknown format: %v", err)
	}
	o := Options{Folder: t.TempDir(), Format: "md"}
	u := &update{options: o, db: db}
	unlock := apptest.Must(u.open())(t)
	if _, err := Update(t.Context(), db, o, nil); core.CodeOf(err) != core.Busy {
		t.Errorf("while another process updates: %v", err)
	}
	unlock()
	for manifest, code := range map[string]core.Code{"{": core.Corrupt, `{"format":"x"}`: core.Corrupt, `{"format":"coppice.mirror","version":2}`: core.TooNew} {
		if err := os.WriteFile(filepath.Join(o.Folder, ownFolder, "mirror.json"), []byte(manifest), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Update(t.Context(), db, o, nil); core.CodeOf(err) != code {
			t.Errorf("manifest %s: %v", manifest, err)
		}
	}
	if err := Choose(t.Context(), db, &Options{Folder: "relative", Format: "md"}); core.CodeOf(err) != core.Invalid {
		t.Errorf("a relative folder: %v", err)
	}
}

func TestWorkspaceFolders(t *testing.T) {
	t.Parallel()
	var files []file
	for _, path := range []string{"/a/app", "/b/app", `C:\Users\ann\app`, "", "/", "/srv/CON", "/漢字", "/a/b/app", "/x/a/app"} {
		files = append(files, file{shown: core.Session{WorkspacePath: path}})
	}
	folders := workspaceFolders(files)
	seen := map[string]string{}
	for path, folder := range folders {
		if other, ok := seen[folder]; ok || folder == "" || strings.ContainsAny(folder, "/\\. ") {
			t.Errorf("%q and %q are in %q", path, other, folder)
		}
		seen[folder] = path
	}
	if folders["/a/app"] != "app" || folders["/b/app"] != "b-app" || folders[""] != noWorkspace || folders["/srv/CON"] != "con-workspace" {
		t.Errorf("%q", folders)
	}
}

// TestKeep waits for the files of a mirror while sessions are added.
func TestKeep(t *testing.T) {
	t.Parallel()
	db, o := sample(t), Options{Folder: t.TempDir(), Format: "md"}
	if err := Choose(t.Context(), db, &o); err != nil {
		t.Fatal(err)
	}
	k := keeper{db: db, report: func(err error) { t.Error(err) }}
	k.look(t.Context())
	if got := len(filesIn(t, o.Folder)); got != 4 {
		t.Fatalf("%d files", got)
	}
	add(t, db, strings.Replace(other, "b1", "c1", 1), "A third", "/srv/con", "", "Third")
	k.look(t.Context())
	if got := len(filesIn(t, o.Folder)); got != 5 {
		t.Errorf("%d files after a session was added", got)
	}
	if err := Choose(t.Context(), db, nil); err != nil {
		t.Fatal(err)
	}
	add(t, db, strings.Replace(other, "b1", "d1", 1), "A fourth", "/srv/con", "", "Fourth")
	k.look(t.Context())
	if got := len(filesIn(t, o.Folder)); got != 5 {
		t.Errorf("%d files after the mirror was switched off", got)
	}
}

func TestKeepReportsAnErrorOnce(t *testing.T) {
	t.Parallel()
	db := sample(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Choose(t.Context(), db, &Options{Folder: filepath.Join(blocked, "mirror"), Format: "md"}); err != nil {
		t.Fatal(err)
	}
	var reported []error
	k := keeper{db: db, report: func(err error) { reported = append(reported, err) }}
	for i := range 3 {
		add(t, db, fmt.Sprintf("01930000-0000-7000-8000-0000000000f%d", i), "Another", "/srv/con", "", "Another")
		k.look(t.Context())
	}
	if len(reported) != 1 {
		t.Errorf("%d errors: %v", len(reported), reported)
	}
}

// TestFailedScanWritesNothing requires that a session that cannot be scanned for secrets leaves no file, and its former file as it was.
func TestFailedScanWritesNothing(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"md", "html", "json"} {
		db := sample(t)
		o := Options{Folder: t.TempDir(), Format: format, Redact: true}
		apptest.DamageMessage(t, db, child+"-2")
		if _, err := Update(t.Context(), db, o, nil); err == nil {
			t.Errorf("%s: no error", format)
		}
		if left := apptest.Files(t, o.Folder); !slices.Equal(left, []string{ownFolder, ownFolder + "/lock"}) {
			t.Errorf("%s: wrote %q", format, left)
		}
	}
	db := sample(t)
	o := Options{Folder: t.TempDir(), Format: "md", Redact: true}
	want(t, run(t, db, o), 3, 0, 0)
	before := filesIn(t, o.Folder)
	add(t, db, "01930000-0000-7000-8000-0000000000c1", "Reach me at ann@example.org", "/srv/con", "", "x")
	apptest.DamageMessage(t, db, "01930000-0000-7000-8000-0000000000c1-1")
	if _, err := Update(t.Context(), db, o, nil); err == nil {
		t.Error("no error")
	}
	if after := filesIn(t, o.Folder); !maps.Equal(before, after) {
		t.Errorf("the mirror changed: %q", names(after))
	}
}
