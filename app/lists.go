package app

import "strings"

// joinNames writes names for help and hints.
func joinNames[T ~string](names []T) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, ", ")
}

// nonNil makes JSON say [] and not null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
