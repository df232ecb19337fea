package app

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"

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

// varying matches what differs from run to run: ids, times, sizes that depend on the system prompt, and the sandbox of the machine.
var varying = regexp.MustCompile(`[0-9a-f]{8}-(\x1b\[0m\n\x1b\[2m  )?[0-9a-f]{4}|\b\d+:\d\d\b|\d+(\.\d+)?m?s\b|scene[a-p]{6,8}(\x1b\[0m\n\x1b\[2m  [a-p]{1,2}\b)?|context \d+%|~[\d,]+|Sandbox: [^\n]*(\n\x1b\[2m↪[^\n]*|\n↪[^\n]*)*|\b\d+ tools|\d[\d,]* tok\b`)

// sceneHome returns a home whose path has the same length each time, as lines wrap by it.
func sceneHome(t *testing.T) home {
	t.Helper()
	h := newHome(t, nil)
	h.dir = "/tmp/scene"
	for range 8 { // no digits, as lines break before them only
		h.dir += string(rune('a' + rand.IntN(16)))
	}
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(h.dir) })
	h.put(t, "s.json", sceneScript)
	return h
}

// stage is the terminal of a scene.
type stage struct {
	*testing.T
	home
	columns uint16
	golden  string
	*console
}

// open starts a program in the terminal.
func (s *stage) open(cmd *exec.Cmd) {
	s.Helper()
	s.console = openConsoleOf(s.T, cmd, s.columns)
}

// coppice runs a command to its end, without a terminal.
func (s *stage) coppice(args ...string) {
	s.Helper()
	if out, err := s.home.command(args...).CombinedOutput(); err != nil {
		s.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// compare waits until the screen is as recorded. It records the screen if the test runs with -update-scenes.
func (s *stage) compare() {
	s.Helper()
	if *updateScenes {
		time.Sleep(2 * time.Second) // what is still shown belongs to the scene
		if err := os.WriteFile(s.golden, []byte(s.shown()), 0o600); err != nil {
			s.Fatal(err)
		}
	}
	want, err := os.ReadFile(s.golden)
	if err != nil {
		s.Fatal(err)
	}
	for deadline := time.Now().Add(patience); s.shown() != string(want); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.over:
			if s.shown() == string(want) {
				return
			}
			deadline = time.Time{}
		default:
		}
		if time.Now().After(deadline) {
			s.Fatalf("the screen is not as recorded:\n%s", udiff.Unified(s.golden, "screen", string(want), s.shown()))
		}
	}
}

// shown returns what is on the screen, with the sequences that paint it, and without what varies.
func (s *stage) shown() string {
	tty := newScreen(int(s.columns), consoleHeight)
	if err := tty.write(s.all()); err != nil {
		s.Fatal(err)
	}
	text := strings.TrimRight(strings.Join(tty.painted(), "\n"), "\n") + "\n"
	return varying.ReplaceAllStringFunc(text, func(found string) string { return strings.Repeat("~", min(len(found), 4)) })
}

// TestScenes compares what is on the screen during and after runs and chats with recordings, in terminals of several widths. Show a recording
// with cat; -update-scenes records.
func TestScenes(t *testing.T) {
	t.Parallel()
	for name, s := range scenes() {
		widths := s.widths
		if len(widths) == 0 {
			widths = []uint16{80, 140}
		}
		for _, columns := range widths {
			t.Run(fmt.Sprintf("%s-%d", name, columns), func(t *testing.T) {
				t.Parallel()
				s.play(&stage{T: t, home: sceneHome(t), columns: columns, golden: filepath.Join("testdata", "scenes", fmt.Sprintf("%s-%d.txt", name, columns))})
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
