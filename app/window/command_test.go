package window

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/launch"
)

// A message that names a command of the workspace is sent as the command's prompt, once the workspace is trusted.
func TestCommandOfAWorkspace(t *testing.T) {
	b, _ := openBindings(t)
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, ".coppice", "commands"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, ".coppice", "commands", "review.md"), []byte("---\nargument-hint: FILE\n---\nReview $1."), 0o600); err != nil {
		t.Fatal(err)
	}
	model := writeScript(t, map[string]any{"text": "done"})
	for _, want := range []string{"/review a.go", "Review a.go."} {
		options, err := b.GetComposerOptions("", folder)
		if err != nil {
			t.Fatal(err)
		}
		if trusted := want[0] != '/'; len(options.Commands) == 1 != trusted || trusted && options.Commands[0] != (launch.CommandInfo{Name: "review", Takes: "FILE", Description: "Review $1."}) {
			t.Errorf("%+v", options.Commands)
		}
		started, err := b.StartRun(launch.RunRequest{Text: "/review a.go", Model: model, Workspace: folder})
		if err != nil {
			t.Fatal(err)
		}
		settled(t, b, started.SessionID)
		session, err := b.GetSession(started.SessionID)
		if err != nil || session.Task != want {
			t.Errorf("the prompt is %q, not %q, %v", session.Task, want, err)
		}
		if err := b.TrustWorkspace(folder, options.Trust.Digest, "once"); err != nil {
			t.Fatal(err)
		}
	}
}
