//go:build darwin || freebsd || netbsd || openbsd

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped empties what a terminal holds of what was typed, also of a line that is not entered yet.
func dropTyped(tty *os.File) {
	const input = 1                                                   // FREAD
	_ = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCFLUSH, input) // one that has no such queue holds nothing
}
