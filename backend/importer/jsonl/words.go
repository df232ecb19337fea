package jsonl

import (
	"strings"

	"coppice/backend/core"
)

// Lengths of what is taken from the first prompt of a session, in characters.
const (
	taskLength  = 1000
	titleLength = 100
)

// Title makes a title of a text.
func Title(text string) string { return core.Preview(text, titleLength) }

// Task makes the task of a session of its first prompt.
func Task(prompt string) string { return core.Cut(strings.TrimSpace(prompt), taskLength) }
