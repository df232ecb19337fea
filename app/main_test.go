package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"coppice/app/term"
	"coppice/backend/tools/sandbox"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == sandbox.Verb { // a tool of a test runs a command in a sandbox
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	testscript.Main(m, map[string]func(){
		"coppice": func() { os.Exit(Main(os.Args[1:])) },
		"json":    func() { os.Exit(jsonMain(os.Args[1:])) },
	})
}

// TestScripts runs the command line as a user would. Each script has a library of its own.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("COPPICE_DB", env.WorkDir+"/library/coppice.db")
			env.Setenv("HOME", env.WorkDir+"-home") // outside the workspace, because a run in a folder that contains it needs a confirmation
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			env.Setenv("TZ", "UTC")
			if err := os.Mkdir(env.WorkDir+"-home", 0o700); err != nil {
				return err
			}
			return os.CopyFS(env.WorkDir+"/fixtures", os.DirFS("testdata/fixtures"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": exitCmd, "ends": endsCmd, "damage": damageCmd, "holds": holdsCmd},
	})
}

// exitCmd runs a command that must end with an exit code: exit 3 coppice show nothing. Its output can be compared as
// after exec.
func exitCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if failed, ok := err.(interface{ ExitCode() int }); ok {
		code = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// holdsCmd reports whether a file below a folder contains a text: [!] holds TEXT FOLDER.
func holdsCmd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] holds TEXT FOLDER")
	}
	found := ""
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(args[0])) {
			found = path
		}
		return err
	}))
	if (found != "") == neg {
		ts.Fatalf("%q is in %q", args[0], found)
	}
}

// endsCmd checks the JSON that the last command printed for a run, and stores it in out.json: ends STATUS STOPREASON.
func endsCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ends STATUS STOPREASON")
	}
	printed := ts.ReadFile("stdout")
	ts.Check(os.WriteFile(ts.MkAbs("out.json"), []byte(printed), 0o600))
	var o term.RunOutcome
	if err := json.Unmarshal([]byte(printed), &o); err != nil {
		ts.Fatalf("%q is no outcome: %v", printed, err)
	}
	if string(o.Status) != args[0] || string(o.StopReason) != args[1] || o.SessionID == "" || o.Answer == "" {
		ts.Fatalf("it ended as %+v", o)
	}
}

// jsonMain is a command for scripts: json FILE PATH prints the value at a path of a JSON file, such as turns.0.node, or
// turns.len for the length of a list. It fails if the file has more than one JSON value.
func jsonMain(args []string) int {
	data, err := os.ReadFile(args[0])
	if err == nil {
		var value any
		if err = json.Unmarshal(data, &value); err == nil {
			fmt.Println(pick(value, args[1]))
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// damageCmd damages a library: damage header FILE zeroes its header, damage text FILE changes a word of a message, damage message FILE
// makes a message unreadable.
func damageCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage header|text|message FILE")
	}
	path := ts.MkAbs(args[1])
	data, err := os.ReadFile(path)
	ts.Check(err)
	if args[0] == "header" {
		clear(data[:100])
	} else {
		const text = `"text":"Add a login page"`
		at := bytes.LastIndex(data, []byte(text))
		if at < 0 {
			ts.Fatalf("no message to damage")
		}
		last := at + len(text) - 2 // a letter
		if args[0] == "message" {
			last = at // the quote of the field
		}
		data[last] ^= 1
	}
	ts.Check(os.WriteFile(path, data, 0o600))
}
