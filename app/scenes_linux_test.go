package app

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coppice/app/internal/exit"
)

var updateScenes = flag.Bool("update-scenes", false, "write the golden files of TestScenes")

// sceneScript is the script for the models of the scenes.
const sceneScript = `{ "name": "scene", "contextTokens": 200000, "turns": [
  { "match": "edit", "alternatives": [[
    { "reasoning": "I have to think about what the user wants. First the file, then the command.",
      "text": "I write the **file** first.",
      "toolCalls": [{ "name": "write_file", "arguments": { "path": "a.go", "content": "package a\n\nfunc A() int {\n\treturn 1\n}\n" } }],
      "usage": { "inputTokens": 1200, "outputTokens": 40 }, "costNanoUsd": 8125000 },
    { "toolCalls": [{ "name": "run_command", "arguments": { "command": "seq 6" } }],
      "usage": { "inputTokens": 1300, "outputTokens": 40 }, "costNanoUsd": 9000000 },
    { "text": "Done:\n\n1. created ` + "`a.go`" + `\n2. ran the *loop*\n\n` + "```go\\nfunc A() int {\\n\\treturn 1 // one\\n}\\n```" + `\n\n| file | lines | what |\n|---|---:|---|\n| a.go | 5 | a function that returns one, which is what you wanted when you asked for it, more or less |\n\nThat is all.",
      "usage": { "inputTokens": 1400, "outputTokens": 90 }, "costNanoUsd": 9500000 }
  ]] },
  { "match": "review", "alternatives": [[
    { "text": "I write it.", "toolCalls": [{ "name": "write_file", "arguments": { "path": "b.txt", "content": "one\ntwo\n" } }], "usage": { "inputTokens": 1200, "outputTokens": 40 }, "costNanoUsd": 1 },
    { "text": "It said: {{result}}", "usage": { "inputTokens": 1200, "outputTokens": 40 }, "costNanoUsd": 1 }
  ]] },
  { "alternatives": [[{ "text": "# Answer\n\nYou said: **{{prompt}}**. This is a paragraph that is long enough to be wrapped at the width of most terminals, as it continues for a while after that.\n\n- one\n- two\n\n> a quote", "usage": { "inputTokens": 1200, "outputTokens": 60 }, "costNanoUsd": 1000000 }]] }
] }`

// varying matches what differs from run to run: ids, times, and sizes that depend on the system prompt.
var varying = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}|\b\d+:\d\d\b|\d+(\.\d+)?m?s\b|scene-[0-9a-f]{8}|context \d+%|\d,\d{3} tok`)

// sceneHome returns a home whose path has the same length each time, as lines wrap by it.
func sceneHome(t *testing.T) home {
	t.Helper()
	h := newHome(t, nil)
	h.dir = fmt.Sprintf("/tmp/scene-%08x", rand.Uint32())
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(h.dir) })
	h.put(t, "s.json", sceneScript)
	return h
}

// TestScenes compares what is on the screen after runs and chats with recordings, in terminals of two widths.
func TestScenes(t *testing.T) {
	t.Parallel()
	for _, columns := range []uint16{80, 140} {
		for name, play := range map[string]func(t *testing.T, h home, columns uint16) *console{
			"run": func(t *testing.T, h home, columns uint16) *console {
				c := openConsoleOf(t, h.command("run", "edit it", "--model", "script/s.json", "--mode", "yolo"), columns)
				c.ends(exit.OK)
				return c
			},
			"plain": func(t *testing.T, h home, columns uint16) *console {
				c := openConsoleOf(t, h.command("run", "edit it", "--model", "script/s.json", "--mode", "yolo", "--plain"), columns)
				c.ends(exit.OK)
				return c
			},
			"permission": func(t *testing.T, h home, columns uint16) *console {
				c := openConsoleOf(t, h.command("run", "review it", "--model", "script/s.json"), columns)
				c.see("[n] no: ")
				c.enter("y\n")
				c.ends(exit.OK)
				return c
			},
			"resumed": func(t *testing.T, h home, columns uint16) *console {
				first := openConsoleOf(t, h.command("run", "hello", "--model", "script/s.json"), columns)
				first.ends(exit.OK)
				c := openConsoleOf(t, h.command("chat", "--resume", h.sessions(t)[0].ID), columns)
				c.see("you> ")
				c.see("you> ")
				c.enter("and then\r")
				c.see("· done · ")
				c.see("you> ")
				c.enter("\x04")
				c.ends(exit.OK)
				return c
			},
		} {
			t.Run(fmt.Sprintf("%s-%d", name, columns), func(t *testing.T) {
				t.Parallel()
				c := play(t, sceneHome(t), columns)
				lines := screenOf(t, c.all(), int(columns), consoleHeight)
				got := varying.ReplaceAllStringFunc(strings.Join(lines, "\n")+"\n", func(found string) string { return strings.Repeat("~", min(len(found), 4)) })
				path := filepath.Join("testdata", "scenes", fmt.Sprintf("%s-%d.txt", name, columns))
				if *updateScenes {
					if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil || string(want) != got {
					t.Errorf("%s (%v) shows\n%s", path, err, got)
				}
			})
		}
	}
}

// slowText is the script for a model that writes two paragraphs of forty words.
func slowText() string {
	words := make([]string, 40)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", i)
	}
	return fmt.Sprintf(`{ "name": "slow", "tokensPerSecond": 60, "turns": [{ "alternatives": [[{ "text": "%s\n\nSecond %[1]s" }]] }] }`, strings.Join(words, " "))
}

var controls = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// TestResize makes the terminal narrower while an answer is written: what is written from then on fits it, and no word is lost.
func TestResize(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": slowText()})
	c := openConsoleOf(t, h.command("run", "go", "--model", "script/s.json"), 100)
	c.see("word10")
	c.resize(44)
	c.see("Second")
	c.ends(exit.OK)
	shown := ""
	for _, line := range strings.Split(controls.ReplaceAllString(c.all()[strings.LastIndex(c.all(), "Second word0"):], ""), "\r\n") {
		if len([]rune(line)) > 44 {
			t.Errorf("%q is wider than the terminal", line)
		}
		shown += line + " "
	}
	for i := range 40 {
		if !strings.Contains(shown, fmt.Sprintf("word%d ", i)) {
			t.Errorf("word%d is missing in %q", i, shown)
		}
	}
}

// TestNoEscapeSequences runs in terminals that want no colors, or know no sequences.
func TestNoEscapeSequences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set     string
		args    []string
		none    *regexp.Regexp
		isPlain bool
	}{
		"NO_COLOR": {set: "NO_COLOR=1", none: regexp.MustCompile(`\x1b\[[0-9;]*m`)},
		"dumb":     {set: "TERM=dumb", none: regexp.MustCompile(`\x1b`), isPlain: true},
		"plain":    {args: []string{"--plain"}, none: regexp.MustCompile(`\x1b`), isPlain: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, map[string]string{"s.json": sceneScript})
			cmd := h.command(append([]string{"run", "edit it", "--model", "script/s.json", "--mode", "yolo"}, c.args...)...)
			cmd.Env = append(cmd.Env, c.set)
			tty := openConsoleOf(t, cmd, 80)
			tty.ends(exit.OK)
			if found := c.none.FindString(tty.all()); found != "" {
				t.Errorf("%q in %q", found, tty.all())
			}
			if isRaw := strings.Contains(tty.all(), "**file**"); !isRaw {
				t.Errorf("emphasis has no marks in %q", tty.all())
			}
			if hasTable := strings.Contains(tty.all(), "─┼─"); hasTable == c.isPlain {
				t.Errorf("the layout is wrong: %q", tty.all())
			}
		})
	}
}
