package location

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// Network returns the name of the network file system that a path is on; empty for a local disk.
func Network(path string) string {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(path) + `\`)
	if err != nil || windows.GetDriveType(root) != windows.DRIVE_REMOTE {
		return ""
	}
	return "a network drive"
}
