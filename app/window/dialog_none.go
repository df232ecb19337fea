//go:build !linux || !(desktop || dev)

package window

import "coppice/backend/core"

// showDialog returns an error: this build shows dialogs in the process of the window, or has none.
func showDialog(dialogRequest) ([]string, error) {
	return nil, core.E(core.Invalid, "this build of Coppice has no dialogs of its own")
}
