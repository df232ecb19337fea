package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Environment returns the part of an environment (as returned by os.Environ) that a child process may see: an
// allow-list of what programs and builds need, never a key, a token or a password, nor a URL that contains one. temp is
// the child's own folder for temporary files. The variables disable pagers and prompts, which would wait for a user.
func Environment(environ []string, temp string) []string {
	var out []string
	for _, pair := range environ {
		name, value, ok := strings.Cut(pair, "=")
		if ok && isAllowed(name) && !isSecret(name) && !hasPassword(value) {
			out = append(out, pair)
		}
	}
	return append(out,
		"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0",
		"GIT_DISCOVERY_ACROSS_FILESYSTEM=1", // bubblewrap mounts the workspace on its own
		"TMPDIR="+temp, "TMP="+temp, "TEMP="+temp,
	)
}

// ReadingEnvironment returns the variables for a command that runs without permission. They prevent git from starting
// what the repository in folder names: its file monitor, its hooks, a remote; and from using another repository.
func ReadingEnvironment(folder string) []string {
	return []string{
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=core.hooksPath", "GIT_CONFIG_VALUE_1=" + os.DevNull,
		"GIT_CONFIG_KEY_2=safe.bareRepository", "GIT_CONFIG_VALUE_2=explicit",
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(folder),
	}
}

func isAllowed(name string) bool {
	upper := strings.ToUpper(name)
	return strings.HasPrefix(upper, "LC_") || strings.HasPrefix(upper, "NPM_CONFIG_") || slices.Contains([]string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ",
		"GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOROOT", "GOTOOLCHAIN", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB",
		"CGO_ENABLED", "CC", "CXX", "PKG_CONFIG_PATH", "JAVA_HOME", "NVM_DIR", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "VIRTUAL_ENV",
		"CONDA_PREFIX", "DENO_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
		"SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "PROGRAMFILES", "PROGRAMDATA",
	}, upper)
}

func isSecret(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH"}, func(word string) bool {
		return strings.Contains(upper, word)
	})
}

// hasPassword reports whether a value contains a URL with user information.
func hasPassword(value string) bool {
	_, rest, ok := strings.Cut(value, "://")
	if !ok {
		return false
	}
	authority, _, _ := strings.Cut(rest, "/")
	return strings.Contains(authority, "@")
}
