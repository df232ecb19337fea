package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"coppice/app/internal/version"
	"coppice/backend/core"
	"coppice/backend/tools/sandbox"
)

// evaluation is what is evaluated, and how.
type evaluation struct {
	program, model, baseURL, agent, effort string
	budgetUSD                              string
	maxSteps, maxTokens                    int
	timeout                                time.Duration
	repeats, jobs                          int
	folder                                 string // holds everything that is written; absolute after prepare
	tasks                                  []task
	level                                  sandbox.Level // confines the checks, which run what the model wrote
	cache                                  string        // for the compilers that checks start, see sandbox.Options; empty: those of the user
	wrong                                  bool          // the scripts play the wrong answers
	screen                                 io.Writer
}

// prepare creates the folder, and makes the paths absolute.
func (e *evaluation) prepare() (err error) {
	if e.program, err = exec.LookPath(e.program); err != nil {
		return core.Wrap(core.NotFound, err, "find the program, which make cli builds")
	}
	if e.program, err = filepath.Abs(e.program); err != nil {
		return core.Wrap(core.Invalid, err, "find the program")
	}
	if e.folder == "" {
		if e.folder, err = os.MkdirTemp("", "coppice-eval-"); err != nil {
			return core.Wrap(core.Unavailable, err, "create the folder of the evaluation")
		}
	}
	if e.folder, err = filepath.Abs(e.folder); err != nil {
		return core.Wrap(core.Invalid, err, "find the folder of the evaluation")
	}
	if err := os.MkdirAll(e.folder, 0o700); err != nil {
		return core.Wrap(core.Unavailable, err, "create the folder of the evaluation")
	}
	if e.folder, err = filepath.EvalSymlinks(e.folder); err != nil { // the program trusts real paths
		return core.Wrap(core.Unavailable, err, "find the folder of the evaluation")
	}
	return e.configure()
}

// configure writes the configuration of all attempts: that of the user does not apply, so that results can be compared.
// Keys come from the environment and the keyring, as always.
func (e *evaluation) configure() error {
	text := fmt.Sprintf("trusted_workspaces: [%q]\n", filepath.Join(e.folder, "tasks"))
	return writeFiles(filepath.Join(e.folder, "config", "coppice"), map[string][]byte{"config.yaml": []byte(text)})
}

// library returns the path of the library with the sessions.
func (e *evaluation) library() string { return filepath.Join(e.folder, "coppice.db") }

// commandCache returns the folder for the caches of the commands of models, which are those of the user otherwise. Each workspace
// has its own, and none is used again.
func (e *evaluation) commandCache() string { return filepath.Join(e.folder, "cache") }

// evaluate makes all attempts and reports them in the order of the tasks.
func (e *evaluation) evaluate(ctx context.Context) *report {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &report{
		Format: reportFormat, Version: reportVersion, Program: version.Full(), Model: e.modelName(), Agent: e.agent, StartedAtMs: time.Now().UnixMilli(),
		Attempts: make([]attempt, len(e.tasks)*e.repeats),
	}
	next := make(chan int)
	var working sync.WaitGroup
	for range e.jobs {
		working.Go(func() {
			for i := range next {
				a, err := e.attempt(ctx, &e.tasks[i/e.repeats], i%e.repeats+1)
				if ctx.Err() != nil { // it was ended in its middle, or by the failure of another one
					continue
				}
				r.Attempts[i] = a
				fmt.Fprintln(e.screen, a.line())
				if err != nil {
					stop(err)
				}
			}
		})
	}
	for i := range r.Attempts {
		if ctx.Err() != nil {
			break
		}
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	working.Wait()
	r.sum(time.Now(), context.Cause(ctx))
	return r
}

// modelName returns the model as it is shown.
func (e *evaluation) modelName() string {
	if e.model == "" {
		return "script"
	}
	return e.model
}
