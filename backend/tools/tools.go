// Package tools holds the tools that a model works with in a workspace: reading, writing, searching, running commands. Each
// stands in a file of its own, with what the model is told of it in a .md beside it.
//
// No tool reaches outside the workspace: files go through an os.Root, commands through package sandbox. What a command means is
// judged by package shell. Whether a call may run is not decided here; Access says what there is to decide on.
package tools

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"coppice/backend/core"
	"coppice/backend/leftover"
	"coppice/backend/tools/sandbox"
)

// Tool is something that a model can call; the engine says what is expected of it.
type Tool interface {
	Spec() core.ToolSpec
	Access(ctx context.Context, arguments json.RawMessage) (core.Access, error)
	Run(ctx context.Context, call core.ToolCall) core.ToolResult
}

// Options say what a box of tools works on.
type Options struct {
	Workspace string   // a folder that exists
	Library   string   // the library's file, which no tool opens
	Environ   []string // as os.Environ gives it, which nil stands for; commands get what of it is harmless
	Network   bool     // commands may use the network, as far as the sandbox could keep them from it
	// Unconfined runs commands without a sandbox, as a person may choose where it stands in the way of what they do.
	Unconfined bool
	// Cache is a folder for the caches of commands, one for each workspace; empty: they last as long as the box.
	Cache string
	// CommandTimeout is how long a command may take that names no time itself, whole seconds; 0: two minutes.
	CommandTimeout time.Duration
	// Progress is told what a running command has written since it was last told, at most every 100 ms; nil: nobody
	// listens. It is called from another goroutine, never twice at once for a call.
	Progress func(callID, text string)
}

// Box is the tools of one workspace. They may be used from several goroutines.
type Box struct {
	work  *workspace
	claim *leftover.Claim
	temp  string // the commands' own folder for temporary files, which the claim names
	level sandbox.Level
	opts  Options
	tools []Tool
}

// New returns the tools of a workspace. The box must be closed.
func New(opts Options) (*Box, error) {
	work, err := openWorkspace(opts.Workspace, opts.Library)
	if err != nil {
		return nil, err
	}
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	temp, err := leftover.NewFolder(os.TempDir(), "coppice-*")
	if err != nil {
		_ = work.root.Close() // it was only opened
		return nil, core.Wrap(core.Unavailable, err, "make a temporary folder")
	}
	b := &Box{work: work, claim: temp, temp: temp.Path, level: LevelOf(opts), opts: opts}
	b.tools = []Tool{
		newReadFile(work), newWriteFile(work), newEditFile(work), newApplyPatch(work), newDeleteFile(work),
		newListFiles(work), newFindFiles(work), newSearch(work), newRunCommand(b), newTodo(),
	}
	return b, nil
}

// LevelOf is what confines commands with these options on this machine.
func LevelOf(opts Options) sandbox.Level {
	if opts.Unconfined {
		return sandbox.Level{Kind: sandbox.None, Network: true}
	}
	return sandbox.Detect(opts.Network)
}

// Tools returns the tools, in the order in which a model is told of them.
func (b *Box) Tools() []Tool { return b.tools }

// Level says for people what confines the commands here.
func (b *Box) Level() string { return b.level.String() }

// Close gives the workspace back and removes the temporary files.
func (b *Box) Close() error {
	if b.opts.Cache != "" {
		b.keepCache()
	}
	err := b.work.root.Close()
	if removed := b.claim.Release(); err == nil {
		err = removed
	}
	return core.Wrap(core.Unavailable, err, "close the tools")
}
