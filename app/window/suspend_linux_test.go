package window

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// TestSuspensions announces a suspension on a bus of its own, as logind does.
func TestSuspensions(t *testing.T) {
	daemon := exec.CommandContext(t.Context(), "dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err == nil {
		err = daemon.Start()
	}
	if err != nil {
		t.Skip("no dbus-daemon:", err)
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
	announced := suspensions(t.Context())
	if announced == nil {
		t.Fatal("the bus is not reached")
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	emit := func(body ...any) {
		t.Helper()
		if err := bus.Emit("/org/freedesktop/login1", logind+".Manager.PrepareForSleep", body...); err != nil {
			t.Fatal(err)
		}
	}
	emit(true) // from somebody else
	if reply, err := bus.RequestName(logind, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	emit(false) // after a suspension
	emit("what is this?")
	select {
	case <-announced:
		t.Fatal("announced by another program, or after the suspension")
	case <-time.After(300 * time.Millisecond):
	}
	emit(true)
	select {
	case <-announced:
	case <-time.After(time.Minute):
		t.Fatal("not announced")
	}
}
