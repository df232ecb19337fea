//go:build unix

package core

import "syscall"

// nonBlocking makes opening a named pipe return at once.
const nonBlocking = syscall.O_NONBLOCK
