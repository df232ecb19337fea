package backups

import (
	"os"
	"path/filepath"
	"slices"
)

// KeysSuffix ends the name of the file that a process locks while it changes the keys of an encrypted library.
const KeysSuffix = ".keys"

// ownSuffixes are the ends of the names of a library's files.
func ownSuffixes() []string {
	return []string{"", "-wal", "-shm", "-journal", ".lock", ".window", KeysSuffix}
}

// Owns reports whether a path names one of the files of a library, by any of its names. It opens nothing.
func Owns(library, path string) bool {
	return slices.ContainsFunc(ownSuffixes(), func(suffix string) bool {
		own := library + suffix
		if isSameFile(own, path) {
			return true
		}
		return filepath.Base(own) == filepath.Base(path) && isSameFile(filepath.Dir(own), filepath.Dir(path))
	})
}

func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}
