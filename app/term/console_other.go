//go:build !windows

package term

import "os"

// userScreen is the screen of the user, whatever stdout and stderr are.
const userScreen = "/dev/tty"

// showsSequences reports whether terminals interpret escape sequences: here all do, unless TERM names one that does not.
func showsSequences(...*os.File) bool { return true }
