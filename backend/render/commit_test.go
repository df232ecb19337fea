package render

import (
	"encoding/json"
	"reflect"
	"testing"

	"coppice/backend/core"
)

func TestCommits(t *testing.T) {
	for name, c := range map[string]struct {
		command, output string
		failed          bool
		want            []Commit
	}{
		"one":              {"git add . && git commit -m 'One owner'", "[main 4f2c1ab] One owner\n 1 file changed", false, []Commit{{"4f2c1ab", "One owner"}}},
		"the first":        {"git commit -m x", "[main (root-commit) 4f2c1ab] x", false, []Commit{{"4f2c1ab", "x"}}},
		"two":              {"git commit -m a; git commit -m b", "[fix/a 4f2c1ab] a\n[fix/a 5f2c1ab] b", false, []Commit{{"4f2c1ab", "a"}, {"5f2c1ab", "b"}}},
		"quiet":            {"git -C /x commit -q -m \"One owner\"", "", false, []Commit{{"", "One owner"}}},
		"quiet, computed":  {"git commit -q -m \"$(cat message)\"", "", false, nil},
		"nothing to do":    {"git commit -m x", "nothing to commit, working tree clean", false, nil},
		"failed":           {"git commit -m x", "[main 4f2c1ab] x", true, nil},
		"another command":  {"cat log", "[main 4f2c1ab] x", false, nil},
		"the log of them":  {"git log | grep commit", "[main 4f2c1ab] x", false, nil},
		"printed by tests": {"go test ./...", "[main 4f2c1ab] x", false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			arguments, err := json.Marshal(map[string]string{"command": c.command})
			if err != nil {
				t.Fatal(err)
			}
			result := answers("c", text(c.output))
			result.IsError = c.failed
			work := shared().Count([]core.Message{
				said(core.RoleAssistant, calls("c", "Bash", string(arguments))), said(core.RoleTool, result),
			}, "")
			want := c.want
			if want == nil {
				want = []Commit{}
			}
			if !reflect.DeepEqual(work.Commits, want) {
				t.Errorf("got %v, want %v", work.Commits, want)
			}
		})
	}
}
