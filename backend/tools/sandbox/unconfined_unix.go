//go:build unix && !linux

package sandbox

// adoptOrphans does nothing: this system offers no adoption.
func adoptOrphans() error { return nil }

func start(o order, program string) (int, error) { return launch(program, o.Args, attributes(o)) }
