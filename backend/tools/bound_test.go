package tools

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestGlobBounds tries globs that would take hours to match one file.
func TestGlobBounds(t *testing.T) {
	t.Parallel()
	for glob, ok := range map[string]bool{
		"**/*.{go,ts}":                                       true,
		"{a,b}/{c,d}/{e,f}":                                  true,
		strings.Repeat("{a,a}", 9):                           true,
		strings.Repeat("{a,a}", 10):                          false,
		strings.Repeat("{a,a}", 200):                         false,
		"{" + strings.Repeat("a,", 400) + "}":                true,
		strings.Repeat("{", 12) + strings.Repeat("a,a}", 12): false,
		strings.Repeat(`\{a,a\}`, 30):                        true,
		strings.Repeat("**/", 300) + "x":                     true,
		strings.Repeat("*a", 600):                            false,
		strings.Repeat("{", 1<<20):                           false,
	} {
		if _, err := globOf(glob); (err == nil) != ok || err != nil && len(err.Error()) > 300 {
			t.Errorf("%.60q: %v", glob, err)
		}
	}
}

// TestDeepArguments calls every tool with arguments that are nested too deeply, or are too many. Each call is refused.
func TestDeepArguments(t *testing.T) {
	box, err := New(Options{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	const levels = 5_000_000
	deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
	for _, tool := range box.Tools() {
		var properties struct{ Properties map[string]json.RawMessage }
		if err := json.Unmarshal(tool.Spec().Parameters, &properties); err != nil {
			t.Fatal(err)
		}
		for name := range properties.Properties {
			for _, arguments := range []string{`{"` + name + `":` + deep + `}`, `{"` + name + `":` + deep[:levels], deep} {
				_, err := tool.Access(t.Context(), json.RawMessage(arguments))
				if core.CodeOf(err) != core.Invalid {
					t.Errorf("%s, %s: %v", tool.Spec().Name, name, err)
				} else if len(err.Error()) > 1000 {
					t.Errorf("%s, %s: an error of %d bytes", tool.Spec().Name, name, len(err.Error()))
				}
			}
		}
	}
}

// FuzzArguments judges calls with any arguments. A call touches only the workspace, and judging it changes nothing.
func FuzzArguments(f *testing.F) {
	f.Add(0, `{"path":"a/../b.txt"}`)
	f.Add(1, `{"path":"../outside","content":"x"}`)
	f.Add(2, `{"path":"b.txt","old_text":"words","new_text":"x"}`)
	f.Add(3, `{"patch":"*** Begin Patch\n*** Update File: b.txt\n@@\n-words\n+x\n*** End Patch"}`)
	f.Add(4, `{"path":"/etc/passwd"}`)
	f.Add(5, `{"path":".","depth":-1}`)
	f.Add(6, `{"pattern":"**/{a,b}*[c-"}`)
	f.Add(7, `{"pattern":"(((","path":"b.txt"}`)
	f.Add(8, `{"command":"cat b.txt | sort > c"}`)
	f.Add(9, `{"items":[{"text":"x","status":"done"}]}`)
	box, err := New(Options{Workspace: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = box.Close() })
	if err := box.work.root.WriteFile("b.txt", []byte("words\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, number int, arguments string) {
		tool := box.tools[(number%len(box.tools)+len(box.tools))%len(box.tools)]
		access, err := tool.Access(t.Context(), json.RawMessage(arguments))
		if err != nil {
			if len(err.Error()) > 20*len(arguments)+4000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if again, err := tool.Access(t.Context(), json.RawMessage(arguments)); err != nil || again.Title != access.Title || again.Effect != access.Effect {
			t.Errorf("judged differently the second time: %+v, %+v, %v", access, again, err)
		}
		if data, err := box.work.root.ReadFile("b.txt"); err != nil || string(data) != "words\n" {
			t.Errorf("judging has changed a file: %q, %v", data, err)
		}
	})
}

// FuzzIgnore reads any .gitignore. A rule that begins with a comment sign changes nothing, and the last rule decides.
func FuzzIgnore(f *testing.F) {
	for _, seed := range []string{"*.log\n!keep.log\nbuild/\n", "**/a/**/b\n", "\\#x\n[a-\n", "{a,b}\n", "/*\n!/a\n", "a\\ \n  \r\n!\n"} {
		f.Add([]byte(seed), "a/b.log")
	}
	f.Fuzz(func(t *testing.T, file []byte, at string) {
		at = strings.TrimPrefix(path.Clean("/"+at), "/")
		if at == "" || strings.ContainsAny(at, "\x00\r\n") {
			return
		}
		rules := ignoreRules(nil).with(".", file)
		ended := append(bytes.Clone(file), '\n')
		if len(rules) > bytes.Count(ended, []byte("\n")) {
			t.Fatalf("%d rules of %q", len(rules), file)
		}
		before := rules.ignores(at, false)
		if rules.with(".", []byte("#"+at+"\n")).ignores(at, false) != before {
			t.Error("a comment is a rule")
		}
		if !rules.with(".", []byte("/**\n")).ignores(at, false) || rules.with(".", []byte("!/**\n")).ignores(at, false) {
			t.Error("the last rule does not decide")
		}
	})
}

// FuzzGitConfig reads any configuration of git. A harmless one is no longer harmless once a setting that starts a
// program is added, wherever it is added.
func FuzzGitConfig(f *testing.F) {
	for _, seed := range []string{"[core]\n\tbare = false\n", "[remote \"origin\"] url = x\n[branch \"m\"]\n", "[core] ; [x]\nfilemode = true # c\n", "[diff]\nrenames=1", "[include]\npath=x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !isHarmlessConfig(data) {
			return
		}
		for _, danger := range []string{"[core]\nsshCommand = x\n", "[diff \"a\"]\ntextconv = x\n", "[CORE]pager=x\n", "[include]\npath = /x\n", "[filter \"a\"]\nclean = x\n"} {
			if isHarmlessConfig(append(append(bytes.Clone(data), '\n'), danger...)) || isHarmlessConfig(append([]byte(danger), data...)) {
				t.Errorf("%q is harmless beside %q", danger, data)
			}
		}
	})
}
