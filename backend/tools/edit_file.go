package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coppice/backend/core"
)

type editFileArgs struct {
	Path       string `json:"path"`
	OldText    string `json:"old_text"`
	NewText    string `json:"new_text"`
	ReplaceAll bool   `json:"replace_all"`
}

type editFile struct{ *workspace }

func newEditFile(w *workspace) Tool {
	t := define[editFileArgs]("edit_file", `
		"path": {"type": "string", "description": "The file, relative to the workspace."},
		"old_text": {"type": "string", "description": "The text to replace, copied exactly from the file, with its indentation and without line numbers."},
		"new_text": {"type": "string", "description": "The replacement; empty to delete old_text."},
		"replace_all": {"type": "boolean", "description": "Replace every occurrence; otherwise old_text must occur exactly once."}`, "path", "old_text", "new_text")
	f := editFile{w}
	t.access, t.run = f.access, f.edit
	return t
}

// plan returns the change that the edit would make and the number of replacements.
func (f editFile) plan(args editFileArgs) (c change, count int, err error) {
	at, err := f.locate(args.Path)
	if err != nil {
		return c, 0, err
	}
	if c, err = f.load(at); err != nil {
		return c, 0, err
	}
	switch {
	case !c.existed:
		return c, 0, f.suggest(core.E(core.NotFound, "%s does not exist", at), at)
	case args.OldText == "":
		return c, 0, core.E(core.Invalid, "old_text is empty: write_file writes a whole file")
	case args.OldText == args.NewText:
		return c, 0, core.E(core.Invalid, "old_text and new_text are the same")
	case isBinary(c.before):
		return c, 0, core.E(core.Invalid, "%s is binary", at)
	}
	text := string(c.before)
	before, after := args.OldText, args.NewText
	if strings.Contains(text, "\r\n") && !strings.Contains(text, before) {
		before, after = withCRLF(before), withCRLF(after)
	}
	count = strings.Count(text, before)
	switch {
	case count == 0:
		return c, 0, core.E(core.Invalid, "old_text is not in %s: %s", at, nearest(text, args.OldText))
	case count > 1 && !args.ReplaceAll:
		return c, 0, core.E(core.Invalid, "old_text is in %s %d times, in lines %s: give more of the lines around it, or set replace_all", at, count, linesOf(text, before))
	}
	c.after = []byte(strings.ReplaceAll(text, before, after))
	return c, count, nil
}

// withCRLF returns a text with Windows line endings.
func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// linesOf returns the numbers of the first few lines at which a text begins.
func linesOf(text, what string) string {
	var numbers []string
	line, from := 1, 0
	for len(numbers) < 10 {
		at := strings.Index(text[from:], what)
		if at < 0 {
			return strings.Join(numbers, ", ")
		}
		line += strings.Count(text[from:from+at], "\n")
		numbers = append(numbers, strconv.Itoa(line))
		line += strings.Count(what, "\n")
		from += at + len(what)
	}
	return strings.Join(numbers, ", ") + " …"
}

// nearest describes the range of a text that matches most lines of another text, and where the two first differ.
func nearest(text, want string) string {
	lines, wanted := strings.Split(text, "\n"), strings.Split(strings.Trim(want, "\r\n"), "\n")
	best, at := 0, -1
	for i := range lines {
		n := 0
		for n < len(wanted) && i+n < len(lines) && strings.TrimSpace(lines[i+n]) == strings.TrimSpace(wanted[n]) {
			n++
		}
		if n > best {
			best, at = n, i
		}
	}
	if at < 0 {
		for i, line := range lines {
			if word := strings.TrimSpace(wanted[0]); word != "" && strings.Contains(line, word) {
				return fmt.Sprintf("its first line is only a part of line %d: %s", i+1, quoted(line))
			}
		}
		return "not even its first line is, " + quoted(wanted[0])
	}
	if best == len(wanted) {
		for n := range wanted {
			if strings.TrimRight(lines[at+n], "\r") != strings.TrimRight(wanted[n], "\r") {
				return fmt.Sprintf("line %d is %s, with other white space than %s", at+n+1, quoted(lines[at+n]), quoted(wanted[n]))
			}
		}
		return fmt.Sprintf("the nearest is at line %d, which differs in the line feeds around it", at+1)
	}
	if at+best == len(lines) {
		return fmt.Sprintf("the nearest is at line %d, but the file ends before %s", at+1, quoted(wanted[best]))
	}
	return fmt.Sprintf("the nearest is at line %d, but line %d is %s and not %s", at+1, at+best+1, quoted(lines[at+best]), quoted(wanted[best]))
}

func quoted(line string) string { return strconv.Quote(clip(strings.TrimRight(line, "\r"), 200)) }

func (f editFile) access(_ context.Context, args editFileArgs) (core.Access, error) {
	c, _, err := f.plan(args)
	if err != nil {
		return core.Access{Effect: core.EffectWrite, Title: "Edit " + args.Path}, err
	}
	return accessTo("Edit "+c.path+" ("+c.counts()+")", []change{c}), nil
}

func (f editFile) edit(_ context.Context, _ core.ToolCall, args editFileArgs) (core.ToolResult, error) {
	c, count, err := f.plan(args)
	if err != nil {
		return core.ToolResult{}, err
	}
	if err := f.apply([]change{c}); err != nil {
		return core.ToolResult{}, err
	}
	return changed(fmt.Sprintf("Edited %s: %s (%s lines).", c.path, plural(count, "replacement"), c.counts()), []change{c}), nil
}
