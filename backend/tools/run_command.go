package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"coppice/backend/core"
	"coppice/backend/tools/sandbox"
	"coppice/backend/tools/shell"
)

const (
	defaultTimeout = 2 * time.Minute
	maxTimeout     = 600 // seconds
	progressPause  = 200 * time.Millisecond
)

type runCommandArgs struct {
	Command        string `json:"command"`
	TimeoutSeconds int    `json:"timeout_seconds"`
}

type runCommand struct{ *Box }

func newRunCommand(b *Box) Tool {
	t := define[runCommandArgs]("run_command", `
		"command": {"type": "string", "description": "The command line, for bash."},
		"timeout_seconds": {"type": "integer", "minimum": 1, "maximum": 600, "description": "The time limit in seconds; 120 if left out."}`, "command")
	r := runCommand{b}
	t.access, t.run = r.access, r.run
	return t
}

func (args runCommandArgs) check() error {
	if strings.TrimSpace(args.Command) == "" {
		return core.E(core.Invalid, "the command is empty")
	}
	if strings.ContainsRune(args.Command, 0) {
		return core.E(core.Invalid, "the command contains a NUL character")
	}
	return within("timeout_seconds", cmp.Or(args.TimeoutSeconds, 1), 1, maxTimeout)
}

// access names the commands that are not safe by themselves, or all commands if each of them is safe by itself.
func (r runCommand) access(_ context.Context, args runCommandArgs) (core.Access, error) {
	if err := args.check(); err != nil {
		return core.Access{}, err
	}
	v := r.judge(args)
	a := core.Access{
		Effect: core.EffectExecute, Idempotent: v.Safe, Safe: v.Safe, Risk: v.Risk, Forbidden: v.Forbidden, Sandbox: r.level.String(),
		Title: "Run " + core.Preview(args.Command, 200), Preview: args.Command,
	}
	for _, c := range v.Commands {
		if !c.Safe || v.Safe {
			a.Targets, a.Prefixes = append(a.Targets, c.Text), append(a.Prefixes, c.Prefix)
		}
	}
	takesInput := slices.ContainsFunc(v.Commands, func(c shell.Command) bool { return c.Input })
	if len(a.Targets) == 0 || takesInput { // the commands are safe, but not their combination
		line := args.Command
		if strings.HasSuffix(line, "*") {
			line += " " // matches this line only, and not all lines with this prefix
		}
		a.Targets, a.Prefixes = []string{line}, []string{""}
	}
	return a, nil
}

func (r runCommand) judge(args runCommandArgs) shell.Verdict {
	return shell.Judge(args.Command, commandFiles{r.work})
}

func (r runCommand) run(ctx context.Context, call core.ToolCall, args runCommandArgs) (core.ToolResult, error) {
	if err := args.check(); err != nil {
		return core.ToolResult{}, err
	}
	program, err := shellProgram()
	if err != nil {
		return core.ToolResult{}, err
	}
	limit := cmp.Or(time.Duration(args.TimeoutSeconds)*time.Second, r.opts.CommandTimeout, defaultTimeout)
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reading := r.judge(args).Safe
	if call.Unasked && !reading {
		return core.ToolResult{}, core.E(core.Conflict, "the files that the command names have changed, so it was not run; call it again")
	}
	env := sandbox.Environment(r.opts.Environ, r.temp)
	if reading {
		env = append(env, sandbox.ReadingEnvironment(r.work.real)...)
	}
	cmd, err := sandbox.Command(timed, sandbox.Options{
		Level: r.level, Dir: r.work.real, Writable: []string{r.temp}, Env: env, Cache: r.cache(), Reading: reading,
	}, program, "-c", args.Command)
	if err != nil {
		return core.ToolResult{}, err
	}
	out := newCapture(func(text string) {
		if r.opts.Progress != nil {
			r.opts.Progress(call.ID, text)
		}
	})
	cmd.Stdout, cmd.Stderr = out, out
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		out.close()
		return core.ToolResult{}, core.Wrap(core.Unavailable, err, "start the command")
	}
	err = cmd.Wait()
	out.close()
	text, sizeBytes, lineCount := out.text()
	ending := r.ending(ctx, timed, cmd, err, limit)
	took := time.Since(begun).Round(time.Millisecond)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	result := outputResult(text, sizeBytes, lineCount)
	result.Parts[0].Text += fmt.Sprintf("(%s after %s)", ending, took)
	result.IsError = err != nil
	return result, nil
}

// ending describes how a command ended.
func (r runCommand) ending(ctx, timed context.Context, cmd *exec.Cmd, err error, limit time.Duration) string {
	switch {
	case ctx.Err() != nil:
		return "interrupted: the command and all processes it started were ended"
	case timed.Err() != nil:
		return fmt.Sprintf("timeout of %s: the command and all processes it started were ended", limit)
	}
	code := cmd.ProcessState.ExitCode()
	failed, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return "exit code 0"
	case !exited:
		return "failed: " + err.Error()
	case code < 0:
		return "failed: " + failed.Error()
	case code > 128 && code < 128+65:
		return fmt.Sprintf("exit code %d, as by the signal %q", code, syscall.Signal(code-128).String())
	default:
		return fmt.Sprintf("exit code %d", code)
	}
}

// shellProgram returns the path of the shell that runs commands.
func shellProgram() (string, error) {
	for _, name := range []string{"bash", "sh"} {
		if at, err := exec.LookPath(name); err == nil {
			return at, nil
		}
	}
	return "", core.E(core.Unavailable, "find a shell: neither bash nor sh is in PATH (%s)", os.Getenv("PATH"))
}
