package app

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coppice/app/internal/exit"
)

// pageScript is the script for the model of TestRunningPage.
const pageScript = `{ "name": "page", "contextTokens": 200000, "turns": [
  { "match": "risk", "alternatives": [[{ "text": "{ \"risk\": \"low\", \"lines\": [1] }" }]] },
  { "match": "feature|endless", "alternatives": [[{ "text": "I look.", "toolCalls": [{ "name": "list_files", "arguments": { "path": "." } }], "costNanoUsd": 10000000 }, { "text": "Done." }]] },
  { "match": "run the tests", "alternatives": [[{ "text": "I run them.", "toolCalls": [{ "name": "run_command", "arguments": { "command": "go test ./..." } }] }, { "text": "Done." }]] },
  { "alternatives": [[{ "text": "You said: {{prompt}}" }, { "text": "Again: {{prompt}}" }]] }
] }`

// typedCommand is a command of the page, as it is typed.
type typedCommand struct {
	shown string   // on the page
	typed string   // empty: as it is shown, with its placeholders replaced
	keys  []string // what a user types at a terminal after a text has been shown: text, keys, text, keys, …; nil: there is no terminal
	code  int
	wants string // a regular expression for the output
}

// placeholders are the words of the page that are replaced by what exists.
var placeholders = strings.NewReplacer("ID", "page", "[NODE]", "m0", "NODE", "m0", "m17", "m1", " NAME", " named", "CHECKPOINT", "c1", "PROVIDER/MODEL", "script/page.json",
	"URL", "http://127.0.0.1:1/v1", "MODE", "plan", " E", " low", "USD", "1.50", " N", " 9", "FILE.md", "log.md", "FILE", "pixel.png", "FOLDER", ".", "TIME", "30m",
	"PATH", "code", "STRATEGY", "none", "TEXT", "tests")

// pageCommands returns the commands of docs/running.md in the order in which they are typed.
func pageCommands() []typedCommand {
	return []typedCommand{
		{shown: `coppice run "add tests to user.py"`, wants: `You said: add tests to user.py`},
		{shown: `coppice run "write a note" --model script/demo`, keys: []string{"[n] no: ", "y"}, wants: `notes\.md`},
		{shown: `coppice models`, wants: `(?m)^script/demo`},
		{shown: `git diff | coppice run --agent review "what is wrong here?" -`, wants: `diff --git`},
		{shown: `coppice run /review docs/a.md`, wants: `You said: Review docs/a\.md\. Look first for what breaks: docs/a\.md`},
		{shown: `git diff | coppice run /review main.go -`, wants: `You said: Review main\.go\. .*breaks: main\.go diff --git`},
		{shown: `coppice run "which of the two is faster?" --model openai/gpt-5.2 --model ollama/llama3.2`, wants: `(?s)--- openai/gpt-5\.2\nThe first\.\n.*--- ollama/llama3\.2\nThe second\.`},
		{shown: `coppice run "implement feature X" --mode yolo --json > result.json`, wants: `· done`},
		{shown: `coppice run "Which risk does this change have?" --output-schema risk.json > risk.out.json`, wants: `· done`},
		{shown: `run --max-steps 10 --timeout 5m`, typed: `coppice run --max-steps 10 --timeout 5m --name page hello`, wants: `You said: hello`},
		{shown: `coppice resume ID`, typed: `coppice resume page "and then"`, wants: `You said: and then`},
		{shown: `coppice resume ID --branch NODE`, typed: `coppice resume page --branch m1 "or else"`, wants: `You said: or else`},
		{shown: `coppice show ID`, wants: `── n0 m0 · user`},
		{shown: `coppice resume`, typed: `coppice run endless --max-steps 1; coppice resume`, keys: []string{"❯ ", "\r"}, wants: `Resuming session`},
		{shown: `coppice chat`, keys: []string{"you> ", "\x04"}, wants: `/help lists the commands`},
		{shown: `coppice chat --resume`, keys: []string{"❯ ", "\r", "you> ", "", "you> ", "\x04"}, wants: `Resumed session`},
		{shown: `coppice context ID`, wants: `You said: hello`},
		{shown: `coppice context ID --json`, wants: `"left":`},
		{shown: `coppice context ID m17`, wants: `hello`},
		{shown: `coppice checkpoints ID`, wants: `(?m)^c1 `},
		{shown: `coppice checkpoint ID [NODE] NAME`, wants: `named is checkpoint c0\.1, at m0`},
		{shown: `coppice restore ID CHECKPOINT`, wants: `continues from n0 `},
		{shown: `coppice restore ID --undo`, wants: `continues from n2 `},
		{shown: `coppice checkpoint ID --remove CHECKPOINT`, typed: `coppice checkpoint page --remove named`},
		{shown: `coppice compact ID`, typed: `for i in 1 2 3 4; do coppice resume page "$(seq 600)" > long.txt 2>&1; done; coppice compact page`, wants: `context compacted: \d+ → \d+ messages`},
		{shown: `coppice hibernate ID`, typed: `coppice hibernate page`, wants: `hibernated`},
		{shown: `coppice wake`, wants: `page`},
		{shown: `coppice wake --due`, wants: ``},
		{shown: `coppice wake ID`, wants: `woken`},
		{shown: `coppice hibernate ID --confirm`, typed: `coppice hibernate page && coppice export page --format json --output archive.json && export COPPICE_DB=$PWD/other.db && coppice import archive.json && coppice hibernate page --confirm`, wants: `hibernate`},
		{shown: `coppice watch --wake`, typed: `coppice hibernate page --until 1s && exec coppice watch --wake`, keys: []string{"· done ·", "\x03"}, wants: `woken`},
		{shown: `coppice split`, typed: `coppice split page m2`, wants: ``},
		{shown: `coppice graft`, typed: `coppice run other --name other && coppice graft other m0 page m1`, wants: ``},
		{shown: `coppice cleanup`, wants: ``},
	}
}

// pageFlags returns the flags of the table, with what makes them work.
func pageFlags() map[string]string {
	return map[string]string{
		"--model PROVIDER/MODEL": "", "--base-url URL": "--model openai/gpt-5.2 --base-url $(cat server)/v1", "--agent NAME": "--agent plan", "--mode MODE": "", "--effort E": "",
		"--budget USD": "", "--max-tokens N": "--max-tokens 99999", "--max-steps N": "", "--timeout TIME": "", "--session ID": "", "--continue": "", "--branch NODE": "--session page --branch m1",
		"--name NAME": "--name other-name", "--workspace FOLDER": "", "--image FILE": "", "--hibernate-after TIME": "", "--hitl": "", "--summary": "--session page --summary",
		"--take-over": "", "--output FILE.md": "", "--plain": "", "--json": "", "--output-schema FILE": "--output-schema risk.json", "--json-stream": "",
	}
}

// page is docs/running.md.
type page struct {
	t    *testing.T
	text string
}

// section returns what is below a heading, up to the next one of its level or above.
func (p page) section(heading string) string {
	p.t.Helper()
	_, rest, found := strings.Cut(p.text, "\n"+heading+"\n")
	if !found {
		p.t.Fatalf("the page has no section %q", heading)
	}
	level, _, _ := strings.Cut(heading, " ")
	if end := regexp.MustCompile(`(?m)^#{1,` + strconv.Itoa(len(level)) + `} `).FindStringIndex(rest); end != nil {
		return rest[:end[0]]
	}
	return rest
}

var (
	fenced = regexp.MustCompile("(?s)```.*?```")
	quoted = regexp.MustCompile("`[^`]+`")
	remark = regexp.MustCompile(`\s+# .*$`)
)

// spans returns the texts in backquotes, without those of fenced blocks.
func (p page) spans(text string) []string {
	found := quoted.FindAllString(fenced.ReplaceAllString(text, ""), -1)
	for i, one := range found {
		found[i] = strings.Join(strings.Fields(strings.Trim(one, "`")), " ")
	}
	return found
}

// commands returns the commands that the page shows, each once. Those for continuous integration are in TestRecipeForCI.
func (p page) commands() []string {
	text := strings.Replace(p.text, p.section("### In continuous integration"), "", 1)
	var all []string
	for _, block := range fenced.FindAllString(text, -1) {
		for line := range strings.SplitSeq(block, "\n") {
			if strings.HasPrefix(line, "coppice ") {
				all = append(all, remark.ReplaceAllString(line, ""))
			}
		}
	}
	for _, span := range p.spans(text) {
		if strings.HasPrefix(span, "coppice ") || strings.Contains(span, "| coppice ") || strings.HasPrefix(span, "run --") {
			all = append(all, span)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// firstColumn returns the texts in backquotes in the first column of the table with a title.
func (p page) firstColumn(title string) []string {
	_, table, _ := strings.Cut(p.text, "\n| "+title+" |")
	table, _, _ = strings.Cut(table, "\n\n")
	var all []string
	for line := range strings.SplitSeq(table, "\n") {
		if cell, _, found := strings.Cut(strings.TrimPrefix(line, "| "), " |"); found {
			all = append(all, p.spans(cell)...)
		}
	}
	slices.Sort(all)
	return all
}

// TestRunningPage types every command, every flag and every line of a chat that docs/running.md shows, and compares the output that it shows.
// A command that is new on the page needs an entry here, and one that is no longer on the page fails too.
func TestRunningPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	p := page{t, string(text)}
	h := pageHome(t, p)
	commands := pageCommands()
	typed := make([]string, len(commands))
	for i, c := range commands {
		typed[i] = c.shown
		h.play(t, c)
	}
	slices.Sort(typed)
	compareLists(t, "commands", p.commands(), typed)

	flags := pageFlags()
	var names []string
	for shown, args := range flags {
		names = append(names, shown)
		if args == "" {
			args = placeholders.Replace(shown)
		} else if flag, _, _ := strings.Cut(shown, " "); !strings.Contains(args, flag) {
			args += " " + placeholders.Replace(shown)
		}
		c := typedCommand{shown: shown, typed: "coppice run " + args + " 'which risk?'", wants: `risk`}
		if shown == "--hitl" {
			c.keys = []string{"to quit:", "q"}
			c.code, c.keys[1] = exit.Partial, "q\n"
		}
		h.play(t, c)
	}
	slices.Sort(names)
	compareLists(t, "flags", p.firstColumn("flag"), names)

	for _, condition := range p.firstColumn("condition") {
		c := typedCommand{shown: condition, typed: "coppice hibernate page " + placeholders.Replace(strings.Replace(condition, "--when-done ID", "--when-done other", 1)), wants: `hibernated`}
		if strings.HasPrefix(condition, "--") {
			h.play(t, c)
		} else {
			h.play(t, typedCommand{shown: condition, typed: "coppice hibernate page --until '" + condition + "'", wants: `hibernated`})
		}
	}
	for _, strategy := range p.firstColumn("strategy") {
		h.play(t, typedCommand{shown: strategy, typed: "coppice run hello --compaction " + strings.Fields(strategy)[0], wants: "You said"})
	}
	h.playChat(t, p)
	h.playQuestion(t, p)
}

// pageHome returns a home with all that the commands of the page need.
func pageHome(t *testing.T, p page) home {
	t.Helper()
	_, schema, _ := strings.Cut(p.section("### In continuous integration"), "```json\n")
	schema, _, _ = strings.Cut(schema, "```")
	h := newHome(t, map[string]string{"page.json": pageScript, "risk.json": schema, "pixel.png": pixel, "code": "1\n", "Makefile": "test:\n\t@echo tested\n"})
	server, local := newPacedModel(t, []piece{{text: "The first."}}, []piece{{text: "A risk."}}), newOllama(t)
	h.put(t, "server", server.URL)
	settings := filepath.Join(h.home, ".config", "coppice")
	if err := os.MkdirAll(filepath.Join(settings, "commands"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(p.section("### Your own commands"), "```markdown\n")
	command, _, _ = strings.Cut(command, "```")
	if err := os.WriteFile(filepath.Join(settings, "commands", "review.md"), []byte(command), 0o600); err != nil {
		t.Fatal(err)
	}
	config := "model: script/page.json\nproviders:\n  openai: {protocol: openai.chat, base_url: \"" + server.URL + "/v1\"}\n  ollama: {base_url: \"" + local + "\"}\n"
	if err := os.WriteFile(filepath.Join(settings, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(h.dir, "docs"), os.DirFS("../docs")); err != nil {
		t.Fatal(err)
	}
	setup := h.shell("git init -q . && git config user.email a@example.org && git config user.name a && git add code && git commit -q -m one && echo 2 > code")
	if out, err := setup.CombinedOutput(); err != nil {
		t.Skipf("no git: %v %s", err, out)
	}
	return h
}

// newOllama returns the address of a server that answers like Ollama with one model.
func newOllama(t *testing.T) string {
	t.Helper()
	answers := map[string]string{
		"/api/version": `{"version":"0.14.0"}`,
		"/api/tags":    `{"models":[{"name":"llama3.2:latest"}]}`,
		"/api/show":    `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"llama","llama.context_length":8192}}`,
		"/api/chat":    `{"model":"llama3.2","message":{"role":"assistant","content":"The second."},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":2}` + "\n",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, answers[r.URL.Path]) }))
	t.Cleanup(server.Close)
	return server.URL
}

// shell returns a command line of a home.
func (h home) shell(line string) *exec.Cmd {
	with := h.command()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = with.Dir, append(with.Env, "OPENAI_API_KEY=none")
	return cmd
}

// play types a command, and compares its exit code and its output.
func (h home) play(t *testing.T, c typedCommand) {
	t.Helper()
	line := c.typed
	if line == "" {
		line = placeholders.Replace(c.shown)
	}
	cmd := h.shell(line)
	var out string
	var code int
	if c.keys != nil {
		tty := openConsole(t, cmd)
		for i := 0; i < len(c.keys); i += 2 {
			tty.see(c.keys[i])
			tty.enter(c.keys[i+1])
		}
		<-tty.over
		out, code = tty.all(), exitCodeOf(cmd.Wait())
	} else {
		data, err := cmd.CombinedOutput()
		out, code = string(data), exitCodeOf(err)
	}
	if code != c.code || !regexp.MustCompile(c.wants).MatchString(out) {
		t.Errorf("%s\n  typed as: %s\n  exit code %d, want %d; output without %q:\n%s", c.shown, line, code, c.code, c.wants, out)
	}
}

func compareLists(t *testing.T, what string, shown, typed []string) {
	t.Helper()
	for _, one := range shown {
		if !slices.Contains(typed, one) {
			t.Errorf("%s: docs/running.md shows %q, which the test does not type", what, one)
		}
	}
	for _, one := range typed {
		if !slices.Contains(shown, one) {
			t.Errorf("%s: the test types %q, which docs/running.md does not show", what, one)
		}
	}
}

// playChat types the chat that the page shows, compares it, and then every other line that the page mentions.
func (h home) playChat(t *testing.T, p page) {
	t.Helper()
	section := p.section("## Chats")
	example := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(fenced.FindString(section), "```\n"), "```"), "\n")
	c := openConsoleOf(t, h.shell("coppice chat"), 100)
	c.see("you> ")
	for _, line := range []string{"a plan for the parser", "write it in one pass", "/label initial design", "/branch n0", "write it in two passes"} {
		c.enter(line + "\r")
		c.see(map[bool]string{true: "\r\n\r\n", false: "· done · "}[line[0] == '/'])
		c.see("you> ")
	}
	shown := newScreen(100, consoleHeight)
	for line := range strings.Lines(example) {
		if typed, isTyped := strings.CutPrefix(strings.TrimSpace(line), "you> "); isTyped {
			c.enter(strings.TrimSuffix(typed, "...") + "\r")
			c.see(map[bool]string{true: "\r\n\r\n", false: "· done · "}[typed[0] == '/'])
			c.see("you> ")
		}
	}
	if err := shown.write(c.all()); err != nil {
		t.Fatal(err)
	}
	if all := strings.ReplaceAll(strings.Join(shown.lines(), "\n"), "\n\n", "\n"); !strings.Contains(all, strings.TrimSuffix(strings.ReplaceAll(example, "\n\n", "\n"), "...")) {
		t.Errorf("the chat on the page\n%s\nis not what is shown:\n%s", example, all)
	}

	var lines []string
	for _, span := range p.spans(section) {
		if strings.HasPrefix(span, "/") && strings.Contains(span, " /") {
			lines = append(lines, strings.Fields(span)...)
		} else if len(span) > 1 && strings.ContainsAny(span[:1], "/!@") {
			lines = append(lines, span)
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(pageOrder(a), pageOrder(b)) })
	for _, line := range lines {
		input, want := pageInput(line)
		c.enter(input)
		c.see(want)
		c.see("you> ")
	}
	for name := range strings.FieldsSeq(helpNames(c)) {
		if !slices.Contains(lines, name) {
			t.Errorf("/help has %s, which the page does not mention", name)
		}
	}
	c.enter("\x04")
	c.ends(exit.OK)
}

// pageOrder returns when a line is typed: a team works on what follows, and another session has other messages.
func pageOrder(line string) int {
	return max(strings.Index(line, "/team"), strings.Index(line, "/resume"))
}

// pageInput returns the keys for a line of a chat that the page mentions, and what is shown then.
func pageInput(line string) (keys, want string) {
	switch line {
	case "@docs/ru", "@docs/running.md":
		return "@docs/ru\t\r", "@docs/running.md"
	case "!make test":
		return line + "\r", "tested"
	case "/image FILE", "/image":
		return "/image pixel.png\r", "The next prompt has"
	case "/team TEAM":
		return "/team docs/teams/pair.yaml\r", "script/docs/teams/pair-writer.json"
	case "/branch":
		return "/branch n0\r", "Branched from n0"
	case "/label":
		return "/label begin\r", "Labeled"
	case "/checkpoint":
		return "/checkpoint here\r", "Checkpoint c"
	case "/restore":
		return "/restore here\r", "continues from n0"
	case "/retry":
		return line + "\r", "· done · "
	case "/edit":
		return "/edit another text\r", "another text"
	case "/continue":
		return line + "\r", "is complete: the model has answered"
	case "/compact":
		return line + "\r", "compact"
	case "/resume":
		return "/resume page\r", "Resumed session"
	case "/quit":
		return " /quit is a prompt after a space\r", "You said"
	case "/skip", "/unskip", "/add":
		return line + " nobody\r", "one agent works alone here"
	case "/review":
		return line + " code\r", "Look first for what breaks: code"
	case "/":
		return line + "\r", "unknown command /"
	default: // commands that show something
		return line + "\r", "\r\n\r\n"
	}
}

// helpNames returns the commands that /help lists.
func helpNames(c *console) string {
	before := len(c.all())
	c.enter("/help\r")
	c.see("/quit")
	c.see("you> ")
	var names []string
	for _, found := range regexp.MustCompile(`\r\n(/[a-z]+)`).FindAllStringSubmatch(c.all()[before:], -1) {
		names = append(names, found[1])
	}
	return strings.Join(names, " ")
}

// playQuestion compares the question that the page shows.
func (h home) playQuestion(t *testing.T, p page) {
	t.Helper()
	example := strings.TrimSuffix(strings.TrimPrefix(fenced.FindString(p.section("## Permissions")), "```\n"), "\n```")
	c := openConsoleOf(t, h.shell("coppice run 'run the tests' --mode confirm-all"), 100)
	c.see("[n] no: ")
	shown := newScreen(100, consoleHeight)
	if err := shown.write(c.all()); err != nil {
		t.Fatal(err)
	}
	sandbox := regexp.MustCompile(`Sandbox: .*`) // differs with the system
	all, want := sandbox.ReplaceAllString(strings.Join(shown.lines(), "\n"), "Sandbox"), sandbox.ReplaceAllString(example, "Sandbox")
	if !strings.Contains(all, want) {
		t.Errorf("the question on the page\n%s\nis not what is shown:\n%s", want, all)
	}
	c.enter("n\n")
	c.see("Why not?")
	c.enter("\n")
	c.ends(exit.OK)
	var outcome map[string]any
	data, err := os.ReadFile(filepath.Join(h.dir, "result.json"))
	if err != nil || json.Unmarshal(data, &outcome) != nil {
		t.Fatalf("result.json: %v %s", err, data)
	}
	names, _, _ := strings.Cut(strings.SplitN(p.section("## In scripts"), "{sessionId", 2)[1], "}")
	for name := range strings.SplitSeq("sessionId"+names, ",") {
		if _, found := outcome[strings.TrimSpace(name)]; !found {
			t.Errorf("the page shows %s of --json, which is not in %s", name, data)
		}
	}
}
