package app

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// terminal is where a command reads and writes: data to out, everything else to err.
type terminal struct {
	in            io.Reader
	out           io.Writer
	err           io.Writer
	width         int  // columns of out; 0 where it is not a terminal, and then nothing is cut
	errIsTerminal bool // progress is shown there
	colour        bool // err and the person's screen show colours
	keys          *keyboard
	person        *person  // nil: nobody is there to be asked
	signals       *signals // nil: none are heard
	now           func() time.Time
}

func systemTerminal() terminal {
	t := terminal{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		errIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		colour:        wantsColour(os.Getenv),
		keys:          newKeyboard(os.Stdin),
		now:           time.Now,
	}
	t.person = findPerson(t)
	if out := int(os.Stdout.Fd()); term.IsTerminal(out) {
		t.width = 80
		if width, _, err := term.GetSize(out); err == nil && width > 0 {
			t.width = width
		}
	}
	return t
}

// wantsColour follows https://no-color.org.
func wantsColour(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// printJSON writes one JSON value and a line feed.
func (t terminal) printJSON(value any) error {
	encoder := json.NewEncoder(t.out)
	encoder.SetEscapeHTML(false)
	return core.Wrap(core.Unavailable, encoder.Encode(value), "write the result")
}

// printf writes data.
func (t terminal) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(t.out, format, args...)
	return core.Wrap(core.Unavailable, err, "write the result")
}

// say writes a line for people, beside the data.
func (t terminal) say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.err, format+"\n", args...) // there is nowhere left to complain
}

// report tells what went wrong and what to do about it, a line each.
func (t terminal) report(err error) {
	if err == nil || isOutcome(err) {
		return
	}
	message := err.Error()
	if core.CodeOf(err) == core.Canceled {
		message = "stopped"
	}
	t.say("coppice: %s", oneLine(message))
	if hint := core.HintOf(err); hint != "" {
		t.say("hint: %s", oneLine(hint))
	}
}

func oneLine(text string) string {
	return plain.Visible(strings.Join(strings.Fields(text), " "))
}
