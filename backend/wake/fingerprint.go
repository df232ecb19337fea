package wake

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// maxEntries is how many files and folders below a folder count: a fingerprint is taken every few seconds.
const maxEntries = 20_000

// Fingerprint describes what is at a path: names, sizes and times of a file, or of everything below a folder but .git. It is equal
// while nothing changes. A path that does not exist has a fingerprint as well, so its creation is a change.
func Fingerprint(path string) string {
	hash, entries := sha256.New(), 0
	_ = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error { // the function returns no other error than fs.SkipAll
		entries++
		switch {
		case entries > maxEntries:
			return fs.SkipAll
		case err != nil:
			fmt.Fprintf(hash, "%q %t\n", at, errors.Is(err, fs.ErrNotExist))
			return nil
		case entry.IsDir() && entry.Name() == ".git" && at != path:
			return fs.SkipDir
		case entry.IsDir():
			fmt.Fprintf(hash, "%q\n", at)
			return nil
		}
		if info, err := entry.Info(); err == nil {
			fmt.Fprintf(hash, "%q %d %d\n", at, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return hex.EncodeToString(hash.Sum(nil))
}
