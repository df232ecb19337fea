package patch

import (
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// parseUnified reads a unified diff, with or without git's headers.
func parseUnified(text string) ([]File, error) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	parsed, _, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("parse the unified diff: %w", err)
	}
	files := make([]File, 0, len(parsed))
	for _, p := range parsed {
		if p.IsBinary {
			return nil, fmt.Errorf("the patch of %s is binary, which cannot be applied", p.NewName+p.OldName)
		}
		files = append(files, unifiedFile(p, text))
	}
	return files, nil
}

func unifiedFile(p *gitdiff.File, text string) File {
	before, after := names(p, text)
	f := File{Path: before, Mode: p.NewMode.Perm()}
	switch {
	case p.IsNew:
		f.Created, f.Path = true, after
	case p.IsDelete:
		f.Deleted = true
	case p.IsCopy:
		f.Created, f.Path = true, after
	case after != before && after != "":
		f.MovedTo = after
	}
	for _, fragment := range p.TextFragments {
		hunk := Hunk{Near: int(fragment.OldPosition)}
		for _, l := range fragment.Lines {
			line := Line{Op: Same, Text: strings.TrimSuffix(l.Line, "\n"), NoEOL: !strings.HasSuffix(l.Line, "\n")}
			switch l.Op {
			case gitdiff.OpAdd:
				line.Op = Added
			case gitdiff.OpDelete:
				line.Op = Removed
			case gitdiff.OpContext:
			}
			hunk.Lines = append(hunk.Lines, line)
		}
		f.Hunks = append(f.Hunks, hunk)
	}
	return f
}

// names returns the names without the a/ and b/ that precede them in diffs without git's header, for which the parser
// uses one of the two names for both.
func names(p *gitdiff.File, text string) (before, after string) {
	before, after = p.OldName, p.NewName
	plain, isOld := strings.CutPrefix(before, "a/")
	trimmed, isNew := strings.CutPrefix(after, "b/")
	switch {
	case (isOld || before == "") && (isNew || after == ""):
		return plain, trimmed
	case before == after && len(before) > 2 && strings.Contains(text, "--- a/"+before[2:]) && strings.Contains(text, "+++ b/"+before[2:]):
		return before[2:], before[2:]
	}
	return before, after
}
