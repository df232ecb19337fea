package launch

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// wideWorkspace returns why a folder is more than a project, or an empty string if it is not.
func wideWorkspace(folder string) string {
	folder = config.Resolved(folder)
	contains := func(other string) bool {
		below, err := filepath.Rel(folder, config.Resolved(other))
		return err == nil && filepath.IsLocal(below)
	}
	switch {
	case folder == filepath.VolumeName(folder)+string(filepath.Separator):
		return "is the whole file system"
	case folder == config.Resolved(xdg.Home):
		return "is your home folder"
	case contains(xdg.Home):
		return "contains your home folder"
	case slices.ContainsFunc(systemFolders(), contains):
		return "belongs to the system"
	}
	return ""
}

// systemFolders returns the folders of the operating system, which are not projects.
func systemFolders() []string {
	folders := []string{"/bin", "/boot", "/dev", "/etc", "/lib", "/opt", "/proc", "/run", "/sbin", "/sys", "/usr", "/var", "/Applications", "/Library", "/System"}
	for _, variable := range []string{"SystemRoot", "ProgramFiles", "ProgramData"} {
		if folder := os.Getenv(variable); folder != "" {
			folders = append(folders, folder)
		}
	}
	return folders
}

// Workspace returns the folder that a session works in: the requested folder, else the session's previous one if it exists
// on this machine, else a scratch folder, so that an agent never gets access to another folder by accident.
func Workspace(requested string, session core.Session) (string, error) {
	for _, path := range []string{requested, session.WorkspacePath} {
		if path == "" {
			continue
		}
		absolute, err := filepath.Abs(path)
		if err == nil {
			if info, statErr := os.Stat(absolute); statErr == nil && info.IsDir() {
				return absolute, nil
			}
		}
		if path == requested {
			return "", core.E(core.Invalid, "the workspace %s is not a folder", requested)
		}
	}
	scratch := filepath.Join(xdg.DataHome, "coppice", "scratch")
	return scratch, core.Wrap(core.Unavailable, os.MkdirAll(scratch, 0o700), "make a folder to work in")
}

// instructions returns the user's own instructions and then those of the project.
func (o *RunEnv) instructions() ([]engine.Instruction, error) {
	own, err := engine.ReadUserInstructions(config.Folder(), xdg.Home)
	if err != nil {
		return nil, err
	}
	project, err := engine.ReadInstructions(o.Workspace, xdg.Home)
	return append(own, project...), err
}
