package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped empties what a terminal holds of what was typed, also of a line that is not entered yet.
func dropTyped(tty *os.File) {
	_ = unix.IoctlSetInt(int(tty.Fd()), unix.TCFLSH, unix.TCIFLUSH) // one that has no such queue holds nothing
}
