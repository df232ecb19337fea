package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSeedFiles is the maximum number of files that a cache takes over from each folder of the user's cache.
const maxSeedFiles = 50_000

// seed is a part of a user's cache that is copied to the sandbox's own, so that it can install what the user has
// without a network.
type seed struct {
	program string // seeded when a command line names it
	from    string // below the home folder
	to      string // below the cache
	linked  bool   // by symbolic links: the program replaces these files and never writes into them
}

func seeds() []seed {
	return []seed{
		{"npm", ".npm/_cacache/content-v2", "npm/_cacache/content-v2", true},
		{"npm", ".npm/_cacache/index-v5", "npm/_cacache/index-v5", false},
		{"npx", ".npm/_cacache/content-v2", "npm/_cacache/content-v2", true},
		{"npx", ".npm/_cacache/index-v5", "npm/_cacache/index-v5", false},
		{"cargo", ".cargo/registry/cache", "cargo/registry/cache", true},
		{"cargo", ".cargo/registry/index", "cargo/registry/index", false},
		{"cargo", ".cargo/config.toml", "cargo/config.toml", true},
		{"pip", ".cache/pip", "pip", true},
	}
}

// seedCache fills a cache for a command line, once. It works outside the confinement, in a folder that confined
// commands have written, so it uses an os.Root. A failure costs a download and nothing else.
func seedCache(cache, home, line string) {
	root, err := os.OpenRoot(cache)
	if err != nil || !filepath.IsAbs(home) {
		return
	}
	defer root.Close() //nolint:errcheck // its files are closed
	for _, s := range seeds() {
		if !strings.Contains(line, s.program) {
			continue
		}
		if _, err := root.Lstat(s.to); errors.Is(err, fs.ErrNotExist) {
			s.plant(root, filepath.Join(home, filepath.FromSlash(s.from)))
		}
	}
}

// plant takes over the files below a folder, or one file.
func (s seed) plant(root *os.Root, from string) {
	count := 0
	_ = filepath.WalkDir(from, func(at string, e fs.DirEntry, err error) error {
		below, relErr := filepath.Rel(from, at)
		if count++; err != nil || relErr != nil || count > maxSeedFiles {
			return fs.SkipAll
		}
		to := filepath.Join(s.to, below)
		switch {
		case e.IsDir():
			return root.MkdirAll(to, 0o700)
		case !e.Type().IsRegular():
			return nil
		case s.linked:
			if err := root.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				return err
			}
			return root.Symlink(at, to)
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return nil // one that cannot be read is left out
		}
		return root.WriteFile(to, data, 0o600)
	})
}
