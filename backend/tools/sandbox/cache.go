package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// CacheEnvironment returns the variables that make package managers and compilers use caches in a folder of the
// sandbox's own. Programs that run later outside the sandbox come out of the user's caches, so a command reads those
// and does not write them. environ is the user's environment, as returned by os.Environ.
func CacheEnvironment(environ []string, folder string) []string {
	at := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		at[name] = value
	}
	own := func(name string) string { return filepath.Join(folder, name) }
	all := []string{
		"XDG_CACHE_HOME=" + own("xdg"),
		"GOCACHE=" + own("go-build"), "GOPATH=" + own("go"), "GOMODCACHE=" + filepath.Join(own("go"), "pkg", "mod"), "GOLANGCI_LINT_CACHE=" + own("golangci-lint"),
		"npm_config_cache=" + own("npm"), "npm_config_store_dir=" + own("pnpm"), "YARN_CACHE_FOLDER=" + own("yarn"), "YARN_GLOBAL_FOLDER=" + own("yarn-global"),
		"BUN_INSTALL_CACHE_DIR=" + own("bun"), "DENO_DIR=" + own("deno"), "PIP_CACHE_DIR=" + own("pip"), "UV_CACHE_DIR=" + own("uv"),
		"CARGO_HOME=" + own("cargo"), "GRADLE_USER_HOME=" + own("gradle"), "NUGET_PACKAGES=" + own("nuget"),
	}
	home := at["HOME"]
	if !filepath.IsAbs(home) {
		return all
	}
	return append(append(all, goProxy(at, home)...),
		"GRADLE_RO_DEP_CACHE="+filepath.Join(home, ".gradle", "caches"),
		"MAVEN_OPTS=-Dmaven.repo.local="+own("m2")+" -Dmaven.repo.local.tail="+filepath.Join(home, ".m2", "repository"),
	)
}

// goProxy makes go fetch modules from the user's module cache first, which has the layout of a proxy. Go checks them by
// their sums, like any others. Modules that the user keeps from public proxies are fetched from their own host only.
func goProxy(at map[string]string, home string) []string {
	set := func(name, otherwise string) string {
		for _, value := range []string{at[name], goEnv(home, name)} {
			if value != "" {
				return value
			}
		}
		return otherwise
	}
	users := set("GOMODCACHE", filepath.Join(strings.Split(set("GOPATH", filepath.Join(home, "go")), string(filepath.ListSeparator))[0], "pkg", "mod"))
	others := set("GOPROXY", "https://proxy.golang.org,direct")
	all := []string{"GOFLAGS=" + strings.TrimSpace(set("GOFLAGS", "")+" -modcacherw")}
	if set("GOPRIVATE", "")+set("GONOPROXY", "") != "" {
		all, others = append(all, "GONOPROXY=none"), "direct"
	}
	return append(all, "GOPROXY=file://"+filepath.ToSlash(filepath.Join(users, "cache", "download"))+","+others)
}

// goEnv returns a setting of "go env -w".
func goEnv(home, name string) string {
	data, err := os.ReadFile(filepath.Join(home, ".config", "go", "env"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return value
		}
	}
	return ""
}
