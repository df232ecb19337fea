package export

import (
	"testing"

	"coppice/app/internal/find"
	"coppice/backend/core"
)

func TestFileNames(t *testing.T) {
	t.Parallel()
	sessions := []core.Session{
		{ID: "0193ab12-3456-7000-8000-000000000001", Title: "../../etc/passwd"},
		{ID: "0193ab12-3456-7000-8000-000000000002", Title: "CON"},
		{ID: "0193ab12-3456-7000-9000-000000000003", Title: "…漢字 only"},
		{ID: "0193ab12-3456-7000-9000-000000000004", Title: "A title that is much longer than a file's name should be, really"},
		{ID: "0193ab12-3456-7000-9000-000000000005", Title: "!!!"},
	}
	want := []string{
		"etc-passwd-0193ab12-3456-7000-8000-000000000001.md",
		"con-0193ab12-3456-7000-8000-000000000002.md",
		"only-0193ab12-3456-7000-9000-000000000003.md",
		"a-title-that-is-much-longer-than-a-file-s-0193ab12-3456-7000-9000-000000000004.md",
		"0193ab12-3456-7000-9000-000000000005.md",
	}
	for i, got := range fileNames(sessions, find.IDs(sessions), "md") {
		if got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}
