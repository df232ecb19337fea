package window

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

// This test is not parallel, because it changes the default logger.
func TestLongLogIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "coppice.log")
	write := func(message string) []byte {
		t.Helper()
		release, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		slog.Error("something went wrong", slog.String("what", message))
		release()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write("first")
	if got := write("second"); bytes.Count(got, []byte("\n")) != 2 {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(path, make([]byte, logBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := write("third"); len(got) > 1000 || !bytes.Contains(got, []byte("third")) {
		t.Errorf("%d bytes", len(got))
	}
}
