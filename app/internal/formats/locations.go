package formats

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/importer/agentbase"
	"coppice/backend/importer/agentzero"
	"coppice/backend/importer/architect"
	"coppice/backend/importer/claudecode"
	"coppice/backend/importer/codex"
	"coppice/backend/importer/fuseraft"
	"coppice/backend/importer/geminicli"
	"coppice/backend/importer/opencode"
	"coppice/backend/importer/pi"
)

// Location is a folder or a file in which a tool stores its sessions.
type Location struct {
	Source core.Source
	Path   string
}

// KnownLocations returns the locations that exist on this machine: in the home folder, in the current folder, and in
// the given workspaces for tools that store their sessions there.
func KnownLocations(workspaces []string) []Location {
	there := locations{}
	there.add(core.SourceClaudeCode, claudecode.Folder(os.Getenv, xdg.Home))
	there.add(core.SourceCodex, codex.Folders(os.Getenv, xdg.Home)...)
	there.add(core.SourceGeminiCLI, geminicli.Folder(os.Getenv, xdg.Home))
	there.add(core.SourceOpenCode, opencode.Places(os.Getenv, xdg.Home)...)
	there.add(core.SourcePi, pi.Folders(os.Getenv, xdg.Home)...)
	there.add(core.SourceAgentBase, agentbase.Folder(xdg.Home))
	there.add(core.SourceAgentHarness, agentbase.Folder(xdg.Home)) // the same folder: the contents show which tool wrote a session
	here, err := os.Getwd()
	if err == nil {
		workspaces = append([]string{here}, workspaces...)
	}
	for _, w := range append([]string{xdg.Home}, workspaces...) {
		there.add(core.SourceArchitect, architect.Folder(w))
		there.add(core.SourceFuseraft, fuseraft.Folders(w)...)
		there.add(core.SourceAgentZero, agentzero.Folder(w))
	}
	return there
}

type locations []Location

// add adds each path once, if it is a folder or a regular file that exists.
func (p *locations) add(source core.Source, paths ...string) {
	for _, f := range paths {
		if !filepath.IsAbs(f) {
			continue // the path of a workspace on another machine
		}
		found := Location{source, filepath.Clean(f)}
		if info, err := os.Stat(f); err == nil && (info.IsDir() || info.Mode().IsRegular()) && !slices.Contains(*p, found) {
			*p = append(*p, found)
		}
	}
}

// CheckPaths returns an error if a path does not exist or is neither a folder nor a regular file, such as a device or a
// named pipe. Without this check, the import would report it as one of many problems.
func CheckPaths(paths []string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return core.E(core.NotFound, "no file or folder %s", path)
		case err != nil || info.IsDir(): // the import reports what cannot be read
			continue
		}
		if err := core.CheckRegular(path, info); err != nil {
			return core.E(core.Invalid, "import: %v", err).WithHint("Import a regular file or a folder")
		}
	}
	return nil
}

// Workspaces returns the paths of the workspaces of sessions, in the order of the facets.
func Workspaces(facets core.Facets) []string {
	paths := make([]string, len(facets.Workspaces))
	for i, w := range facets.Workspaces {
		paths[i] = w.Value
	}
	return paths
}
