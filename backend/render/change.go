package render

import (
	"encoding/json"
	"html"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/patch"
	"coppice/backend/render/diff"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

// changes returns the call's changes of files, as its result reports them, otherwise as its arguments requested them.
func (c call) changes(structured json.RawMessage) []patch.File {
	if files := reportedChange(gjson.ParseBytes(structured), c.firstTarget()); len(files) > 0 {
		return files
	}
	switch c.action {
	case actPatch:
		return c.patched()
	case actEdit:
		return c.edited()
	case actWrite:
		return c.written(structured)
	default:
		return nil
	}
}

// reportedChange reads the change that a tool reports in its structured result, in the formats of known tools.
func reportedChange(data gjson.Result, path string) []patch.File {
	if !data.IsObject() {
		return nil
	}
	if hunks := data.Get("structuredPatch"); hunks.IsArray() && len(hunks.Array()) > 0 { // Claude Code
		return []patch.File{structuredPatch(data.Get("filePath").String(), hunks)}
	}
	if changes := data.Get("changes"); changes.IsObject() { // Codex
		return codexChanges(changes)
	}
	if file := data.Get("fileName"); path == "" && file.Exists() {
		path = file.String()
	}
	for _, name := range []string{"fileDiff", "diff", "patch", "unified_diff", "metadata.diff", "resultDisplay.fileDiff"} {
		text := data.Get(name)
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

// patched reads the patch in the arguments.
func (c call) patched() []patch.File {
	text := c.text()
	if text == "" {
		text = c.command()
	}
	if diff.IsEnvelope(text) {
		return diff.Envelope(text)
	}
	if diff.IsUnified(text) {
		return diff.Unified(c.first("file_path", "path"), text)
	}
	return nil
}

// edited compares the pieces to replace with their replacements.
func (c call) edited() []patch.File {
	path := c.firstTarget()
	if content := c.args.Get("file_text"); content.Type == gjson.String { // Anthropic's editor, creating
		return []patch.File{diff.Create(path, content.Str)}
	}
	f := patch.File{Path: path}
	edits := c.args.Get("edits")
	if !edits.IsArray() {
		edits = gjson.Result{Type: gjson.JSON, Raw: "[" + c.args.Raw + "]"}
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

func (c call) written(structured json.RawMessage) []patch.File {
	content, ok := textOf(c.args, "content", "contents", "file_text", "text")
	if !ok {
		return nil
	}
	path := c.firstTarget()
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

// counts returns the numbers of added and removed lines in all files.
func counts(files []patch.File) (added, removed int64) {
	for _, f := range files {
		a, r := f.Counts()
		added, removed = added+a, removed+r
	}
	return added, removed
}

const (
	maxFiles     = 200  // files, or pieces of one file, in one call
	maxDiffLines = 1500 // shown of one call; counts are of all
	maxDiffBytes = 192 << 10
	maxLineBytes = 2000 // of a line of code; longer lines are generated
)

// diffs returns the diffs in the form of the window, at most maxDiffLines lines and about maxDiffBytes in all.
func (r *Renderer) diffs(files []patch.File, workspace string) []FileDiff {
	out := make([]FileDiff, 0, min(len(files), maxFiles))
	room := diffLimit{lines: maxDiffLines, bytes: maxDiffBytes}
	for _, f := range files[:min(len(files), maxFiles)] {
		view := FileDiff{Path: plain.Line(relative(f.Path, workspace), targetLength), Created: f.Created, Hunks: []Hunk{}}
		if f.MovedTo != "" {
			view.Path += " → " + plain.Line(relative(f.MovedTo, workspace), targetLength)
		}
		view.Added, view.Removed = f.Counts()
		for _, hunk := range f.Hunks {
			kept := room.take(hunk.Lines)
			view.Omitted += int64(len(hunk.Lines) - len(kept))
			if len(kept) > 0 {
				view.Hunks = append(view.Hunks, Hunk{Lines: r.diffLines(kept, prose.Language(f.Path))})
			}
		}
		out = append(out, view)
	}
	return out
}

// diffLimit is how much of a diff may still be shown.
type diffLimit struct{ lines, bytes int }

// take returns the beginning of the hunk that still fits.
func (r *diffLimit) take(lines []patch.Line) []patch.Line {
	n := 0
	for n < len(lines) && r.lines > 0 && r.bytes > 0 {
		r.lines--
		r.bytes -= min(len(lines[n].Text), maxLineBytes)
		n++
	}
	return lines[:n]
}

// diffLines highlights the two sides of lines as code.
func (r *Renderer) diffLines(of []patch.Line, language string) []DiffLine {
	lines := make([]DiffLine, len(of))
	for i, line := range of {
		lines[i] = DiffLine{Op: string(line.Op), OldLine: line.Old, NewLine: line.New, Text: plain.Literal(strings.TrimSuffix(clip(line.Text, maxLineBytes), "\r"))}
	}
	r.highlightSide(lines, language, "+")
	r.highlightSide(lines, language, "-")
	return lines
}

// highlightSide highlights the lines of one side, removed ("+" left out) or added, with their context.
func (r *Renderer) highlightSide(lines []DiffLine, language, without string) {
	var code []byte
	var at []int
	for i := range lines {
		if lines[i].Op == without {
			continue
		}
		if len(at) > 0 {
			code = append(code, '\n')
		}
		code = append(code, lines[i].Text...)
		at = append(at, i)
	}
	if len(at) == 0 {
		return
	}
	highlighted := r.prose.CodeLines(string(code), language)
	for n, i := range at {
		if len(highlighted) != len(at) { // a line feed inside a line; cannot be highlighted line by line
			lines[i].HTML = html.EscapeString(lines[i].Text)
			continue
		}
		lines[i].HTML = highlighted[n]
	}
}

// clip cuts a text to limit bytes and appends an ellipsis if it was cut.
func clip(text string, limit int) string {
	head, cut := plain.Head(text, limit)
	if cut {
		return head + "…"
	}
	return head
}
