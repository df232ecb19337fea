// Package line reads lines that a user edits on a terminal. It supports characters of any width, several rows,
// bracketed paste, a history and completion.
package line

import (
	"errors"
	"io"
	"strings"
)

// ErrInterrupted is the error of a line in which the user pressed Ctrl+C.
var ErrInterrupted = errors.New("interrupted")

// PasteOn asks a terminal to mark pasted text. PasteOff ends that.
const (
	PasteOn  = "\x1b[?2004h"
	PasteOff = "\x1b[?2004l"
)

// Editor reads lines from a terminal in raw mode, which hands over each key as it is pressed.
type Editor struct {
	In        func() ([]byte, error)              // waits for input and returns it
	Out       io.Writer                           // the terminal
	Size      func() (width, height int)          // the size of the terminal
	Past      *History                            // nil: no history
	Outside   func(text string) (string, error)   // lets the user edit a text in another program, and returns it; nil: no program
	Pasted    func(text string) string            // returns what is inserted for a pasted text; nil: the text
	Clipboard func() (string, error)              // returns what Ctrl+V inserts; nil: nothing
	Paint     func(prompt string) string          // adds the style of the prompt; nil: none
	Hint      func(before string) (int, []string) // returns the completions of a text, and the index of the byte at which they begin; nil: no completion

	typed []byte // input that is not processed yet
}

// Read shows a prompt and an initial text, lets the user edit the text, and returns it. The error is io.EOF if the user
// presses Ctrl+D in an empty line, ErrInterrupted after Ctrl+C, or an error of In.
func (e *Editor) Read(prompt, text string) (string, error) {
	l := edit{Editor: e, prompt: prompt, entry: e.Past.len()}
	l.set(text, "")
	l.write(PasteOn)
	defer l.write(PasteOff)
	l.show()
	for {
		done, err := l.keys()
		if done || err != nil {
			l.at = len(l.characters)
			l.show()
			l.write("\r\n")
			return l.text(), err
		}
		l.show()
		more, err := e.In()
		e.typed = append(e.typed, more...)
		if err != nil {
			l.write("\r\n")
			return l.text(), err
		}
	}
}

// Rest returns what was typed after the last line, and discards it.
func (e *Editor) Rest() []byte {
	rest := e.typed
	e.typed = nil
	return rest
}

// edit is a line that is being edited.
type edit struct {
	*Editor
	buffer
	screen
	prompt string
	entry  int    // the index of the history entry that is shown; the length of the history: none
	own    string // the text before the first entry was shown
	prefix string // the prefix that entries must have
}

func (e *edit) write(text string) { _, _ = io.WriteString(e.Out, text) } // the user sees an error of the terminal

func (e *edit) show() {
	width, height := e.Size()
	e.write(e.draw(prompt{e.prompt, e.Paint}, &e.buffer, width, height))
}

// keys processes the input until the line is complete or more input is needed.
func (e *edit) keys() (done bool, err error) {
	for {
		k, n := decode(e.typed)
		if n == 0 {
			return false, nil
		}
		e.typed = e.typed[n:]
		if done, err := e.key(k); done || err != nil {
			return done, err
		}
	}
}

func (e *edit) key(k key) (done bool, err error) {
	if k.code != up && k.code != down {
		e.entry = e.Past.len()
	}
	switch k.code {
	case none:
	case insert:
		e.insert(k.text)
	case paste:
		if e.Pasted != nil {
			k.text = e.Pasted(k.text)
		}
		e.insert(k.text)
	case clipboard:
		e.fromClipboard()
	case enter:
		return true, nil
	case interrupt:
		return false, ErrInterrupted
	case finish:
		if len(e.characters) == 0 {
			return false, io.EOF
		}
		e.remove(e.at, min(e.at+1, len(e.characters)))
	case left:
		e.at = max(e.at-1, 0)
	case right:
		e.at = min(e.at+1, len(e.characters))
	case wordLeft:
		e.at = e.wordStart()
	case wordRight:
		e.at = e.wordEnd()
	case home:
		e.at = e.lineStart()
	case end:
		e.at = e.lineEnd()
	case up:
		e.past(-1)
	case down:
		e.past(1)
	case backspace:
		e.remove(max(e.at-1, 0), e.at)
	case forward:
		e.remove(e.at, min(e.at+1, len(e.characters)))
	case word:
		e.remove(e.wordStart(), e.at)
	case toStart:
		e.remove(e.lineStart(), e.at)
	case toEnd:
		e.remove(e.at, e.lineEnd())
	case complete:
		e.complete()
	case redraw:
		e.write("\x1b[H\x1b[2J")
		e.row = 0
	case outside:
		e.outside()
	}
	return false, nil
}

// past shows the next entry of the history that begins with the text before the cursor.
func (e *edit) past(direction int) {
	if e.entry == e.Past.len() {
		e.own, e.prefix = e.text(), e.before()
	}
	i, found := e.Past.find(e.entry, direction, e.prefix)
	switch {
	case found:
		e.entry = i
		e.set(e.Past.entries[i], "")
	case direction > 0 && e.entry < e.Past.len():
		e.entry = e.Past.len()
		e.set(e.own, "")
	}
}

// outside lets the user edit the text in another program. If that fails, the reason is shown above the line.
func (e *edit) outside() {
	if e.Outside == nil {
		return
	}
	e.write(PasteOff + "\r\n")
	text, err := e.Outside(e.text())
	if err != nil {
		e.write(err.Error() + "\r\n")
	}
	e.write(PasteOn)
	e.row = 0
	e.set(text, "")
}

// fromClipboard inserts what is in the clipboard. If that fails, the reason is shown above the line.
func (e *edit) fromClipboard() {
	if e.Clipboard == nil {
		return
	}
	text, err := e.Clipboard()
	if err != nil {
		e.write(e.top() + "\x1b[J" + err.Error() + "\r\n")
		e.row = 0
		return
	}
	e.insert(text)
}

// mostHints is the maximum number of completions that are listed.
const mostHints = 60

// complete extends the text before the cursor by what all completions have in common. If they have nothing more in
// common, it lists them.
func (e *edit) complete() {
	if e.Hint == nil {
		return
	}
	before := e.before()
	from, all := e.Hint(before)
	if len(all) == 0 {
		return
	}
	common := all[0]
	for _, one := range all[1:] {
		for !strings.HasPrefix(one, common) {
			characters := split(common)
			common = strings.Join(characters[:len(characters)-1], "")
		}
	}
	switch {
	case len(all) == 1 && strings.HasSuffix(common, "/"): // a folder: its files follow
		e.set(before[:from]+common, e.after())
	case len(all) == 1:
		e.set(before[:from]+common+" ", e.after())
	case len(common) > len(before)-from:
		e.set(before[:from]+common, e.after())
	default:
		e.list(all)
	}
}

// list shows completions above the line.
func (e *edit) list(all []string) {
	width, _ := e.Size()
	if more := len(all) - mostHints; more > 0 {
		all = append(all[:mostHints:mostHints], "…")
	}
	b := buffer{characters: split(strings.Join(all, "  "))}
	shown, _, _ := rows("", &b, width)
	e.write(e.top() + "\x1b[J" + strings.Join(shown, "\r\n") + "\r\n")
	e.row = 0
}
