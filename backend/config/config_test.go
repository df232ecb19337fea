package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestDollars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "2": 2e9, "2.50": 2.5e9, ".5": 5e8, "5.": 5e9, "0.000000001": 1, "007": 7e9, "9223372036.854775807": 1<<63 - 1,
	} {
		var got Dollars
		if err := got.UnmarshalText([]byte(text)); err != nil || int64(got) != want {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "-1", "+1", "1e3", "$2", "2,50", "1.0000000001", "9223372036.854775808", "99999999999", "1.2.3", "½"} {
		var got Dollars
		if err := got.UnmarshalText([]byte(text)); core.CodeOf(err) != core.Invalid {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		want := Dollars(rapid.Int64Min(0).Draw(t, "amount"))
		text, _ := want.MarshalText()
		var got Dollars
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Fatalf("%d is written %s and read %d, %v", want, text, got, err)
		}
	})
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"90s": "1m30s", "30m": "30m", "2h": "2h", "1h30m": "1h30m", "1500ms": "1.5s", "0": "0s"} {
		var s Duration
		if err := s.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.MarshalText(); string(got) != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
	if got := Duration(1).Milliseconds(); got != 1 {
		t.Errorf("a nanosecond is %d ms: no limit at all", got)
	}
}

// readText reads a configuration as the user's file.
func readText(text string) *Settings {
	set := &Settings{Config: Default(), origins: map[string]origin{}}
	set.apply(userFile, []byte(text), nil)
	set.checkWhole()
	return set
}

func TestConfigMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"modell: x":                            `config.yaml line 1: unknown key "modell"|did you mean model?`,
		"tools:\n  netwok: x":                  `config.yaml line 2: unknown key "tools.netwok"|did you mean tools.network?`,
		"maxSteps: 3":                          `config.yaml line 1: unknown key "maxSteps"|did you mean max_steps?`,
		"model: gpt-5":                         `config.yaml line 1: model: "gpt-5" is not PROVIDER/MODEL|a name such as openai/gpt-5.5`,
		"mode: never":                          `config.yaml line 1: mode: unknown value "never"|one of: confirm-all, confirm-sensitive, yolo, plan`,
		"max_steps: many":                      `config.yaml line 1: max_steps: invalid number "many": want a whole number of 0 or more|`,
		"max_steps: -1":                        `config.yaml line 1: max_steps: invalid number "-1": want a whole number of 0 or more|`,
		"max_steps: [1]":                       `config.yaml line 1: max_steps: expected one value|`,
		"tools: yes":                           `config.yaml line 1: tools: expected keys and values|`,
		"- model":                              `config.yaml line 1: expected keys and values|`,
		"trusted_workspaces: a":                `config.yaml line 1: trusted_workspaces: expected a list|`,
		"\ntrusted_workspaces:\n- a":           `config.yaml line 3: trusted_workspaces: invalid path "a": want an absolute path|`,
		"a: b\n---\nc: d":                      `config.yaml: more than one document|`,
		"model: 'a":                            `config.yaml line 1: found unexpected end of stream|`,
		"sessions:\n  cleanup_after_days: 400": `config.yaml line 2: sessions.cleanup_after_days: "400" is not between 1 and 365|`,
		"providers:\n  mine: {protocol: soap}": `config.yaml line 2: providers.mine.protocol: unknown value "soap"|` +
			`one of: openai.chat, openai.responses, anthropic.messages, google.genai, ollama.chat`,
		"providers:\n  mine:\n    key_env: sk-123":                    `config.yaml line 3: providers.mine.key_env: "sk-123" is not such a name|the name of a variable such as MY_API_KEY, not the key`,
		"providers:\n  My One: {}":                                    `config.yaml line 2: providers: "My One" is not such a name|a provider's name has small letters, digits, - and _`,
		"providers:\n  mine: {base_url: localhost}":                   `config.yaml line 2: providers.mine.base_url: invalid address "localhost": want http:// or https://|`,
		"mcp:\n  a__b: {command: x}":                                  `config.yaml line 2: mcp: "a__b" cannot be the name of an MCP server|letters and digits, with single _ or - between them, 32 at most`,
		"mcp:\n  a: {}":                                               `config.yaml line 2: mcp.a: needs a command or a url, one of them|`,
		"mcp:\n  a: {url: 'http://b', args: [c]}":                     `config.yaml line 2: mcp.a: args, env and cwd go with a command, not with a url|`,
		"mcp:\n  a:\n    command: b\n    cwd: c":                      `config.yaml line 4: mcp.a.cwd: invalid path "c": want an absolute path|`,
		"mcp:\n  a: {command: b, headers: {C: d}}":                    `config.yaml line 2: mcp.a: headers go with a url, not with a command|`,
		"mcp:\n  a:\n    command: b\n    env:\n      1X: d":           `config.yaml line 5: mcp.a.env: "1X" is not such a name|the name of a variable such as MY_TOKEN`,
		"mcp:\n  a:\n    command: b\n    comand: c":                   `config.yaml line 4: unknown key "mcp.a.comand"|did you mean mcp.a.command?`,
		"providers: {a: {extra: [1]}}":                                `config.yaml line 1: providers.a.extra: expected names and values|`,
		"a: &x [*x]":                                                  ``,
		"model: " + strings.Repeat("x", maxFileBytes):                 `config.yaml: it has more than 1048576 bytes|`,
		"<<: {model: a/b}":                                            ``,
		"budget: 1.5\nmodel: a/b\nmode:\ntools: {}\neffort: ~\nmcp: ": `ok`,
	} {
		set := readText(text)
		if want == "ok" {
			if len(set.Problems) != 0 {
				t.Errorf("%q: %+v", text, set.Problems)
			}
			continue
		}
		if len(set.Problems) == 0 {
			t.Errorf("%.60q is accepted", text)
			continue
		}
		err := set.Problems[0].Err()
		if got := err.Error() + "|" + core.HintOf(err); want != "" && got != want {
			t.Errorf("%.60q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestConfigValues(t *testing.T) {
	t.Parallel()
	set := readText(`
model: &m openai/gpt-5
budget: 0.10
timeout: 30m
providers:
  mine:
    protocol: openai.chat
    base_url: http://127.0.0.1:1234/v1
    extra: {top_k: 40, nested: {a: [1, true]}}
mcp:
  files: {command: npx, args: [-p, 8080], env: {PORT: 8080}}
sessions: {auto_save: false}
`)
	if len(set.Problems) != 0 {
		t.Fatalf("%+v", set.Problems)
	}
	if set.Budget != 100_000_000 || set.Timeout.Milliseconds() != 30*60*1000 || set.Sessions.AutoSave || set.Sessions.CleanupAfterDays != DefaultCleanupDays || !set.LocalServers {
		t.Errorf("%+v", set.Config)
	}
	if got := set.Providers["mine"].Extra["nested"]; got == nil {
		t.Errorf("%+v", set.Providers)
	}
	files := set.MCP["files"]
	if !slices.Equal(files.Args, []string{"-p", "8080"}) || files.Env["PORT"] != "8080" {
		t.Errorf("%+v", files)
	}
	if from := set.origins["mcp.files.env.PORT"]; from.Line != 11 {
		t.Errorf("%+v", from)
	}
}

// TestConfigBounds reads files that would take far more memory or time than their size. Each is refused, and few values are made of it.
func TestConfigBounds(t *testing.T) {
	t.Parallel()
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 20 {
		alias := fmt.Sprintf("*a%d", i)
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(alias+", ", 10), ", "))
	}
	var aliases strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&aliases, "  s%d: *s\n", i+1)
	}
	many := "mcp:\n  s0: &s {command: x, args: [" + strings.Repeat("x,", 200_000) + "x]}\n"
	few := "mcp:\n  s0: &s {command: x, args: [" + strings.Repeat("x,", 20_000) + "x]}\n"
	many, few = many+aliases.String(), few+aliases.String()
	for name, test := range map[string]struct{ text, problem string }{
		"aliases of aliases":            {laughs, "unknown key"},
		"aliases of aliases as a value": {laughs + "providers: {a: {extra: {b: *a20}}}\n", "expected names and values"},
		"aliases of a huge list":        {many, "the file sets more than 100000 values"},
		"aliases of a long list":        {few, "the file sets more than 100000 values"},
		"an alias of itself":            {"providers: {a: {extra: &x {b: *x}}}", "expected names and values"},
		"depth in brackets":             {"providers: {a: {extra: {b: " + strings.Repeat("[", 200_000) + "}}}", "exceeded max depth"},
		"depth by indents":              {"providers:\n a:\n  extra:\n   " + strings.Repeat("- ", 200_000) + "x\n", "exceeded max depth"},
	} {
		t.Run(name, func(t *testing.T) {
			set := readText(test.text)
			if !slices.ContainsFunc(set.Problems, func(p Problem) bool { return strings.Contains(p.text, test.problem) }) {
				t.Errorf("problems %.500v, want %q", set.Problems, test.problem)
			}
			if n := len(set.origins); n > maxValues {
				t.Errorf("%d values are set", n)
			}
			if len(set.Problems) > 0 && len(set.Problems[0].text) > 1000 {
				t.Errorf("a problem of %d bytes", len(set.Problems[0].text))
			}
		})
	}
}

// Whatever a file says, reading it ends without a panic, and every problem has a text.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"model: a/b", "mcp: {a: {command: x, env: {A: b}}}", "a: &a [*a]", "? [a]\n: b", "tools: *x", "providers: {a: {extra: {b: c}}}", "!!binary aGk=: 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set := readText(text)
		for _, p := range set.Problems {
			if p.text == "" {
				t.Fatalf("%q: %+v", text, p)
			}
		}
		for _, one := range set.List() {
			_ = one.String()
		}
	})
}

func TestTrusts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	inside := filepath.Join(folder, "a", "b")
	if err := os.MkdirAll(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Skip("no links here")
	}
	for _, c := range []struct {
		trusted, workspace string
		want               bool
	}{
		{folder, folder, true},
		{folder + "/", inside, true},
		{inside, folder, false},
		{filepath.Join(folder, "a"), filepath.Join(folder, "ab"), false},
		{link, inside, true},
		{folder, filepath.Join(link, "a"), true},
		{"", folder, false},
		{".", folder, false},
		{"/", folder, true},
	} {
		if got := trusts([]string{c.trusted}, c.workspace); got != c.want {
			t.Errorf("%s in %s: %v", c.workspace, c.trusted, got)
		}
	}
}

func TestMCPServers(t *testing.T) {
	t.Setenv("COPPICE_TEST_TOKEN", "abc")
	set := readText(`
mcp:
  web: {url: "https://example.org/mcp", headers: {Authorization: "Bearer ${COPPICE_TEST_TOKEN}"}, timeout: 5s}
  off: {command: x, disabled: true, env: {A: "${COPPICE_TEST_MISSING}"}}
  files: {command: npx, args: ["a$b", "${COPPICE_TEST_TOKEN}"]}
  here: {command: npx, args: ["${COPPICE_WORKSPACE}/docs"], env: {A: "${COPPICE_WORKSPACE}"}, cwd: "${COPPICE_WORKSPACE}/sub"}
`)
	set.Workspace, set.Trusted = "/w", true
	servers, err := set.MCPServers()
	if err != nil || len(servers) != 3 {
		t.Fatalf("%+v, %v", servers, err)
	}
	if files := servers[0]; files.Name != "files" || files.Dir != serversFolder() || files.Env[workspaceVariable] != "/w" || !slices.Equal(files.Args, []string{"a$b", "abc"}) {
		t.Errorf("%+v", files)
	}
	if here := servers[1]; here.Dir != "/w/sub" || here.Args[0] != "/w/docs" || here.Env["A"] != "/w" {
		t.Errorf("%+v", here)
	}
	if web := servers[2]; web.Headers["Authorization"] != "Bearer abc" || web.Timeout.Seconds() != 5 {
		t.Errorf("%+v", web)
	}
	set.Trusted = false
	if servers, err := set.MCPServers(); err != nil || len(servers) > 0 {
		t.Errorf("in a workspace that is not trusted: %+v, %v", servers, err)
	}
	set = readText("mcp: {a: {command: x, env: {A: '${COPPICE_TEST_MISSING}'}}}")
	set.Trusted = true
	if _, err := set.MCPServers(); core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "mcp.a.env.A: the environment has no COPPICE_TEST_MISSING") {
		t.Errorf("%v", err)
	}
}

// withAgents reads agents beside a configuration.
func withAgents(t *testing.T, config string, files map[string]string) *Settings {
	t.Helper()
	set := readText(config)
	set.Workspace, set.Trusted = t.TempDir(), true
	folder := filepath.Join(set.Workspace, WorkspaceFolder, AgentsFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := set.readAgents(true); err != nil {
		t.Fatal(err)
	}
	return set
}

func TestAgentFiles(t *testing.T) {
	t.Parallel()
	set := withAgents(t, "model: a/b\nmax_steps: 70\nbudget: 1\nmode: confirm-all\n", map[string]string{
		"base.yaml":  "prompt: Base.\ntools: [search, 'github__*']\nmax_steps: 7\n",
		"child.yml":  "extends: base\nmodel: c/d\ntools: []\n",
		"build.yaml": "extends: build\ndescription: My build\n",
		"note.txt":   "not: an agent",
	})
	if len(set.Problems) != 0 {
		t.Fatalf("%+v", set.Problems)
	}
	base, _ := set.Resolve("base")
	if base.Prompt != "Base." || !base.Allows("github__x") || base.Allows("run_command") || base.Limits.Steps != 7 || base.Model != "a/b" ||
		base.Mode != core.ModeConfirmAll || base.Limits.CostNanoUSD != 1e9 {
		t.Errorf("%+v", base)
	}
	child, _ := set.Resolve("child")
	if child.Prompt != "Base." || !child.Allows("run_command") || child.Limits.Steps != 7 || child.Model != "c/d" {
		t.Errorf("%+v", child)
	}
	build, _ := set.Resolve("")
	if build.Description != "My build" || !strings.Contains(build.Prompt, "build agent") || build.Limits.Steps != 70 || build.Mode != core.ModeConfirmAll {
		t.Errorf("%+v", build)
	}
	if plan, _ := set.Resolve("plan"); plan.Mode != core.ModePlan {
		t.Errorf("%+v", plan)
	}
	if _, err := set.Resolve("nobody"); core.CodeOf(err) != core.Invalid || core.HintOf(err) != "one of: plan, review, base, build, child" {
		t.Errorf("%v, %s", err, core.HintOf(err))
	}
}

func TestAgentMistakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"unknown key": {map[string]string{"a.yaml": "prompt: x\ntool: [a]\n"}, `.coppice/agents/a.yaml line 2: unknown key "tool"`},
		"no prompt":   {map[string]string{"a.yaml": "model: a/b\n"}, ".coppice/agents/a.yaml: the agent has no prompt"},
		"nobody":      {map[string]string{"a.yaml": "extends: b\n"}, ".coppice/agents/a.yaml: it extends b, which is not an agent"},
		"itself":      {map[string]string{"a.yaml": "extends: a\n"}, ".coppice/agents/a.yaml: it extends a, which is not an agent"},
		"a circle":    {map[string]string{"a.yaml": "extends: b\n", "b.yaml": "extends: a\n"}, ".coppice/agents/a.yaml: it extends itself by way of a"},
		"a name":      {map[string]string{"My Agent.yaml": "prompt: x\n"}, ".coppice/agents/My Agent.yaml: invalid name of an agent"},
		"a pattern":   {map[string]string{"a.yaml": "prompt: x\ntools: ['[']\n"}, ".coppice/agents/a.yaml line 2: tools: invalid pattern ["},
	} {
		set := withAgents(t, "", c.files)
		if len(set.Problems) == 0 || set.Problems[0].Err().Error() != c.want {
			t.Errorf("%s: %+v", name, set.Problems)
		}
	}
}

// TestAgentBounds reads agents of a workspace that would take far more memory or time than their size. Each is refused with a problem.
func TestAgentBounds(t *testing.T) {
	t.Parallel()
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 20 {
		alias := fmt.Sprintf("*a%d", i)
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(alias+", ", 10), ", "))
	}
	chain, crowd := map[string]string{}, map[string]string{}
	for i := range maxExtends + 2 {
		chain[fmt.Sprintf("a%d.yaml", i)] = fmt.Sprintf("prompt: x\nextends: a%d\n", i+1)
	}
	chain[fmt.Sprintf("a%d.yaml", maxExtends+2)] = "prompt: x\n"
	for i := range maxAgents + 1 {
		crowd[fmt.Sprintf("a%d.yaml", i)] = "prompt: x\n"
	}
	for name, test := range map[string]struct {
		files   map[string]string
		problem string
	}{
		"aliases of aliases":          {map[string]string{"a.yaml": "prompt: x\n" + laughs}, "unknown key"},
		"aliases of aliases as tools": {map[string]string{"a.yaml": "prompt: x\n" + laughs + "tools: *a20\n"}, "tools: expected"},
		"an alias of itself":          {map[string]string{"a.yaml": "prompt: x\ntools: &x [*x]\n"}, "tools: expected"},
		"depth in brackets":           {map[string]string{"a.yaml": "tools: " + strings.Repeat("[", 200_000)}, "exceeded max depth"},
		"depth by indents":            {map[string]string{"a.yaml": "tools:\n " + strings.Repeat("- ", 200_000) + "x\n"}, "exceeded max depth"},
		"a huge list":                 {map[string]string{"a.yaml": "prompt: x\ntools: [" + strings.Repeat("x,", 200_000) + "x]\n"}, "the file sets more than 100000 values"},
		"a huge number":               {map[string]string{"a.yaml": "prompt: x\nmax_steps: " + strings.Repeat("9", 500_000) + "\n"}, "max_steps"},
		"a huge mode":                 {map[string]string{"a.yaml": "prompt: x\nmode: " + strings.Repeat("m", 500_000) + "\n"}, "mode"},
		"a long chain":                {chain, "it extends more than"},
		"a crowd":                     {crowd, "the folder holds more than"},
	} {
		t.Run(name, func(t *testing.T) {
			set := withAgents(t, "", test.files)
			if !slices.ContainsFunc(set.Problems, func(p Problem) bool { return strings.Contains(p.text, test.problem) }) {
				t.Errorf("problems %.500v, want %q", set.Problems, test.problem)
			}
			for _, p := range set.Problems {
				if len(p.text) > 1000 {
					t.Fatalf("a problem of %d bytes: %.100s", len(p.text), p.text)
				}
			}
			if len(set.Agents) > maxAgents+10 {
				t.Errorf("%d agents", len(set.Agents))
			}
		})
	}
}

// TestLargeAgent refuses a file that is too large before it reads any of it.
func TestLargeAgent(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"agents/a.yaml": {Data: []byte("prompt: " + strings.Repeat("x", maxFileBytes))}}
	if _, err := new(Settings).readAgentFolder(2, files, "agents", "agents"); core.CodeOf(err) != core.Invalid {
		t.Error(err)
	}
}
