package export

import (
	"bytes"
	"path/filepath"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// checkPages exports each sample as a page that carries its JSON, imports the pages into an empty library, and compares the JSON of both
// libraries.
func checkPages(t *testing.T, db *sqlite.DB, sessions []core.Session) {
	folder := t.TempDir()
	for _, session := range sessions {
		plan := Plan{Sessions: []core.Session{session}, Format: HTML, Scope: string(render.ScopeTree), Detail: string(render.DetailPrompts), WithJSON: true}
		if _, err := plan.ToPath(t.Context(), db, filepath.Join(folder, session.ID+".html")); err != nil {
			t.Fatal(err)
		}
	}
	// A page that shows a session of a subagent can come before that of its parent, so each is imported by itself.
	other := apptest.OpenLibrary(t)
	im := importer.Importer{Library: other, Formats: formats.All()}
	for _, session := range sessions {
		if report, err := im.Import(t.Context(), []string{filepath.Join(folder, session.ID+".html")}, ""); err != nil || report.Imported+report.Updated != 1 {
			t.Errorf("%s: %+v, %v", session.Title, report, err)
		}
	}
	for _, session := range sessions {
		var want, got bytes.Buffer
		plan := Plan{Sessions: []core.Session{session}, Format: JSON}
		if err := plan.To(t.Context(), db, &want); err != nil {
			t.Fatal(err)
		}
		if err := plan.To(t.Context(), other, &got); err != nil {
			t.Error(err)
			continue
		}
		_, before, _ := bytes.Cut(want.Bytes(), []byte("\n"))
		_, after, _ := bytes.Cut(got.Bytes(), []byte("\n"))
		if !bytes.Equal(before, after) {
			at := 0
			for at < min(len(before), len(after)) && before[at] == after[at] {
				at++
			}
			t.Errorf("%s, %s: %d bytes, %d came back; at %d:\n%.300s\n%.300s", session.ID, session.Title, len(before), len(after), at,
				before[max(0, at-100):], after[max(0, at-100):])
		}
	}
}
