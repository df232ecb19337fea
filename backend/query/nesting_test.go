package query

import (
	"strings"
	"testing"
)

// TestNestingIsBounded parses queries that nest without end. Each is refused, or becomes a tree of bounded depth.
func TestNestingIsBounded(t *testing.T) {
	const levels = 100_000
	for _, text := range []string{
		strings.Repeat("(", levels), strings.Repeat("(", levels) + "a" + strings.Repeat(")", levels), strings.Repeat(")", levels),
		strings.Repeat("NOT ", levels) + "a", strings.Repeat("-", levels) + "a", strings.Repeat("NOT (", levels) + "a" + strings.Repeat(")", levels),
		strings.Repeat("a OR (b ", levels), strings.Repeat("a OR ", levels) + "a", strings.Repeat("a AND ", levels) + "a", strings.Repeat(`"`, levels+1),
		strings.Repeat("role:(", levels), strings.Repeat("/(", levels) + "a" + strings.Repeat(")", levels) + "/", strings.Repeat("a(", levels),
	} {
		for _, typing := range []bool{false, true} {
			q, err := Parse(text, Context{Typing: typing})
			if err != nil {
				if len(err.Error()) > 1000 {
					t.Errorf("%.20q: an error of %d bytes", text, len(err.Error()))
				}
				continue
			}
			if deepest := depthOf(q.Root); deepest > 4*maxDepth {
				t.Errorf("%.20q: %d levels", text, deepest)
			}
		}
	}
}

func depthOf(n *Node) int {
	if n == nil {
		return 0
	}
	deepest := 0
	for _, kid := range n.Kids {
		deepest = max(deepest, depthOf(kid))
	}
	return deepest + 1
}
