package app

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/app/cli"
	"coppice/app/internal/exit"
	"coppice/app/term"
	"coppice/app/window"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// interrupter is a terminal whose user presses Ctrl+C at the first sign of progress.
type interrupter struct {
	bytes.Buffer
	press context.CancelFunc
}

func (w *interrupter) Write(p []byte) (int, error) {
	w.press()
	return w.Buffer.Write(p)
}

func TestInterruptedImportKeepsWhatIsDone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	library := filepath.Join(t.TempDir(), "coppice.db")
	var out bytes.Buffer
	screen := &interrupter{press: cancel}
	console := term.Terminal{In: strings.NewReader(""), Out: &out, Err: screen, ErrIsTerminal: true, Now: time.Now}
	if code := cli.Run(ctx, console, window.Open, []string{"--db", library, "import", "testdata/fixtures", "--json"}); code != exit.Interrupted {
		t.Errorf("exit code %d, want %d", code, exit.Interrupted)
	}
	if !strings.HasSuffix(screen.String(), "\r\x1b[Kcoppice: stopped\n") {
		t.Errorf("the screen ends with %q", screen.String())
	}
	var report core.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("no report: %q", out.String())
	}
	db, err := sqlite.Open(t.Context(), library, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{})
	if err != nil || int64(len(sessions)) != report.Imported || len(sessions) == 3 {
		t.Errorf("%d of 3 sessions are there, %d reported: %v", len(sessions), report.Imported, err)
	}
	if problems, err := db.Check(t.Context(), func(core.Progress) {}); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for want, err := range map[int]error{
		exit.OK: nil, exit.Failed: core.E(core.Corrupt, "damaged"), exit.Partial: exit.Outcome(exit.Partial), exit.Usage: core.E(core.NotFound, "none"),
		exit.Auth: core.E(core.Auth, "no key"), exit.Timeout: context.DeadlineExceeded, exit.Interrupted: context.Canceled,
	} {
		if got := exit.Code(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}
