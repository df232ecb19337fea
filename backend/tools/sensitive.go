package tools

import (
	"path"
	"slices"
	"strings"
)

// secretIn returns why reading a file needs permission; empty if it does not. Case is ignored, as in some file systems.
func secretIn(at string) string {
	lower := strings.ToLower(at)
	for part := range strings.SplitSeq(lower, "/") {
		if slices.Contains([]string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store"}, part) {
			return at + " may hold keys"
		}
	}
	name := path.Base(lower)
	sample := slices.ContainsFunc([]string{".example", ".sample", ".template", ".dist"}, func(end string) bool { return strings.HasSuffix(name, end) })
	switch {
	case sample:
		return ""
	case name == ".env", strings.HasPrefix(name, ".env."), strings.HasSuffix(name, ".env"):
		return at + " may hold passwords"
	case slices.Contains([]string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg"}, path.Ext(name)),
		strings.HasPrefix(name, "id_rsa"), strings.HasPrefix(name, "id_ed25519"), strings.HasPrefix(name, "id_ecdsa"), strings.HasPrefix(name, "id_dsa"):
		if strings.HasSuffix(name, ".pub") {
			return ""
		}
		return at + " may be a private key"
	case slices.Contains([]string{
		".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".dockercfg", "credentials", "credentials.json",
		"secrets.yaml", "secrets.yml", "secrets.json", "secrets.toml", ".envrc", "service-account.json",
	}, name):
		return at + " may hold passwords"
	}
	return ""
}

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
	return secretIn(at)
}
