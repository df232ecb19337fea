//go:build !linux

package filelock

// Use does nothing: only Linux has these locks.
func Use() error { return nil }

// Active returns false.
func Active() bool { return false }
