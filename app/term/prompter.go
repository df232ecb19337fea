package term

import (
	"context"
	"io"
	"os"

	"coppice/app/internal/present"

	"golang.org/x/term"

	"coppice/app/term/line"
	"coppice/backend/core"
)

// Prompter is somebody at the terminal, who can be asked.
type Prompter struct {
	keys   *keyboard
	screen io.Writer
	tty    *os.File // where they type
	colour bool
}

// findPerson returns who types at stdin, nil where that is no terminal. They are asked on stderr, and where that goes elsewhere on
// the terminal itself.
func findPerson(t Terminal) *Prompter {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	p := &Prompter{keys: t.Keys, screen: t.Err, tty: os.Stdin, colour: t.Colour}
	if t.ErrIsTerminal {
		return p
	}
	screen, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	p.screen = screen
	return p
}

func (p *Prompter) Write(text string) { _, _ = io.WriteString(p.screen, text) } // there is nowhere left to complain

// forgetTyped drops what was typed before a question could be read, so that it does not answer it.
func (p *Prompter) forgetTyped() {
	dropTyped(p.tty)
	p.keys.forget()
}

// Ask shows a question and returns the line that answers it; io.EOF where the person ends the input.
func (p *Prompter) Ask(ctx context.Context, question string) (string, error) {
	p.Write(question)
	answer, err := p.keys.line(ctx)
	if err != nil {
		p.Write("\n")
	}
	return answer, err
}

// Size of a terminal that does not tell its own.
const (
	usualWidth  = 80
	usualHeight = 24
)

// Size returns the size of the terminal in characters, or a usual one if it is not known.
func (p *Prompter) Size() (width, height int) {
	width, height, err := term.GetSize(int(p.tty.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return usualWidth, usualHeight
	}
	return width, height
}

// raw lets the terminal hand over each key as it is pressed, until restore is called. It neither shows them then nor makes
// signals of them, and a line feed alone does not go back to the left.
func (p *Prompter) raw(heard *signals) (restore func(), err error) {
	before, err := term.MakeRaw(int(p.tty.Fd()))
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "read from the terminal")
	}
	return heard.finally(func() { _ = term.Restore(int(p.tty.Fd()), before) }), nil // nobody could be told
}

// edit lets the person edit a line.
func (p *Prompter) edit(ctx context.Context, heard *signals, e *line.Editor, prompt, text string) (string, error) {
	restore, err := p.raw(heard)
	if err != nil {
		return "", err
	}
	defer restore()
	e.In = func() ([]byte, error) { return p.keys.more(ctx) }
	e.Out, e.Size = p.screen, p.Size
	return e.Read(prompt, text)
}

// paint shows a text on the screen of the person in a way, where that shows any.
func (p *Prompter) paint(way, text string) string {
	if !p.colour {
		return text
	}
	return present.Painted(way, text)
}
