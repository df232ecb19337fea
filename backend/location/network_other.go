//go:build !linux && !darwin && !windows

package location

// Network returns no name: this system is not asked.
func Network(string) string { return "" }
