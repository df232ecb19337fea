package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards what was typed at a terminal and is not read yet, including a line that is not entered yet.
func dropTyped(tty *os.File) {
	_ = unix.IoctlSetInt(int(tty.Fd()), unix.TCFLSH, unix.TCIFLUSH) // a terminal without such a queue holds no input
}
