package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"coppice/backend/engine"
)

// The kinds of contributions.
const (
	ContributesSetting      = "setting"
	ContributesAgent        = "agent"
	ContributesTeam         = "team"
	ContributesCommand      = "command"
	ContributesSkill        = "skill"
	ContributesServer       = "server"
	ContributesInstructions = "instructions"
)

// Contribution is something that a workspace would change about runs, or an MCP server that would start for them.
type Contribution struct {
	Kind   string `json:"kind"`   // setting agent team command skill server instructions
	Name   string `json:"name"`   // the key, the name of the agent or the server, the path of the file
	Detail string `json:"detail"` // the value, the mode and model, the whole command line or address
	Source string `json:"source"` // file and line; empty: Name is the file
}

// WorkspaceTrust is whether a workspace is trusted, and what that decides.
type WorkspaceTrust struct {
	Workspace string         `json:"workspace"`
	Answer    Answer         `json:"answer"` // yes no once; empty: the question is open, and nothing of the workspace is used
	Listed    bool           `json:"listed"` // the user's own configuration trusts the workspace: there is no question
	Brings    []Contribution `json:"brings"` // none: there is nothing to decide
	Digest    string         `json:"digest"` // of Brings and the files behind it
}

// IsOpen reports whether the user has to be asked.
func (w *WorkspaceTrust) IsOpen() bool { return !w.Listed && w.Answer == "" && len(w.Brings) > 0 }

// unused returns a line about what is not used; it is empty where there is nothing, or nothing but instructions, which are quoted.
func (w *WorkspaceTrust) unused() string {
	var words []string
	for _, one := range []struct{ kind, noun string }{{ContributesSetting, "setting"}, {ContributesAgent, "agent"}, {ContributesTeam, "team"}, {ContributesCommand, "command"}, {ContributesSkill, "skill"}, {ContributesServer, "MCP server"}} {
		n := 0
		for _, c := range w.Brings {
			if c.Kind == one.kind {
				n++
			}
		}
		switch {
		case n == 1:
			words = append(words, "1 "+one.noun)
		case n > 1:
			words = append(words, fmt.Sprintf("%d %ss", n, one.noun))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "this workspace is not trusted: " + strings.Join(words, ", ") + " not used"
}

// contributions lists what the workspace brings, from settings that were read as if it were trusted.
func (s *Settings) contributions() ([]Contribution, error) {
	brings := []Contribution{}
	for _, one := range s.List() {
		if one.Source == WorkspaceFile && !strings.HasPrefix(one.Key, "mcp.") && one.Key != "trusted_workspaces" {
			brings = append(brings, Contribution{ContributesSetting, one.Key, one.String(), originText(one.Source, one.Line)})
		}
	}
	for _, a := range s.Agents {
		if a.layer == 2 {
			brings = append(brings, Contribution{ContributesAgent, a.Name, a.summary(), a.Source})
		}
	}
	teams, err := s.workspaceTeams()
	if err != nil {
		return nil, err
	}
	for _, team := range teams {
		brings = append(brings, Contribution{Kind: ContributesTeam, Name: team.Name, Source: team.Path})
	}
	for _, c := range s.Commands {
		if c.layer == 2 {
			brings = append(brings, Contribution{ContributesCommand, "/" + c.Name, c.Description, c.Source})
		}
	}
	for _, skill := range s.Skills {
		if skill.InWorkspace {
			brings = append(brings, Contribution{ContributesSkill, skill.Name, skill.Description, skill.Folder})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if m := s.MCP[name]; !m.Disabled {
			from := s.origins["mcp."+name]
			detail := m.commandLine()
			if from.File != userFile {
				detail = m.withValues(detail)
			}
			brings = append(brings, Contribution{ContributesServer, name, detail, originText(from.File, from.Line)})
		}
	}
	for _, p := range s.Problems {
		if strings.HasPrefix(p.File, WorkspaceFolder+"/") {
			brings = append(brings, Contribution{ContributesSetting, "mistake", p.text, originText(p.File, p.Line)})
		}
	}
	files, err := engine.ReadInstructions(s.Workspace, xdg.Home)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		brings = append(brings, Contribution{Kind: ContributesInstructions, Name: file.Path})
	}
	return brings, nil
}

func originText(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s line %d", file, line)
}

// summary returns what an agent chooses.
func (a *Agent) summary() string {
	var words []string
	for _, one := range []struct{ name, value string }{
		{"mode", string(a.Mode)}, {"model", a.Model}, {"effort", string(a.Effort)}, {"tools", strings.Join(a.Tools, " ")},
	} {
		if one.value != "" {
			words = append(words, one.name+" "+one.value)
		}
	}
	return strings.Join(words, ", ")
}

// commandLine returns what a server runs or where it is, as it is written in the configuration.
func (m MCPServer) commandLine() string {
	if m.URL != "" {
		return m.URL
	}
	words := []string{quotedWord(m.Command)}
	for _, arg := range m.Args {
		words = append(words, quotedWord(arg))
	}
	if m.Cwd != "" {
		words = append(words, "(in "+m.Cwd+")")
	}
	return strings.Join(words, " ")
}

// withValues returns a command line with the variables that a workspace sets for it, or an address with the headers that it is sent: they
// decide what runs, and where the user's variables go.
func (m MCPServer) withValues(line string) string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(m.Env)) {
		words = append(words, key+"="+quotedWord(m.Env[key]))
	}
	words = append(words, line)
	for _, key := range slices.Sorted(maps.Keys(m.Headers)) {
		words = append(words, fmt.Sprintf("(%s: %s)", key, m.Headers[key]))
	}
	return strings.Join(words, " ")
}

func quotedWord(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n\"'\\") {
		quoted, _ := json.Marshal(word) // a string is always written
		return string(quoted)
	}
	return word
}

// digest is a hash of what a workspace brings: of the list, of the files of the workspace's configuration and of the scripts that those name. Of
// instructions only the names count, as working in a project changes their text.
func (s *Settings) digest(brings []Contribution) (string, error) {
	sum := sha256.New()
	for _, one := range brings {
		fmt.Fprintf(sum, "%q %q %q\n", one.Kind, one.Name, one.Detail)
	}
	root, err := openWorkspace(s.Workspace)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	var files []string
	for _, pattern := range []string{AgentsFolder + "/*.y*ml", TeamsFolder + "/*.y*ml", CommandsFolder + "/*.md"} {
		found, err := fs.Glob(root.FS(), WorkspaceFolder+"/"+pattern)
		if err != nil {
			return "", err
		}
		files = append(files, found...)
	}
	files = append(files, WorkspaceFile)
	if _, err := root.Lstat(MCPFile); err == nil { // so that the answers of earlier versions hold
		files = append(files, MCPFile)
	}
	files = append(files, s.workspaceSkillFiles()...)
	for _, model := range s.scripts() {
		files = append(files, filepath.ToSlash(model))
	}
	for _, name := range files {
		data, err := readBounded(root.FS(), name)
		fmt.Fprintf(sum, "%q %t %x\n", name, err == nil, sha256.Sum256(data))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// scripts returns the files that models of the configuration and of the agents play.
func (s *Settings) scripts() []string {
	var files []string
	models := []string{s.Model}
	for _, a := range s.Agents {
		models = append(models, a.Model)
	}
	for _, model := range models {
		if file, isScript := strings.CutPrefix(model, "script/"); isScript && filepath.IsLocal(file) {
			files = append(files, file)
		}
	}
	return files
}
