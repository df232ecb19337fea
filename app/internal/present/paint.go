package present

import "coppice/backend/render/plain"

// The styles of text, as parameters of ECMA-48 SGR.
const (
	Dim     = "2"
	Bold    = "1"
	Red     = "31"
	Reverse = "7"
	Green   = "32"
	yellow  = "33"
)

// Ink is text that may contain escape sequences of this program, and no others.
type Ink string

// Painted returns a text in a style. Escape sequences in the text are made visible.
func Painted(way, text string) string { return "\x1b[" + way + "m" + plain.Visible(text) + "\x1b[0m" }
