// Package term is the interactive terminal: the shell that commands run in, questions to the user, streamed answers and
// the chat.
package term

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"
	"unicode/utf16"

	"golang.org/x/term"

	"coppice/app/internal/exit"
	"coppice/app/internal/present"
	"coppice/app/term/markdown"
	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Terminal is where a command reads and writes: data to Out, everything else to Err.
type Terminal struct {
	In            io.Reader
	Out           io.Writer
	Err           io.Writer
	Width         int                        // the columns of Out; 0: Out is not a terminal, and nothing is cut
	ErrIsTerminal bool                       // progress is shown on Err
	Color         bool                       // Err and the user's screen show colors
	Plain         bool                       // text is written as it is, without layout and without anything that is replaced later
	Size          func() (width, height int) // of the screen; nil: it has a common size
	Keys          *keyboard
	Prompter      *Prompter // nil: no user is available to answer
	Signals       *signals  // nil: signals are not received
	Now           func() time.Time
}

// System returns the terminal of the process.
func System() Terminal {
	sequences := showsSequences(os.Stdout, os.Stderr)
	t := Terminal{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		ErrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Color:         wantsColor(os.Getenv, sequences),
		Plain:         isPlain(os.Getenv, sequences),
		Keys:          NewKeyboard(os.Stdin),
		Now:           time.Now,
	}
	t.Prompter = findPrompter(t)
	t.Size = func() (width, height int) {
		for _, file := range []*os.File{os.Stderr, os.Stdout} {
			if width, height, err := term.GetSize(int(file.Fd())); err == nil && width > 0 && height > 0 {
				return width, height
			}
		}
		return usualWidth, usualHeight
	}
	if out := int(os.Stdout.Fd()); term.IsTerminal(out) {
		t.Width = 80
		if width, _, err := term.GetSize(out); err == nil && width > 0 {
			t.Width = width
		}
	}
	return t
}

// ApplyPlain removes colors if text is written as it is.
func (t *Terminal) ApplyPlain() {
	if !t.Plain {
		return
	}
	t.Color = false
	if t.Prompter != nil {
		t.Prompter.color = false
	}
}

// screenSize returns the current size of the screen in characters.
func (t Terminal) screenSize() (width, height int) {
	if t.Size == nil {
		return usualWidth, usualHeight
	}
	return t.Size()
}

// isPlain reports whether the terminal only shows lines. sequences reports whether it interprets escape sequences.
func isPlain(getenv func(string) string, sequences bool) bool {
	return !sequences || getenv("TERM") == "dumb"
}

// wantsColor reports whether colors are wanted, see https://no-color.org.
func wantsColor(getenv func(string) string, sequences bool) bool {
	return getenv("NO_COLOR") == "" && !isPlain(getenv, sequences)
}

// PrintJSON writes one JSON value and a line feed.
func (t Terminal) PrintJSON(value any) error {
	encoder := json.NewEncoder(escapedJSON{t.Out})
	encoder.SetEscapeHTML(false)
	return core.Wrap(core.Unavailable, encoder.Encode(value), "write the result")
}

// escapedJSON escapes characters that JSON allows and a terminal interprets: 8-bit control characters and characters
// that change the direction of text. Such characters occur only in strings.
type escapedJSON struct{ out io.Writer }

// Write implements io.Writer. p holds whole characters.
func (w escapedJSON) Write(p []byte) (int, error) {
	text := string(p)
	if plain.Visible(text) == text {
		return w.out.Write(p)
	}
	var escaped strings.Builder
	for _, r := range text {
		if r < 0x7f || plain.Visible(string(r)) == string(r) {
			escaped.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
	}
	_, err := io.WriteString(w.out, escaped.String())
	return len(p), err
}

// Printf writes data. Text arguments cannot contain anything that a terminal interprets.
func (t Terminal) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(t.Out, format, visible(args)...)
	return core.Wrap(core.Unavailable, err, "write the result")
}

// Say writes a line for the user to Err, formatted as by Printf.
func (t Terminal) Say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.Err, format+"\n", visible(args)...) // an error could not be shown anywhere
}

// visible returns the arguments of a format with control characters made visible, except in present.Ink.
func visible(args []any) []any {
	shown := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case present.Ink:
			shown[i] = string(arg)
		case error:
			shown[i] = plain.Visible(arg.Error())
		default:
			shown[i] = arg
			if value := reflect.ValueOf(arg); value.Kind() == reflect.String {
				shown[i] = plain.Visible(value.String())
			}
		}
	}
	return shown
}

// Report prints an error and its hint, one line each.
func (t Terminal) Report(err error) {
	if err == nil || exit.IsOutcome(err) {
		return
	}
	message := err.Error()
	if core.CodeOf(err) == core.Canceled {
		message = "stopped"
	}
	t.remark("coppice:", present.Red, present.OneLine(message))
	if hint := Hint(core.HelpOf(err)); hint != "" {
		t.remark("hint:", present.Dim, present.OneLine(hint))
	}
}

// remark writes a text after a word that names its kind: as one line, or wrapped at a terminal.
func (t Terminal) remark(kind, way, text string) {
	if !t.ErrIsTerminal || t.Plain {
		t.Say("%s %s", kind, text)
		return
	}
	width, _ := t.screenSize()
	for i, line := range markdown.Wrap(text, width-1-len(kind)-1) {
		if i == 0 {
			t.Say("%s %s", t.paint(way, kind), line)
		} else {
			t.Say("%s %s", strings.Repeat(" ", len(kind)), line)
		}
	}
}

// sayDim writes items that are less important than what follows: as one line, or wrapped at a terminal.
func (t Terminal) sayDim(text string) {
	lines := []string{present.OneLine(text)}
	if t.ErrIsTerminal && !t.Plain {
		width, _ := t.screenSize()
		lines = itemLines(lines[0], width-1)
	}
	for _, line := range lines {
		t.Say("%s", t.paint(present.Dim, line))
	}
}

// paint returns a text in a style of stderr, or as it is if stderr shows no colors.
func (t Terminal) paint(way, text string) present.Ink {
	if !t.Color || !t.ErrIsTerminal {
		return present.Ink(plain.Visible(text))
	}
	return present.Ink(present.Painted(way, text))
}
