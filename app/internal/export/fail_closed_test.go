package export

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/render/redact"
)

// TestFailedScanWritesNothing lets the scan for secrets fail at the first, a middle and the last value that it finds, in every format: no file is written, and
// none of what was written before is left.
func TestFailedScanWritesNothing(t *testing.T) {
	db := plantedLibrary(t)
	session := apptest.Must(db.Session(t.Context(), "01930000-0000-7000-8000-00000000000a"))(t)
	failed := errors.New("the scan failed")
	for _, format := range Formats() {
		for _, maxBytes := range []int64{0, 20_000} { // a page, and a folder of pages
			plan := Plan{Sessions: []core.Session{session}, Format: format, Scope: "tree", Redact: true, maxBytes: maxBytes}
			hits := 0
			plan.onHit = func(redact.Hit) { hits++ }
			if _, err := plan.ToPath(t.Context(), db, filepath.Join(t.TempDir(), "out."+format)); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if hits == 0 && format != Usage {
				t.Errorf("%s: nothing was found", format)
			}
			for _, at := range []int{0, hits / 2, hits - 1} {
				if hits == 0 {
					break
				}
				folder, seen := t.TempDir(), 0
				plan.onHit = func(redact.Hit) {
					if seen++; seen > at {
						panic(failed)
					}
				}
				err := guard.Run(func() error {
					_, err := plan.ToPath(t.Context(), db, filepath.Join(folder, "out."+format))
					return err
				})
				if left := apptest.Files(t, folder); err == nil || len(left) > 0 {
					t.Fatalf("%s, failure at value %d of %d: %v, wrote %q", format, at, hits, err, left)
				}
			}
		}
	}
}

// TestFailedScanPrintsNothing is the same for standard output, to which not a byte is written.
func TestFailedScanPrintsNothing(t *testing.T) {
	db := plantedLibrary(t)
	session := apptest.Must(db.Session(t.Context(), "01930000-0000-7000-8000-00000000000a"))(t)
	for _, format := range Formats() {
		plan, hits := Plan{Sessions: []core.Session{session}, Format: format, Scope: "tree", Redact: true}, 0
		plan.onHit = func(redact.Hit) { hits++ }
		var out bytes.Buffer
		if err := plan.Print(t.Context(), db, &out); err != nil || out.Len() == 0 {
			t.Fatalf("%s: %d bytes, %v", format, out.Len(), err)
		}
		perScan := hits / 2
		if perScan == 0 && format != Usage {
			t.Errorf("%s: nothing was found", format)
		}
		for _, at := range []int{0, perScan / 2, perScan - 1} {
			if perScan == 0 {
				break
			}
			out.Reset()
			seen := 0
			plan.onHit = func(redact.Hit) {
				if seen++; seen > at {
					panic(errors.New("the scan failed"))
				}
			}
			if err := plan.Print(t.Context(), db, &out); err == nil || out.Len() > 0 {
				t.Fatalf("%s, failure at value %d of %d: %v, printed %d bytes: %.200s", format, at, perScan, err, out.Len(), out.Bytes())
			}
		}
	}
}

// TestUnreadableMessageWritesNothing is the same for a message that cannot be read, and so cannot be scanned.
func TestUnreadableMessageWritesNothing(t *testing.T) {
	db := plantedLibrary(t)
	session := apptest.Must(db.Session(t.Context(), "01930000-0000-7000-8000-00000000000a"))(t)
	apptest.DamageMessage(t, db, "m-2")
	for _, format := range []string{Markdown, HTML, Text, JSON, Lines, Spans} {
		folder := t.TempDir()
		plan := Plan{Sessions: []core.Session{session}, Format: format, Scope: "tree", Redact: true}
		_, err := plan.ToPath(t.Context(), db, filepath.Join(folder, "out."+format))
		if left := apptest.Files(t, folder); err == nil || len(left) > 0 {
			t.Errorf("%s: %v, wrote %q", format, err, left)
		}
		var out bytes.Buffer
		if err := plan.Print(t.Context(), db, &out); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, printed %.200s", format, err, out.Bytes())
		}
	}
}
