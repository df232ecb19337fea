package conn

import (
	"math"

	"golang.org/x/sys/windows"
)

// FreeBytes returns how much can be written to the file system of a folder; the most there is if that is not known.
func FreeBytes(folder string) int64 {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return math.MaxInt64
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return math.MaxInt64
	}
	return int64(min(free, math.MaxInt64)) //nolint:gosec // bounded
}
