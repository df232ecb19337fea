// Package location detects whether a file is in a folder where a library is at risk: one that a program synchronises with other computers, or
// one on a network file system.
package location

import (
	"os"
	"path/filepath"
	"strings"
)

// Risk is what a file's folder may do to it. The zero value is no risk.
type Risk struct {
	Synced  string // the program that synchronises the folder, such as Dropbox
	Folder  string // the folder that it synchronises
	Network string // the network file system, such as NFS
}

// FileSystem returns the name of the network file system that a path is on; empty for a local disk.
type FileSystem func(path string) string

// Of returns the risk of a file, which need not exist.
func Of(path string, network FileSystem) Risk {
	folder := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	var r Risk
	r.Synced, r.Folder = synced(folder)
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			r.Network = network(at)
			return r
		}
	}
}

// marker is a file or folder that a program puts into a folder that it synchronises.
type marker struct{ pattern, program string }

func markers() []marker {
	return []marker{
		{".dropbox", "Dropbox"},
		{".dropbox.cache", "Dropbox"},
		{".stfolder", "Syncthing"},
		{".sync_*.db", "Nextcloud"},
		{"._sync_*.db", "ownCloud"},
		{".nextcloudsync.log", "Nextcloud"},
		{".owncloudsync.log", "ownCloud"},
		{".tmp.drivedownload", "Google Drive"},
		{".tmp.driveupload", "Google Drive"},
		{filepath.Join(".sync", "ID"), "Resilio Sync"},
	}
}

// synced walks up from a folder to one that a program synchronises.
func synced(folder string) (program, root string) {
	for at := folder; at != filepath.Dir(at); at = filepath.Dir(at) {
		if program := byName(at); program != "" {
			return program, at
		}
		for _, m := range markers() {
			if found, err := filepath.Glob(filepath.Join(escape(at), m.pattern)); err == nil && len(found) > 0 {
				return m.program, at
			}
		}
	}
	return "", ""
}

// byName recognises the folders that programs create under fixed names. The account's name may follow: "OneDrive - Example".
func byName(folder string) string {
	name, parent := filepath.Base(folder), filepath.Base(filepath.Dir(folder))
	if parent == "CloudStorage" { // macOS: ~/Library/CloudStorage/OneDrive-Example
		program, _, _ := strings.Cut(name, "-")
		return program
	}
	for prefix, program := range map[string]string{
		"Dropbox": "Dropbox", "OneDrive": "OneDrive", "Google Drive": "Google Drive", "GoogleDrive": "Google Drive", "Nextcloud": "Nextcloud", "ownCloud": "ownCloud",
		"iCloudDrive": "iCloud Drive", "com~apple~CloudDocs": "iCloud Drive",
	} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || strings.HasPrefix(rest, " ")) {
			return program
		}
	}
	if name == "Mobile Documents" && parent == "Library" {
		return "iCloud Drive"
	}
	return ""
}

// escape returns a pattern that matches exactly this path.
func escape(path string) string {
	if filepath.Separator != '/' { // elsewhere a backslash is a separator and escapes nothing
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
