package term

import (
	"fmt"
	"path/filepath"

	"coppice/app/internal/present"
	"coppice/backend/core"
)

// progressColumns is the maximum width of a progress line, so that it never wraps.
const progressColumns = 79

// progressLine shows on a terminal how far a long operation is. Without a terminal it shows nothing.
type progressLine struct {
	Terminal
	shown bool
}

// NewProgressLine returns a progress line, which is drawn only on a terminal.
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

// Say shows a text in place of the progress.
func (l *progressLine) Say(line string) {
	if !l.ErrIsTerminal {
		return
	}
	l.shown = true
	_, _ = fmt.Fprint(l.Err, "\r\x1b[K"+present.Cut(line, progressColumns)) // decoration: an error is ignored
}

// Clear removes the progress line.
func (l *progressLine) Clear() {
	if l.shown {
		l.shown = false
		_, _ = fmt.Fprint(l.Err, "\r\x1b[K") // decoration: an error is ignored
	}
}
