package tools

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sensitive"
	"coppice/backend/tools/excerpt"
)

const (
	maxListed    = 1000
	listingDepth = 2
)

type listFilesArgs struct {
	Path  string `json:"path"`
	Depth int    `json:"depth"`
	All   bool   `json:"all"`
}

type listFiles struct{ *workspace }

func newListFiles(w *workspace) Tool {
	t := define[listFilesArgs]("list_files", `
		"path": {"type": "string", "description": "The folder, relative to the workspace; the workspace itself if left out."},
		"depth": {"type": "integer", "minimum": 1, "maximum": 20, "description": "How many levels of folders to show; 2 if left out."},
		"all": {"type": "boolean", "description": "Also list files that .gitignore excludes."}`)
	l := listFiles{w}
	t.access = func(_ context.Context, args listFilesArgs) (core.Access, error) {
		return w.looks("List", "", args.Path)
	}
	t.run = l.list
	return t
}

// looks returns the access of a tool that searches a folder.
func (w *workspace) looks(verb, what, folder string) (core.Access, error) {
	folder = cmp.Or(folder, ".")
	a := core.Access{Effect: core.EffectRead, Idempotent: true}
	at, err := w.locate(folder)
	if err == nil {
		folder = at
		a.Targets, a.Prefixes, a.Risk = []string{at}, []string{below(at)}, sensitive.Reason(at)
	}
	if folder == "." {
		folder = "the workspace"
	}
	a.Title = verb + " " + folder
	if what != "" {
		a.Title = verb + " " + what + " in " + folder
	}
	return a, err
}

func (l listFiles) list(ctx context.Context, _ core.ToolCall, args listFilesArgs) (core.ToolResult, error) {
	depth := cmp.Or(args.Depth, listingDepth)
	if err := within("depth", depth, 1, 20); err != nil {
		return core.ToolResult{}, err
	}
	from, err := l.locate(cmp.Or(args.Path, "."))
	if err != nil {
		return core.ToolResult{}, err
	}
	var out strings.Builder
	count := 0
	for e, err := range l.walk(ctx, from, depth, args.All) {
		if err != nil {
			return core.ToolResult{}, err
		}
		if count++; count > maxListed || out.Len() > excerpt.MaxBytes {
			fmt.Fprintf(&out, "(there is more: list a folder of it, or use find_files)\n")
			break
		}
		fmt.Fprintf(&out, "%s%s%s\n", strings.Repeat("  ", e.depth-1), e.Name(), l.mark(e))
	}
	if count == 0 {
		return core.TextResult("(nothing is there)"), nil
	}
	return core.TextResult(readable([]byte(out.String()))), nil
}

// mark returns the suffix of an entry's type, as ls -F prints it, and the target of a link.
func (l listFiles) mark(e entry) string {
	switch {
	case e.IsDir():
		return "/"
	case e.Type()&fs.ModeSymlink != 0:
		target, err := l.root.Readlink(e.path)
		if err != nil {
			return "@"
		}
		return " -> " + target
	default:
		return ""
	}
}
