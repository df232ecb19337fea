package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// The exit codes of a supervisor that could not start its command; shells use the same.
const (
	exitNotStarted = 126
	exitNotFound   = 127
)

// Main runs the supervisor: the whole of a process whose first argument was Verb. args are the arguments after it. Main
// returns the exit code.
func Main(args []string) int {
	code, err := obey(args)
	if err == nil {
		return code
	}
	fmt.Fprintln(os.Stderr, "coppice: sandbox:", err)
	if errors.Is(err, exec.ErrNotFound) {
		return exitNotFound
	}
	return exitNotStarted
}

func obey(args []string) (int, error) {
	var o order
	if len(args) != 1 {
		return 0, errors.New("one argument is expected")
	}
	if err := json.Unmarshal([]byte(args[0]), &o); err != nil {
		return 0, fmt.Errorf("read the order: %w", err)
	}
	if len(o.Args) == 0 {
		return 0, errors.New("no command")
	}
	program, err := exec.LookPath(o.Args[0])
	if err != nil {
		return 0, err
	}
	for _, cache := range o.Caches {
		_ = os.MkdirAll(cache, 0o700) // a folder that cannot be created is left out like any missing path
		seedCache(cache, os.Getenv("HOME"), strings.Join(o.Args, " "))
	}
	readable, writable := repository(o.Dir, os.Getenv("HOME"))
	o.Readable = append(o.Readable, readable...)
	changing := append(append([]string{o.Dir}, o.Caches...), writable...)
	if o.Reading {
		o.Readable = append(o.Readable, changing...)
	} else {
		o.Writable = append(o.Writable, changing...)
	}
	return supervise(o, program)
}
