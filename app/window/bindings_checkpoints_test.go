package window

import (
	"slices"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
)

// TestCheckpoints names a checkpoint, restores it, undoes that and removes it, and hears of each change.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	session := branched(t, b)
	page := apptest.Must(b.ListCheckpoints(session.ID, "", 10))(t)
	if page.Checkpoints == nil || len(page.Checkpoints) > 0 || page.More {
		t.Errorf("an imported session has %+v", page)
	}
	first := treeOf(t, b, session.ID).Turns[0]
	var named CheckpointView
	kinds := host.changes(t, session.ID, func() (err error) {
		named, err = b.NameCheckpoint(session.ID, first.LastUID, " begin ")
		return err
	})
	if named.Name != "begin" || named.UID != first.LastUID || named.Model != "" || named.Damaged || !slices.Contains(kinds, change.Checkpoints) {
		t.Errorf("named %+v, heard of %v", named, kinds)
	}
	apptest.Must(b.NameCheckpoint(session.ID, "", "now"))(t)
	if page = apptest.Must(b.ListCheckpoints(session.ID, "", 1))(t); len(page.Checkpoints) != 1 || page.Checkpoints[0].Name != "now" || !page.More {
		t.Errorf("the newest is %+v", page)
	}
	if page = apptest.Must(b.ListCheckpoints(session.ID, page.Checkpoints[0].ID, 1))(t); len(page.Checkpoints) != 1 || page.Checkpoints[0].Name != "begin" || page.More {
		t.Errorf("before it is %+v", page)
	}
	kinds = host.changes(t, session.ID, func() error {
		restored, err := b.RestoreCheckpoint(session.ID, named.ID)
		if restored.HeadUID != first.LastUID {
			t.Errorf("restored %+v", restored)
		}
		return err
	})
	if !slices.Contains(kinds, change.Head) || !slices.Contains(kinds, change.Checkpoints) {
		t.Errorf("heard of %v", kinds)
	}
	if undone := apptest.Must(b.UndoRestore(session.ID))(t); undone.HeadUID != session.HeadUID {
		t.Errorf("undone to %+v", undone)
	}
	if err := b.RemoveCheckpoint(session.ID, "begin"); err != nil {
		t.Fatal(err)
	}
	_, err := b.RestoreCheckpoint(session.ID, "begin")
	if core.CodeOf(err) != core.NotFound {
		t.Errorf("a removed one: %v", err)
	}
}
