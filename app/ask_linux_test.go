package app

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"coppice/app/internal/exit"
	"coppice/app/term"
	"coppice/backend/render/plain"
)

// tricks are calls whose question in a terminal once showed something other than what would run.
var tricks = []struct {
	name, tool, key string // key is the argument that holds the text
	text            string
}{
	{"a carriage return", "run_command", "command", "# " + strings.Repeat("note ", 50) + "\npython3 -c \"print('pwned1')\" #\recho ok"},
	{"a terminal sequence over lines", "run_command", "command", "# note \x1b]\npython3 -c \"print('pwned2')\"\n# \x07\nls -la"},
	{"a long line", "run_command", "command", "ls -la && echo " + strings.Repeat(".", 400) + " && python3 -c 'print(1)'"},
	{"blanks that are folded", "run_command", "command", "echo a" + strings.Repeat(" ", 300) + "; touch\u00a0b\u2028c\u0085d\u200be\u202ef\tg"},
	{"more lines than the screen", "run_command", "command", strings.Repeat("true\n", 90) + "touch pwned"},
	{"a file", "write_file", "content", "import os; os.system('pwned')\r+print('hello')\nx\u2028y\n"},
}

var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// The question of a permission contains every character of what would run, in order.
func TestQuestionsShowWhatRuns(t *testing.T) {
	t.Parallel()
	for _, trick := range tricks {
		t.Run(trick.name, func(t *testing.T) {
			t.Parallel()
			arguments := map[string]string{trick.key: trick.text}
			if trick.tool == "write_file" {
				arguments["path"] = "hello.py"
			}
			script, err := json.Marshal(map[string]any{"name": "tricks", "turns": []any{map[string]any{"alternatives": []any{[]any{
				map[string]any{"text": "I do it.", "toolCalls": []any{map[string]any{"name": trick.tool, "arguments": arguments}}}, map[string]any{"text": "Done."},
			}}}}})
			if err != nil {
				t.Fatal(err)
			}
			h := newHome(t, map[string]string{"s.json": string(script)})
			c := h.console(t, "run", "a trick", "--model", "script/s.json")
			c.see("Permit? ")
			for c.seeOneOf("show more  [n] no: ", "[n] no: ") == 0 {
				c.enter("\n")
			}
			shown := colors.ReplaceAllString(c.all(), "")
			c.enter("n\n\n")
			c.see("Done.")
			c.ends(exit.OK)
			checkShown(t, shown, trick.text)
		})
	}
}

// checkShown checks that the lines of a text are on the screen, complete and in order, however they are wrapped.
func checkShown(t *testing.T, screen, text string) {
	t.Helper()
	screen = regexp.MustCompile(`\d+ more lines?: \[Enter\] show more  \[n\] no: (\r\n)?`).ReplaceAllString(screen, "")
	screen = strings.ReplaceAll(screen, "\r\n"+term.ContinueIndent, "")
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		line = plain.ExactText(line)
		at := strings.Index(screen, line+"\r\n")
		if at < 0 {
			t.Fatalf("%q is not shown in\n%q", line, screen)
		}
		screen = screen[at+len(line):]
	}
}
