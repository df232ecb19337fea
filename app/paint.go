package app

import "coppice/backend/render/plain"

// The ways to show text; the numbers are those of ECMA-48 SGR.
const (
	dim     = "2"
	bold    = "1"
	red     = "31"
	reverse = "7"
	green   = "32"
	yellow  = "33"
)

// ink is text that may hold the program's own sequences for a terminal, and nobody else's.
type ink string

// painted returns a text in a way. The text itself cannot hold sequences.
func painted(way, text string) string { return "\x1b[" + way + "m" + plain.Visible(text) + "\x1b[0m" }
