// Package sandbox runs a command with limited access, and ends everything that the command started.
//
// The program starts itself again as a supervisor (see Main), which starts the command in the confinement that the
// Level describes. The supervisor ends the command and everything it started on request, when the command's first
// process ends, and when the program that started the supervisor ends for any reason.
//
// No level prevents the following: the user may later run what a command writes in the workspace, such as a git hook;
// and before ABI 9 of Landlock a command can use another program's socket in the file system, such as that of the
// session bus.
package sandbox

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"time"

	"coppice/backend/core"
)

// Verb is the first argument of the program when it runs as a supervisor; the other arguments go to Main.
const Verb = "__sandbox"

// graceAfterCancel is how long a cancelled supervisor may take, and how long other processes may hold its pipes, before
// both are cut off.
const graceAfterCancel = 2 * time.Second

// Options configure where a command runs and what it can access in addition to the system's programs.
type Options struct {
	Level    Level
	Dir      string   // the working folder, absolute; writable
	Writable []string // further folders and files, absolute; missing ones are left out
	Readable []string
	Env      []string // the whole environment, see Environment
	// Cache is a folder for the caches of package managers and compilers, writable and created if it is missing; empty:
	// no caches.
	Cache string
	// Reading is set for a command that runs without permission: it writes only to Writable, not to Dir, and has no
	// sockets.
	Reading bool
}

// order is the supervisor's input.
type order struct {
	Level    Level    `json:"level"`
	Dir      string   `json:"dir"`
	Writable []string `json:"writable"`
	Readable []string `json:"readable"`
	Caches   []string `json:"caches"` // writable too, and created if they are missing
	Args     []string `json:"args"`
	Reading  bool     `json:"reading"`
}

// offline reports whether the command gets no sockets. If sockets cannot be blocked, the tools ask about a command that
// could use them.
func (o order) offline() bool {
	return (o.Reading || o.Level.Kind != None && !o.Level.Network) && ShutsSockets()
}

// Command returns the command, not yet started. The caller must not use its Stdin, which ties the supervisor to this
// process; the command itself reads an empty one. Its exit code is the command's; signal n is 128+n, as in a shell. 126
// and a line on Stderr mean that the confinement failed, 127 that the program does not exist: nothing has run then.
//
// When ctx is cancelled the command and all its descendants get SIGTERM, and SIGKILL 200 ms later. The same happens to
// the remaining descendants when the command's first process ends.
func Command(ctx context.Context, o Options, args ...string) (*exec.Cmd, error) {
	self, err := executable()
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "find the program itself")
	}
	env, caches := append([]string{}, o.Env...), []string{} // not nil: that would be the environment of this process
	if o.Cache != "" && !o.Reading && o.Level.Kind != None {
		env, caches = append(env, CacheEnvironment(o.Env, o.Cache)...), []string{o.Cache}
	}
	told, err := json.Marshal(order{
		Level: o.Level, Dir: o.Dir, Args: args, Caches: caches, Writable: o.Writable, Readable: append(toolchains(o.Env), o.Readable...), Reading: o.Reading,
	})
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "tell the sandbox")
	}
	cmd := exec.CommandContext(ctx, self, Verb, string(told)) //nolint:gosec // this program itself
	cmd.Env = env
	cmd.SysProcAttr = apart()
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "start the sandbox")
	}
	cmd.Cancel = lifeline.Close
	cmd.WaitDelay = graceAfterCancel
	return cmd, nil
}

// executable returns the path of this program, even if its file has been replaced since it started.
func executable() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
