// Package toolcall reads tool calls of known tools: what kind of tool was called, on what, and which files it changed.
package toolcall

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/toolcall/diff"
)

// Action is what a tool does, as far as a reader of its calls depends on it.
type Action int

// The actions.
const (
	Other Action = iota // of an unknown tool, or of none of the kinds below
	Read
	Write
	Edit
	Patch
	Delete
	Search
	List
	Run
	Fetch
	Todo
	Agent
)

// ReadOnly reports whether a call reads and changes nothing.
func (a Action) ReadOnly() bool {
	return a == Read || a == Search || a == List || a == Fetch
}

// tool is what is known about a tool by its name.
type tool struct {
	action Action
	target []string // the arguments that describe what a call is about; the first one set is shown
}

// Tools are known tools by their names folded by Key.
type Tools map[string]tool

// Call reads a tool call.
func (t Tools) Call(part *core.Part) Call {
	known := t[Key(part.Name)]
	c := Call{Action: known.action, Target: known.target, Part: part, Args: gjson.ParseBytes(part.Arguments)}
	// Some models use another name for the patch tool, others pipe the patch into a shell.
	if strings.HasPrefix(c.Text(), patchBegin) || c.Action == Run && isPipedPatch(c.Command()) {
		c.Action = Patch
	}
	return c
}

// patchBegin begins the patches of models.
const patchBegin = "*** Begin Patch"

func isPipedPatch(command string) bool {
	return strings.Contains(command, "apply_patch") && diff.IsEnvelope(command)
}

// Action returns what the tool with a name does; Other if it is not known.
func (t Tools) Action(name string) Action { return t[Key(name)].action }

// Known returns the tools of Claude Code, Codex, Gemini CLI, OpenCode, pi and Coppice.
func Known() Tools {
	path := []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file", "filename", "file", "dir_path", "paths"}
	command := []string{"command", "cmd", "script", "code", "chars", "input", "bash_id", "shell_id", "session_id"}
	groups := []struct {
		tool
		names string
	}{
		{tool{Read, path}, "read readfile view viewfile notebookread readmanyfiles viewimage openfile readtextfile getfilecontents"},
		{tool{Write, path}, "write writefile create createfile newfile writetofile"},
		{tool{Edit, path}, "edit editfile replace multiedit strreplace strreplaceeditor strreplacebasededittool notebookedit searchreplace replaceinfile"},
		{tool{Delete, path}, "deletefile delete removefile"},
		{tool{Other, path}, "movefile createdirectory mkdir"},
		{tool{Patch, nil}, "applypatch patch applydiff"},
		{
			tool{Search, []string{"pattern", "query", "regex", "glob", "text", "symbol", "operation"}},
			"grep search searchfilecontent grepsearch findfiles glob ripgrep codesearch toolsearch toolsearchcall lsp searchfiles find codebasesearch",
		},
		{tool{List, append(path, "pattern")}, "ls list listfiles listdirectory listdir tree"},
		{
			tool{Run, command},
			"bash shell shellcommand runshellcommand runcommand execcommand exec localshell localshellcall writestdin killshell killbash " +
				"executecommand terminal python codeexecution codeinterpreter bashexecution",
		},
		{tool{Read, append(command, "output")}, "bashoutput taskoutput readoutput"},
		{
			tool{Fetch, []string{"url", "query", "urls", "queries", "prompt"}},
			"webfetch fetch websearch googlewebsearch websearchcall searchweb openurl",
		},
		{tool{Todo, nil}, "todowrite todoread todo updateplan writetodos todos"},
		{tool{Other, []string{"subject", "taskId", "task_id"}}, "taskcreate taskupdate tasklist taskget"},
		{
			tool{Agent, []string{"description", "message", "task", "prompt", "objective"}},
			"task agent spawnagent subagent delegate delegatetoagent collabspawnagent",
		},
		{tool{Other, []string{"plan", "question", "skill", "name"}}, "exitplanmode enterplanmode askuserquestion skill readskill slashcommand"},
	}
	tools := Tools{}
	for _, group := range groups {
		for name := range strings.FieldsSeq(group.names) {
			tools[name] = group.tool
		}
	}
	return tools
}

// Key folds a tool's name: Read, read_file and read-file are the same tool. Of an MCP tool, mcp__server__tool, only
// the last part counts.
func Key(name string) string {
	if at := strings.LastIndex(name, "__"); at >= 0 {
		name = name[at+2:]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}
