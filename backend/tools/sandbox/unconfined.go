//go:build !linux

package sandbox

// landlockABI returns 0: Landlock is Linux's.
func landlockABI() int { return 0 }

// ShutsSockets reports false: the filter is Linux's.
func ShutsSockets() bool { return false }

// bubblewrapWorks returns false: bubblewrap is Linux's.
func bubblewrapWorks() bool { return false }
