package sandbox_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/tools/sandbox"
)

// programFolders are the folders of a home folder that hold programs, or files that programs are built from or read
// when they start.
var programFolders = []string{
	".npm", ".npm/_npx/abc/node_modules/x", ".npm/_cacache", ".yarn/bin", ".cache/yarn", ".cache/pnpm", ".local/share/pnpm/store", ".bun/bin", ".bun/install/cache", ".deno/bin",
	".cache/deno", "go/bin", "go/pkg/mod/golang.org/toolchain@v0.0.1/bin", "go/pkg/mod/cache/download", "go/pkg/sumdb", ".cache/go-build", ".cache/golangci-lint", ".cargo/bin",
	".cargo/registry/src", ".cargo/git", ".rustup", ".cache/pip", ".cache/uv", ".local/share/uv", ".local/bin", ".local/lib/python3/site-packages", ".local/pipx", ".pyenv/shims",
	".nvm", ".volta/bin", ".m2/repository", ".m2", ".gradle/caches", ".gradle/native", ".gradle/init.d", ".gradle/wrapper/dists", ".nuget/packages", ".sdkman/candidates", ".gem",
	".rbenv/shims", ".asdf/shims", ".local/share/mise", ".config/git", ".config/git/hooks", ".config/autostart", ".config/systemd/user", ".config/nvim", ".vim", ".config/Code/User",
	".vscode/extensions", ".ssh", ".virtualenvs/x/bin", ".local/share/applications", ".config/fish", ".oh-my-zsh", ".", ".config",
}

// No command writes to the folders of programs that run later outside the sandbox.
func TestProgramsOfTheUserAreNotWritable(t *testing.T) {
	t.Parallel()
	for _, level := range levels(t)[1:] {
		home, dir, cache := t.TempDir(), t.TempDir(), t.TempDir()
		var line strings.Builder
		for _, folder := range programFolders {
			if err := os.MkdirAll(filepath.Join(home, folder), 0o755); err != nil {
				t.Fatal(err)
			}
			line.WriteString("echo pwned > '" + filepath.Join(home, folder, "new") + "'\n")
		}
		for _, file := range []string{".bashrc", ".profile", ".zshrc", ".gitconfig", ".npmrc", ".vimrc"} {
			line.WriteString("echo pwned >> '" + filepath.Join(home, file) + "'\n")
		}
		env := sandbox.Environment([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, dir)
		o := sandbox.Options{Level: level, Dir: dir, Env: env, Cache: filepath.Join(cache, "own")}
		code, out := run(t, o, line.String()+"echo x > \"$npm_config_cache\" && test -d \"$(dirname $GOCACHE)\"")
		if code != 0 {
			t.Errorf("%s: the cache of its own is not writable: %s", level, out)
		}
		err := filepath.WalkDir(home, func(at string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				t.Errorf("%s: wrote %s", level, at)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A build takes its modules from the user's cache, which it cannot write, without a network.
func TestGoBuildsFromTheUsersCache(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go")
	}
	if testing.Short() {
		t.Skip("it compiles")
	}
	level := sandbox.Detect(false)
	if level.Kind == sandbox.None {
		t.Skip("nothing confines here")
	}
	home, dir, cache := t.TempDir(), t.TempDir(), t.TempDir()
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", home).Run() })
	// A proxy in a folder simulates the network from which the user's cache was filled.
	source, proxy := t.TempDir(), t.TempDir()
	files := map[string]string{
		filepath.Join(proxy, "example.org/dep/@v/v1.0.0.mod"):  "module example.org/dep\n\ngo 1.20\n",
		filepath.Join(proxy, "example.org/dep/@v/v1.0.0.info"): `{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}`,
		filepath.Join(source, "example.org/dep@v1.0.0/go.mod"): "module example.org/dep\n\ngo 1.20\n",
		filepath.Join(source, "example.org/dep@v1.0.0/dep.go"): "package dep\n\nconst Answer = 42\n",
		filepath.Join(dir, "go.mod"):                           "module example.org/main\n\ngo 1.20\n\nrequire example.org/dep v1.0.0\n",
		filepath.Join(dir, "main.go"):                          "package main\n\nimport \"example.org/dep\"\n\nfunc main() { println(dep.Answer) }\n",
	}
	for at, content := range files {
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pack := exec.Command("python3", "-c", "import zipfile,sys,os\nz=zipfile.ZipFile(sys.argv[1],'w')\nfor f in ('go.mod','dep.go'): z.write('example.org/dep@v1.0.0/'+f)\nz.close()",
		filepath.Join(proxy, "example.org/dep/@v/v1.0.0.zip"))
	pack.Dir = source
	if out, err := pack.CombinedOutput(); err != nil {
		t.Skipf("there is no python to make a zip: %v %s", err, out)
	}
	fill := exec.Command(program, "mod", "tidy")
	fill.Dir = dir
	fill.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOPROXY=file://" + proxy, "GONOSUMDB=*", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local"}
	if out, err := fill.CombinedOutput(); err != nil {
		t.Fatalf("fill the user's cache: %v %s", err, out)
	}
	env := sandbox.Environment([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOTOOLCHAIN=local", "CGO_ENABLED=0"}, cache)
	o := sandbox.Options{Level: level, Dir: dir, Env: env, Writable: []string{cache}, Cache: filepath.Join(cache, "own")}
	if code, out := run(t, o, "go build -o main . && ./main"); code != 0 || !strings.Contains(out, "42") {
		t.Errorf("%s: %d %s", level, code, out)
	}
}

// npm installs packages from the user's cache without a network, and does not change that cache.
func TestNpmInstallsFromTheUsersCache(t *testing.T) {
	t.Parallel()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("there is no npm")
	}
	level := sandbox.Detect(false)
	if level.Kind == sandbox.None {
		t.Skip("nothing confines here")
	}
	home, dir, cache, source := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	outside := func(args ...string) string {
		cmd := exec.Command(npm, args...)
		cmd.Dir = source
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "npm_config_update_notifier=false"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("npm %v: %v %s", args, err, out)
		}
		return string(out)
	}
	put := func(at, content string) {
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(source, "package.json"), `{"name":"dep","version":"1.0.0","main":"index.js"}`)
	put(filepath.Join(source, "index.js"), "module.exports = 42\n")
	var packed []struct{ Integrity string }
	if err := json.Unmarshal([]byte(outside("pack", "--json")), &packed); err != nil || len(packed) != 1 {
		t.Fatal(err)
	}
	outside("cache", "add", "./dep-1.0.0.tgz")
	put(filepath.Join(dir, "package.json"), `{"name":"main","version":"1.0.0","dependencies":{"dep":"1.0.0"}}`)
	put(filepath.Join(dir, "package-lock.json"), `{"name":"main","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{
		"":{"name":"main","version":"1.0.0","dependencies":{"dep":"1.0.0"}},
		"node_modules/dep":{"version":"1.0.0","resolved":"https://registry.npmjs.org/dep/-/dep-1.0.0.tgz","integrity":"`+packed[0].Integrity+`"}}}`)
	before := filesBelow(t, filepath.Join(home, ".npm"))
	env := sandbox.Environment([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "npm_config_update_notifier=false"}, cache)
	o := sandbox.Options{Level: level, Dir: dir, Env: env, Writable: []string{cache}, Cache: filepath.Join(cache, "own")}
	if code, out := run(t, o, "npm ci --offline --no-audit --no-fund && node -e 'console.log(require(\"dep\"))'"); code != 0 || !strings.Contains(out, "42") {
		t.Errorf("%s: %d %s", level, code, out)
	}
	if after := filesBelow(t, filepath.Join(home, ".npm")); after != before {
		t.Errorf("the user's cache was\n%s\nand is\n%s", before, after)
	}
}

// filesBelow lists the files below a folder with their contents.
func filesBelow(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(folder, func(at string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(at)
		fmt.Fprintf(&all, "%s %x\n", at, sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
