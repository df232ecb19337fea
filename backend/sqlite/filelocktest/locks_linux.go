package filelocktest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Held returns the record locks that any process holds on a library's database and shared memory, one line per
// lock, sorted: "coppice.db OFDLCK READ 1073741826-1073742335".
func Held(path string) ([]string, error) {
	names := map[string]string{}
	for _, name := range []string{path, path + "-shm"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok {
			names[strconv.FormatUint(s.Ino, 10)] = filepath.Base(name)
		}
	}
	f, err := os.Open("/proc/locks")
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	held := []string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		// 1: OFDLCK ADVISORY READ -1 fe:00:1234 1073741826 1073742335; waiting ones have "->" as their second field.
		fields := strings.Fields(lines.Text())
		if len(fields) != 8 || fields[1] == "->" || fields[1] == "FLOCK" {
			continue
		}
		inode := fields[5][strings.LastIndexByte(fields[5], ':')+1:]
		if name, ok := names[inode]; ok {
			held = append(held, fmt.Sprintf("%s %s %s %s-%s", name, fields[1], fields[3], fields[6], fields[7]))
		}
	}
	slices.Sort(held)
	return held, lines.Err()
}

// Drop takes away every lock that this process holds on a library's database and shared memory, as the kernel does
// with POSIX locks when any descriptor of the file is closed.
func Drop(path string) error {
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range descriptors {
		fd, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		target, err := os.Readlink("/proc/self/fd/" + d.Name())
		if err != nil || target != path && target != path+"-shm" {
			continue
		}
		all := unix.Flock_t{Type: unix.F_UNLCK}
		errs = append(errs, unix.FcntlFlock(uintptr(fd), unix.F_OFD_SETLK, &all))
		all = unix.Flock_t{Type: unix.F_UNLCK}
		errs = append(errs, unix.FcntlFlock(uintptr(fd), unix.F_SETLK, &all))
	}
	return errors.Join(errs...)
}
