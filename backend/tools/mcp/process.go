package mcp

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"coppice/backend/core"
)

// How long a process may take to end: after its input is closed, after SIGTERM, and to close its pipes.
const (
	inputGrace  = 500 * time.Millisecond
	signalGrace = time.Second
	pipeGrace   = 500 * time.Millisecond
	exitGrace   = 300 * time.Millisecond // between the end of the output and that of the process
)

// process is a server that runs as a child. Read returns its messages.
type process struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *os.File
	lines   *lines
	said    *tail
	exited  chan struct{} // closed when it has ended
}

// start runs a server's command. The error is NotFound if the program does not exist.
func start(config Server, environ []string) (*process, error) {
	said := &tail{}
	command := exec.Command(config.Command, config.Args...) //nolint:gosec // the user has configured and trusted it
	command.Dir = config.Dir
	command.Env = childEnviron(environ, config.Env)
	command.Stderr = said
	command.WaitDelay = pipeGrace
	command.SysProcAttr = ownSession()
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "start the MCP server %s", config.Name)
	}
	// A pipe of our own: that of StdoutPipe loses unread output when the process ends.
	stdout, out, err := os.Pipe()
	if err != nil {
		_ = stdin.Close()
		return nil, core.Wrap(core.Unavailable, err, "start the MCP server %s", config.Name)
	}
	command.Stdout = out
	err = command.Start()
	_ = out.Close()
	if err != nil {
		_, _ = stdin.Close(), stdout.Close()
		code := core.Unavailable
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			code = core.NotFound
		}
		return nil, core.Wrap(code, err, "start the MCP server %s", config.Name)
	}
	p := &process{
		command: command, stdin: stdin, stdout: stdout, said: said, lines: newLines(stdout, said),
		exited: make(chan struct{}),
	}
	go p.wait()
	return p, nil
}

// wait waits for the process to end, and ends what it has left behind.
func (p *process) wait() {
	_ = p.command.Wait() // ProcessState has the exit status
	_ = killGroup(p.command)
	close(p.exited)
	// A process outside the group may hold the pipe open for ever.
	time.AfterFunc(pipeGrace, func() { _ = p.stdout.Close() })
}

// Read reads the messages of the server.
func (p *process) Read(data []byte) (int, error) { return p.lines.Read(data) }

// Close closes the server's output.
func (p *process) Close() error { return p.stdout.Close() }

// stop ends the process: it closes its input, then sends SIGTERM, then kills it and its group.
func (p *process) stop() {
	_ = p.stdin.Close()
	if p.gone(inputGrace) {
		return
	}
	_ = endGroup(p.command)
	if p.gone(signalGrace) {
		return
	}
	_ = killGroup(p.command)
	p.gone(signalGrace)
}

func (p *process) gone(within time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(within):
		return false
	}
}

// lastWords returns how the process ended and its last output; empty if it runs and has printed nothing.
func (p *process) lastWords() string {
	how := ""
	if p.gone(exitGrace) {
		how = "it ended with " + p.command.ProcessState.String()
	}
	said := p.said.String()
	switch {
	case said == "":
		return how
	case how == "":
		return "it said: " + said
	default:
		return how + "; it said: " + said
	}
}
