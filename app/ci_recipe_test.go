package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestRecipeForCI runs the recipe of docs/running.md with models that find a low and a high risk, one that gives no answer within its limits,
// and one that fails.
func TestRecipeForCI(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "### In continuous integration\n")
	if !found {
		t.Fatal("the page has no recipe")
	}
	block := func(kind string) string {
		_, rest, _ := strings.Cut(section, "```"+kind+"\n")
		text, _, _ := strings.Cut(rest, "```")
		return text
	}
	folder := t.TempDir()
	script := `[!exec:jq] skip 'needs jq'
[!exec:git] skip 'needs git'
exec sh setup.sh
env MODEL=script/low.json
exec sh recipe.sh
exists risk.out.json change.diff
grep '^{"risk":"low","lines":.1.}' risk.out.json
env MODEL=script/high.json
exit 1 sh recipe.sh
env MODEL=script/endless.json
exit 1 sh recipe.sh
stderr 'no answer within the limits'
env MODEL=script/wrong.json
exit 1 sh recipe.sh
stderr 'does not satisfy the schema'

-- setup.sh --
git init -q && git config user.email a@example.org && git config user.name a && git commit -q --allow-empty -m one
git update-ref refs/remotes/origin/main HEAD && echo 1 > code && git add code && git commit -q -m two
-- low.json --
{ "name": "low", "turns": [{ "alternatives": [[{ "text": "{ \"risk\": \"low\", \"lines\": [1] }" }]] }] }
-- high.json --
{ "name": "high", "turns": [{ "alternatives": [[{ "text": "{ \"risk\": \"high\", \"lines\": [] }" }]] }] }
-- wrong.json --
{ "name": "wrong", "turns": [{ "alternatives": [[{ "text": "low" }, { "text": "low" }]] }] }
-- endless.json --
{ "name": "endless", "turns": [{ "alternatives": [[{ "toolCalls": [{ "name": "read_file", "arguments": { "path": "change.diff" } }], "costNanoUsd": 300000000 }]] }] }
-- risk.json --
` + block("json") + "-- recipe.sh --\n" + block("bash")
	if err := os.WriteFile(filepath.Join(folder, "recipe.txtar"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: folder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"-home")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			return os.Mkdir(env.WorkDir+"-home", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": exitCmd},
	})
}
