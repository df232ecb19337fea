// Command eval measures how well a model works with Coppice: it gives it small coding tasks, each in a folder of its own,
// checks what it made of them, and prints a table of passes, steps, tokens, cost and time. Each task is run by the
// program itself, as a user would run it in a script. The exit code is 0 if every attempt passed, 1 if one did not, 3 if
// the evaluation could not be made, and 130 if it was interrupted.
//
//	go run ./app/eval -program build/bin/coppice [-model PROVIDER/MODEL] [-base-url URL] [-task NAME] [-n N] [-out FOLDER]
//
// Without -model a script plays the solution of each task. docs/evaluation.md describes the tasks and the results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"coppice/app/internal/exit"
	"coppice/backend/core"
	"coppice/backend/tools/sandbox"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == sandbox.Verb { // this process confines a check
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run makes an evaluation and returns the exit code.
func run(ctx context.Context, args []string, out, screen io.Writer) int {
	e, list, err := parse(args, screen)
	if err == nil && list {
		err = printTasks(out, e.tasks)
		return exit.Code(err)
	}
	if errors.Is(err, flag.ErrHelp) {
		return exit.OK
	}
	if err == nil {
		err = e.prepare()
	}
	if err != nil {
		fmt.Fprintln(screen, "eval:", err)
		return exit.Usage
	}
	e.screen = screen
	report := e.evaluate(ctx)
	if err := os.RemoveAll(e.commandCache()); err != nil {
		fmt.Fprintln(screen, "eval:", err)
	}
	path, err := report.write(e.folder)
	if err == nil {
		err = report.print(out)
	}
	fmt.Fprintf(screen, "\nThe results are in %s, and the sessions in %s\n", path, e.library())
	switch {
	case err != nil:
		fmt.Fprintln(screen, "eval:", err)
		return exit.Usage
	case ctx.Err() != nil:
		return exit.Interrupted
	case report.Fatal != "":
		fmt.Fprintln(screen, "eval: stopped:", report.Fatal)
		return exit.Usage
	case report.Passes < len(report.Attempts):
		return exit.Failed
	}
	return exit.OK
}

// parse reads the arguments. list reports whether only the tasks are to be listed.
func parse(args []string, screen io.Writer) (e *evaluation, list bool, err error) {
	e = &evaluation{level: sandbox.Detect(false), cache: defaultCache()}
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	flags.SetOutput(screen)
	flags.StringVar(&e.program, "program", "build/bin/coppice", "the program to evaluate")
	flags.StringVar(&e.model, "model", "", "the model, as PROVIDER/MODEL; default: scripts that solve the tasks")
	flags.StringVar(&e.baseURL, "base-url", "", "a server to use instead of the provider's")
	flags.StringVar(&e.agent, "agent", "", "the agent; default: build")
	flags.StringVar(&e.effort, "effort", "", "how long the model reasons")
	flags.StringVar(&e.budgetUSD, "budget", "0", "the limit of an attempt in US dollars, for a model whose price is known; 0: none")
	flags.IntVar(&e.maxTokens, "max-tokens", 500_000, "the limit of an attempt in tokens; 0: none")
	flags.IntVar(&e.maxSteps, "max-steps", 40, "the limit of an attempt in steps; 0: none")
	flags.DurationVar(&e.timeout, "timeout", 10*time.Minute, "the limit of an attempt in time; 0: none")
	flags.IntVar(&e.repeats, "n", 1, "how often each task is run")
	flags.IntVar(&e.jobs, "jobs", 1, "how many attempts run at once")
	flags.StringVar(&e.folder, "out", "", "where results.json, the sessions and the folders of the tasks are written; default: a new folder for temporary files")
	only := flags.String("task", "", "run only this task")
	flags.BoolVar(&list, "list", false, "list the tasks")
	if err := flags.Parse(args); err != nil {
		return nil, false, err
	}
	switch {
	case flags.NArg() > 0:
		return nil, false, core.E(core.Invalid, "unexpected argument %q", flags.Arg(0))
	case e.repeats < 1 || e.jobs < 1:
		return nil, false, core.E(core.Invalid, "-n and -jobs must be at least 1")
	}
	e.tasks, err = readTasks(*only)
	return e, list, err
}

func defaultCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "coppice", "evaluation")
}
