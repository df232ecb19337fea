package tools

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"coppice/backend/core"
)

type deleteFileArgs struct {
	Path string `json:"path"`
}

type deleteFile struct{ *workspace }

func newDeleteFile(w *workspace) Tool {
	t := define[deleteFileArgs]("delete_file", `
		"path": {"type": "string", "description": "The file or the empty folder, relative to the workspace."}`, "path")
	f := deleteFile{w}
	t.access, t.run = f.access, f.delete
	return t
}

// plan returns what would be deleted. An empty folder is not a change of a file.
func (f deleteFile) plan(args deleteFileArgs) (c change, isFolder bool, err error) {
	at, err := f.locate(args.Path)
	if err != nil {
		return c, false, err
	}
	if err := f.refuseLink(args.Path, at); err != nil {
		return c, false, err
	}
	info, err := f.root.Lstat(at)
	switch {
	case at == ".":
		return c, false, core.E(core.Denied, "delete the workspace: only files in it can be deleted")
	case errors.Is(err, fs.ErrNotExist):
		return c, false, f.suggest(core.E(core.NotFound, "%s does not exist", at), at)
	case err != nil:
		return c, false, explain(err, at)
	case info.IsDir():
		entries, err := f.folder(at)
		if err == nil && len(entries) > 0 {
			err = core.E(core.Invalid, "%s is a folder that contains %s; delete those first", at, plural(len(entries), "entry"))
		}
		return change{path: at}, true, err
	}
	c, err = f.load(at)
	c.removed = true
	return c, false, err
}

// refuseLink prevents the target of a link from being deleted in place of the link.
func (f deleteFile) refuseLink(given, target string) error {
	given = strings.TrimRight(filepath.ToSlash(given), "/")
	folder, err := f.locate(path.Dir(given))
	if err != nil {
		return nil // the path goes up and down; its target is known and is not a link
	}
	info, err := f.root.Lstat(path.Join(folder, path.Base(given)))
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return core.E(core.Invalid, "%s is a link to %s: delete that, or the link by run_command", given, target)
	}
	return nil
}

func (f deleteFile) access(_ context.Context, args deleteFileArgs) (core.Access, error) {
	c, _, err := f.plan(args)
	if err != nil {
		return core.Access{Effect: core.EffectWrite, Title: "Delete " + args.Path}, err
	}
	return accessTo("Delete "+c.path, []change{c}), nil
}

func (f deleteFile) delete(_ context.Context, _ core.ToolCall, args deleteFileArgs) (core.ToolResult, error) {
	c, isFolder, err := f.plan(args)
	if err != nil {
		return core.ToolResult{}, err
	}
	if isFolder {
		if err := f.root.Remove(c.path); err != nil {
			return core.ToolResult{}, explain(err, c.path)
		}
		return core.TextResult("Deleted the empty folder " + c.path + "."), nil
	}
	if err := f.apply([]change{c}); err != nil {
		return core.ToolResult{}, err
	}
	return changed("Deleted "+c.path+".", []change{c}), nil
}
