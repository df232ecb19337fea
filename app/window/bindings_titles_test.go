package window

import (
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
)

// TestTitles estimates the title of a session, lets a model write it, and keeps one that the user gave.
func TestTitles(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	session := branched(t, b)
	model := writeScript(t, map[string]any{"text": "Title: **A tree of answers.**", "costNanoUsd": 7_000_000})
	ids := []string{session.ID}
	estimate := apptest.Must(b.EstimateTitles(ids, model))(t)
	if estimate.Sessions != 1 || estimate.Own != 0 || estimate.Tokens < 50 || estimate.CostNanoUSD == nil {
		t.Errorf("%+v", estimate)
	}
	kinds := host.changes(t, session.ID, func() error {
		done, err := b.WriteTitles(ids, model)
		if done.Written != 1 || done.Failed != 0 || done.CostNanoUSD == nil || *done.CostNanoUSD != 7_000_000 {
			t.Errorf("%+v", done)
		}
		return err
	})
	now := apptest.Must(b.GetSession(session.ID))(t)
	if now.Title != "A tree of answers" || now.TitleOrigin != core.TitleModel || len(kinds) == 0 || kinds[0] != change.Session {
		t.Errorf("%q of %q, heard of %v", now.Title, now.TitleOrigin, kinds)
	}
	if err := b.RenameSession(session.ID, "My own"); err != nil {
		t.Fatal(err)
	}
	if estimate = apptest.Must(b.EstimateTitles(ids, model))(t); estimate.Sessions != 0 || estimate.Own != 1 {
		t.Errorf("%+v", estimate)
	}
	_, err := b.EstimateTitles(make([]string, titlesAtOnce+1), model)
	if core.CodeOf(err) != core.Invalid {
		t.Errorf("too many: %v", err)
	}
}
