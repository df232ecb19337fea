package tools

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"coppice/backend/core"
)

// cacheLife is how long the caches of a workspace are kept after its last run.
const cacheLife = 30 * 24 * time.Hour

// cache returns the folder for the caches of commands. Each workspace has its own: otherwise a command in one workspace
// could plant a file that a build in another trusts.
func (b *Box) cache() string {
	if b.opts.Cache == "" {
		return filepath.Join(b.temp, "cache")
	}
	name := strings.TrimPrefix(core.Hash([]byte(b.work.real)), "sha256:") // a colon would end a path in GOPATH
	return filepath.Join(b.opts.Cache, name)
}

// keepCache marks the cache as used now, and removes one cache that no run has used for long. It removes only one,
// because removing a large cache takes time.
func (b *Box) keepCache() {
	now := time.Now()
	_ = os.Chtimes(b.cache(), now, now) // it may not exist yet
	entries, err := os.ReadDir(b.opts.Cache)
	if err != nil {
		return // no caches yet
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && now.Sub(info.ModTime()) > cacheLife {
			_ = os.RemoveAll(filepath.Join(b.opts.Cache, e.Name())) // retried by the next run
			return
		}
	}
}
