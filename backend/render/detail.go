package render

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
	"coppice/backend/toolcall"
)

const (
	// wellBytes bounds what is shown of one text in an opened card. detailBytes bounds the arguments, and the results,
	// in the response, which must stay below a megabyte.
	wellBytes   = 64 << 10
	detailBytes = 320 << 10
	// structuredBytes is the longest data that are searched for a diff.
	structuredBytes = 8 << 20
	shortField      = 120
	maxFields       = 200
)

// Detail returns the details of a call, which is a part of a message. resultUID is the message that has its result, see
// Block.ResultUID; empty: no result.
func (r *Renderer) Detail(ctx context.Context, store Store, session core.Session, uid string, part int64, resultUID string) (ToolDetail, error) {
	message, err := store.Message(ctx, session.ID, uid)
	if err != nil {
		return ToolDetail{}, core.Wrap(core.CodeOf(err), err, "read the message")
	}
	if part < 0 || part >= int64(len(message.Parts)) {
		return ToolDetail{}, core.E(core.NotFound, "message %s has no part %d", uid, part)
	}
	p := &message.Parts[part]
	if p.Type == core.PartToolResult {
		return r.detail(&core.Part{Type: core.PartToolCall, Name: p.Name}, p, session.WorkspacePath), nil
	}
	if p.Type != core.PartToolCall {
		return ToolDetail{}, core.E(core.Invalid, "part %d of message %s is not a tool call", part, uid)
	}
	result, err := findResult(ctx, store, session.ID, message, int(part), resultUID)
	if err != nil {
		return ToolDetail{}, err
	}
	if err := loadStructured(ctx, store, result); err != nil {
		return ToolDetail{}, err
	}
	return r.detail(p, result, session.WorkspacePath), nil
}

func findResult(ctx context.Context, store Store, sessionID string, message core.Message, part int, resultUID string) (*core.Part, error) {
	messages := []core.Message{message}
	if resultUID != "" && resultUID != message.UID {
		holder, err := store.Message(ctx, sessionID, resultUID)
		if err != nil {
			return nil, core.Wrap(core.CodeOf(err), err, "read the result's message")
		}
		messages = append(messages, holder)
	}
	if to, ok := pair(messages).results[partIndex{0, part}]; ok {
		return &messages[to.message].Parts[to.part], nil
	}
	return nil, nil // a call without a result is ordinary
}

// loadStructured loads data that were moved to a blob, if they may have a diff.
func loadStructured(ctx context.Context, store Store, result *core.Part) error {
	if result == nil || result.StructuredBlob == "" || len(result.Structured) > 0 {
		return nil
	}
	blob, err := store.Blob(ctx, result.StructuredBlob)
	if err != nil {
		return core.Wrap(core.CodeOf(err), err, "read the result's data")
	}
	if len(blob.Data) <= structuredBytes {
		result.Structured = blob.Data
	}
	return nil
}

// detail returns the details of a call and its result, which is nil if it is missing.
func (r *Renderer) detail(part, result *core.Part, workspace string) ToolDetail {
	c := r.call(part)
	var structured json.RawMessage
	if result != nil {
		structured = result.Structured
	}
	files := c.Changes(structured)
	d := ToolDetail{Arguments: withoutPath(r.fields(c, len(files) > 0), len(files) > 0), Diffs: r.diffs(files, workspace), Result: []Block{}}
	if result == nil {
		return d
	}
	left := detailBytes
	for i := range result.Result {
		if block, ok := r.resultBlock(&result.Result[i], &left); ok {
			block.Part = int64(i)
			d.Result = append(d.Result, block)
		}
	}
	if len(result.Result) == 0 && result.Text != "" {
		block, _ := r.resultBlock(&core.Part{Type: core.PartText, Text: result.Text, Truncated: result.Truncated}, &left)
		d.Result = append(d.Result, block)
	}
	if len(files) == 0 && !empty(structured) && (len(d.Result) == 0 || !c.repeatsData()) {
		d.Structured.Long = true
		d.Structured.Value, d.Structured.Cut = r.fitting(indented(structured), &left)
	}
	return d
}

// repeatsData reports whether the data of the result only repeat its text.
func (c call) repeatsData() bool {
	switch c.Action {
	case toolcall.Read, toolcall.Write, toolcall.Edit, toolcall.Patch, toolcall.List, toolcall.Search, toolcall.Run, toolcall.Todo:
		return true
	case toolcall.Other, toolcall.Delete, toolcall.Fetch, toolcall.Agent:
	}
	return false
}

// resultBlock returns the block for a part of a result. Tool output is not Markdown.
func (r *Renderer) resultBlock(part *core.Part, left *int) (Block, bool) {
	switch part.Type {
	case core.PartText, core.PartSummary:
		b := measured(BlockProse, part)
		var cut bool
		b.Text, cut = r.fitting(part.Text, left)
		b.Cut = b.Cut || cut
		return b, part.Text != "" || part.Truncated != nil
	case core.PartMedia:
		return mediaBlock(part.Media), part.Media != nil
	default:
		return r.other(part), true
	}
}

// fitting returns the beginning of the text that fits, and whether it was cut.
func (r *Renderer) fitting(text string, left *int) (head string, cut bool) {
	head, cut = plain.Head(text, wellBytes)
	if answerBytes(head) > *left {
		var again bool
		head, again = plain.Head(head, pageHead)
		cut = cut || again
	}
	head = r.plain.Text(head)
	*left -= answerBytes(head)
	return head, cut
}

// empty reports whether the data have no information.
func empty(structured json.RawMessage) bool {
	v := gjson.ParseBytes(structured)
	switch {
	case !v.Exists(), v.Type == gjson.Null:
		return true
	case v.IsArray():
		return len(v.Array()) == 0
	case v.IsObject():
		return len(v.Map()) == 0
	}
	return false
}

// fields returns the arguments as fields of a form. It leaves out those that a diff shows already.
func (r *Renderer) fields(c call, hasDiffs bool) []Field {
	fields := []Field{}
	if !c.Args.IsObject() {
		if c.Part.Text != "" && !hasDiffs {
			fields = append(fields, r.field("input", c.Part.Text, ""))
		}
		return fields
	}
	left := detailBytes
	c.Args.ForEach(func(name, v gjson.Result) bool {
		if hasDiffs && shownByDiff(name.Str) {
			return true
		}
		f := r.argument(c, name.Str, v)
		f.fit(left)
		left -= answerBytes(f.Value) + answerBytes(f.HTML)
		fields = append(fields, f)
		return len(fields) < maxFields
	})
	if all := len(c.Args.Map()); len(fields) == maxFields && all > maxFields {
		fields = append(fields, r.field("…", counted(int64(all-maxFields), "more argument", "more arguments")+" left out", ""))
	}
	return fields
}

// fit reduces the field if it does not fit: first it removes the colors, then it cuts the value.
func (f *Field) fit(left int) {
	if answerBytes(f.Value)+answerBytes(f.HTML) <= left {
		return
	}
	f.HTML, f.List = "", false
	if answerBytes(f.Value) > left {
		f.Cut = f.Cut || len(f.Value) > pageHead
		f.Value = clip(f.Value, pageHead)
	}
}

// withoutPath leaves out the path of a file whose diff is shown, which is in the line of the call and above the diff, and a flag that is
// not set.
func withoutPath(fields []Field, hasDiffs bool) []Field {
	return slices.DeleteFunc(fields, func(f Field) bool {
		switch f.Name {
		case "file_path", "filePath", "path", "absolute_path", "notebook_path":
			return hasDiffs
		case "replace_all", "replaceAll":
			return hasDiffs && f.Value == "false"
		}
		return false
	})
}

func shownByDiff(name string) bool {
	switch name {
	case "old_string", "new_string", "old_text", "new_text", "oldText", "newText", "oldString", "newString", "old_str", "new_str",
		"edits", "content", "contents", "file_text", "patch", "patchText", "diff", "input", "new_source", "insert_text":
		return true
	}
	return false
}

// argument returns the field for one argument: commands and contents of files as code, task lists as lists, other
// structures as JSON.
func (r *Renderer) argument(c call, name string, v gjson.Result) Field {
	name = plain.Line(name, lineLength)
	if c.Action == toolcall.Todo && v.IsArray() {
		if list := c.todos(); len(list) > 0 {
			return list.field(name)
		}
	}
	if name == "plan" && c.isPlan() {
		f := r.field(name, v.Str, "")
		f.HTML, f.List = `<div class="prose">`+r.prose.HTML(clip(v.Str, wellBytes), prose.Options{ID: "plan-", Heading: 5})+"</div>", true
		return f
	}
	switch {
	case c.Action == toolcall.Run && (name == "command" || name == "cmd" || name == "script"):
		return r.field(name, c.Command(), "bash")
	case v.Type == gjson.String && (name == "content" || name == "file_text" || name == "new_source"):
		return r.field(name, v.Str, prose.Language(c.FirstTarget()))
	case v.Type == gjson.String && name == "code":
		return r.field(name, v.Str, "python")
	case v.Type == gjson.JSON:
		return r.field(name, indented([]byte(v.Raw)), "json")
	default:
		return r.field(name, v.String(), "")
	}
}

func (r *Renderer) field(name, value, language string) Field {
	cut, sizeBytes := len(value) > wellBytes, int64(len(value))
	value = plain.Literal(clip(value, wellBytes))
	f := Field{Name: name, Value: value, SizeBytes: sizeBytes, Cut: cut, Long: len(value) > shortField || plain.CountLines(value) > 1}
	if language != "" {
		f.HTML = r.prose.Code(value, language)
	}
	return f
}
