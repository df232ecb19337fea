package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
)

// A change that the user makes between the load of a file and the write to it is not lost, and files written before it
// are restored.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w, err := openWorkspace(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.root.Close()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var changes []change
	for _, name := range []string{"new", "a", "b", "c"} {
		c, err := w.load(name)
		if err != nil {
			t.Fatal(err)
		}
		c.after, c.removed = []byte("changed"), name == "b"
		changes = append(changes, c)
	}
	if err := os.WriteFile(filepath.Join(dir, "c"), []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.apply(changes); core.CodeOf(err) != core.Conflict || !strings.Contains(err.Error(), "c was changed in the meantime") {
		t.Errorf("%v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("there is %v, %v", entries, err)
	}
	for name, want := range map[string]string{"a": "a", "b": "b", "c": "theirs"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

func TestIgnoreRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules, path string
		folder      bool
		want        bool
	}{
		{"a", "a", false, true},
		{"a", "x/a", false, true},
		{"/a", "x/a", false, false},
		{"a/b", "x/a/b", false, false},
		{"a/b", "a/b", false, true},
		{"a/", "a", false, false},
		{"a/", "x/a", true, true},
		{"*.o", "x/y.o", false, true},
		{"*.o\n!y.o", "x/y.o", false, false},
		{"!y.o\n*.o", "y.o", false, true},
		{"**/a", "x/y/a", false, true},
		{"a/**", "a/x/y", false, true},
		{"a/**/b", "a/b", false, true},
		{"#a", "#a", false, false},
		{`\#a`, "#a", false, true},
		{`\!a`, "!a", false, true},
		{"a ", "a", false, true},
		{"a?", "ab", false, true},
		{"[ab]", "b", false, true},
		{"[!ab]", "b", false, false},
		{"{a,b}", "a", false, false},
		{"a*b", "a/b", false, false},
		{"", "a", false, false},
		{"/", "a", true, false},
		{"a\r\n", "a", false, true},
		{"[", "[", false, false},
	} {
		if got := ignoreRules(nil).with(".", []byte(c.rules)).ignores(c.path, c.folder); got != c.want {
			t.Errorf("%q ignores %s: %t", c.rules, c.path, got)
		}
	}
	if !ignoreRules(nil).with("sub", []byte("/a")).ignores("sub/a", false) {
		t.Error("a rule is relative to its file")
	}
}

// The user who permits a change learns what no diff shows.
func TestAccessReportsWhatIsNotShown(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", maxDiffBytes+1)
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"a text":        {change{path: "f", after: []byte("a\n")}, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"},
		"nothing in it": {change{path: "f"}, "f: empty\n"},
		"binary":        {change{path: "f", after: []byte("\x00\x01")}, "f: the 2 bytes that are written are not shown\n"},
		"too large":     {change{path: "f", after: []byte(large)}, "f: the 1048577 bytes that are written are not shown\n"},
		"removed":       {change{path: "f", existed: true, removed: true, before: []byte("\x00")}, "f: its 1 bytes are not shown\n"},
		"no change":     {change{path: "f", existed: true, before: []byte("a"), after: []byte("a")}, ""},
	} {
		if got := accessTo("Write f", []change{c.change}).Preview; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
