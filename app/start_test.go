package app

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// eager are the packages that allocate more than maxStartBytes when the program starts, whatever the command. No
// version of theirs builds on first use what they allocate: docs/decisions/0024-start-of-a-command.md.
var eager = []string{
	"github.com/alecthomas/chroma/v2/lexers",
	"github.com/gorilla/css/scanner",
	"github.com/microcosm-cc/bluemonday",
	"github.com/microcosm-cc/bluemonday/css",
	"github.com/santhosh-tekuri/jsonschema/v6",
	"github.com/yuin/goldmark/extension",
	"github.com/yuin/goldmark/parser",
	"github.com/yuin/goldmark/util",
	"golang.org/x/net/html",
}

const (
	maxStartBytes    = 100 << 10 // of a package of a library
	maxOwnStartBytes = 2 << 10   // of a package of Coppice
)

// TestStartAllocatesLittle checks what a command allocates before it begins. What only some commands need, such as
// regular expressions, is built when it is first used.
func TestStartAllocatesLittle(t *testing.T) {
	t.Parallel()
	started := startBytes(t)
	for _, name := range slices.Sorted(maps.Keys(started)) {
		limit := maxStartBytes
		switch {
		case slices.Contains(eager, name), name == "coppice/app": // the latter has the variables of these tests
			continue
		case strings.HasPrefix(name, "coppice/"):
			limit = maxOwnStartBytes
		}
		if started[name] > limit {
			t.Errorf("%s allocates %d bytes at the start of each command, more than %d", name, started[name], limit)
		}
	}
	for _, name := range eager {
		if started[name] <= maxStartBytes {
			t.Errorf("%s allocates only %d bytes at the start: remove it from the list", name, started[name])
		}
	}
}

// startBytes returns how much each package allocates at the start of "coppice version".
func startBytes(t *testing.T) map[string]int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Under this name the test program is the program.
	command := filepath.Join(t.TempDir(), "coppice")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	if err := os.Symlink(self, command); err != nil {
		t.Skipf("the test program gets no second name here: %v", err)
	}
	cmd := exec.Command(command, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	started := map[string]int{}
	for _, line := range regexp.MustCompile(`(?m)^init (\S+) @.*, (\d+) bytes, \d+ allocs$`).FindAllStringSubmatch(string(out), -1) {
		if started[line[1]], err = strconv.Atoi(line[2]); err != nil {
			t.Fatal(err)
		}
	}
	if len(started) < 100 || !strings.Contains(string(out), "coppice ") {
		t.Fatalf("only %d packages are traced:\n%s", len(started), out)
	}
	return started
}
