package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/render/plain"
)

// context prints what the next request would contain.
func (c *chat) context(ctx context.Context, _ string) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	task := c.ready.Task
	task.SessionID = c.session.ID
	next, err := c.ready.env.Engine().Sending(ctx, &task)
	if err != nil {
		return err
	}
	about := func(tokens int64) string { return "~" + humanize.Comma(tokens) }
	t := present.Table{Columns: []present.Column{{Title: "PART"}, {Title: "TOKENS", Right: true}, {Title: ""}}}
	t.Add("system prompt", about(next.SystemTokens), "")
	for _, file := range task.Instructions {
		t.Add("", "", "with "+present.OneLine(file.Path))
	}
	t.Add("tools", about(next.ToolTokens), present.Count(int64(len(next.Request.Tools)), "tool"))
	t.Add("conversation", about(next.PathTokens), present.Count(int64(next.Path-next.Hidden), "message"))
	if next.Hidden > 0 {
		t.Add("", "", present.Count(int64(next.Hidden), "message")+" replaced by a summary")
	}
	if next.Counted {
		t.Add("in all", humanize.Comma(next.Tokens), "counted by the model")
	} else {
		t.Add("in all", about(next.Tokens), "estimated")
	}
	if err := t.Write(c.Out, c.Width); err != nil || task.Info.ContextTokens == 0 {
		return err
	}
	return c.Printf("%s %s\n", bar(next.Tokens, task.Info.ContextTokens), gauge(next.Tokens, task.Info.ContextTokens))
}

// barColumns is the width of a bar.
const barColumns = 20

// bar draws which part of a whole is used; some of it, if not nothing.
func bar(used, whole int64) string {
	full := int(min(used, whole) * barColumns / whole)
	if used > 0 {
		full = max(full, 1)
	}
	return strings.Repeat("█", full) + strings.Repeat("░", barColumns-full)
}

// team shows the team that works, or lets another one work on what follows.
func (c *chat) team(ctx context.Context, name string) error {
	if name != "" {
		return c.change(ctx, func(r *launch.RunRequest) { r.Team, r.Agent = name, "" })
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if c.ready.Team == nil {
		return c.Printf("no team; /team TEAM lets one work, coppice team list shows them\n")
	}
	t := present.Table{Columns: []present.Column{{Title: "AGENT"}, {Title: "MODEL"}, {Title: ""}}}
	for i := range c.ready.Team.Definition.Agents {
		a := &c.ready.Team.Definition.Agents[i]
		mark := ""
		switch {
		case a.Skipped:
			mark = "skipped"
		case a.Name == c.ready.Team.State.Agent:
			mark = "◂"
		}
		t.Add(a.Name, c.ready.Team.Agents[a.Name].ModelRef, mark)
	}
	return t.Write(c.Out, c.Width)
}

// details prints the reasoning and the whole output of the calls of the last turn, which the screen has folded.
func (c *chat) details(ctx context.Context, _ string) error {
	if err := c.there(); err != nil {
		return err
	}
	messages, err := c.lastExchange(ctx)
	if err != nil {
		return err
	}
	clean, found := plain.NewCleaner(), false
	for i := range messages {
		m := &messages[i]
		if err := c.db.Hydrate(ctx, m); err != nil {
			return err
		}
		for _, p := range m.Parts {
			switch p.Type {
			case core.PartReasoning:
				found = true
				c.Say("%s\n%s\n", c.paint(present.Dim, "thought:"), present.Safe(strings.TrimSpace(p.Text)))
			case core.PartToolResult:
				found = true
				c.Say("%s\n%s\n", c.paint(present.Bold, "▸ "+present.OneLine(p.Name)), present.Safe(clean.Text(strings.TrimSpace(present.Text(p.Result)))))
			default:
			}
		}
	}
	if !found {
		c.Say("the last turn has no reasoning and no calls")
	}
	return nil
}

// shellBytes is the most of the output of a command of the user that the model is shown, from its end.
const shellBytes = 16 << 10

// shell runs a command of the user in the workspace. The model is shown it with the next prompt.
func (c *chat) shell(ctx context.Context, command string) error {
	workspace, err := c.flags.folder(c.session)
	if err != nil {
		return err
	}
	within, done := c.Signals.within(ctx)
	defer done()
	name, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd", "/C"
	}
	seen := &tail{limit: shellBytes}
	cmd := exec.CommandContext(within, name, flag, command)
	cmd.Dir, cmd.Stdin = workspace, nil
	both := io.MultiWriter(c.Out, seen)
	cmd.Stdout, cmd.Stderr = both, both
	inOwnGroup(cmd)
	cmd.WaitDelay = 2 * time.Second // of a command that ignores Ctrl+C
	err = cmd.Run()
	if within.Err() != nil && cmd.Process != nil {
		endGroup(cmd)
	}
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed && (within.Err() == nil || cmd.ProcessState == nil) {
		return core.Wrap(core.Unavailable, err, "run the command")
	}
	code := cmd.ProcessState.ExitCode()
	if code != 0 {
		c.Say("%s", c.paint(present.Dim, fmt.Sprintf("· exit code %d", code)))
	}
	c.ran = append(c.ran, fmt.Sprintf("I ran `%s` (exit code %d):\n```\n%s\n```", command, code, seen))
	c.Say("%s", c.paint(present.Dim, "· the next prompt shows it to the model"))
	return nil
}

// withRan returns a prompt after what the user ran before it.
func (c *chat) withRan(text string) string {
	if text == "" || len(c.ran) == 0 {
		return text
	}
	return strings.ToValidUTF8(strings.Join(c.ran, "\n\n"), "\uFFFD") + "\n\n" + text
}

// filesOffered is the most files that are offered for a word.
const filesOffered = 200

// files returns the files and folders of the workspace that a path after @ may name.
func (c *chat) files(begun string) []string {
	workspace, err := c.flags.folder(c.session)
	if err != nil {
		return nil
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil
	}
	defer root.Close() //nolint:errcheck // it is only read
	folder, name := path.Split(begun)
	file, err := root.Open(filepath.FromSlash(path.Clean(folder + ".")))
	if err != nil {
		return nil
	}
	defer file.Close()             //nolint:errcheck // as above
	entries, _ := file.ReadDir(-1) // what was read before an error is offered
	var all []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), name) || e.Name() == ".git" || strings.HasPrefix(e.Name(), ".") && name == "" || len(all) == filesOffered {
			continue
		}
		word := folder + e.Name()
		if e.IsDir() {
			word += "/"
		}
		all = append(all, word)
	}
	slices.Sort(all)
	return all
}

// editorOf returns the command of the editor that the environment names.
func editorOf(getenv func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(getenv(name)); len(words) > 0 {
			return words
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}

// editOutside lets the user write a prompt in the editor of the environment. It returns what is in the file when the editor ends.
func (c *chat) editOutside(ctx context.Context, text string) (string, error) {
	editor := editorOf(os.Getenv)
	folder, err := os.MkdirTemp("", "coppice-prompt-*")
	if err != nil {
		return text, core.Wrap(core.Unavailable, err, "make a file for the editor")
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system cleans up its temporary folder
	file := filepath.Join(folder, "prompt.md")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return text, core.Wrap(core.Unavailable, err, "make a file for the editor")
	}
	cmd := exec.CommandContext(ctx, editor[0], append(editor[1:], file)...) //nolint:gosec // the editor of the user
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return text, core.E(core.Unavailable, "run the editor %s: %v; VISUAL or EDITOR name another one", editor[0], err)
	}
	written, err := core.ReadRegular(file, maxTaskBytes)
	if err != nil {
		return text, core.Wrap(core.Unavailable, err, "read what the editor wrote")
	}
	return strings.TrimRight(string(written), "\n"), nil
}
