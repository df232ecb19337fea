package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// facts are what the messages and the records beside them record of the session.
type facts struct {
	name    string // given by the user or Codex
	task    string // the first prompt
	model   string // the last one
	folder  string // the first one
	meta    jsonl.Fields
	patched map[string]bool // files, by what patches did
	asked   map[string]bool // files, by what patches were asked to do
}

func (f *facts) cwd(folder string) {
	if f.folder == "" {
		f.folder = strings.Clone(folder)
	}
}

func (f *facts) set(key, value string) {
	if value != "" {
		f.meta.Set(key, jsonl.Quote(value))
	}
}

func (f *facts) take(r *record, c class) {
	switch c {
	case prompt, shownPrompt:
		if f.task == "" {
			words := shownText(r)
			if c == prompt {
				words = userText(r.payload)
			}
			f.task = strings.Clone(jsonl.Task(request(words)))
		}
	case call:
		f.takePatch(r)
	case shownTool:
		f.takeChanges(r)
	default: // nothing about the session
	}
}

// request returns the user's request, without what an editor put before it.
func request(words string) string {
	const mark = "## My request for Codex:"
	if _, asked, found := strings.Cut(words, mark); found && strings.TrimSpace(asked) != "" {
		return asked
	}
	return words
}

// takePatch records the files of a call of apply_patch.
func (f *facts) takePatch(r *record) {
	if toolName(r) != "apply_patch" {
		return
	}
	text := jsonl.Text(r.payload.Get("input"))
	if text == "" {
		arguments := r.payload.Get("arguments")
		if arguments.Type == gjson.String {
			arguments = gjson.Parse(jsonl.Text(arguments))
		}
		for _, key := range []string{"patch", "input"} {
			text += jsonl.Text(arguments.Get(key))
		}
	}
	for line := range strings.Lines(text) {
		for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if file, found := strings.CutPrefix(strings.TrimSpace(line), mark); found {
				if f.asked == nil {
					f.asked = map[string]bool{}
				}
				f.asked[strings.Clone(file)] = true
			}
		}
	}
}

// takeChanges records the files that a patch has changed.
func (f *facts) takeChanges(r *record) {
	changes, ok := r.payload.Get("changes"), r.payload.Get("success")
	if f.patched == nil && changes.IsObject() {
		f.patched = map[string]bool{} // outcomes are recorded, so requests alone do not count
	}
	if item := r.payload.Get("item"); item.IsObject() {
		changes, ok = item.Get("changes"), gjson.Result{}
		if status := jsonl.Text(item.Get("status")); status != "" && status != "completed" {
			return
		}
	}
	if !changes.IsObject() || ok.Type == gjson.False {
		return
	}
	if f.patched == nil {
		f.patched = map[string]bool{}
	}
	jsonl.Each(changes, func(file string, _ gjson.Result) bool {
		f.patched[strings.Clone(file)] = true
		return true
	})
}
