// Package original returns how a session continues in the tool that it came from.
package original

import (
	"os"
	"path/filepath"
	"strings"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
)

// Command continues a session in its own tool.
type Command struct {
	Tool   string   `json:"tool"`   // its name for users; empty: the session is from no such tool
	Args   []string `json:"args"`   // the program and its arguments, which no shell reads; never nil, empty if there is no command
	Folder string   `json:"folder"` // where to run it; empty: anywhere
	Text   string   `json:"text"`   // the same as a line for a POSIX shell; empty if there is no command
	Reason string   `json:"reason"` // why it cannot run now; empty: it can
}

// tool is a program that continues sessions.
type tool struct {
	name string
	args func(s *core.Session) []string
}

func toolOf(source core.Source) (tool, bool) {
	byID := func(args ...string) func(*core.Session) []string {
		return func(s *core.Session) []string { return append(args, s.SourceID) }
	}
	switch source {
	case core.SourceClaudeCode:
		return tool{"Claude Code", byID("claude", "--resume")}, true
	case core.SourceCodex:
		return tool{"Codex", byID("codex", "resume")}, true
	case core.SourceGeminiCLI:
		return tool{"Gemini CLI", byID("gemini", "--resume")}, true
	case core.SourceOpenCode:
		return tool{"OpenCode", byID("opencode", "--session")}, true
	case core.SourcePi: // pi continues a file
		return tool{"pi", func(s *core.Session) []string { return []string{"pi", "--session", s.SourcePath} }}, true
	default:
		return tool{}, false
	}
}

// ToolName returns the name of a tool for users.
func ToolName(source core.Source) string {
	if t, ok := toolOf(source); ok {
		return t.name
	}
	if source == core.SourceCoppice {
		return "Coppice"
	}
	return string(source)
}

// isPlainID reports whether no program takes an id for an option. A regular expression with its limit of 200 would take a third of a
// millisecond of every start of the program.
func isPlainID(id string) bool {
	isAlphanumeric := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }
	for i := range len(id) {
		if c := id[i]; !isAlphanumeric(c) && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return id != "" && len(id) <= 200
}

// Of returns the command for a session. lookPath finds programs, see exec.LookPath.
func Of(s *core.Session, lookPath func(program string) (string, error)) Command {
	c := Command{Args: []string{}}
	t, ok := toolOf(s.Source)
	switch {
	case s.Source == core.SourceCoppice:
		c.Reason = "The session is from Coppice itself: continue it here"
		return c
	case !ok:
		c.Reason = "No program continues sessions of this source"
		return c
	}
	c.Tool = t.name
	switch {
	case s.Relation == core.RelationSubagent:
		c.Reason = "It is a subagent's session: continue its parent"
	case s.SourceID == "":
		c.Reason = "It was imported from a file without a session id"
	case !isPlainID(s.SourceID) && s.Source != core.SourcePi:
		c.Reason = "Its id " + s.SourceID + " is none of " + t.name
	case s.Source == core.SourcePi && !filepath.IsAbs(s.SourcePath):
		c.Reason = "Its file is unknown"
	default:
		c.Args, c.Folder = t.args(s), s.WorkspacePath
		c.Text = Line(c.Folder, c.Args)
		c.Reason = missing(s, c.Args[0], t.name, lookPath)
	}
	return c
}

// missing returns what the command needs and does not find; empty if it finds everything.
func missing(s *core.Session, program, name string, lookPath func(string) (string, error)) string {
	if info, err := os.Stat(s.WorkspacePath); s.WorkspacePath != "" && (err != nil || !info.IsDir()) {
		return "The folder " + s.WorkspacePath + " does not exist"
	}
	if _, err := os.Stat(s.SourcePath); s.SourceGoneMs > 0 || s.SourcePath != "" && err != nil {
		return "The original file is missing: " + s.SourcePath
	}
	if _, err := lookPath(program); err != nil {
		return name + " is not installed: no program " + program + " on the PATH"
	}
	return ""
}

// Line writes commands that run in a folder, the second one if the first one succeeded, for a POSIX shell.
func Line(folder string, commands ...[]string) string {
	var line []string
	if folder != "" {
		commands = append([][]string{{"cd", folder}}, commands...)
	}
	for _, args := range commands {
		words := make([]string, len(args))
		for i, arg := range args {
			words[i] = quote(arg)
		}
		line = append(line, strings.Join(words, " "))
	}
	return strings.Join(line, " && ")
}

var plainWord = lazyregexp.New(`^[A-Za-z0-9_./:@%+=,-]+$`)

func quote(word string) string {
	if plainWord.MatchString(word) && word[0] != '-' || strings.HasPrefix(word, "--") && plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
