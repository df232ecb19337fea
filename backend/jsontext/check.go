package jsontext

// Check returns why a text is not one JSON value within the bounds; empty if it is. It does not recurse: every text
// from outside passes it before it reaches a parser that does.
func Check(text []byte) (problem string) {
	c := compacter{value: text, depth: MaxDepth, most: MaxValues, checks: true}
	switch {
	case c.run():
		return ""
	case len(c.open) > MaxDepth:
		return TooDeep
	case c.count > MaxValues:
		return TooDense
	default:
		return Invalid
	}
}
