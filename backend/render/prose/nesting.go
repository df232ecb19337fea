package prose

import (
	"bytes"
)

// maxDepth is how deep quotes and lists may nest in one line. No user nests deeper, and the parser's time grows with
// the square.
const maxDepth = 24

// maxOpen bounds the brackets that are open at once, whose pairing costs quadratic time.
const maxOpen = 200

// maxTreeDepth bounds the parsed tree, in which each list takes two levels. Everything that walks the tree recurses, and
// nested emphasis takes time that grows with the square of its depth.
const maxTreeDepth = 200

// readable reports whether the source has a size and shape that the parser handles in time.
func readable(source []byte) bool {
	if len(source) > MaxBytes {
		return false
	}
	for line := range bytes.Lines(source) {
		if nesting(line) > maxDepth {
			return false
		}
	}
	return unclosed(source) <= maxOpen
}

// nesting counts the markers of quotes and lists at the start of a line.
func nesting(line []byte) int {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
		case c == '>':
			depth++
		case (c == '-' || c == '*' || c == '+') && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
			depth++
		case c >= '0' && c <= '9' || c == '.' || c == ')':
			if c == '.' || c == ')' {
				depth++
			}
		default:
			return depth
		}
	}
	return depth
}

// unclosed returns the maximum number of brackets, or parentheses of links, that are open at once within one block.
func unclosed(source []byte) int {
	most := 0
	var brackets, links int
	var last byte
	for _, c := range source {
		switch {
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(brackets-1, 0)
		case c == '(' && last == ']':
			links++
		case c == ')':
			links = max(links-1, 0)
		case c == '\n' && last == '\n':
			brackets, links = 0, 0
		}
		most = max(most, brackets, links)
		last = c
	}
	return most
}
