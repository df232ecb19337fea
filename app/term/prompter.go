package term

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"coppice/app/internal/present"
	"coppice/app/term/line"
	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Prompter asks the user at the terminal.
type Prompter struct {
	keys   *keyboard
	screen io.Writer
	tty    *os.File // the terminal that the user types at
	color  bool
}

// findPrompter returns a Prompter for the user at stdin, or nil if stdin is not a terminal. Questions appear on stderr,
// or on the terminal itself if stderr is redirected.
func findPrompter(t Terminal) *Prompter {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	p := &Prompter{keys: t.Keys, screen: t.Err, tty: os.Stdin, color: t.Color}
	if t.ErrIsTerminal {
		return p
	}
	screen, err := os.OpenFile(userScreen, os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	p.screen = screen
	return p
}

func (p *Prompter) Write(text string) { _, _ = io.WriteString(p.screen, text) } // an error could not be shown anywhere

// forgetTyped discards what was typed before a question appeared, so that it does not answer the question.
func (p *Prompter) forgetTyped() {
	dropTyped(p.tty)
	p.keys.forget()
}

// Ask shows a question and returns the line that answers it. It returns io.EOF if the user ends the input.
func (p *Prompter) Ask(ctx context.Context, question string) (string, error) {
	p.Write(question)
	answer, err := p.keys.line(ctx)
	if err != nil {
		p.Write("\n")
	}
	return answer, err
}

// The keys that end a question without an answer, as a terminal in raw mode sends them.
const (
	interruptKey = 0x03 // Ctrl+C
	endKey       = 0x04 // Ctrl+D
)

// key shows a question and returns the key that answers it, as a lower-case letter; empty: Enter. Keys that arrive together, as those of a
// paste, are returned as they are, and so answer nothing. It returns io.EOF if the user ends the input.
func (p *Prompter) key(ctx context.Context, heard *signals, question string) (string, error) {
	restore, err := p.raw(heard)
	if err != nil {
		word, err := p.Ask(ctx, question)
		return strings.ToLower(strings.TrimSpace(word)), err
	}
	defer restore()
	p.Write(strings.ReplaceAll(p.choiceLines(question), "\n", "\r\n"))
	for {
		typed, err := p.keys.more(ctx)
		if err != nil {
			p.Write("\r\n")
			return "", err
		}
		switch typed[0] {
		case interruptKey:
			heard.take(os.Interrupt) // it ends ctx
			continue
		case endKey:
			p.Write("\r\n")
			return "", io.EOF
		}
		word := string(typed)
		if at := bytes.IndexAny(typed, "\r\n"); at >= 0 { // Enter after the key belongs to it
			word = word[:at]
			rest := typed[at+1:]
			if typed[at] == '\r' {
				rest = bytes.TrimPrefix(rest, []byte("\n"))
			}
			p.keys.rest = bytes.Clone(rest)
		}
		p.Write(plain.Visible(word) + "\r\n")
		return strings.ToLower(word), nil
	}
}

// choiceLines breaks a question between its choices, which two spaces separate, if it is wider than the screen.
func (p *Prompter) choiceLines(question string) string {
	const gap = "  "
	width, _ := p.Size()
	var lines strings.Builder
	used := 0
	for i, choice := range strings.Split(question, gap) {
		columns := uniseg.StringWidth(choice)
		switch {
		case i > 0 && used+len(gap)+columns >= width:
			lines.WriteString("\n")
			used = 0
		case i > 0:
			lines.WriteString(gap)
			used += len(gap)
		}
		lines.WriteString(choice)
		used += columns
	}
	return lines.String()
}

// The size of a terminal that does not report its own.
const (
	usualWidth  = 80
	usualHeight = 24
)

// Size returns the size of the terminal in characters, or a common size if it is unknown.
func (p *Prompter) Size() (width, height int) {
	width, height, err := term.GetSize(int(p.tty.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return usualWidth, usualHeight
	}
	return width, height
}

// raw sets the terminal to raw mode until restore is called: it hands over each key as it is pressed, shows none of
// them, sends no signals for them, and does not return the cursor to the first column on a line feed.
func (p *Prompter) raw(heard *signals) (restore func(), err error) {
	before, err := term.MakeRaw(int(p.tty.Fd()))
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "read from the terminal")
	}
	return heard.finally(func() { _ = term.Restore(int(p.tty.Fd()), before) }), nil // an error could not be shown anywhere
}

// sizeEvery is the interval at which a change of the terminal's size is noticed while the user does not type.
const sizeEvery = 200 * time.Millisecond

// typed waits for keys and returns them. It returns nothing if the size of the terminal changes, so that the caller draws again.
func (p *Prompter) typed(ctx context.Context) ([]byte, error) {
	width, height := p.Size()
	for {
		brief, cancel := context.WithTimeout(ctx, sizeEvery)
		keys, err := p.keys.more(brief)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return keys, err
		}
		if w, h := p.Size(); w != width || h != height {
			return nil, nil
		}
	}
}

// edit lets the user edit a line. If the user presses no key for as long as patience, unless it is 0, the error is the Interrupt that
// hibernates a session.
func (p *Prompter) edit(ctx context.Context, heard *signals, e *line.Editor, prompt, text string, patience time.Duration) (string, error) {
	restore, err := p.raw(heard)
	if err != nil {
		return "", err
	}
	defer func() { restore() }()
	if outside := e.Outside; outside != nil {
		defer func() { e.Outside = outside }()
		e.Outside = func(text string) (string, error) {
			restore()
			text, failed := outside(text)
			again, err := p.raw(heard)
			if err == nil {
				restore = again
			} else {
				restore = func() {}
			}
			return text, errors.Join(failed, err)
		}
	}
	e.In = func() ([]byte, error) {
		waiting, cancel := patient(ctx, patience)
		defer cancel()
		return p.typed(waiting)
	}
	e.Out, e.Size = p.screen, p.Size
	return e.Read(prompt, text)
}

// paint returns a text in a style of the user's screen, or as it is if the screen shows no colors.
func (p *Prompter) paint(way, text string) string {
	if !p.color {
		return text
	}
	return present.Painted(way, text)
}
