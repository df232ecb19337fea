package export

import (
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/importertest"
	"coppice/backend/sqlite"
)

// TestAllSamples exports all samples, and sessions that Coppice ran itself, and checks what was written.
func TestAllSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all samples")
	}
	db := apptest.OpenLibrary(t)
	im := importer.Importer{Library: db, Formats: formats.All()}
	if _, err := im.Import(t.Context(), importertest.SampleFolders(t), ""); err != nil {
		t.Fatal(err)
	}
	runOwn(t, db)
	sessions := apptest.Must(Everything(t.Context(), db))(t)
	for name, check := range map[string]func(*testing.T, *sqlite.DB, []core.Session){
		"no word is lost": checkWords, "tables": checkTables, "Markdown comes back": checkMarkdown, "pages come back": checkPages, "gates of lines": checkGates,
	} {
		t.Run(name, func(t *testing.T) { check(t, db, sessions) })
	}
}
