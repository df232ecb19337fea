package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/location"
)

// warnEvery is how long a warning about a library's folder is not repeated.
const warnEvery = 24 * time.Hour

// warnOfLocation prints a line, once a day, if a library lies where it is at risk.
func (s *shell) warnOfLocation(path string) {
	text := riskText(location.Of(path, location.Network))
	if text == "" {
		return
	}
	mark := filepath.Join(xdg.StateHome, "coppice", "warned-"+strings.TrimPrefix(core.Hash([]byte(path)), "sha256:")[:16])
	if info, err := os.Stat(mark); err == nil && time.Since(info.ModTime()).Abs() < warnEvery {
		return
	}
	s.say("warning: %s", oneLine(text))
	if err := os.MkdirAll(filepath.Dir(mark), 0o700); err == nil {
		_ = os.WriteFile(mark, nil, 0o600) // else the line is printed again
	}
}

// riskText describes a risk and the way out. It is empty without a risk.
func riskText(r location.Risk) string {
	switch {
	case r.Network != "":
		return fmt.Sprintf("the library is on a network file system (%s): open it on one computer at a time, or keep it on a local disk", r.Network)
	case r.Synced != "":
		return fmt.Sprintf("%s synchronises %s, which can damage an open library: keep it in another folder, and synchronise its backups", r.Synced, r.Folder)
	default:
		return ""
	}
}
