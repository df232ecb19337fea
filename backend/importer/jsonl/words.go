package jsonl

import (
	"strings"

	"coppice/backend/core"
)

// Lengths in characters: of the part of the first prompt that is used, and of a title that the tool gave a session.
const (
	taskLength     = 1000
	headlineLength = 100
	titleLength    = 4000
)

// Title returns the title that a tool gave a session, on one line. It is stored whole: views cut it.
func Title(text string) string { return core.Preview(text, titleLength) }

// Headline returns a title for a session that has none: the beginning of its first prompt.
func Headline(prompt string) string { return core.Preview(prompt, headlineLength) }

// Task returns the task of a session, from its first prompt.
func Task(prompt string) string { return core.Cut(strings.TrimSpace(prompt), taskLength) }
