package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// systemFolders lists the folders with the machine's programs, libraries and settings, which any command may read and
// run.
func systemFolders() []string {
	return []string{
		"/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/snap", "/home/linuxbrew",
		"/var/lib/dpkg", "/var/lib/ca-certificates", "/run/systemd/resolve", "/run/resolvconf",
	}
}

// toolchain is what a program needs from the home folder.
type toolchain struct {
	program  string
	readable []string
}

// homeToolchains lists what builds read below the home folder: programs and caches, and no settings with credentials.
// None of it is writable, because the user runs it outside the sandbox later, or builds from it; see CacheEnvironment.
func homeToolchains() []toolchain {
	return []toolchain{
		{"git", []string{".gitconfig", ".config/git"}},
		{"go", []string{"go/bin", ".config/go/env", "sdk", "go/pkg"}},
		{"node", []string{".nvm", ".volta", ".fnm", ".npm-global", ".local/share/fnm"}},
		{"npm", []string{".npm"}},
		{"yarn", []string{".cache/yarn", ".yarn"}},
		{"pnpm", []string{".cache/pnpm", ".local/share/pnpm/store"}},
		{"bun", []string{".bun"}},
		{"deno", []string{".deno", ".cache/deno"}},
		{"python3", []string{".pyenv", ".local/lib", ".local/share/virtualenvs", ".local/pipx"}},
		{"pip", []string{".cache/pip"}},
		{"uv", []string{".local/share/uv", ".cache/uv"}},
		{"cargo", []string{".cargo/bin", ".cargo/env", ".cargo/config.toml", ".rustup", ".cargo/registry", ".cargo/git"}},
		{"java", []string{".sdkman/candidates", ".jdks"}},
		{"mvn", []string{".m2/repository"}},
		{"gradle", []string{".gradle/caches", ".gradle/native"}},
		{"dotnet", []string{".dotnet", ".nuget/packages"}},
		{"ruby", []string{".rbenv", ".gem", ".rvm"}},
		{"asdf", []string{".asdf"}},
		{"mise", []string{".local/share/mise", ".config/mise"}},
	}
}

// toolchains returns the paths outside the system's folders that the programs in the PATH of an environment read.
func toolchains(env []string) []string {
	at := map[string]string{}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		at[name] = value
	}
	var readable []string
	home := at["HOME"]
	for _, folder := range filepath.SplitList(at["PATH"]) {
		if filepath.IsAbs(folder) && !isWithin(home, folder) { // otherwise all of the home folder could be read
			readable = append(readable, folder)
		}
	}
	for _, name := range []string{"GOROOT", "GOCACHE", "GOMODCACHE", "JAVA_HOME", "NVM_DIR", "PYENV_ROOT", "RUSTUP_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "DENO_DIR"} {
		if filepath.IsAbs(at[name]) {
			readable = append(readable, at[name])
		}
	}
	if gopath := at["GOPATH"]; filepath.IsAbs(gopath) {
		readable = append(readable, filepath.Join(gopath, "pkg"))
	}
	if !filepath.IsAbs(home) {
		return readable
	}
	for _, t := range homeToolchains() {
		if _, err := exec.LookPath(t.program); err == nil {
			readable = append(readable, within(home, t.readable)...)
		}
	}
	return readable
}

func within(folder string, names []string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = filepath.Join(folder, filepath.FromSlash(name))
	}
	return paths
}

// repository returns what git needs from the repository of dir if that is not in dir: the repository above it or, for a
// linked work tree, the one that its .git file names. Anyone could have written that file, so the repository must name
// dir in return. A repository that is the home folder, or contains it, is left out: it has too many other files.
func repository(dir, home string) (readable, writable []string) {
	for at := dir; ; at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		info, err := os.Lstat(dotGit)
		switch {
		case err == nil && at == dir && info.IsDir(), at != dir && isWithin(home, at), err == nil && !info.IsDir() && !info.Mode().IsRegular():
			return nil, nil
		case err == nil && info.IsDir():
			return []string{at}, []string{dotGit}
		case err == nil:
			return []string{at}, linkedRepository(dotGit)
		}
		if filepath.Dir(at) == at {
			return nil, nil
		}
	}
}

// isWithin reports whether a path is a folder or below it.
func isWithin(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator)))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

func linkedRepository(dotGit string) []string {
	private, ok := strings.CutPrefix(firstLine(dotGit), "gitdir: ")
	if !ok || !filepath.IsAbs(private) || firstLine(filepath.Join(private, "gitdir")) != dotGit {
		return nil
	}
	common := firstLine(filepath.Join(private, "commondir"))
	if common == "" {
		return []string{private}
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(private, common)
	}
	return []string{private, common}
}

// firstLine returns the only line of a small file, or an empty string.
func firstLine(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 4096 {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
