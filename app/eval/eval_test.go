package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coppice/app"
	"coppice/backend/tools/sandbox"
)

// asProgram makes the test binary the program that is evaluated.
const asProgram = "COPPICE_EVAL_AS_PROGRAM"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == sandbox.Verb {
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(app.Main(os.Args[1:]))
	}
	flag.Parse()
	os.Setenv(asProgram, "1")
	os.Exit(m.Run())
}

// newEvaluation returns an evaluation of this program. Its checks run unconfined with the compiler's cache of the user: they
// run what is in this repository, and an empty cache would take a minute to fill.
func newEvaluation(t *testing.T, only string) *evaluation {
	t.Helper()
	e, _, err := parse([]string{"-program", os.Args[0], "-task", only, "-out", t.TempDir(), "-jobs", "3"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	e.level, e.cache, e.screen = sandbox.Level{Kind: sandbox.None}, "", io.Discard
	if err := e.prepare(); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSolutions lets scripts solve all tasks with the real tools.
func TestSolutions(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "")
	if len(e.tasks) != 20 {
		t.Errorf("there are %d tasks", len(e.tasks))
	}
	r := e.evaluate(t.Context())
	for _, a := range r.Attempts {
		if !a.Passed || a.Steps == 0 || a.InputTokens == 0 || a.CostNanoUSD == nil {
			t.Errorf("%+v", a)
		}
	}
	if r.Passes != len(e.tasks) || r.Fatal != "" {
		t.Errorf("%d passes: %s", r.Passes, r.Fatal)
	}
}

// TestChecksFailBefore requires that no check passes on the files that a task begins with and without an answer.
func TestChecksFailBefore(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "")
	for i := range e.tasks {
		r := room{folder: filepath.Join(e.folder, "tasks", e.tasks[i].Name), task: &e.tasks[i], evaluation: e}
		if err := r.furnish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^\s*!`).MatchString(r.task.Check) {
			t.Errorf("%s: sh -e does not end at a command after !; use not", r.task.Name)
		}
		if problem := r.check(t.Context(), &outcome{Output: json.RawMessage("{}")}); problem == "" {
			t.Errorf("%s is solved before it is begun", r.task.Name)
		}
	}
}

// TestWrongAnswers lets scripts answer in ways that look right and are not.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "")
	e.wrong = true
	var some []task
	for _, one := range e.tasks {
		if one.Wrong != nil {
			some = append(some, one)
		}
	}
	if e.tasks = some; len(some) < 14 {
		t.Errorf("only %d tasks have wrong answers", len(some))
	}
	for _, a := range e.evaluate(t.Context()).Attempts {
		if a.Passed || a.SessionID == "" {
			t.Errorf("%+v", a)
		}
	}
}

// TestInterrupt requires that an attempt that is interrupted does not count.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "")
	ctx, stop := context.WithCancel(t.Context())
	e.jobs, e.screen = 1, writerFunc(func(line []byte) { // after the first attempt
		stop()
	})
	r := e.evaluate(ctx)
	if len(r.Attempts) != 1 || r.Passes != 1 || r.Fatal == "" {
		t.Errorf("%d attempts, %d passes, %q", len(r.Attempts), r.Passes, r.Fatal)
	}
}

// writerFunc is a writer that reports what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(data []byte) (int, error) {
	f(data)
	return len(data), nil
}

// TestCommand runs the command as make eval does: the table, the file of results, and the exit codes.
func TestCommand(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	evaluate := func(args ...string) (code int, out, screen string) {
		var stdout, stderr bytes.Buffer
		code = run(t.Context(), append([]string{"-program", os.Args[0], "-out", folder}, args...), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, out, screen := evaluate("-task", "ambiguous-edit", "-n", "2")
	if code != 0 || !strings.Contains(out, "ambiguous-edit     2/2      8      6       2") || !strings.Contains(screen, "pass  ambiguous-edit") {
		t.Errorf("%d: %s%s", code, out, screen)
	}
	var r report
	data, err := os.ReadFile(filepath.Join(folder, "results.json"))
	if err != nil || json.Unmarshal(data, &r) != nil || r.Format != reportFormat || len(r.Attempts) != 2 || r.Attempts[1].Number != 2 {
		t.Errorf("%v: %s", err, data)
	}
	if code, out, _ := evaluate("-list"); code != 0 || strings.Count(out, "\n") != 20 {
		t.Errorf("%d: %s", code, out)
	}
	for _, wrong := range [][]string{{"-task", "nothing"}, {"-n", "0"}, {"more"}, {"-program", "/nowhere"}, {"-task", "read-answer", "-model", "nobody/x"}} {
		if code, _, screen := evaluate(wrong...); code != 3 || !strings.Contains(screen, "eval: ") {
			t.Errorf("%q: %d: %s", wrong, code, screen)
		}
	}
}
