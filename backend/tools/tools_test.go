package tools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/tools"
	"coppice/backend/tools/sandbox"
)

// TestMain lets the test program act as a supervisor, as the real one does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == sandbox.Verb {
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// bench is a workspace and its tools.
type bench struct {
	*testing.T
	dir   string
	box   *tools.Box
	tools map[string]engine.Tool
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	return newBenchWith(t, files, tools.Options{})
}

func newBenchWith(t *testing.T, files map[string]string, opts tools.Options) *bench {
	t.Helper()
	b := &bench{T: t, dir: t.TempDir(), tools: map[string]engine.Tool{}}
	for name, content := range files {
		b.put(name, content)
	}
	opts.Workspace = b.dir
	if opts.Library != "" {
		opts.Library = filepath.Join(b.dir, opts.Library)
	}
	box, err := tools.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	b.box = box
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, tool := range box.Tools() {
		b.tools[tool.Spec().Name] = tool
	}
	return b
}

func (b *bench) put(name, content string) {
	b.Helper()
	at := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) content(name string) string {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(data)
}

func (b *bench) run(name string, args any) core.ToolResult {
	b.Helper()
	return b.tools[name].Run(b.Context(), core.ToolCall{ID: "call", Name: name, Arguments: marshal(b, args)})
}

func (b *bench) access(name string, args any) (core.Access, error) {
	b.Helper()
	return b.tools[name].Access(b.Context(), marshal(b, args))
}

func marshal(b *bench, args any) json.RawMessage {
	if raw, ok := args.(string); ok {
		return json.RawMessage(raw)
	}
	data, err := json.Marshal(args)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

type object = map[string]any

// succeeds runs a call and returns its text.
func (b *bench) succeeds(name string, args any) string {
	b.Helper()
	r := b.run(name, args)
	if r.IsError {
		b.Errorf("%s %v: %s", name, args, r.Parts[0].Text)
	}
	return r.Parts[0].Text
}

func (b *bench) fails(name string, args any, with string) {
	b.Helper()
	r := b.run(name, args)
	if !r.IsError || !strings.Contains(r.Parts[0].Text, with) {
		b.Errorf("%s %v does not fail with %q: %q", name, args, with, r.Parts[0].Text)
	}
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	b := newBenchWith(t, nil, tools.Options{Network: true, FindOutput: library{}.find, Skills: []tools.Skill{{Name: "x"}}})
	want := []string{
		"read_file", "write_file", "edit_file", "apply_patch", "delete_file", "list_files", "find_files", "search", "run_command", "todo",
		"web_fetch", "read_skill", "read_output",
	}
	var names []string
	for _, tool := range b.box.Tools() {
		spec := tool.Spec()
		names = append(names, spec.Name)
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Parameters))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("x.json", schema); err != nil {
			t.Fatal(err)
		}
		if _, err := compiler.Compile("x.json"); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
		if len(spec.Description) < 80 || !strings.Contains(string(spec.Parameters), `"additionalProperties":false`) {
			t.Errorf("%s: %q %s", spec.Name, spec.Description, spec.Parameters)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("the tools are %q", names)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "x"})
	for _, c := range []struct{ tool, args, want string }{
		{"read_file", `{}`, `read_file needs the argument "path"`},
		{"read_file", ``, `read_file needs the argument "path"`},
		{"read_file", `{"path": null}`, `needs the argument "path"`},
		{"read_file", `{"path": "a", "file": "b"}`, `has no argument "file"; it has limit, offset, path`},
		{"read_file", `{"path": 1}`, `the argument "path" of read_file must not be a number, but a string`},
		{"read_file", `["a"]`, "must be a JSON object"},
		{"read_file", `{"path": "a", "offset": -1}`, `"offset" must be between`},
		{"read_file", `{"path": ""}`, "the path is empty"},
		{"read_file", `{"path": "a\u0000b"}`, "NUL"},
		{"run_command", `{"command": " "}`, "the command is empty"},
		{"run_command", `{"command": "ls", "timeout_seconds": 601}`, "between 1 and 600"},
		{"todo", `{"items": [{"text": "", "status": "pending"}]}`, "item 1 has no text"},
		{"todo", `{"items": [{"text": "a", "status": "later"}]}`, "the status of item 1"},
		{"search", `{"pattern": "("}`, "invalid regular expression"},
		{"find_files", `{"pattern": "[a"}`, "invalid glob"},
		{"apply_patch", `{"patch": "x"}`, "changes no file"},
	} {
		b.fails(c.tool, c.args, c.want)
	}
	if _, err := b.access("read_file", `{"file": "b"}`); core.CodeOf(err) != core.Invalid {
		t.Errorf("wrong arguments are %v", err)
	}
	if text := b.succeeds("list_files", ``); text != "a\n" {
		t.Errorf("no arguments at all: %q", text)
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&long, "line %d\n", i+1)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, map[string]string{
		"a.go": "one\r\ntwo\nthree", "empty": "", "long": long.String(), "bin": "a\x00b", "p.png": picture.String(), "wide": strings.Repeat("x", 100_000) + "\nb\n",
		"latin": "caf\xe9\n", "dir/inner.txt": "x",
	})
	for args, want := range map[string]string{
		`{"path": "a.go"}`:                                "     1\tone\n     2\ttwo\n     3\tthree\n",
		`{"path": "./dir/../a.go", "offset": 2}`:          "     2\ttwo\n     3\tthree\n(lines 2 to 3 of 3)\n",
		`{"path": "a.go", "limit": 1}`:                    "     1\tone\n(lines 1 to 1 of 3; continue with offset 2)\n",
		`{"path": "empty"}`:                               "(the file is empty)",
		`{"path": "latin"}`:                               "     1\tcaf\ufffd\n",
		`{"path": "long", "offset": 5000}`:                "  5000\tline 5000\n(lines 5000 to 5000 of 5000)\n",
		`{"path": ` + quote(b.dir+"/dir/inner.txt") + `}`: "     1\tx\n",
	} {
		if got := b.succeeds("read_file", args); got != want {
			t.Errorf("%s: %q, not %q", args, got, want)
		}
	}
	if got := b.succeeds("read_file", `{"path": "long"}`); len(got) > 32_000 || !strings.Contains(got, "continue with offset") {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-80:])
	}
	if got := b.succeeds("read_file", `{"path": "wide"}`); len(got) > 3000 || !strings.Contains(got, "     2\tb\n") {
		t.Errorf("%d bytes of a wide file: %q", len(got), got[max(0, len(got)-100):])
	}
	r := b.run("read_file", `{"path": "p.png"}`)
	if m := r.Parts[0].Media; m == nil || m.MimeType != "image/png" || m.Width != 3 || m.Height != 2 || !bytes.Equal(m.Data, picture.Bytes()) {
		t.Errorf("the picture is %+v", r)
	}
	b.fails("read_file", `{"path": "bin"}`, "is binary")
	b.fails("read_file", `{"path": "dir"}`, "is a folder; list_files")
	b.fails("read_file", `{"path": "b.go"}`, "b.go does not exist")
	b.fails("read_file", `{"path": "a.ts"}`, "there is a.go")
	b.fails("read_file", `{"path": "none/a"}`, "nor does its folder")
	b.fails("read_file", `{"path": "a.go", "offset": 9}`, "only 3 lines")
}

func quote(s string) string {
	q, _ := json.Marshal(s)
	return string(q)
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"script.sh": "old\n"})
	if err := os.Chmod(filepath.Join(b.dir, "script.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	a, err := b.access("write_file", object{"path": "script.sh", "content": "new\n"})
	if err != nil || a.Effect != core.EffectWrite || !slices.Equal(a.Targets, []string{"script.sh"}) || !slices.Equal(a.Prefixes, []string{"./**"}) ||
		a.Title != "Write script.sh (+1 −1)" || !strings.Contains(a.Preview, "-old\n+new\n") || a.Risk != "" {
		t.Errorf("%+v %v", a, err)
	}
	r := b.run("write_file", object{"path": "script.sh", "content": "new\n"})
	want := core.FileChange{Path: "script.sh", BeforeHash: core.Hash([]byte("old\n")), AfterHash: core.Hash([]byte("new\n")), Mode: 0o750}
	if r.IsError || len(r.Changes) != 1 || r.Changes[0] != want || len(r.Blobs) != 2 || string(r.Blobs[0].Data) != "old\n" || string(r.Blobs[1].Data) != "new\n" {
		t.Errorf("%+v", r)
	}
	if info, err := os.Stat(filepath.Join(b.dir, "script.sh")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o750 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	b.succeeds("write_file", object{"path": "a/b/c.txt", "content": ""})
	if a, _ := b.access("write_file", object{"path": "a/b/c.txt", "content": "x"}); !slices.Equal(a.Prefixes, []string{"a/b/**"}) {
		t.Errorf("the prefix is %q", a.Prefixes)
	}
	b.fails("write_file", object{"path": "a/b", "content": ""}, "a/b is a folder")
	b.fails("write_file", object{"path": "script.sh/x", "content": ""}, "script.sh/x")
	if names := b.succeeds("list_files", object{"all": true, "depth": 9}); names != "a/\n  b/\n    c.txt\nscript.sh\n" {
		t.Errorf("something is left behind: %q", names)
	}
	large := strings.Repeat("x", 9<<20)
	if r := b.run("write_file", object{"path": "large", "content": large}); len(r.Blobs) != 0 || r.Changes[0].AfterHash != core.Hash([]byte(large)) {
		t.Errorf("a large file has %d blobs", len(r.Blobs))
	}
}

func TestEditFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for name, c := range map[string]struct{ before, old, new, want string }{
		"once":     {"a\nb\nc\n", "b", "x", "a\nx\nc\n"},
		"lines":    {"a\nb\nc\n", "a\nb\n", "", "c\n"},
		"CRLF":     {"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"},
		"BOM":      {"\ufeffa\n", "a", "b", "\ufeffb\n"},
		"no end":   {"a", "a", "b\nc", "b\nc"},
		"all of $": {"a$1\n", "$1", "$2", "a$2\n"},
	} {
		b.put("f", c.before)
		b.succeeds("edit_file", object{"path": "f", "old_text": c.old, "new_text": c.new})
		if got := b.content("f"); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
	b.put("f", "one\n\ttwo\nthree\ntwo\n")
	for _, c := range []struct{ old, want string }{
		{"two", "2 times, in lines 2, 4: give more"},
		{"one\n    two\n", `line 2 is "\ttwo", with other white space than "    two"`},
		{"one\n\ttwo\nfour\n", `line 3 is "three" and not "four"`},
		{"hre\nx", `only a part of line 3: "three"`},
		{"nowhere", `not even its first line is, "nowhere"`},
		{"two\nfive\n", `line 3 is "three" and not "five"`},
		{"", "old_text is empty"},
		{"same", "are the same"},
	} {
		b.fails("edit_file", object{"path": "f", "old_text": c.old, "new_text": "same"}, c.want)
	}
	b.succeeds("edit_file", object{"path": "f", "old_text": "two", "new_text": "2", "replace_all": true})
	if got := b.content("f"); got != "one\n\t2\nthree\n2\n" {
		t.Errorf("%q", got)
	}
	b.fails("edit_file", object{"path": "g", "old_text": "a", "new_text": "b"}, "g does not exist")
	a, err := b.access("edit_file", object{"path": "f", "old_text": "one", "new_text": "1"})
	if err != nil || a.Title != "Edit f (+1 −1)" || !strings.HasPrefix(a.Preview, "--- a/f\n+++ b/f\n") || a.Idempotent {
		t.Errorf("%+v %v", a, err)
	}
}

func TestApplyPatch(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n", "old/c.txt": "four\n"}
	b := newBench(t, files)
	patch := "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** Add File: new/d.txt\n+five\n*** Delete File: b.txt\n" +
		"*** Update File: old/c.txt\n*** Move to: e.txt\n@@\n-four\n+4\n*** End Patch\n"
	a, err := b.access("apply_patch", object{"patch": patch})
	if err != nil || !slices.Equal(a.Targets, []string{"a.txt", "new/d.txt", "b.txt", "old/c.txt", "e.txt"}) || a.Prefixes[1] != "new/**" {
		t.Errorf("%+v %v", a, err)
	}
	bad := strings.Replace(patch, "-four", "-for", 1)
	b.fails("apply_patch", object{"patch": bad}, "hunk 1 of 1 of old/c.txt")
	for name, content := range files {
		if b.content(name) != content {
			t.Errorf("half a patch changed %s", name)
		}
	}
	r := b.run("apply_patch", object{"patch": patch})
	if r.IsError || len(r.Changes) != 5 {
		t.Fatalf("%+v", r)
	}
	if r.Parts[0].Text != "Applied the patch:\nM a.txt (+1 −1 lines)\nA new/d.txt (+1 −0 lines)\nD b.txt (+0 −1 lines)\nD old/c.txt (+0 −1 lines)\nA e.txt (+1 −0 lines)" {
		t.Error(r.Parts[0].Text)
	}
	got := b.content("a.txt") + b.content("new/d.txt") + b.content("e.txt")
	if got != "one\n2\nfive\n4\n" || !strings.HasPrefix(b.content("b.txt"), "(") || !strings.HasPrefix(b.content("old/c.txt"), "(") {
		t.Errorf("%q", got)
	}
	b.fails("apply_patch", object{"patch": "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch"}, "a.txt already exists")
	b.fails("apply_patch", object{"patch": "*** Begin Patch\n*** Delete File: x.txt\n*** End Patch"}, "x.txt does not exist")
	b.fails("apply_patch", object{"patch": "*** Begin Patch\n*** Add File: ../x\n+x\n*** End Patch"}, "outside the workspace")
	// A failure while files are written restores the files written before it.
	b.put("block", "")
	b.fails("apply_patch", object{"patch": "*** Begin Patch\n*** Update File: a.txt\n-2\n+3\n*** Add File: block/x\n+x\n*** End Patch"}, "block/x")
	if b.content("a.txt") != "one\n2\n" {
		t.Errorf("a failed patch left %q", b.content("a.txt"))
	}
}

func TestDeleteFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "x", "full/b": "y"})
	if err := os.Mkdir(filepath.Join(b.dir, "bare"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := b.run("delete_file", object{"path": "a"})
	if r.IsError || len(r.Changes) != 1 || r.Changes[0].AfterHash != "" || string(r.Blobs[0].Data) != "x" {
		t.Errorf("%+v", r)
	}
	b.succeeds("delete_file", object{"path": "bare"})
	b.fails("delete_file", object{"path": "a"}, "a does not exist")
	b.fails("delete_file", object{"path": "full"}, "contains 1 entry")
	b.fails("delete_file", object{"path": "."}, "only files in it can be deleted")
	if names := b.succeeds("list_files", `{}`); names != "full/\n  b\n" {
		t.Errorf("%q", names)
	}
}

func TestLookingAround(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		".gitignore": "# build\n/build/\n*.log\n!keep.log\nnode_modules\ndoc/*.tmp\n{x}\n", "build/out.go": "needle", "src/build/in.go": "needle\n", "a.log": "needle",
		"keep.log": "needle", "src/node_modules/m.js": "needle", "doc/a.tmp": "needle", "doc/deep/a.tmp": "needle", "src/.gitignore": "gen.go\n!*.log\n",
		"src/gen.go": "needle", "src/b.log": "needle", ".git/config": "needle", ".env": "needle", "src/main.go": "one\nNeedle here\nthree\nfour\nneedle\n",
		"bin.dat": "needle\x00", "x": "needle", "{x}": "ignored",
	})
	for args, want := range map[string]string{
		`{"pattern": "*.go"}`:                      "src/build/in.go src/main.go",
		`{"pattern": "**/*.{go,log}"}`:             "keep.log src/b.log src/build/in.go src/main.go",
		`{"pattern": "src/*.go"}`:                  "src/main.go",
		`{"pattern": "*.go", "path": "src/build"}`: "src/build/in.go",
		`{"pattern": "*.go", "all": true}`:         "build/out.go src/build/in.go src/gen.go src/main.go",
		`{"pattern": "*.tmp"}`:                     "doc/deep/a.tmp",
		`{"pattern": "config"}`:                    "No file matches config.",
		`{"pattern": "gen.go", "path": "src"}`:     "No file matches gen.go.",
		`{"pattern": "?"}`:                         "x",
	} {
		if got := strings.Join(strings.Split(strings.TrimSpace(b.succeeds("find_files", args)), "\n"), " "); got != want {
			t.Errorf("%s finds %q, not %q", args, got, want)
		}
	}
	for args, want := range map[string]string{
		`{"pattern": "needle"}`: "doc/deep/a.tmp:1: needle\nkeep.log:1: needle\nsrc/b.log:1: needle\nsrc/build/in.go:1: needle\nsrc/main.go:5: needle\nx:1: needle\n(6 matches in 6 files)\n",
		`{"pattern": "NEEDLE", "ignore_case": true, "glob": "*.go"}`: "src/build/in.go:1: needle\nsrc/main.go:2: Needle here\nsrc/main.go:5: needle\n(3 matches in 2 files)\n",
		`{"pattern": "[Nn]eedle", "path": "src/main.go", "context": 1}`: "src/main.go-1- one\nsrc/main.go:2: Needle here\nsrc/main.go-3- three\nsrc/main.go-4- four\n" +
			"src/main.go:5: needle\n(2 matches in 1 file)\n",
		`{"pattern": "^needle$", "path": "src/main.go", "context": 1}`: "src/main.go-4- four\nsrc/main.go:5: needle\n(1 match in 1 file)\n",
		`{"pattern": "nothing"}`: "No match for nothing.\n",
	} {
		if got := b.succeeds("search", args); got != want {
			t.Errorf("%s gives %q, not %q", args, got, want)
		}
	}
	if got := b.succeeds("list_files", `{"depth": 1}`); got != ".env\n.gitignore\nbin.dat\ndoc/\nkeep.log\nsrc/\nx\n" {
		t.Errorf("the list is %q", got)
	}
	b.put("many.txt", strings.Repeat("hit "+strings.Repeat("x", 1000)+"\n", 5000))
	if got := b.succeeds("search", `{"pattern": "hit"}`); len(got) > 32_000 || !strings.Contains(got, "there may be more") {
		t.Errorf("%d bytes of hits", len(got))
	}
	b.fails("list_files", `{"path": "x"}`, "not a folder")
	b.fails("list_files", `{"path": "nowhere"}`, "does not exist")
}

func TestTodo(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	r := b.run("todo", `{"items": [{"text": "a", "status": "completed"}, {"text": "b", "status": "pending"}]}`)
	if r.IsError || r.Parts[0].Text != "Noted: 1 of 2 done." || string(r.Structured) != `{"items":[{"text":"a","status":"completed"},{"text":"b","status":"pending"}]}` {
		t.Errorf("%+v %s", r, r.Structured)
	}
	if a, err := b.access("todo", `{"items": []}`); err != nil || a.Effect != core.EffectNone {
		t.Errorf("%+v %v", a, err)
	}
}

func TestRisk(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{".env": "x", "k/server.pem": "x", ".git/config": "x", "a": "x", ".env.example": "x", "link/x": ""})
	if err := os.Symlink("../.git/config", filepath.Join(b.dir, "link/innocent")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		tool string
		args object
		risk bool
	}{
		{"read_file", object{"path": "a"}, false},
		{"read_file", object{"path": ".env"}, true},
		{"read_file", object{"path": ".env.example"}, false},
		{"read_file", object{"path": "k/server.pem"}, true},
		{"read_file", object{"path": "k/../.ENV"}, true},
		{"read_file", object{"path": ".git/config"}, false},
		{"search", object{"path": ".env", "pattern": "x"}, true},
		{"search", object{"pattern": "x"}, false},
		{"write_file", object{"path": ".git/hooks/pre-commit", "content": "x"}, true},
		{"write_file", object{"path": "link/innocent", "content": "x"}, true},
		{"write_file", object{"path": "sub/.git/config", "content": "x"}, true},
		{"write_file", object{"path": ".coppice.yaml", "content": "x"}, true},
		{"write_file", object{"path": "a", "content": "y"}, false},
		{"edit_file", object{"path": ".env", "old_text": "x", "new_text": "y"}, true},
		{"delete_file", object{"path": ".env"}, true},
	} {
		a, err := b.access(c.tool, c.args)
		if err != nil || a.Forbidden != "" || (a.Risk != "") != c.risk {
			t.Errorf("%s %v: %+v %v", c.tool, c.args, a, err)
		}
	}
	if a, _ := b.access("write_file", object{"path": "link/innocent", "content": "x"}); !slices.Equal(a.Targets, []string{".git/config"}) {
		t.Errorf("a link hides what is written: %q", a.Targets)
	}
}

func TestEscapes(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, map[string]string{"in/a": "x"})
	for link, target := range map[string]string{
		"abs": secret, "rel": "../../../../../../../.." + secret, "folder": outside, "in/up": "../..", "loop": "loop", "chain": "in/../folder",
	} {
		if err := os.Symlink(target, filepath.Join(b.dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, at := range []string{
		secret, "../x", "in/../../x", "/etc/passwd", "abs", "rel", "folder/secret", "chain/secret", "in/up/x", b.dir + "/../x", b.dir + "-beside/x", "./././../x", "/",
	} {
		for tool, args := range map[string]object{
			"read_file": {"path": at}, "write_file": {"path": at, "content": "x"}, "edit_file": {"path": at, "old_text": "hunter2", "new_text": "x"},
			"delete_file": {"path": at}, "list_files": {"path": at}, "search": {"path": at, "pattern": "hunter"}, "find_files": {"path": at, "pattern": "*"},
			"apply_patch": {"patch": "*** Begin Patch\n*** Add File: " + at + "\n+x\n*** End Patch"},
		} {
			b.fails(tool, args, "outside the workspace")
			if a, err := b.access(tool, args); err != nil || !strings.Contains(a.Forbidden, "outside the workspace") || a.Title == "" {
				t.Errorf("%s %s: %+v %v", tool, at, a, err)
			}
		}
	}
	b.fails("read_file", object{"path": "loop"}, "too many links")
	if got, _ := os.ReadFile(secret); string(got) != "hunter2" {
		t.Errorf("the secret is %q", got)
	}
	if got := b.succeeds("search", object{"pattern": "hunter"}); !strings.HasPrefix(got, "No match for") {
		t.Error("a search followed a link")
	}
	if err := os.Symlink(filepath.Join(b.dir, "in/a"), filepath.Join(b.dir, "inside")); err != nil {
		t.Fatal(err)
	}
	b.fails("delete_file", object{"path": "inside"}, "is a link to in/a")
	if got := b.succeeds("read_file", object{"path": "inside"}); got != "     1\tx\n" {
		t.Errorf("a link inside is %q", got)
	}
}

// However fast a link switches between a folder inside and one outside, nothing outside is read or written.
func TestRace(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "f"), []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, map[string]string{"real/f": "inside"})
	link := filepath.Join(b.dir, "d")
	stop := make(chan struct{})
	var flips sync.WaitGroup
	flips.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Remove(link)
			_ = os.Symlink([]string{"real", outside}[i%2], link)
		}
	})
	for range 150 {
		if r := b.run("read_file", object{"path": "d/f"}); strings.Contains(r.Parts[0].Text, "hunter2") {
			t.Fatal("read outside")
		}
		b.run("write_file", object{"path": "d/f", "content": "inside"})
		b.run("write_file", object{"path": "d/new", "content": "inside"})
	}
	close(stop)
	flips.Wait()
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
	if got, _ := os.ReadFile(filepath.Join(outside, "f")); string(got) != "hunter2" {
		t.Errorf("written outside: %q", got)
	}
}

// Concurrent calls do not disturb each other, and leave nothing behind.
func TestCallsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			name := fmt.Sprintf("f%d", i)
			if r := b.run("write_file", object{"path": name, "content": name}); r.IsError {
				t.Error(r.Parts[0].Text)
			}
			if r := b.run("read_file", object{"path": name}); r.IsError || r.Parts[0].Text != "     1\t"+name+"\n" {
				t.Error(r.Parts[0].Text)
			}
		})
	}
	all.Wait()
	if left, err := fs.Glob(os.DirFS(b.dir), ".coppice-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// An edit makes its change, and the reverse edit undoes it to the byte.
func TestEditThereAndBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\n\r\t é")), 1, 40, -1).Draw(t, "text")
		from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		piece := text[from:rapid.IntRange(from+1, len(text)).Draw(t, "to")]
		if !utf8.ValidString(piece) || strings.Count(text, piece) != 1 {
			t.Skip("the piece is not a piece")
		}
		const mark = "X\nX"
		if err := os.WriteFile(filepath.Join(b.dir, "f"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(text, piece, mark, 1)
		if r := b.run("edit_file", object{"path": "f", "old_text": piece, "new_text": mark}); r.IsError || b.content("f") != want {
			t.Fatalf("%q became %q, not %q: %+v", text, b.content("f"), want, r.Parts[0])
		}
		if r := b.run("edit_file", object{"path": "f", "old_text": mark, "new_text": piece}); r.IsError || b.content("f") != text {
			t.Fatalf("%q became %q: %+v", text, b.content("f"), r.Parts[0])
		}
	})
}

func TestWebFetch(t *testing.T) {
	t.Parallel()
	b := newBenchWith(t, nil, tools.Options{Network: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "https://example.org/x", http.StatusFound)
		case "/empty":
			w.Header().Set("Content-Type", "text/plain")
		default:
			_, _ = fmt.Fprint(w, "<h1>Title</h1>"+strings.Repeat("<p>a line</p>", 5000))
		}
	}))
	t.Cleanup(server.Close)
	r := b.run("web_fetch", object{"url": server.URL + "/a#part"})
	text := r.Parts[0].Text
	if r.IsError || !strings.HasPrefix(text, server.URL+"/a (text/html, 65014 bytes)\n\n# Title\n\na line\n") || r.Parts[0].Truncated == nil || !strings.Contains(text, "read_output") || len(text) > 31_000 {
		t.Errorf("%.200q, %d bytes", text, len(text))
	}
	if text := b.succeeds("web_fetch", object{"url": server.URL + "/away"}); !strings.Contains(text, "not called: https://example.org/x\n") {
		t.Errorf("%q", text)
	}
	if text := b.succeeds("web_fetch", object{"url": server.URL + "/empty"}); text != server.URL+"/empty (text/plain, 0 bytes)\n\n(the page has no text)" {
		t.Errorf("%q", text)
	}
	b.fails("web_fetch", object{"url": "file:///etc/passwd"}, "want http:// or https://")
	b.fails("web_fetch", object{"url": "https://a:b@example.org/"}, "user name or a password")
	a, err := b.access("web_fetch", object{"url": "https://Example.org/docs/**"})
	if err != nil || a.Effect != core.EffectNetwork || !slices.Equal(a.Targets, []string{"example.org https://example.org/docs/%2A%2A"}) || !slices.Equal(a.Prefixes, []string{"example.org"}) ||
		a.Title != "Fetch https://example.org/docs/**" || a.Preview != "https://example.org/docs/**" {
		t.Errorf("%+v, %v", a, err)
	}
}
