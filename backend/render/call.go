package render

import (
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/toolcall"
)

// call is a tool call as a card shows it.
type call struct{ toolcall.Call }

func (r *Renderer) call(part *core.Part) call { return call{r.tools.Call(part)} }

// targetLength is how much of a target a card shows; the rest is in its detail.
const targetLength = 240

// summary returns what the call is about, on one line.
func (c call) summary(workspace string) string {
	return plain.Line(c.about(workspace), targetLength)
}

func (c call) about(workspace string) string {
	switch c.Action {
	case toolcall.Patch:
		return about(c.Patched(), workspace)
	case toolcall.Todo:
		return c.todos().summary()
	case toolcall.Run:
		return c.Command()
	case toolcall.Search:
		if path := relative(c.First("path", "dir_path", "include", "filePath"), workspace); path != "" && path != "." {
			return c.FirstTarget() + " in " + path
		}
	case toolcall.Read, toolcall.Write, toolcall.Edit, toolcall.List:
		if path := relative(c.FirstTarget(), workspace); path != "" {
			return path + c.lines()
		}
	case toolcall.Agent:
		if kind := c.First("subagent_type", "agent_type", "agent"); kind != "" && kind != c.FirstTarget() {
			return kind + ": " + c.FirstTarget()
		}
	case toolcall.Other, toolcall.Delete, toolcall.Fetch:
	}
	if text := c.FirstTarget(); text != "" {
		return relative(text, workspace)
	}
	return relative(c.AnyText(), workspace)
}

// lines returns the range of a file that was read, as ":351–723".
func (c call) lines() string {
	offset, limit := c.Args.Get("offset").Int(), c.Args.Get("limit").Int()
	if c.Action != toolcall.Read || offset <= 0 {
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
