package opencode

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// TestSubagentsFindTheirParent imports a session, its subagent and the subagent of that in every order, one file at a time and all at
// once: each session is a child of the one that started it.
func TestSubagentsFindTheirParent(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for _, stored := range []string{"files", "exports"} {
			for _, together := range []bool{false, true} {
				t.Run(strings.Trim(fmt.Sprint(stored, order, together), "[]"), func(t *testing.T) {
					paths := family(t, stored)
					ordered := []string{paths[order[0]], paths[order[1]], paths[order[2]]}
					library := importertest.Open(t)
					if together {
						importertest.Import(t, library, Format(), ordered...)
					} else {
						for _, path := range ordered {
							importertest.Import(t, library, Format(), path)
						}
					}
					for _, relation := range [][2]string{{"ses_2", "ses_1"}, {"ses_3", "ses_2"}} {
						child, err := library.Session(t.Context(), relation[0])
						if err != nil {
							t.Fatal(err)
						}
						parent, err := library.Session(t.Context(), relation[1])
						if err != nil {
							t.Fatal(err)
						}
						if child.ParentID != parent.ID || child.Relation != core.RelationSubagent {
							t.Errorf("%s is a child of %q as %q, want %q", relation[0], child.ParentID, child.Relation, parent.ID)
						}
					}
				})
			}
		}
	}
}

// family writes three sessions, each of which is a subagent of the one before it, and returns their files.
func family(t *testing.T, stored string) (paths [3]string) {
	t.Helper()
	root := t.TempDir()
	for i := range paths {
		k := begin(fmt.Sprint("ses_", i+1))
		if i > 0 {
			k.session["parentID"] = fmt.Sprint("ses_", i)
		}
		k.prompt("look around")
		k.works("a")
		if stored == "files" {
			paths[i] = k.inFiles(t, filepath.Join(root, "storage"))
		} else {
			paths[i] = filepath.Join(root, fmt.Sprint(i, ".json"))
			importertest.Write(t, paths[i], k.exported())
		}
	}
	return paths
}
