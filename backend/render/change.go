package render

import (
	"html"
	"strings"

	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

const (
	maxFiles     = 200  // files of one call
	maxDiffLines = 1500 // shown of one call; counts are of all
	maxDiffBytes = 192 << 10
	maxLineBytes = 2000 // of a line of code; longer lines are generated
)

// diffs returns the diffs in the form of the window, at most maxDiffLines lines and about maxDiffBytes in all.
func (r *Renderer) diffs(files []patch.File, workspace string) []FileDiff {
	return r.diffsWithin(files, workspace, diffLimit{lines: maxDiffLines, bytes: maxDiffBytes})
}

// diffsWithin returns the diffs, cut where there is no more room.
func (r *Renderer) diffsWithin(files []patch.File, workspace string, room diffLimit) []FileDiff {
	out := make([]FileDiff, 0, min(len(files), maxFiles))
	for _, f := range files[:min(len(files), maxFiles)] {
		view := FileDiff{Path: plain.Line(relative(f.Path, workspace), targetLength), Created: f.Created, Hunks: []Hunk{}}
		if f.MovedTo != "" {
			view.Path += " → " + plain.Line(relative(f.MovedTo, workspace), targetLength)
		}
		view.Added, view.Removed = f.Counts()
		for _, hunk := range f.Hunks {
			kept := room.take(hunk.Lines)
			view.Omitted += int64(len(hunk.Lines) - len(kept))
			if len(kept) > 0 {
				view.Hunks = append(view.Hunks, Hunk{Lines: r.diffLines(kept, prose.Language(f.Path))})
			}
		}
		out = append(out, view)
	}
	return out
}

// diffLimit is how much of a diff may still be shown.
type diffLimit struct{ lines, bytes int }

// take returns the beginning of the hunk that still fits.
func (r *diffLimit) take(lines []patch.Line) []patch.Line {
	n := 0
	for n < len(lines) && r.lines > 0 && r.bytes > 0 {
		r.lines--
		r.bytes -= min(len(lines[n].Text), maxLineBytes)
		n++
	}
	return lines[:n]
}

// diffLines highlights the two sides of lines as code.
func (r *Renderer) diffLines(of []patch.Line, language string) []DiffLine {
	lines := make([]DiffLine, len(of))
	for i, line := range of {
		lines[i] = DiffLine{Op: string(line.Op), OldLine: line.Old, NewLine: line.New, Text: plain.Literal(strings.TrimSuffix(clip(line.Text, maxLineBytes), "\r"))}
	}
	r.highlightSide(lines, language, "+")
	r.highlightSide(lines, language, "-")
	return lines
}

// highlightSide highlights the lines of one side, removed ("+" left out) or added, with their context.
func (r *Renderer) highlightSide(lines []DiffLine, language, without string) {
	var code []byte
	var at []int
	for i := range lines {
		if lines[i].Op == without {
			continue
		}
		if len(at) > 0 {
			code = append(code, '\n')
		}
		code = append(code, lines[i].Text...)
		at = append(at, i)
	}
	if len(at) == 0 {
		return
	}
	highlighted := r.prose.CodeLines(string(code), language)
	for n, i := range at {
		if len(highlighted) != len(at) { // a line feed inside a line; cannot be highlighted line by line
			lines[i].HTML = html.EscapeString(lines[i].Text)
			continue
		}
		lines[i].HTML = highlighted[n]
	}
}

// clip cuts a text to limit bytes and appends an ellipsis if it was cut.
func clip(text string, limit int) string {
	head, cut := plain.Head(text, limit)
	if cut {
		return head + "…"
	}
	return head
}
