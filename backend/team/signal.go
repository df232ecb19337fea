package team

import (
	"slices"
	"strings"
	"unicode"
)

// signalsIn returns the signals that an answer gives: those of its calls of handoff, otherwise those that begin a line of their own.
func signalsIn(turn *Turn, known []string) []string {
	var found []string
	add := func(signal string) {
		if !slices.Contains(found, signal) {
			found = append(found, signal)
		}
	}
	for _, given := range turn.Signals {
		for _, signal := range known {
			if strings.EqualFold(strings.TrimSpace(given), signal) {
				add(signal)
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	for line := range strings.Lines(turn.Text) {
		best := "" // the longest one: APPROVED WITH CHANGES is not APPROVED
		for _, signal := range known {
			if len(signal) > len(best) && begins(plain(line), plain(signal)) {
				best = signal
			}
		}
		if best != "" {
			add(best)
		}
	}
	return found
}

// begins reports whether a line is a signal, or a signal followed by white space or punctuation.
func begins(line, signal string) bool {
	if signal == "" || len(line) < len(signal) || !strings.EqualFold(line[:len(signal)], signal) {
		return false
	}
	for _, next := range line[len(signal):] {
		return unicode.IsSpace(next) || unicode.IsPunct(next)
	}
	return true
}
