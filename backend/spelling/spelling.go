// Package spelling finds what a misspelt name may mean.
package spelling

import (
	"math"
	"strings"
)

// Nearest returns the known name that is most similar to a name; among equals, the one closest in length. It returns an empty name if
// each differs by more letters than most allows.
func Nearest[S ~string](name string, known []S, most func(known S) int) S {
	var best S
	least := math.MaxInt
	for _, k := range known {
		apart := lettersApart(strings.ToLower(name), string(k))
		far := 100*apart + max(len(k)-len(name), len(name)-len(k))
		if apart <= most(k) && far < least {
			best, least = k, far
		}
	}
	return best
}

// lettersApart returns the number of letters to insert, delete, change or swap with their neighbour to turn one word into another.
// Letters are bytes: it is for names in English.
func lettersApart(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			change := row[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			next[j] = min(change, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
