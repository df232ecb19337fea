//go:build ignore

// Announces on the bus at an address that the system is about to be suspended, as logind does.
package main

import (
	"log"
	"os"

	"github.com/godbus/dbus/v5"
)

func main() {
	bus, err := dbus.Connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if _, err := bus.RequestName("org.freedesktop.login1", dbus.NameFlagDoNotQueue); err != nil {
		log.Fatal(err)
	}
	if err := bus.Emit("/org/freedesktop/login1", "org.freedesktop.login1.Manager.PrepareForSleep", true); err != nil {
		log.Fatal(err)
	}
	if err := bus.Close(); err != nil { // after the message is written
		log.Fatal(err)
	}
}
