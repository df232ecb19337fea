// Package sandbox runs a command so that it reaches little and leaves nothing behind.
//
// The program starts itself again as a supervisor (see Main), which starts the command in the confinement that
// the Level names, and ends it with everything it started: when it is told to, when the command's first process is over,
// and when the program that asked for it is gone, however it went.
//
// What no level keeps a command from: what it may write in the workspace a person may run later, a hook of git
// among it; and before Landlock's ABI 9 a socket of another program in the file system, such as the session bus, is open to it.
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

// Verb is the first argument of the program when it is to be a supervisor; the rest goes to Main.
const Verb = "__sandbox"

// graceAfterCancel is how long a cancelled supervisor may take, and how long strangers may hold its pipes, before both are cut off.
const graceAfterCancel = 2 * time.Second

// Options say where a command runs and what it reaches beside the system's programs.
type Options struct {
	Level    Level
	Dir      string   // the working folder, absolute; writable
	Writable []string // further folders and files, absolute; what is missing is left out
	Readable []string
	Env      []string // all of its environment, see Environment
	// Cache is a folder for what package managers and compilers keep, writable and made if it is missing; empty: they have none.
	Cache string
	// Reading is for a command that nobody was asked about: it writes to Writable alone, and not to Dir, and has no sockets.
	Reading bool
}

// order is what a supervisor is told.
type order struct {
	Level    Level    `json:"level"`
	Dir      string   `json:"dir"`
	Writable []string `json:"writable"`
	Readable []string `json:"readable"`
	Caches   []string `json:"caches"` // writable too, and made where they are missing
	Args     []string `json:"args"`
	Reading  bool     `json:"reading"`
}

// offline reports whether the command gets no sockets. Where they cannot be shut, the tools ask about a command that could use them.
func (o order) offline() bool {
	return (o.Reading || o.Level.Kind != None && !o.Level.Network) && ShutsSockets()
}

// Command returns the command, not yet started, for any use but its Stdin, which ties the supervisor to this
// process; the command itself reads an empty one. Its exit code is the command's; a signal n counts as 128+n, as in a shell.
// 126 and a line on Stderr say that the confinement failed, and 127 that there is no such program: nothing has run then.
//
// When ctx is cancelled the command and all its descendants get SIGTERM, and SIGKILL 200 ms later. The same happens to
// what is left of them when the command's first process ends.
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
	cmd := exec.CommandContext(ctx, self, Verb, string(told))
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

// executable returns the path of this program, even where its file has been replaced since it started.
func executable() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
