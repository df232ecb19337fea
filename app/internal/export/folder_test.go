package export

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/render"
)

// TestLargePagesBecomeFolders exports a branched sample with a low limit, and follows every link between its pages.
func TestLargePagesBecomeFolders(t *testing.T) {
	db := apptest.OpenLibrary(t)
	im := importer.Importer{Library: db, Formats: formats.All()}
	if _, err := im.Import(t.Context(), []string{filepath.Join("..", "..", "..", "backend", "archive", "samples", "mail-outbox.json")}, ""); err != nil {
		t.Fatal(err)
	}
	session := apptest.Must(db.Sessions(t.Context(), core.SessionFilter{}))(t)[0]
	for _, scope := range []render.Scope{render.ScopePath, render.ScopeAlternatives, render.ScopeTree} {
		folder := t.TempDir()
		plan := Plan{Sessions: []core.Session{session}, Format: HTML, Scope: string(scope), WithJSON: true, maxBytes: 60 << 10}
		plan.Progress = func(core.Progress) {}
		written, err := plan.ToPath(t.Context(), db, filepath.Join(folder, "mail.html"))
		if err != nil || written != filepath.Join(folder, "mail", "index.html") {
			t.Fatalf("%s: %s, %v", scope, written, err)
		}
		files := apptest.Must(filepath.Glob(filepath.Join(folder, "*")))(t)
		if len(files) != 1 {
			t.Errorf("%s: %q beside the folder", scope, files)
		}
		index := string(apptest.Must(os.ReadFile(written))(t))
		if last := fmt.Sprintf(" to %d</a> <span", session.MessageCount); scope == render.ScopeTree && !strings.Contains(index, last) {
			t.Errorf("the index lacks %q", last)
		}
		checkLinks(t, filepath.Join(folder, "mail"), session, scope)
		other := apptest.OpenLibrary(t)
		im := importer.Importer{Library: other, Formats: formats.All()}
		if report, err := im.Import(t.Context(), []string{filepath.Join(folder, "mail")}, ""); err != nil || report.Imported != 1 {
			t.Errorf("%s: the folder is not imported: %+v, %v", scope, report, err)
		}
		if _, err := plan.ToPath(t.Context(), db, filepath.Join(folder, "mail.html")); core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
			t.Errorf("%s: onto a folder that exists: %v", scope, err)
		}
	}
}

// checkLinks checks that each link between the pages of a folder has its target, and that each message occurs once.
func checkLinks(t *testing.T, folder string, session core.Session, scope render.Scope) {
	t.Helper()
	ids, links, messages := map[string]bool{}, map[string]bool{}, 0
	files := apptest.Must(filepath.Glob(filepath.Join(folder, "*.html")))(t)
	for _, file := range files {
		root, err := nethtml.Parse(strings.NewReader(string(apptest.Must(os.ReadFile(file))(t))))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		ids[name] = true
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					if ids[name+"#"+a.Val] {
						t.Errorf("%s: %s#%s occurs twice", scope, name, a.Val)
					}
					ids[name+"#"+a.Val] = true
					if len(a.Val) > 1 && a.Val[0] == 'm' && a.Val[1] >= '0' && a.Val[1] <= '9' && !strings.Contains(a.Val, "-") {
						messages++
					}
				case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
					links[name+a.Val] = true
				case a.Key == "href" && !strings.Contains(a.Val, ":"):
					links[a.Val] = true
				}
			}
		}
	}
	if len(files) < 2 {
		t.Errorf("%s: only %d pages", scope, len(files))
	}
	for link := range links {
		if !ids[link] {
			t.Errorf("%s: a link leads to %s, which is missing", scope, link)
		}
	}
	if scope == render.ScopeTree && int64(messages) != session.MessageCount {
		t.Errorf("%d messages on the pages, want %d", messages, session.MessageCount)
	}
}

// TestNamesOfEncryptedPages exports several encrypted pages: their names and texts do not name the sessions.
func TestNamesOfEncryptedPages(t *testing.T) {
	db := plantedLibrary(t)
	all := apptest.Must(db.Sessions(t.Context(), core.SessionFilter{}))(t)
	folder := t.TempDir()
	if _, err := (Plan{Sessions: all, Format: HTML, Passphrase: "p"}).ToPath(t.Context(), db, folder); err != nil {
		t.Fatal(err)
	}
	for _, file := range apptest.Must(os.ReadDir(folder))(t) {
		if strings.Contains(file.Name(), "hide") || !strings.HasSuffix(file.Name(), ".html") {
			t.Errorf("a page is named %s", file.Name())
		}
	}
	if found := secretsIn(t, folder); len(found) > 0 {
		t.Errorf("%q", found)
	}
}
