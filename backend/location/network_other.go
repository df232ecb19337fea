//go:build !linux && !darwin && !windows

package location

// Network returns no name: detection is not implemented for this system.
func Network(string) string { return "" }
