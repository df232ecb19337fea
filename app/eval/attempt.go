package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"coppice/app/internal/exit"
	"coppice/backend/core"
)

// attempt is the result of one run of a task.
type attempt struct {
	Task        string `json:"task"`
	Number      int    `json:"number"` // counted from 1
	Passed      bool   `json:"passed"`
	Problem     string `json:"problem,omitempty"` // why it did not pass
	Calls       int64  `json:"calls"`             // of tools
	FailedCalls int64  `json:"failedCalls"`       // those of them that returned an error
	DurationMs  int64  `json:"durationMs"`
	outcome
}

// outcome is what the program reports at the end of a run.
type outcome struct {
	SessionID    string          `json:"sessionId"`
	StopReason   core.StopReason `json:"stopReason"`
	Steps        int64           `json:"steps"`
	InputTokens  int64           `json:"inputTokens"`
	OutputTokens int64           `json:"outputTokens"`
	CostNanoUSD  *int64          `json:"costNanoUsd"` // null: some of the cost is unknown
	Error        string          `json:"error,omitempty"`
	Answer       string          `json:"answer"`
	Output       json.RawMessage `json:"output,omitempty"`
}

// attempt runs a task once and checks the result. An error means that no other attempt can succeed either.
func (e *evaluation) attempt(ctx context.Context, t *task, number int) (attempt, error) {
	a := attempt{Task: t.Name, Number: number}
	r := room{folder: filepath.Join(e.folder, "tasks", t.Name, strconv.Itoa(number)), task: t, evaluation: e}
	if err := r.furnish(ctx); err != nil {
		a.Problem = err.Error()
		return a, err
	}
	begun := time.Now()
	err := r.work(ctx, &a)
	a.DurationMs = time.Since(begun).Milliseconds()
	if err != nil {
		a.Problem = err.Error()
		return a, err
	}
	problem := r.check(ctx, &a.outcome)
	if a.Passed = problem == ""; !a.Passed {
		a.Problem = strings.TrimPrefix(a.Problem+"\n"+problem, "\n")
	}
	return a, nil
}

// room is the folder of an attempt: the workspace, and beside it what the model does not see.
type room struct {
	folder string
	task   *task
	*evaluation
}

func (r *room) workspace() string         { return filepath.Join(r.folder, "workspace") }
func (r *room) beside(name string) string { return filepath.Join(r.folder, name) }

// baseline commits the files of a workspace that has no history, so that it is a repository like any other, and the
// instructions of folders above it do not apply.
const baseline = "[ -e .git ] || { git init -q . && git add -A && git commit -q -m Start; }\n"

// furnish writes the files of the task that the model may see. What an earlier evaluation left there is removed.
func (r *room) furnish(ctx context.Context) error {
	if err := os.RemoveAll(r.folder); err != nil {
		return core.Wrap(core.Unavailable, err, "remove the files of an earlier attempt")
	}
	beside := map[string][]byte{"setup.sh": []byte(r.task.Setup + "\n" + baseline), "tmp/empty": nil}
	if r.task.Schema != nil {
		beside["schema.json"] = r.task.Schema
	}
	if r.model == "" {
		answers := r.task.Script
		if r.wrong {
			answers = r.task.Wrong
		}
		script, err := scriptOf(r.task.Name, answers)
		if err != nil {
			return core.Wrap(core.Invalid, err, "task %s: write its script", r.task.Name)
		}
		beside["script.json"] = script
	}
	if err := writeFiles(r.folder, beside); err != nil {
		return err
	}
	if err := writeFiles(r.workspace(), r.task.Files); err != nil {
		return err
	}
	if output, err := r.shell(ctx, "setup.sh"); err != nil {
		return core.Wrap(core.Invalid, err, "task %s: prepare the workspace: %s", r.task.Name, output)
	}
	return nil
}

// work lets the program run the task and reads what it reports.
func (r *room) work(ctx context.Context, a *attempt) error {
	cmd := exec.CommandContext(ctx, r.program, r.arguments()...) //nolint:gosec // the program to evaluate, which the user names
	cmd.Dir = r.workspace()
	cmd.Env = append(os.Environ(), "COPPICE_DB="+r.library(), "XDG_CONFIG_HOME="+filepath.Join(r.evaluation.folder, "config"), "XDG_CACHE_HOME="+r.commandCache())
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	events, err := cmd.StdoutPipe()
	if err != nil {
		return core.Wrap(core.Unavailable, err, "start the program")
	}
	if err := cmd.Start(); err != nil {
		return core.Wrap(core.Unavailable, err, "start the program")
	}
	read := a.read(events)
	_, _ = io.Copy(io.Discard, events) // a program whose output is not read would wait
	ended := cmd.Wait()
	switch code := cmd.ProcessState.ExitCode(); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case read != nil:
		return read
	case code == exit.Usage || code == exit.Auth || a.SessionID == "":
		return core.E(core.Invalid, "%s", lastLines(complaints.String(), 3))
	case ended != nil:
		a.Problem = strings.TrimSuffix(string(a.StopReason)+": "+a.Error, ": ")
	}
	return nil
}

// arguments returns the command line of the attempt.
func (r *room) arguments() []string {
	model := r.model
	if model == "" {
		model = "script/" + r.beside("script.json")
	}
	args := []string{
		"run", "--json-stream", "--mode", "yolo", "--workspace", r.workspace(), "--model", model, "--budget", r.budgetUSD,
		"--max-steps", strconv.Itoa(r.maxSteps), "--max-tokens", strconv.Itoa(r.maxTokens), "--timeout", r.timeout.String(),
	}
	for flag, value := range map[string]string{"--base-url": r.baseURL, "--agent": r.agent, "--effort": r.effort} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	if r.task.Schema != nil {
		args = append(args, "--output-schema", r.beside("schema.json"))
	}
	return append(args, "--", r.task.Prompt)
}

// maxEventBytes is the longest line of the program that is read.
const maxEventBytes = 64 << 20

// read takes the figures from the events of a run; see docs/json-stream.md.
func (a *attempt) read(events io.Reader) error {
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, maxEventBytes)
	for lines.Scan() {
		var event struct {
			Type    string  `json:"type"`
			IsError bool    `json:"isError"`
			Result  outcome `json:"result"`
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return core.Wrap(core.Invalid, err, "read an event of the program")
		}
		switch event.Type {
		case "tool_end":
			a.Calls++
			if event.IsError {
				a.FailedCalls++
			}
		case "end":
			a.outcome = event.Result
		}
	}
	if err := lines.Err(); err != nil {
		return core.Wrap(core.Invalid, err, "read the events of the program")
	}
	return nil
}

// line returns the attempt in words, for the screen.
func (a *attempt) line() string {
	if a.Passed {
		return fmt.Sprintf("pass  %s", a.Task)
	}
	return fmt.Sprintf("FAIL  %s: %s", a.Task, strings.ReplaceAll(a.Problem, "\n", " · "))
}

// lastLines returns the end of a text.
func lastLines(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(len(lines)-most, 0):], "\n")
}
