package term

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render/plain"
)

// The indentation of the lines of a question: of those that begin a line of the text, and of those that continue one.
const (
	lineIndent     = "  "
	ContinueIndent = "↪ "
)

// questionLines returns what a call would do as lines of the screen. They contain every character of the call, visible
// and in order.
func (p *Prompter) questionLines(q *engine.Question) []string {
	title, preview := present.Question(q)
	if strings.HasSuffix(title, preview) { // a short command is its title
		preview = ""
	}
	lines := p.exactLines("Permit? "+title, "", present.Bold)
	if q.Access.Risk != "" {
		lines = append(lines, p.exactLines("Risk: "+q.Access.Risk, "", present.Red)...)
	}
	if q.Access.Sandbox != "" {
		lines = append(lines, p.exactLines("Sandbox: "+q.Access.Sandbox, "", present.Dim)...)
	}
	if preview == "" {
		return lines
	}
	isDiff := q.Access.Effect == core.EffectWrite // the output of a command may look like a diff
	for i, line := range strings.Split(strings.TrimSuffix(preview, "\n"), "\n") {
		color := ""
		switch {
		case isDiff && i < 2 && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ")): // the names of the files
			color = present.Dim
		case isDiff && strings.HasPrefix(line, "+"):
			color = present.Green
		case isDiff && strings.HasPrefix(line, "-"):
			color = present.Red
		case isDiff && strings.HasPrefix(line, "@@"):
			color = present.Dim
		}
		lines = append(lines, p.exactLines(line, lineIndent, color)...)
	}
	return lines
}

// exactLines wraps a line at the width of the screen. Invisible characters are shown by name and highlighted.
func (p *Prompter) exactLines(text, indent, color string) []string {
	width, _ := p.Size()
	room := max(width-1-uniseg.StringWidth(indent), 8)
	var lines []string
	var line strings.Builder
	used, hidden := 0, false
	paint := func(run string) {
		switch {
		case hidden:
			line.WriteString(p.paint(present.Reverse, run))
		case color != "":
			line.WriteString(p.paint(color, run))
		default:
			line.WriteString(run)
		}
	}
	wrap := func() {
		lines = append(lines, indent+line.String())
		line.Reset()
		used, indent = 0, ContinueIndent
		room = max(width-1-uniseg.StringWidth(indent), 8)
	}
	for _, piece := range plain.Exact(strings.ReplaceAll(text, "\n", "␤")) {
		hidden = piece.Hidden
		rest, state := piece.Text, -1
		run := ""
		for rest != "" {
			var cluster string
			var columns int
			cluster, rest, columns, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if used+columns > room {
				paint(run)
				run = ""
				wrap()
			}
			run += cluster
			used += columns
		}
		paint(run)
	}
	return append(lines, indent+line.String())
}

// showQuestion shows what a call would do, page by page if it is longer than the screen. It reports whether the user
// has seen all of it, because the user can refuse earlier.
func (p *Prompter) showQuestion(ctx context.Context, heard *signals, lines []string) (seen bool, err error) {
	_, height := p.Size()
	page := max(height-3, 4)
	for len(lines) > page {
		p.Write(strings.Join(lines[:page], "\n") + "\n")
		lines = lines[page:]
		p.forgetTyped()
		word, err := p.key(ctx, heard, p.paint(present.Dim, present.Count(int64(len(lines)), "more line")+":")+" [Enter] show more  [n] no: ")
		switch {
		case errors.Is(err, io.EOF), err == nil && (word == "n" || word == "q"):
			return false, nil
		case err != nil:
			return false, err
		}
	}
	p.Write(strings.Join(lines, "\n") + "\n")
	return true, nil
}
