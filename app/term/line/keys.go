package line

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// code says what a key does.
type code int

const (
	none code = iota // nothing here
	insert
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
	forward // delete
	word    // delete, backwards
	toStart // delete
	toEnd   // delete
	complete
	redraw
	interrupt
	finish // the input, where the line is empty; else delete
)

// key is a key that was pressed, or a text that was pasted.
type key struct {
	code code
	text string // of insert
}

// The terminal puts these around what is pasted, where it was asked to.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// control returns what a key of one byte does, as in Emacs and every shell.
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
	case 0x17:
		return word
	default:
		return none
	}
}

// sequence returns what a key does that sends an escape and this: as xterm, the Linux console and rxvt have them.
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

// decode takes the first key out of what was typed, and says how many bytes it had; 0 where more must come.
func decode(typed []byte) (key, int) {
	switch {
	case len(typed) == 0:
		return key{}, 0
	case bytes.HasPrefix(typed, []byte(pasteBegins)):
		at := bytes.Index(typed, []byte(pasteEnds))
		if at < 0 {
			return key{}, 0
		}
		return key{insert, pasted(typed[len(pasteBegins):at])}, at + len(pasteEnds)
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

// escape decodes a key that begins with an escape.
func escape(typed []byte) (key, int) {
	if len(typed) == 1 {
		return key{}, 0
	}
	n := 2
	switch typed[1] {
	case '\r', '\n': // Alt and Enter
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

// pasted is a pasted text with line feeds as line ends and without other controls.
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
