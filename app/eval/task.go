package main

import (
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"coppice/backend/core"
)

//go:embed tasks/*.txtar
var taskFiles embed.FS

// task is a job for a model, and how to check what it made of it.
type task struct {
	Name  string
	Title string // what it asks for, in a line
	// Files are the files of the workspace by their slash-separated path, and Hidden those that only the check reads.
	Files, Hidden map[string][]byte
	Prompt        string
	Setup         string // a shell script that completes the workspace; empty: none
	Check         string // a shell script that fails if the task is not solved; empty: only the answer is checked
	Schema        []byte // of the answer; nil: the answer is text
	Answer        []byte // the JSON value that the answer must be; nil: the script checks it
	Script        []byte // the answers of a model that solves it, in the format of a script's alternative
	Wrong         []byte // answers that look like a solution, which the check must refuse; nil: none
}

// readTasks returns the tasks by name; only one if that is not empty.
func readTasks(only string) ([]task, error) {
	paths, err := fs.Glob(taskFiles, "tasks/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []task
	for _, path := range paths {
		data, err := taskFiles.ReadFile(path)
		if err != nil {
			return nil, err
		}
		t, err := parseTask(strings.TrimSuffix(filepath.Base(path), ".txtar"), data)
		if err != nil {
			return nil, err
		}
		if only == "" || only == t.Name {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return nil, core.E(core.NotFound, "no task %q; -list lists them", only)
	}
	return all, nil
}

// parseTask reads a task from an archive: its comment is the title, files/ is the workspace, hidden/ what the check
// reads, and the other names are those of the fields.
func parseTask(name string, data []byte) (task, error) {
	archive := txtar.Parse(data)
	t := task{Name: name, Title: strings.TrimSpace(string(archive.Comment)), Files: map[string][]byte{}, Hidden: map[string][]byte{}}
	for _, file := range archive.Files {
		switch at, below, _ := strings.Cut(file.Name, "/"); {
		case at == "files" && fs.ValidPath(below):
			t.Files[below] = file.Data
		case at == "hidden" && fs.ValidPath(below):
			t.Hidden[below] = file.Data
		case at == "prompt":
			t.Prompt = strings.TrimSpace(string(file.Data))
		case at == "setup.sh":
			t.Setup = string(file.Data)
		case at == "check.sh":
			t.Check = string(file.Data)
		case at == "schema.json":
			t.Schema = file.Data
		case at == "answer.json":
			t.Answer = file.Data
		case at == "script.json":
			t.Script = file.Data
		case at == "wrong.json":
			t.Wrong = file.Data
		default:
			return task{}, core.E(core.Invalid, "task %s: unknown file %q", name, file.Name)
		}
	}
	switch {
	case t.Title == "" || t.Prompt == "" || t.Script == nil:
		return task{}, core.E(core.Invalid, "task %s: it needs a title, a prompt and a script", name)
	case t.Check == "" && t.Answer == nil:
		return task{}, core.E(core.Invalid, "task %s: it needs a check", name)
	}
	return t, nil
}

// scriptOf returns a script whose model gives these answers to any prompt.
func scriptOf(name string, answers []byte) ([]byte, error) {
	return json.Marshal(map[string]any{
		"name": name, "turns": []any{map[string]any{"alternatives": []json.RawMessage{answers}}},
	})
}

// writeFiles writes files below a folder, which is created.
func writeFiles(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return core.Wrap(core.Unavailable, err, "create the folder of a task")
	}
	for path, data := range files {
		path = filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return core.Wrap(core.Unavailable, err, "create a folder of a task")
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return core.Wrap(core.Unavailable, err, "write a file of a task")
		}
	}
	return nil
}
