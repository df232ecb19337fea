package sqlite

import "coppice/backend/core"

// damaged is for what cannot be in a sound file.
func damaged(format string, args ...any) error {
	return core.E(core.Corrupt, format, args...).WithHint("find out what is damaged: coppice db check; then save what can be read: coppice db recover")
}
