//go:build !linux || !(desktop || dev)

package window

import "coppice/backend/core"

// showDialog returns an error: dialogs of this build, if it has any, are those of the window.
func showDialog(dialogRequest) ([]string, error) {
	return nil, core.E(core.Invalid, "this build of Coppice has no dialogs of its own")
}
