package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"time"

	"coppice/backend/core"
	"coppice/backend/tools/sandbox"
)

// prelude begins the scripts of checks: sh -e does not end at a command after "!".
const prelude = "not() { if \"$@\"; then exit 1; fi; }\n"

// checkTime is the limit of a check, whose compiler may start with an empty cache.
const checkTime = 3 * time.Minute

// check returns why the task is not solved; empty: it is. What the model must not see is written now.
func (r *room) check(ctx context.Context, o *outcome) string {
	if r.task.Answer != nil {
		if problem := compareJSON(o.Output, r.task.Answer); problem != "" {
			return problem
		}
	}
	if r.task.Check == "" {
		return ""
	}
	err := errors.Join(
		writeFiles(r.folder, map[string][]byte{"check.sh": []byte(prelude + r.task.Check), "answer.txt": []byte(o.Answer + "\n")}),
		writeFiles(r.beside("start"), r.task.Files),
		writeFiles(r.beside("hidden"), r.task.Hidden),
	)
	if err != nil {
		return err.Error()
	}
	if output, err := r.shell(ctx, "check.sh"); err != nil {
		return lastLines(output, 3)
	}
	return ""
}

// compareJSON returns how two JSON values differ; empty: they are equal.
func compareJSON(got, want []byte) string {
	var values [2]any
	for i, data := range [][]byte{got, want} {
		if err := json.Unmarshal(data, &values[i]); err != nil {
			return "the answer is no JSON: " + err.Error()
		}
	}
	if !reflect.DeepEqual(values[0], values[1]) {
		var short bytes.Buffer
		if json.Compact(&short, got) != nil {
			return "the answer differs"
		}
		return "the answer is " + core.Cut(short.String(), 200)
	}
	return ""
}

// shell runs a script of the task in the workspace, confined as commands of models are, and returns its output. START,
// HIDDEN and ANSWER are the untouched files of the workspace, those of the check, and the file with the answer.
func (r *room) shell(ctx context.Context, script string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	env := append(sandbox.Environment(os.Environ(), r.beside("tmp")),
		"START="+r.beside("start"), "HIDDEN="+r.beside("hidden"), "ANSWER="+r.beside("answer.txt"),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
	)
	shell, err := exec.LookPath("sh")
	if err != nil {
		return "", core.Wrap(core.Unavailable, err, "find a shell")
	}
	cmd, err := sandbox.Command(ctx, sandbox.Options{
		Level: r.level, Dir: r.workspace(), Writable: []string{r.beside("tmp")}, Readable: []string{r.folder}, Env: env, Cache: r.cache,
	}, shell, "-ex", filepath.Join(r.folder, script))
	if err != nil {
		return "", err
	}
	output, err := cmd.CombinedOutput()
	return string(output), err
}
