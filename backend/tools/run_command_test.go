//go:build unix

package tools_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"coppice/backend/core"
	"coppice/backend/tools"
	"coppice/backend/tools/excerpt"
)

func TestRunCommand(t *testing.T) {
	t.Parallel()
	b := newBenchWith(t, map[string]string{"a.txt": "one\n"}, tools.Options{
		Environ: append(os.Environ(), "OPENAI_API_KEY=sk-secret", "MY_TOKEN=secret", "LD_PRELOAD="),
	})
	for command, want := range map[string]string{
		"cat a.txt":                           "one\n(exit code 0 after ",
		"echo out; echo err >&2; echo out":    "out\nerr\nout\n(exit code 0 after ",
		"printf 'a\\0b\\xff'":                 "a\ufffdb\ufffd\n(exit code 0 after ",
		"exit 3":                              "(exit code 3 after ",
		"kill -SEGV $$":                       "(exit code 139, as by the signal \"segmentation fault\" after ",
		"read x || echo nothing to read":      "nothing to read\n(exit code 0 after ",
		"cd /; pwd":                           "/\n(exit code 0 after ",
		"env | grep -c secret":                "0\n(exit code 1 after ",
		"echo $TERM $PAGER; test -d $TMPDIR":  "dumb cat\n(exit code 0 after ",
		"echo x > $TMPDIR/f && cat $TMPDIR/f": "x\n(exit code 0 after ",
	} {
		r := b.run("run_command", object{"command": command})
		if got := r.Parts[0].Text; !strings.HasPrefix(got, want) || r.IsError != !strings.Contains(want, "exit code 0 ") {
			t.Errorf("%q gives %q, not %q", command, got, want)
		}
	}
	r := b.run("run_command", object{"command": "echo begun; sleep 100", "timeout_seconds": 1})
	if !r.IsError || !strings.HasPrefix(r.Parts[0].Text, "begun\n(timeout of 1s: the command and all processes it started were ended after ") {
		t.Errorf("%+v", r)
	}
}

func TestCommandIsInterrupted(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told strings.Builder
	begun := make(chan struct{})
	b := newBenchWith(t, nil, tools.Options{Progress: func(id, text string) {
		mu.Lock()
		defer mu.Unlock()
		if told.Len() == 0 {
			close(begun)
		}
		told.WriteString(id + ":" + text)
	}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	r := b.tools["run_command"].Run(ctx, core.ToolCall{ID: "c1", Arguments: marshal(b, object{"command": "echo begun; sleep 100 & wait"})})
	if !r.IsError || !strings.HasPrefix(r.Parts[0].Text, "begun\n(interrupted") {
		t.Errorf("%+v", r)
	}
	if told.String() != "c1:begun\n" {
		t.Errorf("told %q", told.String())
	}
}

// Progress reports the whole output of a command, with no broken character.
func TestProgress(t *testing.T) {
	t.Parallel()
	var told strings.Builder // one call only
	b := newBenchWith(t, nil, tools.Options{Progress: func(_, text string) { told.WriteString(text) }})
	r := b.run("run_command", object{"command": `printf 'a\xc3'; sleep 0.25; printf '\xa4b'; sleep 0.15; echo c`})
	if told.String() != "aäbc\n" || !strings.HasPrefix(r.Parts[0].Text, "aäbc\n") {
		t.Errorf("told %q of %q", told.String(), r.Parts[0].Text)
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	// The seq of macOS writes 1e+06 without a format.
	r := b.run("run_command", object{"command": "seq -f %.0f 1 3000000"})
	part := r.Parts[0]
	if r.IsError || len(part.Text) > 31_000 || strings.Count(part.Text, "\n") > 2_010 || part.Truncated == nil {
		t.Fatalf("%d bytes, %d lines, %+v", len(part.Text), strings.Count(part.Text, "\n"), part.Truncated)
	}
	if tr := *part.Truncated; tr.LineCount != 3_000_000 || tr.SizeBytes != 22_888_896 || !tr.Shown || len(r.Blobs) != 1 || tr.Blob != r.Blobs[0].Hash {
		t.Errorf("%+v", tr)
	}
	if !strings.HasPrefix(part.Text, "1\n2\n") || !strings.Contains(part.Text, "\n3000000\n(exit code 0") || !strings.Contains(part.Text, `left out; read_output {"output": "`+excerpt.OutputID(part.Truncated.Blob)+`", "offset": `) {
		t.Errorf("%.80q … %q", part.Text, part.Text[len(part.Text)-80:])
	}
	whole := string(r.Blobs[0].Data)
	if len(whole) > 16<<20+100 || !strings.HasPrefix(whole, "1\n2\n") || !strings.HasSuffix(whole, "\n3000000\n") || core.Hash(r.Blobs[0].Data) != r.Blobs[0].Hash {
		t.Errorf("the blob has %d bytes", len(whole))
	}
	r = b.run("run_command", object{"command": "yes ä | head -50000 | tr -d '\\n'"})
	if text := r.Parts[0].Text; len(text) > 31_000 || r.Parts[0].Truncated.LineCount != 1 {
		t.Errorf("one line: %d bytes, %+v", len(text), r.Parts[0].Truncated)
	}
	r = b.run("run_command", object{"command": "seq 1 2500"})
	if r.Parts[0].Truncated == nil || string(r.Blobs[0].Data) == "" || strings.Count(r.Parts[0].Text, "\n") > 2_010 {
		t.Errorf("too many lines: %+v", r.Parts[0].Truncated)
	}
}

func TestCommandAccess(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "x", ".env": "x"})
	if err := os.Symlink("/etc", b.dir+"/etc"); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]struct {
		safe, risk, forbidden bool
		targets, prefixes     []string
	}{
		"ls && cat a.txt":         {safe: true, targets: []string{"ls", "cat a.txt"}, prefixes: []string{"ls", "cat"}},
		"ls && go test ./... ":    {targets: []string{"go test ./..."}, prefixes: []string{"go test"}},
		"cat .env":                {risk: true, targets: []string{"cat .env"}, prefixes: []string{""}},
		"cat etc/passwd":          {targets: []string{"cat etc/passwd"}, prefixes: []string{""}},
		"echo .x | xargs cat":     {targets: []string{"echo .x | xargs cat"}, prefixes: []string{""}},
		"cat " + b.dir + "/a.txt": {safe: true, targets: []string{"cat " + b.dir + "/a.txt"}, prefixes: []string{"cat"}},
		"if true; then ls; fi":    {targets: []string{"if true; then ls; fi"}, prefixes: []string{""}},
		"echo x > a.txt":          {risk: true, targets: []string{"echo x > a.txt"}, prefixes: []string{""}},
		"rm -rf ~":                {forbidden: true, targets: []string{"rm -rf ~"}, prefixes: []string{""}},
	} {
		a, err := b.access("run_command", object{"command": command})
		if err != nil || a.Effect != core.EffectExecute || a.Safe != want.safe || (a.Risk != "") != want.risk || (a.Forbidden != "") != want.forbidden ||
			!slices.Equal(a.Targets, want.targets) || !slices.Equal(a.Prefixes, want.prefixes) || a.Preview != command {
			t.Errorf("%q: %+v %v", command, a, err)
		}
	}
}

// The confinement that is active here prevents what its description promises.
func TestCommandsAreConfined(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	b := newBench(t, nil)
	if b.box.Level() == "none" {
		t.Skip("nothing confines here")
	}
	b.run("run_command", object{"command": "echo x > " + outside + "/f; echo y > inside"})
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("%s: outside there is %v, %v", b.box.Level(), entries, err)
	}
	if b.content("inside") != "y\n" {
		t.Errorf("%s: inside there is %q", b.box.Level(), b.content("inside"))
	}
}
