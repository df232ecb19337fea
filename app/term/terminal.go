// Package term is the interactive terminal: the shell that commands work in, questions to the user, streamed answers and the chat.
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

	"coppice/app/internal/exit"

	"coppice/app/internal/present"

	"golang.org/x/term"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Terminal is where a command reads and writes: data to out, everything else to err.
type Terminal struct {
	In            io.Reader
	Out           io.Writer
	Err           io.Writer
	Width         int  // columns of out; 0 where it is not a terminal, and then nothing is cut
	ErrIsTerminal bool // progress is shown there
	Colour        bool // err and the person's screen show colours
	Keys          *keyboard
	Prompter      *Prompter // nil: nobody is there to be asked
	Signals       *signals  // nil: none are heard
	Now           func() time.Time
}

// System returns the terminal of the process.
func System() Terminal {
	t := Terminal{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		ErrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Colour:        wantsColour(os.Getenv),
		Keys:          NewKeyboard(os.Stdin),
		Now:           time.Now,
	}
	t.Prompter = findPerson(t)
	if out := int(os.Stdout.Fd()); term.IsTerminal(out) {
		t.Width = 80
		if width, _, err := term.GetSize(out); err == nil && width > 0 {
			t.Width = width
		}
	}
	return t
}

// wantsColour follows https://no-color.org.
func wantsColour(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// PrintJSON writes one JSON value and a line feed.
func (t Terminal) PrintJSON(value any) error {
	encoder := json.NewEncoder(escapedJSON{t.Out})
	encoder.SetEscapeHTML(false)
	return core.Wrap(core.Unavailable, encoder.Encode(value), "write the result")
}

// escapedJSON escapes what JSON leaves as it is and a terminal acts on: controls of eight bits and characters that reverse text.
// Such characters are in strings only.
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

// Printf writes data. Arguments that are text cannot hold anything that a terminal acts on.
func (t Terminal) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(t.Out, format, visible(args)...)
	return core.Wrap(core.Unavailable, err, "write the result")
}

// Say writes a line for people, beside the data, as printf does.
func (t Terminal) Say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.Err, format+"\n", visible(args)...) // there is nowhere left to complain
}

// visible returns arguments of a format with control characters made visible, but for those of ink.
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

// Report tells what went wrong and what to do about it, a line each.
func (t Terminal) Report(err error) {
	if err == nil || exit.IsOutcome(err) {
		return
	}
	message := err.Error()
	if core.CodeOf(err) == core.Canceled {
		message = "stopped"
	}
	t.Say("coppice: %s", present.OneLine(message))
	if hint := core.HintOf(err); hint != "" {
		t.Say("hint: %s", present.OneLine(hint))
	}
}

// paint shows a text on stderr in a way, where that shows any.
func (t Terminal) paint(way, text string) present.Ink {
	if !t.Colour || !t.ErrIsTerminal {
		return present.Ink(plain.Visible(text))
	}
	return present.Ink(present.Painted(way, text))
}
