package render

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/patch"
	"coppice/backend/render/diff"
	"coppice/backend/render/plain"
)

// call is a tool call with its arguments decoded.
type call struct {
	tool
	part *core.Part
	args gjson.Result
}

func (r *Renderer) call(part *core.Part) call {
	c := call{tool: r.tools[toolKey(part.Name)], part: part, args: gjson.ParseBytes(part.Arguments)}
	// Some models use another name for the patch tool, others pipe the patch into a shell.
	if strings.HasPrefix(c.text(), "*** Begin Patch") || c.action == actRun && isPipedPatch(c.command()) {
		c.action = actPatch
	}
	return c
}

func isPipedPatch(command string) bool {
	return strings.Contains(command, "apply_patch") && diff.IsEnvelope(command)
}

// text returns the only text of a call whose arguments have no names: what the model wrote, or a patch.
func (c call) text() string {
	if c.part.Text != "" {
		return c.part.Text
	}
	for _, name := range []string{"input", "patch", "patchText", "diff"} {
		if v := c.args.Get(name); v.Type == gjson.String {
			return v.Str
		}
	}
	return ""
}

// first returns the first of the named arguments that is set, as text.
func (c call) first(names ...string) string {
	for _, name := range names {
		if text := words(c.args.Get(name)); text != "" {
			return text
		}
	}
	return ""
}

// words returns a value as a user would write it: a list of strings as words.
func words(v gjson.Result) string {
	switch {
	case v.Type == gjson.String, v.Type == gjson.Number:
		return v.String()
	case v.IsArray():
		var out []string
		v.ForEach(func(_, item gjson.Result) bool {
			if item.Type == gjson.String {
				out = append(out, item.Str)
			}
			return len(out) < 100
		})
		return strings.Join(out, " ")
	}
	return ""
}

// targetLength is how much of a target a card shows; the rest is in its detail.
const targetLength = 240

// summary returns what the call is about, on one line.
func (c call) summary(workspace string) string {
	return plain.Line(c.about(workspace), targetLength)
}

func (c call) about(workspace string) string {
	switch c.action {
	case actPatch:
		return about(c.patched(), workspace)
	case actTodo:
		return c.todos().summary()
	case actRun:
		return c.command()
	case actSearch:
		if path := relative(c.first("path", "dir_path", "include", "filePath"), workspace); path != "" && path != "." {
			return c.firstTarget() + " in " + path
		}
	case actRead, actWrite, actEdit, actList:
		if path := relative(c.firstTarget(), workspace); path != "" {
			return path + c.lines()
		}
	case actAgent:
		if kind := c.first("subagent_type", "agent_type", "agent"); kind != "" && kind != c.firstTarget() {
			return kind + ": " + c.firstTarget()
		}
	case actOther, actFetch:
	}
	if text := c.firstTarget(); text != "" {
		return relative(text, workspace)
	}
	return relative(c.anyText(), workspace)
}

func (c call) firstTarget() string { return c.first(c.target...) }

// anyText returns the first string among the arguments, or the text that the model wrote.
func (c call) anyText() string {
	found := c.part.Text
	if c.args.IsObject() {
		c.args.ForEach(func(_, v gjson.Result) bool {
			if v.Type == gjson.String && strings.TrimSpace(v.Str) != "" {
				found = v.Str
				return false
			}
			return true
		})
	}
	return found
}

// command returns the command line without the shell that Codex puts before it.
func (c call) command() string {
	for _, name := range c.target {
		v := c.args.Get(name)
		if v.IsArray() {
			if list := v.Array(); len(list) == 3 && strings.HasPrefix(list[1].Str, "-") && strings.HasSuffix(list[1].Str, "c") {
				return list[2].Str
			}
		}
		if text := words(v); text != "" {
			return text
		}
	}
	return c.anyText()
}

// lines returns the range of a file that was read, as ":351–723".
func (c call) lines() string {
	offset, limit := c.args.Get("offset").Int(), c.args.Get("limit").Int()
	if c.action != actRead || offset <= 0 {
		return ""
	}
	if limit <= 0 {
		return ":" + strconv.FormatInt(offset, 10)
	}
	return ":" + strconv.FormatInt(offset, 10) + "–" + strconv.FormatInt(offset+limit-1, 10)
}

// about returns the names of the files of a patch.
func about(files []patch.File, workspace string) string {
	if len(files) == 0 {
		return ""
	}
	name := relative(files[0].Path, workspace)
	switch others := len(files) - 1; others {
	case 0:
		return name
	case 1:
		return name + " and 1 other file"
	default:
		return name + " and " + strconv.Itoa(others) + " other files"
	}
}

// relative shortens a path inside the workspace; other paths are unchanged.
func relative(path, workspace string) string {
	workspace = strings.TrimRight(workspace, `/\`)
	if workspace == "" || len(path) < len(workspace) || path[:len(workspace)] != workspace {
		return path
	}
	rest := path[len(workspace):]
	if rest == "" {
		return "."
	}
	if rest[0] != '/' && rest[0] != '\\' {
		return path
	}
	return strings.TrimLeft(rest, `/\`)
}
