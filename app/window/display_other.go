//go:build !linux

package window

// checkDisplay returns nil: these systems always have a display.
func checkDisplay() error { return nil }

// chooseRenderer does nothing: the system chooses the renderer.
func chooseRenderer() {}

func hasGraphicsCard() bool { return true }
