package app

import (
	"os"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/importer/claudecode"
)

// place is where a tool keeps its sessions.
type place struct {
	source core.Source
	path   string
}

// knownPlaces returns those that exist on this machine.
func knownPlaces() []place {
	var there []place
	for _, p := range []place{{core.SourceClaudeCode, claudecode.Folder(os.Getenv, xdg.Home)}} {
		if info, err := os.Stat(p.path); err == nil && info.IsDir() {
			there = append(there, p)
		}
	}
	return there
}
