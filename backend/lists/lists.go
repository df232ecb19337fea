// Package lists has functions on lists that are printed or cross as JSON.
package lists

import "strings"

// Join writes names for help and hints.
func Join[T ~string](names []T) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, ", ")
}

// NonNil makes JSON say [] and not null.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
