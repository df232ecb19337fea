//go:build darwin || freebsd || netbsd || openbsd

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards what was typed at a terminal and is not read yet, including a line that is not entered yet.
func dropTyped(tty *os.File) {
	const input = 1                                                   // FREAD
	_ = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCFLUSH, input) // a terminal without such a queue holds no input
}
