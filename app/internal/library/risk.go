package library

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

// WarnEvery is the minimum time between two warnings about the folder of a library.
const WarnEvery = 24 * time.Hour

// LocationMark returns the path of the file whose modification time is the time of the last warning about the folder of
// a library.
func LocationMark(path string) string {
	return filepath.Join(xdg.StateHome, "coppice", "warned-"+strings.TrimPrefix(core.Hash([]byte(path)), "sha256:")[:16])
}

// IsWarningDue reports whether the last warning about the folder of a library is more than a day old.
func IsWarningDue(path string, now time.Time) bool {
	info, err := os.Stat(LocationMark(path))
	return err != nil || now.Sub(info.ModTime()).Abs() >= WarnEvery
}

// MarkWarned stores the time of the warning. If that fails, the warning is shown again.
func MarkWarned(path string) error {
	mark := LocationMark(path)
	if err := os.MkdirAll(filepath.Dir(mark), 0o700); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o600)
}

// RiskText describes a risk and how to avoid it. It is empty if there is no risk.
func RiskText(r location.Risk) string {
	switch {
	case r.Network != "":
		return fmt.Sprintf("the library is on a network file system (%s): open it on one computer at a time, or keep it on a local disk", r.Network)
	case r.Synced != "":
		return fmt.Sprintf("%s synchronises %s, which can damage an open library: keep it in another folder, and synchronise its backups", r.Synced, r.Folder)
	default:
		return ""
	}
}
