package sandbox

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data, and the bit that marks x32's system calls; see seccomp(2).
const (
	seccompNumber    = 0
	seccompArch      = 4
	seccompSecondArg = 24
	x32Mark          = 0x4000_0000
	socketTypeMask   = 0xf // the other bits of the type are flags
)

// nativeArch returns the kernel's name for the architecture of this program; 0 if the filter does not support it.
func nativeArch() uint32 {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64
	}
	return 0
}

// ShutsSockets reports whether this system can run a command without any socket.
func ShutsSockets() bool {
	// Without the address of a filter the kernel returns EFAULT if it has seccomp, and another error otherwise.
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, 0)
	return nativeArch() != 0 && errno == unix.EFAULT
}

// socketFilter returns a filter that prevents a command from creating sockets: of the network, of the file system and
// of the kernel. Connected pairs remain, because only the command itself has them; pairs of datagram sockets do not,
// because they can send to any address. System calls of other architectures are refused: their numbers have other
// meanings.
func socketFilter() []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	end := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	when := func(test uint16, value uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | test, K: value, Jt: yes, Jf: no}
	}
	refuse := end(unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES))
	return []unix.SockFilter{
		load(seccompArch),
		when(unix.BPF_JEQ, nativeArch(), 1, 0),
		refuse,
		load(seccompNumber),
		when(unix.BPF_JGE, x32Mark, 3, 0),
		when(unix.BPF_JEQ, unix.SYS_SOCKET, 2, 0),
		when(unix.BPF_JEQ, unix.SYS_IO_URING_SETUP, 1, 0), // it could create sockets on its own
		when(unix.BPF_JEQ, unix.SYS_SOCKETPAIR, 1, 4),
		refuse,
		load(seccompSecondArg),
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: socketTypeMask},
		when(unix.BPF_JEQ, unix.SOCK_DGRAM, 1, 0),
		end(unix.SECCOMP_RET_ALLOW),
		refuse,
	}
}

// shutSockets applies the filter to the calling thread and the processes it starts.
func shutSockets() error {
	if nativeArch() == 0 {
		return fmt.Errorf("no filter for %s", runtime.GOARCH)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	filter := socketFilter()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]} //nolint:gosec // a filter has a few dozen steps
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return fmt.Errorf("filter system calls: %w", errno)
	}
	return nil
}

// socketFilterFile returns the filter in a pipe, as bubblewrap reads it.
func socketFilterFile() (*os.File, error) {
	if nativeArch() == 0 {
		return nil, fmt.Errorf("no filter for %s", runtime.GOARCH)
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // a failed write is reported
	return out, binary.Write(in, binary.NativeEndian, socketFilter())
}
