package term

import (
	"fmt"
	"path/filepath"

	"coppice/app/internal/present"

	"coppice/backend/core"
)

// progressColumns is what a line of progress takes at most, so that it never wraps.
const progressColumns = 79

// progressLine shows on the terminal how far a long work has come; nothing where there is none.
type progressLine struct {
	Terminal
	shown bool
}

// NewProgressLine returns a line of progress, which is drawn only on a terminal.
func NewProgressLine(t Terminal) *progressLine { return &progressLine{Terminal: t} }

func (l *progressLine) Show(p core.Progress) {
	line := fmt.Sprintf("%d of %d", p.Done, p.Total)
	if p.TotalBytes > 0 {
		line += fmt.Sprintf(" · %s of %s", present.Size(p.DoneBytes), present.Size(p.TotalBytes))
	}
	if p.Current != "" {
		line += " · " + present.OneLine(filepath.Base(p.Current))
	}
	l.Say(line)
}

// Say shows a line of words.
func (l *progressLine) Say(line string) {
	if !l.ErrIsTerminal {
		return
	}
	l.shown = true
	_, _ = fmt.Fprint(l.Err, "\r\x1b[K"+present.Cut(line, progressColumns)) // only decoration
}

// Clear takes the line away.
func (l *progressLine) Clear() {
	if l.shown {
		l.shown = false
		_, _ = fmt.Fprint(l.Err, "\r\x1b[K") // only decoration
	}
}
