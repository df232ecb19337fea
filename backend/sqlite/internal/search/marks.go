package search

// toolMark precedes each word of a tool's name in the index, betweenTexts separates two texts. Neither is part of a word.
const (
	toolMark     = "⚒"
	betweenTexts = "¶"
)
