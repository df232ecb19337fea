package line

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// code is the action of a key.
type code int

const (
	none code = iota // a key without an action
	insert
	paste
	clipboard
	enter
	left
	right
	wordLeft
	wordRight
	home
	end
	up
	down
	backspace
	forward // delete the character after the cursor
	word    // delete the word before the cursor
	toStart // delete to the start of the line
	toEnd   // delete to the end of the line
	complete
	redraw
	interrupt
	outside // edit the text in another program
	finish  // end the input if the line is empty, else delete the character after the cursor
)

// key is a pressed key, or pasted text.
type key struct {
	code code
	text string // for the codes insert and paste
}

// The terminal encloses pasted text in these sequences after PasteOn.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// control returns the action of a key of one byte, as in Emacs and in shells.
func control(typed byte) code {
	switch typed {
	case 0x01:
		return home
	case 0x02:
		return left
	case 0x03:
		return interrupt
	case 0x04:
		return finish
	case 0x05:
		return end
	case 0x06:
		return right
	case 0x07:
		return outside
	case 0x08, 0x7f:
		return backspace
	case '\t':
		return complete
	case '\n', '\r':
		return enter
	case 0x0b:
		return toEnd
	case 0x0c:
		return redraw
	case 0x0e:
		return down
	case 0x10:
		return up
	case 0x15:
		return toStart
	case 0x16:
		return clipboard
	case 0x17:
		return word
	default:
		return none
	}
}

// sequence returns the action of a key that sends an escape character and these bytes, as xterm, the Linux console and
// rxvt send them.
func sequence(typed string) code {
	switch typed {
	case "[A", "OA":
		return up
	case "[B", "OB":
		return down
	case "[C", "OC":
		return right
	case "[D", "OD":
		return left
	case "[H", "OH", "[1~", "[7~":
		return home
	case "[F", "OF", "[4~", "[8~":
		return end
	case "[3~":
		return forward
	case "[1;5C", "[1;3C", "Oc", "f":
		return wordRight
	case "[1;5D", "[1;3D", "Od", "b":
		return wordLeft
	case "\x7f", "\x08":
		return word
	default:
		return none
	}
}

// decode returns the first key of what was typed, and its length in bytes; 0 if more bytes are needed.
func decode(typed []byte) (key, int) {
	switch {
	case len(typed) == 0:
		return key{}, 0
	case bytes.HasPrefix(typed, []byte(pasteBegins)):
		at := bytes.Index(typed, []byte(pasteEnds))
		if at < 0 {
			return key{}, 0
		}
		return key{paste, pasted(typed[len(pasteBegins):at])}, at + len(pasteEnds)
	case typed[0] == 0x1b:
		return escape(typed)
	case typed[0] < 0x20 || typed[0] == 0x7f:
		return key{code: control(typed[0])}, 1
	case !utf8.FullRune(typed):
		return key{}, 0
	}
	r, n := utf8.DecodeRune(typed)
	if r == utf8.RuneError || unicode.IsControl(r) {
		return key{}, n
	}
	return key{insert, string(r)}, n
}

// escape decodes a key that begins with an escape character.
func escape(typed []byte) (key, int) {
	if len(typed) == 1 {
		return key{}, 0
	}
	n := 2
	switch typed[1] {
	case '\r', '\n': // Alt+Enter
		return key{insert, "\n"}, n
	case 'O':
		n = 3
	case '[':
		for n < len(typed) && (typed[n] < 0x40 || typed[n] > 0x7e) {
			n++
		}
		n++
	}
	if n > len(typed) {
		return key{}, 0
	}
	return key{code: sequence(string(typed[1:n]))}, n
}

// pasted returns pasted text with line feeds as line ends, and without other control characters.
func pasted(text []byte) string {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(bytes.ToValidUTF8(text, nil), []byte("\r"), []byte("\n"))
	return string(bytes.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
}
