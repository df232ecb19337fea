package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

const maxFound = 500

type findFilesArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	All     bool   `json:"all"`
}

type findFiles struct{ *workspace }

func newFindFiles(w *workspace) Tool {
	t := define[findFilesArgs]("find_files", `
		"pattern": {"type": "string", "description": "A glob such as *.go, src/**/*.ts or **/{test,spec}/*.py. Without a / it matches file names in any folder."},
		"path": {"type": "string", "description": "The folder to search, relative to the workspace; the whole workspace if left out."},
		"all": {"type": "boolean", "description": "Also find files that .gitignore excludes."}`, "pattern")
	f := findFiles{w}
	t.access = func(_ context.Context, args findFilesArgs) (core.Access, error) {
		return w.looks("Find", args.Pattern, args.Path)
	}
	t.run = f.find
	return t
}

// Bounds on a glob. Braces are tried one combination after another, so a glob with thirty pairs of them would take
// hours for one file.
const (
	maxGlobBytes        = 1024
	maxGlobCombinations = 1000
)

// combinations returns how many patterns a glob with braces expands to, or maxGlobCombinations + 1 if there are more.
func combinations(glob string) int {
	open, all := []int{}, 1 // number of commas of each open brace
	for i := 0; i < len(glob) && all <= maxGlobCombinations; i++ {
		switch last := len(open) - 1; {
		case glob[i] == '\\':
			i++
		case glob[i] == '{':
			open = append(open, 1)
		case last < 0:
		case glob[i] == ',':
			open[last]++
		case glob[i] == '}':
			all *= open[last]
			open = open[:last]
		}
	}
	return all
}

// globOf returns a pattern that is matched against the path below the searched folder.
func globOf(pattern string) (string, error) {
	if len(pattern) > maxGlobBytes || combinations(pattern) > maxGlobCombinations {
		return "", core.E(core.Invalid, "%q has more than %d bytes, or its braces expand to more than %d patterns", core.Preview(pattern, 60), maxGlobBytes, maxGlobCombinations)
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	if !doublestar.ValidatePattern(pattern) {
		return "", core.E(core.Invalid, "invalid glob %q", pattern)
	}
	return strings.TrimPrefix(pattern, "/"), nil
}

// under returns a path relative to a folder that contains it.
func under(at, folder string) string {
	if folder == "." {
		return at
	}
	return strings.TrimPrefix(at, folder+"/")
}

func (f findFiles) find(ctx context.Context, _ core.ToolCall, args findFilesArgs) (core.ToolResult, error) {
	glob, err := globOf(args.Pattern)
	if err != nil {
		return core.ToolResult{}, err
	}
	from, err := f.locate(cmp.Or(args.Path, "."))
	if err != nil {
		return core.ToolResult{}, err
	}
	var out strings.Builder
	count := 0
	for e, err := range f.walk(ctx, from, 0, args.All) {
		if err != nil {
			return core.ToolResult{}, err
		}
		matched, err := doublestar.Match(glob, under(e.path, from))
		if err != nil || !matched || e.IsDir() {
			continue
		}
		if count++; count > maxFound || out.Len() > excerpt.MaxBytes {
			fmt.Fprintf(&out, "(there are more: narrow the pattern)\n")
			break
		}
		fmt.Fprintln(&out, e.path)
	}
	if count == 0 {
		return core.TextResult("No file matches " + args.Pattern + "."), nil
	}
	return core.TextResult(readable([]byte(out.String()))), nil
}
