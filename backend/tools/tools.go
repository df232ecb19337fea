// Package tools has the tools that a model uses in a workspace: reading, writing, searching, running commands. Each
// tool has a Go file and, beside it, a .md file with its description for models.
//
// No tool reaches outside the workspace: files go through an os.Root, commands through package sandbox. Package shell
// judges what a command does. This package does not decide whether a call may run; Access returns what there is to
// decide on.
package tools

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"coppice/backend/core"
	"coppice/backend/leftover"
	"coppice/backend/tools/sandbox"
	"coppice/backend/tools/web"
)

// Tool is something that a model can call; see engine.Tool for the contract.
type Tool interface {
	Spec() core.ToolSpec
	Access(ctx context.Context, arguments json.RawMessage) (core.Access, error)
	Run(ctx context.Context, call core.ToolCall) core.ToolResult
}

// Options configure a Box.
type Options struct {
	Workspace string   // an existing folder
	Library   string   // the library's file, which no tool opens
	Environ   []string // as returned by os.Environ; nil means that; commands get its harmless variables only
	Network   bool     // there is web_fetch, and commands may use the network, if the sandbox could prevent it
	// Unconfined runs commands without a sandbox. A user may choose it if the sandbox prevents their work.
	Unconfined bool
	// Cache is a folder for the caches of commands, with a subfolder for each workspace; empty: they last as long as
	// the box.
	Cache string
	// CommandTimeout is the time limit of a command that sets none, in whole seconds; 0: two minutes.
	CommandTimeout time.Duration
	// Progress, if not nil, is called with the output of a running command since the previous call, at most every 200
	// ms. It is called from another goroutine, never concurrently for one call ID.
	Progress func(callID, text string)
	Skills   []Skill // that read_skill reads; none: there is no such tool
	// FindOutput returns the whole of a cut output of a session by its excerpt.OutputID; nil: outputs cannot be read again.
	FindOutput func(ctx context.Context, sessionID, outputID string) (core.Blob, error)
}

// Box holds the tools of one workspace. It may be used from several goroutines.
type Box struct {
	work  *workspace
	claim *leftover.Claim
	temp  string // the path of claim: the temporary folder of commands
	level sandbox.Level
	opts  Options
	tools []Tool
}

// New returns the tools of a workspace. The caller must close the box.
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
	if opts.Network {
		b.tools = append(b.tools, newWebFetch(&web.Client{}))
	}
	if len(opts.Skills) > 0 {
		b.tools = append(b.tools, newReadSkill(work, opts.Skills))
	}
	if opts.FindOutput != nil {
		b.tools = append(b.tools, newReadOutput(opts.FindOutput))
	}
	return b, nil
}

// LevelOf returns the confinement of commands with these options on this machine.
func LevelOf(opts Options) sandbox.Level {
	if opts.Unconfined {
		return sandbox.Level{Kind: sandbox.None, Network: true}
	}
	return sandbox.Detect(opts.Network)
}

// Tools returns the tools in the order in which they are sent to a model.
func (b *Box) Tools() []Tool { return b.tools }

// Level describes the confinement of commands for users.
func (b *Box) Level() string { return b.level.String() }

// Close releases the workspace and removes the temporary files.
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
