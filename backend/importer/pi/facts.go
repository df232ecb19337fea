package pi

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// facts are what the records contain about the session.
type facts struct {
	id        string
	folder    string
	createdMs int64
	name      string
	task      string
	model     string
	files     map[string]bool
	asked     map[string]string // by call: the file that a tool is to change
	meta      jsonl.Fields
}

// head takes in the head of a session; the first one counts.
func (f *facts) head(v gjson.Result) {
	if f.id != "" {
		return
	}
	f.id = strings.Clone(jsonl.Text(v.Get("id")))
	f.folder = strings.Clone(jsonl.Text(v.Get("cwd")))
	f.createdMs = jsonl.Millis(v.Get("timestamp"))
	if f.createdMs == 0 {
		f.createdMs = jsonl.Millis(v.Get("createdAt"))
	}
	f.model = strings.Clone(jsonl.Text(v.Get("modelId")))
	transcript.AddRest(&f.meta, gjson.Parse(strings.Clone(v.Raw)), "type", "kind", "id", "cwd", "timestamp", "createdAt")
}

// take takes in a message.
func (f *facts) take(v gjson.Result, c class) {
	switch c {
	case prompt:
		if f.task == "" {
			f.task = strings.Clone(jsonl.Task(words(v.Get("message.content"))))
		}
	case reply:
		if model := jsonl.Text(v.Get("message.model")); model != "" && jsonl.Text(v.Get("message.stopReason")) != "aborted" {
			f.model = strings.Clone(model)
		}
		jsonl.Each(v.Get("message.content"), f.takeCall)
	case result:
		id := jsonl.Text(v.Get("message.toolCallId"))
		if file, asked := f.asked[id]; asked && !v.Get("message.isError").Bool() {
			f.change(file)
		}
		delete(f.asked, id)
	case compaction:
		jsonl.Each(v.Get("details.modifiedFiles"), func(_ string, file gjson.Result) bool {
			f.change(strings.Clone(jsonl.Text(file)))
			return true
		})
	default: // nothing about the session
	}
}

// takeCall records the file that a tool is to change.
func (f *facts) takeCall(_ string, v gjson.Result) bool {
	if jsonl.Text(v.Get("type")) != "toolCall" {
		return true
	}
	switch jsonl.Text(v.Get("name")) {
	case "edit", "write":
		if f.asked == nil {
			f.asked = map[string]string{}
		}
		f.asked[strings.Clone(jsonl.Text(v.Get("id")))] = strings.Clone(first(v, "arguments.path", "arguments.file_path"))
	}
	return true
}

func (f *facts) change(file string) {
	if file == "" {
		return
	}
	if f.files == nil {
		f.files = map[string]bool{}
	}
	f.files[file] = true
}

// session returns what the file records of its session.
func (f *facts) session(path string) core.Session {
	id := f.id
	if id == "" { // its head is damaged; the file is named after the time and the id
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		id = name[strings.LastIndexByte(name, '_')+1:]
	}
	title, origin := f.name, core.TitleTool
	if title == "" {
		title, origin = f.task, core.TitleDerived
	}
	return core.Session{
		ID: core.DerivedID(f.createdMs, string(core.SourcePi), id), Source: core.SourcePi, SourceID: id, SourcePath: path, Status: core.StatusIdle,
		Title: jsonl.Title(title), TitleOrigin: origin, Task: f.task, Model: f.model, WorkspacePath: f.folder,
		FilesModified: append([]string{}, slices.Sorted(maps.Keys(f.files))...), CreatedAtMs: f.createdMs, Meta: f.meta.JSON(),
	}
}
