package present

import "coppice/backend/render/plain"

// The ways to show text; the numbers are those of ECMA-48 SGR.
const (
	Dim     = "2"
	Bold    = "1"
	Red     = "31"
	Reverse = "7"
	Green   = "32"
	yellow  = "33"
)

// Ink is text that may hold the program's own sequences for a terminal, and nobody else's.
type Ink string

// Painted returns a text in a way. The text itself cannot hold sequences.
func Painted(way, text string) string { return "\x1b[" + way + "m" + plain.Visible(text) + "\x1b[0m" }
