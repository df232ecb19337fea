package tools

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/patch"
)

type applyPatchArgs struct {
	Patch string `json:"patch"`
}

type applyPatch struct{ *workspace }

func newApplyPatch(w *workspace) Tool {
	t := define[applyPatchArgs]("apply_patch", `
		"patch": {"type": "string", "description": "The patch, from *** Begin Patch to *** End Patch, or a unified diff."}`, "patch")
	p := applyPatch{w}
	t.access, t.run = p.access, p.patch
	return t
}

// plan returns the changes that the patch would make. Several hunks of a patch on one file become one change.
func (p applyPatch) plan(args applyPatchArgs) ([]change, error) {
	files, err := patch.Parse(args.Patch)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "")
	}
	draft := draft{workspace: p.workspace, at: map[string]int{}}
	for i := range files {
		if err := draft.take(&files[i]); err != nil {
			return nil, err
		}
	}
	// A file that was added and removed again is no change.
	return slices.DeleteFunc(draft.changes, func(c change) bool { return !c.existed && c.removed }), nil
}

// draft is the workspace as it would be after the files of a patch applied so far.
type draft struct {
	*workspace
	changes []change
	at      map[string]int // by path
}

// file returns the state of a file that is to be changed.
func (d *draft) file(given string) (*change, error) {
	at, err := d.locate(given)
	if err != nil {
		return nil, err
	}
	if i, ok := d.at[at]; ok {
		return &d.changes[i], nil
	}
	c, err := d.load(at)
	if err != nil {
		return nil, err
	}
	c.after, c.removed = c.before, !c.existed
	d.at[at] = len(d.changes)
	d.changes = append(d.changes, c)
	return &d.changes[len(d.changes)-1], nil
}

// take applies the changes of a patch to one file.
func (d *draft) take(f *patch.File) error {
	c, err := d.file(f.Path)
	if err != nil {
		return err
	}
	switch {
	case f.Created && !c.removed:
		return core.E(core.Conflict, "%s already exists: update it, or delete it first", c.path)
	case !f.Created && c.removed:
		return d.suggest(core.E(core.NotFound, "%s does not exist", c.path), c.path)
	case f.Deleted:
		c.after, c.removed = nil, true
		return nil
	}
	after, err := f.Apply(string(c.after))
	if err != nil {
		return core.Wrap(core.Invalid, err, "")
	}
	mode := c.mode
	if f.Mode != 0 {
		mode = f.Mode & fs.ModePerm
	}
	if f.MovedTo != "" {
		c.after, c.removed = nil, true
		if c, err = d.file(f.MovedTo); err != nil {
			return err
		}
		if !c.removed {
			return core.E(core.Conflict, "%s already exists: a file cannot be moved there", c.path)
		}
	}
	c.after, c.removed, c.mode = []byte(after), false, mode
	return nil
}

// titleOf returns a title that names the changed files.
func titleOf(changes []change) string {
	names := make([]string, 0, 3)
	for _, c := range changes[:min(len(changes), 3)] {
		names = append(names, c.path+" ("+c.counts()+")")
	}
	if len(changes) > 3 {
		names = append(names, fmt.Sprintf("%d more", len(changes)-3))
	}
	return strings.Join(names, ", ")
}

func (p applyPatch) access(_ context.Context, args applyPatchArgs) (core.Access, error) {
	changes, err := p.plan(args)
	if err != nil {
		return core.Access{Effect: core.EffectWrite, Title: "Apply a patch"}, err
	}
	return accessTo("Patch "+titleOf(changes), changes), nil
}

func (p applyPatch) patch(_ context.Context, _ core.ToolCall, args applyPatchArgs) (core.ToolResult, error) {
	changes, err := p.plan(args)
	if err != nil {
		return core.ToolResult{}, err
	}
	if err := p.apply(changes); err != nil {
		return core.ToolResult{}, err
	}
	lines := []string{"Applied the patch:"}
	for _, c := range changes {
		lines = append(lines, c.sign()+" "+c.path+" ("+c.counts()+" lines)")
	}
	return changed(strings.Join(lines, "\n"), changes), nil
}

// sign returns git's letter for the change of a file.
func (c *change) sign() string {
	switch {
	case !c.existed:
		return "A"
	case c.removed:
		return "D"
	default:
		return "M"
	}
}
