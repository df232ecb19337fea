package window

import (
	"path/filepath"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
)

func TestPartsOfASession(t *testing.T) {
	db := apptest.OpenLibrary(t)
	im := importer.Importer{Library: db, Formats: formats.All()}
	if _, err := im.Import(t.Context(), []string{filepath.Join("..", "..", "backend", "archive", "testdata", "session.v2.json")}, ""); err != nil {
		t.Fatal(err)
	}
	session := apptest.Must(db.Sessions(t.Context(), core.SessionFilter{}))(t)[0]
	parts := apptest.Must(exportPartsOf(t.Context(), db, session.ID, ""))(t)
	if parts.BranchCount != int64(len(parts.Branches)) || parts.PathMessages == 0 || parts.TurnMessages == 0 || parts.TurnNode < 0 {
		t.Errorf("%+v", parts)
	}
	messages := int64(0)
	for _, turn := range parts.Turns {
		messages += turn.Messages
	}
	if last := parts.Turns[len(parts.Turns)-1]; messages != parts.PathMessages || last.Node != parts.TurnNode {
		t.Errorf("the turns have %d of %d messages, the last one is %+v", messages, parts.PathMessages, last)
	}
	onPath := 0
	for _, branch := range parts.Branches {
		end := apptest.Must(db.Window(t.Context(), session.ID, branch.LeafUID, -1, 1))(t)
		if end.Length != branch.Messages || branch.Title == "" {
			t.Errorf("%+v ends a path of %d messages", branch, end.Length)
		}
		if branch.OnPath {
			onPath++
		}
	}
	if onPath != 1 {
		t.Errorf("the path ends in %d branches", onPath)
	}
}
