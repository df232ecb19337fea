package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights of landlock(7).
const (
	rightsToRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	rightsOfABI1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1 // all rights up to it
	rightsOnFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV | unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
)

// landlockABI returns the version of Landlock in this kernel; 0 if it is missing or switched off.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// restrictThread confines the calling thread, and the processes it starts, as far as the kernel's ABI allows.
func restrictThread(o order) error {
	rules := ruleset(o.Level)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0)
	if errno != 0 {
		return fmt.Errorf("create a ruleset: %w", errno)
	}
	defer unix.Close(int(fd)) //nolint:errcheck // nothing was written to it
	if err := allow(int(fd), rules.Handled_access_fs, o); err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("restrict: %w", errno)
	}
	return nil
}

// dropCapabilities reduces the capabilities of a thread of root to those for installing and building. Others bypass the
// confinement: CAP_PERFMON, for example, allows reading the environment of any process.
func dropCapabilities() error {
	const kept = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID | 1<<unix.CAP_KILL |
		1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID | 1<<unix.CAP_NET_BIND_SERVICE
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData // capabilities 0 to 31, and 32 to 63
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return err
	}
	for i, mask := range []uint32{kept, 0} {
		sets[i].Effective &= mask
		sets[i].Permitted &= mask
		sets[i].Inheritable &= mask
	}
	return unix.Capset(&header, &sets[0])
}

// ruleset returns what is refused unless a rule allows it. It has no rules for the network.
func ruleset(level Level) unix.LandlockRulesetAttr {
	rules := unix.LandlockRulesetAttr{Handled_access_fs: rightsOfABI1}
	for _, since := range []struct {
		abi   int
		right uint64
	}{
		{abiRefer, unix.LANDLOCK_ACCESS_FS_REFER},
		{abiTruncate, unix.LANDLOCK_ACCESS_FS_TRUNCATE},
		{abiDevices, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{abiSockets, unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX},
	} {
		if level.ABI >= since.abi {
			rules.Handled_access_fs |= since.right
		}
	}
	if level.ABI >= abiScopes {
		rules.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	if !level.Network && level.ABI >= abiTCP {
		rules.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if !level.Network && level.ABI >= abiDatagrams {
		rules.Handled_access_net |= unix.LANDLOCK_ACCESS_NET_BIND_UDP | unix.LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP
	}
	return rules
}

// allow adds the rules: read access to the system and the readable paths, all access to the writable ones. The folders
// of other processes in /proc stay protected: Landlock prevents a command from inspecting processes outside, see
// ptrace(2).
func allow(ruleset int, handled uint64, o order) error {
	readable := append(append(systemFolders(), "/proc", "/sys"), o.Readable...)
	for _, path := range readable {
		if err := allowPath(ruleset, path, handled&rightsToRead); err != nil {
			return err
		}
	}
	for _, path := range append(harmlessDevices(), o.Writable...) {
		if err := allowPath(ruleset, path, handled); err != nil {
			return err
		}
	}
	return nil
}

// allowPath allows the rights on a path and below it. A path that is missing or not accessible is left out.
func allowPath(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing was written to it
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return fmt.Errorf("stat %s: %w", path, err)
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= rightsOnFile
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)} //nolint:gosec // a file descriptor is small
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allow %s: %w", path, errno)
	}
	return nil
}
