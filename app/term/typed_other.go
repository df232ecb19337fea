//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package term

import "os"

// dropTyped does nothing on this system: a terminal holds what was typed until it is read.
func dropTyped(*os.File) {}
