package conn

import "coppice/backend/core"

// Damaged is for what cannot be in a sound file.
func Damaged(format string, args ...any) error {
	return core.E(core.Corrupt, format, args...).WithRemedy(core.CheckLibrary)
}
