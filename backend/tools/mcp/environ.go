package mcp

import (
	"maps"
	"runtime"
	"slices"
	"strings"
)

// passed lists the variables that a child needs to find its programs, its home folder and its language. None of them
// may hold a secret: a key, a proxy's password or a token reaches a server through its own configuration alone.
var passed = []string{
	"HOME", "LANG", "LANGUAGE", "LOGNAME", "NVM_DIR", "PATH", "SHELL", "SSL_CERT_DIR", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS",
	"TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
}

// passedOnWindows lists those of Windows, where names are case-insensitive.
var passedOnWindows = []string{
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS", "PATHEXT", "PROCESSOR_ARCHITECTURE",
	"PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR",
}

// childEnviron returns the part of an environment that a child gets, with the variables in set, in a fixed order.
func childEnviron(environ []string, set map[string]string) []string {
	var child []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if _, replaced := set[name]; !replaced && isPassed(name) {
			child = append(child, variable)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		child = append(child, name+"="+set[name])
	}
	return child
}

func isPassed(name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name)
		if slices.Contains(passedOnWindows, name) {
			return true
		}
	}
	return slices.Contains(passed, name) || strings.HasPrefix(name, "LC_")
}
