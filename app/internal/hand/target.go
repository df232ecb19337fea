package hand

import (
	"crypto/rand"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/exporter"
	"coppice/backend/exporter/claudecode"
	"coppice/backend/exporter/codex"
	"coppice/backend/exporter/geminicli"
	"coppice/backend/exporter/opencode"
	"coppice/backend/exporter/pi"
	readclaude "coppice/backend/importer/claudecode"
	readcodex "coppice/backend/importer/codex"
	readgemini "coppice/backend/importer/geminicli"
	readpi "coppice/backend/importer/pi"
)

// target is a tool that sessions are handed to.
type target struct {
	name   string
	source core.Source
	write  func(io.Writer, exporter.Conversation) error
	// path returns the file of a new session where the tool looks for it.
	path func(p *Plan, c *exporter.Conversation) (string, error)
	// fileName returns the name of that file.
	fileName func(c *exporter.Conversation) string
	// id returns the id of the new session in the tool.
	id func(c *exporter.Conversation) string
}

func targets() []target {
	own := func(c *exporter.Conversation) string { return c.ID }
	base := func(path func(string, *exporter.Conversation) string) func(*exporter.Conversation) string {
		return func(c *exporter.Conversation) string { return filepath.Base(path("", c)) }
	}
	codexPath := func(folder string, c *exporter.Conversation) string { return codex.Path(folder, c, time.Local) }
	return []target{
		{"claude", core.SourceClaudeCode, claudecode.Write, func(p *Plan, c *exporter.Conversation) (string, error) {
			return claudecode.Path(readclaude.Folder(p.Env, p.Home), c), nil
		}, base(claudecode.Path), own},
		{"codex", core.SourceCodex, codex.Write, func(p *Plan, c *exporter.Conversation) (string, error) {
			return codexPath(readcodex.Folders(p.Env, p.Home)[0], c), nil
		}, base(codexPath), own},
		{"pi", core.SourcePi, pi.Write, func(p *Plan, c *exporter.Conversation) (string, error) {
			return pi.Path(readpi.Folders(p.Env, p.Home)[0], c), nil
		}, base(pi.Path), own},
		{"gemini", core.SourceGeminiCLI, geminicli.Write, geminiPath, base(geminicli.Path), own},
		{"opencode", core.SourceOpenCode, opencode.Write, func(_ *Plan, c *exporter.Conversation) (string, error) {
			return opencode.FileName(c), nil
		}, opencode.FileName, opencode.SessionID},
	}
}

// newID returns the id of a new session. Gemini CLI names files by the beginning of random ids; ours begin with the time.
func (t target) newID(nowMs int64) string {
	if t.source != core.SourceGeminiCLI {
		return core.NewID(nowMs)
	}
	var b core.UUID
	rand.Read(b[:]) //nolint:errcheck // never fails, see crypto/rand
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return b.String()
}

// Targets returns the names of the tools that sessions are handed to.
func Targets() []string {
	var names []string
	for _, t := range targets() {
		names = append(names, t.name)
	}
	return names
}

func targetNamed(name string) (target, error) {
	all := targets()
	if n := slices.IndexFunc(all, func(t target) bool { return t.name == name || string(t.source) == name }); n >= 0 {
		return all[n], nil
	}
	return target{}, core.E(core.Invalid, "unknown tool %q", name).WithHint("one of: %s", strings.Join(Targets(), ", "))
}

// geminiPath returns a file in Gemini CLI's folder of a workspace. Gemini CLI chooses the name of that folder when it first runs there.
func geminiPath(p *Plan, c *exporter.Conversation) (string, error) {
	folder := readgemini.Folder(p.Env, p.Home)
	for _, project := range geminiProjects(folder, c.Folder) {
		if info, err := filepath.Glob(filepath.Join(project, "*")); err == nil && len(info) > 0 {
			return geminicli.Path(project, c), nil
		}
	}
	return "", core.E(core.NotFound, "Gemini CLI has no folder for the workspace %s", c.Folder).
		WithHint("start gemini in that folder once, or choose a file with --output")
}

// geminiProjects returns the folders that may be those of a workspace: the one that is listed under its path, those that name it, and
// the one that is named by its hash.
func geminiProjects(folder, workspace string) []string {
	var found []string
	if list, err := core.ReadRegular(filepath.Join(filepath.Dir(folder), "projects.json"), 4<<20); err == nil {
		gjson.GetBytes(list, "projects").ForEach(func(path, name gjson.Result) bool {
			if path.String() == workspace && filepath.IsLocal(name.String()) {
				found = append(found, filepath.Join(folder, name.String()))
			}
			return true
		})
	}
	roots, _ := filepath.Glob(filepath.Join(folder, "*", ".project_root")) // the pattern is valid
	for _, root := range roots {
		if text, err := core.ReadRegular(root, 64<<10); err == nil && strings.TrimSpace(string(text)) == workspace {
			found = append(found, filepath.Dir(root))
		}
	}
	return append(found, filepath.Join(folder, geminicli.Hash(workspace)))
}
