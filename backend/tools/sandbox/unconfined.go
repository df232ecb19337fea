//go:build !linux

package sandbox

// landlockABI returns 0: Landlock is Linux's.
func landlockABI() int { return 0 }

// bubblewrapWorks returns false: bubblewrap is Linux's.
func bubblewrapWorks() bool { return false }
