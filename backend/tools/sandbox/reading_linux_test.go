package sandbox_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/tools/sandbox"
)

// A command that runs without permission changes nothing and reaches no socket, at every level of confinement.
func TestReadingCommandsHaveNoSockets(t *testing.T) {
	t.Parallel()
	if !sandbox.ShutsSockets() {
		t.Skip("sockets cannot be shut here")
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, level := range levels(t) {
		level.Network = true
		dir, temp := t.TempDir(), t.TempDir()
		socket := filepath.Join(dir, "s")
		local, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		o := sandbox.Options{Level: level, Dir: dir, Writable: []string{temp}, Env: sandbox.Environment(os.Environ(), temp), Reading: true}
		for name, line := range map[string]string{
			"TCP":       "exec 3<>/dev/tcp/" + strings.Replace(listener.Addr().String(), ":", "/", 1),
			"UDP":       "echo x > /dev/udp/127.0.0.1/9",
			"unix":      `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un("` + socket + `")) or exit 1'`,
			"datagrams": `perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) or exit 1'`,
		} {
			if code, out := run(t, o, line); code == 0 {
				t.Errorf("%s: %s was possible: %s", level, name, out)
			}
		}
		if code, out := run(t, o, `perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) or die $!' && ls && echo x > $TMPDIR/f && cat $TMPDIR/f | sort`); code != 0 {
			t.Errorf("%s: ordinary work was not possible: %s", level, out)
		}
		if level.Kind != sandbox.None {
			if code, out := run(t, o, "echo x > new"); code == 0 {
				t.Errorf("%s: a file was made: %s", level, out)
			}
		}
		_ = local.Close()
	}
}

// If the network is off for commands, they get no sockets at all.
func TestNetworkOff(t *testing.T) {
	t.Parallel()
	if !sandbox.ShutsSockets() {
		t.Skip("sockets cannot be shut here")
	}
	for _, level := range levels(t)[1:] {
		if code, out := run(t, options(t.TempDir(), level), "echo x > /dev/udp/127.0.0.1/9"); code == 0 {
			t.Errorf("%s: a datagram was sent: %s", level, out)
		}
	}
}
