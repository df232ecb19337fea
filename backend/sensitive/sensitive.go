// Package sensitive knows by their names which files may hold keys or passwords.
package sensitive

import (
	"path"
	"slices"
	"strings"
)

// Reason returns why reading a file needs permission; empty if it does not. Case is ignored, as in some file systems.
func Reason(at string) string {
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
