package core

import (
	"slices"
	"strings"

	"coppice/backend/lazyregexp"
)

var sessionName = lazyregexp.New(`^[A-Za-z0-9._-]+$`)

// CheckName checks the name of a session; an empty name means no name. The rules are those of the session systems that
// Coppice replaces, so that a name can be part of a file name on any system: 1 to 64 letters, digits, dots, underscores
// and dashes, no path out of a folder, no device name of Windows with any extension. The error is Invalid and names the
// rule.
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
