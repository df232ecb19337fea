//go:build !linux

package window

// checkDisplay finds nothing wrong: these systems always have a display.
func checkDisplay() error { return nil }

// chooseRenderer leaves the choice to the system.
func chooseRenderer() {}

func hasGraphicsCard() bool { return true }
