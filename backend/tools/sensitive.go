package tools

import (
	"path"
	"slices"
	"strings"

	"coppice/backend/sensitive"
)

// dangerIn returns why a stored permission does not cover writing a file; empty if one may.
func dangerIn(at string) string {
	lower := strings.ToLower(at)
	parts := strings.Split(lower, "/")
	switch {
	case slices.Contains(parts, ".git"), slices.Contains(parts, ".hg"), slices.Contains(parts, ".jj"):
		return at + " belongs to the version control, which runs what is written there"
	case strings.HasPrefix(parts[0], ".coppice"):
		return at + " changes what Coppice itself may do"
	case slices.Contains(parts, ".vscode"), slices.Contains(parts, ".idea"):
		return at + " changes what an editor runs"
	case len(parts) == 1 && slices.Contains([]string{".bashrc", ".bash_profile", ".profile", ".zshrc", ".zprofile", ".zshenv", ".gitconfig"}, lower),
		lower == ".config" || strings.HasPrefix(lower, ".config/") || strings.HasPrefix(lower, ".local/"):
		return at + " changes what your own programs do"
	case strings.ContainsAny(path.Base(at), "*"):
		return at + " has a name that looks like a pattern"
	}
	return sensitive.Reason(at)
}
