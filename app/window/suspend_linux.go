package window

import (
	"context"

	"github.com/godbus/dbus/v5"
)

// logind is the service that suspends the system.
const logind = "org.freedesktop.login1"

// suspensions returns a channel that receives when the system is about to be suspended, until the context ends. Without logind it receives
// nothing.
func suspensions(ctx context.Context) <-chan struct{} {
	bus, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return nil
	}
	err = bus.AddMatchSignalContext(ctx, dbus.WithMatchSender(logind), dbus.WithMatchObjectPath("/org/freedesktop/login1"),
		dbus.WithMatchInterface(logind+".Manager"), dbus.WithMatchMember("PrepareForSleep"))
	if err != nil {
		_ = bus.Close() // nothing was asked of it
		return nil
	}
	signals, announced := make(chan *dbus.Signal, 1), make(chan struct{}, 1)
	bus.Signal(signals)
	go func() {
		for signal := range signals { // closed with the context
			if len(signal.Body) != 1 || signal.Body[0] != true { // false: it was resumed
				continue
			}
			select {
			case announced <- struct{}{}:
			default:
			}
		}
	}()
	return announced
}
