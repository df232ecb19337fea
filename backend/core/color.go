package core

// Color is the color of a label.
type Color string

// Colors lists the colors of labels; the empty one is no color.
func Colors() []Color {
	return []Color{"green", "blue", "amber", "violet", "pink", "teal", "red", "grey"}
}
