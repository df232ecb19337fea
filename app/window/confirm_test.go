package window

import (
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/launch"
)

// TestConfirmationsOfTheWindow requires the same confirmations as on the command line, and that an answer holds only for
// what the user was shown.
func TestConfirmationsOfTheWindow(t *testing.T) {
	b, _ := openBindings(t)
	elsewhere := t.TempDir()
	waitJob(t, b, apptest.Must(b.StartImport([]string{apptest.SharedSession(t, "../../backend/archive/testdata/session.v1.json", elsewhere)}, false))(t))
	session := apptest.Must(b.GetSession("greeting"))(t)
	request := launch.RunRequest{SessionID: session.ID, Text: "more", Model: "script/demo", Mode: "yolo"}
	if _, err := b.StartRun(request); core.CodeOf(err) != core.Unconfirmed {
		t.Fatalf("it began: %v", err)
	}
	if _, err := b.GetSending(request); core.CodeOf(err) != core.Unconfirmed {
		t.Errorf("what is sent: %v", err)
	}
	asked, err := b.ListConfirmations(request)
	if err != nil || len(asked) != 1 || asked[0].Token != "workspace:"+elsewhere || !strings.HasSuffix(asked[0].Text, "; the conversation would go to the model script/demo") {
		t.Fatalf("%+v, %v", asked, err)
	}
	request.Confirmed = []string{"workspace:/elsewhere"}
	if _, err := b.StartRun(request); core.CodeOf(err) != core.Unconfirmed {
		t.Fatalf("it began with another agreement: %v", err)
	}
	request.Confirmed = []string{asked[0].Token}
	if _, err := b.StartRun(request); err != nil {
		t.Fatal(err)
	}
	settled(t, b, session.ID)
	request.Confirmed = nil
	if asked, err := b.ListConfirmations(request); err != nil || len(asked) != 0 {
		t.Errorf("asked again: %+v, %v", asked, err)
	}
	request = launch.RunRequest{Text: "more", Model: "script/demo", Workspace: xdg.Home}
	if _, err := b.StartRun(request); core.CodeOf(err) != core.Unconfirmed {
		t.Errorf("it began in the home folder: %v", err)
	}
	request.Mode = string(core.ModePlan)
	if asked, err := b.ListConfirmations(request); err != nil || len(asked) != 0 {
		t.Errorf("a plan: %+v, %v", asked, err)
	}
}
