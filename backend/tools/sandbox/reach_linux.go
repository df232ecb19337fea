package sandbox

// harmlessDevices lists the devices that commands may use. Terminals and shared memory are not among them: they belong
// to the user's other programs.
func harmlessDevices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
}
