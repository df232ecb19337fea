package render

import (
	"strings"

	"coppice/backend/core"
)

// action is what a tool does, as far as its card and its detail depend on it.
type action int

const (
	actOther action = iota
	actRead
	actWrite
	actEdit
	actPatch
	actSearch
	actList
	actRun
	actFetch
	actTodo
	actAgent
)

// readOnly reports whether consecutive calls fold into one line: they read and changed nothing.
func (a action) readOnly() bool {
	return a == actRead || a == actSearch || a == actList || a == actFetch
}

// tool is what is known about a tool by its name.
type tool struct {
	action action
	target []string // the arguments that describe what a call is about; the first one set is shown
}

// knownTools lists the tools of Claude Code, Codex, Gemini CLI, OpenCode, pi and Coppice with their actions, by their
// names folded by toolKey.
func knownTools() map[string]tool {
	path := []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file", "filename", "file", "dir_path", "paths"}
	command := []string{"command", "cmd", "script", "code", "chars", "input", "bash_id", "shell_id", "session_id"}
	groups := []struct {
		tool
		names string
	}{
		{tool{actRead, path}, "read readfile view viewfile notebookread readmanyfiles viewimage openfile readtextfile getfilecontents"},
		{tool{actWrite, path}, "write writefile create createfile newfile writetofile"},
		{tool{actEdit, path}, "edit editfile replace multiedit strreplace strreplaceeditor strreplacebasededittool notebookedit searchreplace replaceinfile"},
		{tool{actOther, path}, "deletefile delete removefile movefile createdirectory mkdir"},
		{tool{actPatch, nil}, "applypatch patch applydiff"},
		{
			tool{actSearch, []string{"pattern", "query", "regex", "glob", "text", "symbol", "operation"}},
			"grep search searchfilecontent grepsearch findfiles glob ripgrep codesearch toolsearch toolsearchcall lsp searchfiles find codebasesearch",
		},
		{tool{actList, append(path, "pattern")}, "ls list listfiles listdirectory listdir tree"},
		{
			tool{actRun, command},
			"bash shell shellcommand runshellcommand runcommand execcommand exec localshell localshellcall writestdin killshell killbash " +
				"executecommand terminal python codeexecution codeinterpreter bashexecution",
		},
		{tool{actRead, command}, "bashoutput taskoutput"},
		{
			tool{actFetch, []string{"url", "query", "urls", "queries", "prompt"}},
			"webfetch fetch websearch googlewebsearch websearchcall searchweb openurl",
		},
		{tool{actTodo, nil}, "todowrite todoread todo updateplan writetodos todos"},
		{tool{actOther, []string{"subject", "taskId", "task_id"}}, "taskcreate taskupdate tasklist taskget"},
		{
			tool{actAgent, []string{"description", "message", "task", "prompt", "objective"}},
			"task agent spawnagent subagent delegate delegatetoagent collabspawnagent",
		},
		{tool{actOther, []string{"plan", "question", "skill", "name"}}, "exitplanmode enterplanmode askuserquestion skill slashcommand"},
	}
	tools := map[string]tool{}
	for _, group := range groups {
		for name := range strings.FieldsSeq(group.names) {
			tools[name] = group.tool
		}
	}
	return tools
}

// toolKey folds a tool's name: Read, read_file and read-file are the same tool. Of an MCP tool, mcp__server__tool, only
// the last part counts.
func toolKey(name string) string {
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

// denials lists what tools report in place of a result when the user or a rule denied permission; compared in lower
// case, in the first denialReach bytes.
func denials() []string {
	return []string{
		"the user doesn't want to proceed", "the user doesn't want to take this action", "tool use was rejected", "rejected by user",
		"rejected by the user", "user rejected", "user denied", "denied by the user", "denied by user", "permission to use",
		"permission denied by", "cancelled by the user", "cancelled by user", "canceled by user", "user cancelled", "user canceled",
		"user has declined", "declined by the user", "requires approval", "request interrupted by user for tool use",
	}
}

const denialReach = 400

// stateOf returns the state of a call. result is nil if it is missing.
func stateOf(call, result *core.Part) ToolState {
	if result == nil {
		if call.Server {
			return ToolDone // the provider ran it and sends no result
		}
		return ToolMissing
	}
	if !result.IsError {
		return ToolDone
	}
	text := resultText(result, denialReach)
	text = strings.ToLower(text)
	for _, denial := range denials() {
		if strings.Contains(text, denial) {
			return ToolDenied
		}
	}
	return ToolFailed
}

// resultText joins the texts of a result, up to about limit bytes.
func resultText(result *core.Part, limit int) string {
	var out strings.Builder
	for i := range result.Result {
		if p := &result.Result[i]; p.Type == core.PartText {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(p.Text[:min(len(p.Text), limit)])
		}
		if out.Len() >= limit {
			break
		}
	}
	if out.Len() == 0 {
		out.WriteString(result.Text[:min(len(result.Text), limit)])
	}
	return out.String()
}
