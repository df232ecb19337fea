package window

import (
	"fmt"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/launch"
)

// TestCompactContext compacts a session from the window: the messages stay, the summary is a message that names what it replaces, and
// a second time there is nothing to do.
func TestCompactContext(t *testing.T) {
	b, _ := openBindings(t)
	model := writeScript(t, map[string]any{"text": "an answer to it " + strings.Repeat("word ", 40)})
	workspace, id := t.TempDir(), ""
	for i := range 6 {
		started, err := b.StartRun(launch.RunRequest{SessionID: id, Text: fmt.Sprintf("question %d %s", i, strings.Repeat("word ", 40)), Model: model, Workspace: workspace})
		if err != nil {
			t.Fatal(err)
		}
		id = started.SessionID
		settled(t, b, id)
	}
	before, err := b.GetSession(id)
	if err != nil {
		t.Fatal(err)
	}
	notice, err := b.CompactContext(launch.RunRequest{SessionID: id, Model: model, Workspace: workspace})
	if err != nil || notice != "context compacted: 13 → 11 messages" {
		t.Fatalf("%q, %v", notice, err)
	}
	view, err := b.GetWindow(id, "", 0, 0)
	if err != nil || len(view.Messages) != 13 {
		t.Fatalf("%d messages, %v", len(view.Messages), err)
	}
	last := view.Messages[12]
	if last.Kind != core.KindCompaction || last.Compaction == nil || last.Compaction.FirstKept != view.Messages[last.Compaction.CoveredMessages].UID {
		t.Errorf("%+v", last)
	}
	if after, err := b.GetSession(id); err != nil || after.Status != before.Status || after.StepCount != before.StepCount || after.HeadUID != last.UID {
		t.Errorf("%+v, %v", after, err)
	}
	sending, err := b.GetSending(launch.RunRequest{SessionID: id, Text: "more", Model: model, Workspace: workspace})
	if err != nil || sending.Hidden != last.Compaction.CoveredMessages {
		t.Errorf("%+v, %v", sending, err)
	}
	if _, err := b.CompactContext(launch.RunRequest{SessionID: id, Model: model, Workspace: workspace}); core.CodeOf(err) != core.Conflict {
		t.Errorf("a second time: %v", err)
	}
}
