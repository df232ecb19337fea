package toolcall

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"coppice/backend/jsontext"
	"coppice/backend/patch"
	"coppice/backend/toolcall/diff"
)

// Changes returns the call's changes of files, as its result reports them, otherwise as its arguments requested them.
func (c Call) Changes(structured json.RawMessage) []patch.File {
	if found := reportOf(structured); found != nil {
		if files := found.changes(c.FirstTarget()); len(files) > 0 {
			return files
		}
	}
	switch c.Action {
	case Patch:
		return c.Patched()
	case Edit:
		return c.edited()
	case Write:
		return c.written(structured)
	default:
		return nil
	}
}

// report holds the fields of a structured result that may report a change, in the formats of known tools.
type report map[string]gjson.Result

// reportOf returns nil for a result that reports no change. It goes through the result once: that may hold whole files.
func reportOf(structured json.RawMessage) report {
	if !jsontext.IsObject(structured) {
		return nil
	}
	var found report
	for name, value := range jsontext.Fields(structured) {
		switch name {
		case "structuredPatch", "changes", "filePath", "fileName", "fileDiff", "diff", "patch", "unified_diff", "metadata", "resultDisplay":
			if _, ok := found[name]; ok {
				continue
			}
			if found == nil {
				found = report{}
			}
			found[name] = gjson.ParseBytes(value)
		}
	}
	return found
}

// changes returns the changes that a result reports; path is what the call names.
func (r report) changes(path string) []patch.File {
	if hunks := r["structuredPatch"]; hunks.IsArray() && len(hunks.Array()) > 0 { // Claude Code
		return []patch.File{structuredPatch(r["filePath"].String(), hunks)}
	}
	if changes := r["changes"]; changes.IsObject() { // Codex
		return codexChanges(changes)
	}
	if file := r["fileName"]; path == "" && file.Exists() {
		path = file.String()
	}
	for _, text := range r.diffs() {
		if text.Type != gjson.String || text.Str == "" {
			continue
		}
		if diff.IsUnified(text.Str) { // Gemini CLI, OpenCode
			files := diff.Unified(path, text.Str)
			if len(files) == 1 && path != "" {
				files[0].Path = path
			}
			return files
		}
		if f := diff.Listing(path, text.Str); len(f.Hunks) > 0 { // pi
			return []patch.File{f}
		}
	}
	return nil
}

// diffs returns the fields that may hold a diff, the first one first.
func (r report) diffs() []gjson.Result {
	return []gjson.Result{
		r["fileDiff"], r["diff"], r["patch"], r["unified_diff"], r["metadata"].Get("diff"), r["resultDisplay"].Get("fileDiff"),
	}
}

func structuredPatch(path string, hunks gjson.Result) patch.File {
	f := patch.File{Path: path}
	hunks.ForEach(func(_, hunk gjson.Result) bool {
		var lines []string
		hunk.Get("lines").ForEach(func(_, line gjson.Result) bool {
			lines = append(lines, line.String())
			return true
		})
		f.Hunks = append(f.Hunks, diff.Numbered(hunk.Get("oldStart").Int(), hunk.Get("newStart").Int(), lines))
		return true
	})
	return f
}

func codexChanges(changes gjson.Result) []patch.File {
	var files []patch.File
	changes.ForEach(func(path, change gjson.Result) bool {
		name := path.String()
		switch {
		case change.Get("add").Exists():
			files = append(files, diff.Create(name, change.Get("add.content").String()))
		case change.Get("type").String() == "add":
			files = append(files, diff.Create(name, change.Get("content").String()))
		case change.Get("delete").Exists(), change.Get("type").String() == "delete":
			files = append(files, patch.File{Path: name, Deleted: true})
		default:
			text := change.Get("update.unified_diff").String() + change.Get("unified_diff").String()
			for _, f := range diff.Unified(name, text) {
				f.Path = name
				f.MovedTo = change.Get("update.move_path").String() + change.Get("move_path").String()
				files = append(files, f)
			}
		}
		return len(files) < maxFiles
	})
	return files
}

// Patched reads the patch in the arguments.
func (c Call) Patched() []patch.File {
	text := c.Text()
	if text == "" {
		text = c.Command()
	}
	if diff.IsEnvelope(text) {
		return diff.Envelope(text)
	}
	if diff.IsUnified(text) {
		return diff.Unified(c.First("file_path", "path"), text)
	}
	return nil
}

// edited compares the pieces to replace with their replacements.
func (c Call) edited() []patch.File {
	path := c.FirstTarget()
	if content := c.Args.Get("file_text"); content.Type == gjson.String { // Anthropic's editor, creating
		return []patch.File{diff.Create(path, content.Str)}
	}
	f := patch.File{Path: path}
	edits := c.Args.Get("edits")
	if !edits.IsArray() {
		edits = gjson.Result{Type: gjson.JSON, Raw: "[" + c.Args.Raw + "]"}
	}
	edits.ForEach(func(_, edit gjson.Result) bool {
		before, hasBefore := textOf(edit, "old_string", "old_text", "oldText", "oldString", "old_str")
		after, hasAfter := textOf(edit, "new_string", "new_text", "newText", "newString", "new_str", "new_source", "insert_text")
		if hasBefore || hasAfter {
			f.Hunks = append(f.Hunks, diff.Compute(path, before, after, false).Hunks...)
		}
		return len(f.Hunks) < maxFiles
	})
	if len(f.Hunks) == 0 {
		return nil
	}
	return []patch.File{f}
}

func (c Call) written(structured json.RawMessage) []patch.File {
	content, ok := textOf(c.Args, "content", "contents", "file_text", "text")
	if !ok {
		return nil
	}
	path := c.FirstTarget()
	if before := gjson.GetBytes(structured, "originalFile"); before.Type == gjson.String {
		return []patch.File{diff.Compute(path, before.Str, content, true)}
	}
	f := diff.Create(path, content)
	f.Created = gjson.GetBytes(structured, "type").String() == "create"
	return []patch.File{f}
}

func textOf(v gjson.Result, names ...string) (string, bool) {
	for _, name := range names {
		if text := v.Get(name); text.Type == gjson.String {
			return text.Str, true
		}
	}
	return "", false
}

// Counts returns the numbers of added and removed lines in all files.
func Counts(files []patch.File) (added, removed int64) {
	for _, f := range files {
		a, r := f.Counts()
		added, removed = added+a, removed+r
	}
	return added, removed
}

const maxFiles = 200 // files, or pieces of one file, in one call
