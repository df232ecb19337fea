package core

import (
	"regexp"
	"slices"
	"strings"
)

var sessionName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// CheckName says whether a session may be named so; an empty name is none. The rules are those of the
// session systems Coppice replaces, so that a name can stand in a file name on any system: 1 to 64 letters, digits, dots,
// underscores and dashes, nothing that leads out of a folder, nothing that Windows keeps for devices, whatever
// its extension. The error is Invalid and names the rule.
func CheckName(name string) error {
	if name == "" {
		return nil
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case len(name) > 64:
		return E(Invalid, "a session's name has at most 64 characters, not %d", len(name))
	case !sessionName.MatchString(name):
		return E(Invalid, "a session's name has letters, digits, underscores, dashes and dots only, not %q", name)
	case strings.Contains(name, ".."), strings.HasPrefix(name, "."):
		return E(Invalid, "a session's name does not begin with a dot nor have two in a row, as %q does", name)
	case slices.Contains(reservedNames(), stem):
		return E(Invalid, "the name %q is reserved", name)
	}
	return nil
}

// reservedNames are the files of other session systems and the devices of Windows, see
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file.
func reservedNames() []string {
	return []string{
		"index", "metadata", "last_session", "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
		"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
	}
}
