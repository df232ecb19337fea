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

// WarnEvery is how long a warning about a library's folder is not repeated.
const WarnEvery = 24 * time.Hour

// LocationMark is the file whose age is the time since the last warning about a library's folder.
func LocationMark(path string) string {
	return filepath.Join(xdg.StateHome, "coppice", "warned-"+strings.TrimPrefix(core.Hash([]byte(path)), "sha256:")[:16])
}

// IsWarningDue reports whether a warning about a library's folder was not given for a day.
func IsWarningDue(path string, now time.Time) bool {
	info, err := os.Stat(LocationMark(path))
	return err != nil || now.Sub(info.ModTime()).Abs() >= WarnEvery
}

// MarkWarned stores that the warning was given. If that fails, it is given again.
func MarkWarned(path string) error {
	mark := LocationMark(path)
	if err := os.MkdirAll(filepath.Dir(mark), 0o700); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o600)
}

// RiskText describes a risk and the way out. It is empty without a risk.
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
