package tools

import (
	"context"

	"coppice/backend/core"
)

type writeFileArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type writeFile struct{ *workspace }

func newWriteFile(w *workspace) Tool {
	t := define[writeFileArgs]("write_file", `
		"path": {"type": "string", "description": "The file, relative to the workspace."},
		"content": {"type": "string", "description": "The whole content of the file."}`, "path", "content")
	f := writeFile{w}
	t.access, t.run = f.access, f.write
	return t
}

func (f writeFile) plan(args writeFileArgs) (change, error) {
	at, err := f.locate(args.Path)
	if err != nil {
		return change{}, err
	}
	c, err := f.load(at)
	c.after = []byte(args.Content)
	return c, err
}

func (f writeFile) access(_ context.Context, args writeFileArgs) (core.Access, error) {
	c, err := f.plan(args)
	if err != nil {
		return core.Access{Effect: core.EffectWrite, Title: "Write " + args.Path}, err
	}
	a := accessTo("Write "+c.path+" ("+c.counts()+")", []change{c})
	a.Idempotent = true
	return a, nil
}

func (f writeFile) write(_ context.Context, _ core.ToolCall, args writeFileArgs) (core.ToolResult, error) {
	c, err := f.plan(args)
	if err != nil {
		return core.ToolResult{}, err
	}
	if err := f.apply([]change{c}); err != nil {
		return core.ToolResult{}, err
	}
	if c.existed {
		return changed("Replaced "+c.path+" ("+c.counts()+" lines).", []change{c}), nil
	}
	return changed("Created "+c.path+" ("+c.counts()+" lines).", []change{c}), nil
}
