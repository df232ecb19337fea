package conn

import "os"

// InUse reports whether another process has the library at path open: a file that is open cannot be renamed.
func InUse(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	probe := path + ".probe"
	if err := os.Rename(path, probe); err != nil {
		return true
	}
	return os.Rename(probe, path) != nil
}
