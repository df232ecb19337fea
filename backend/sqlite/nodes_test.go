package sqlite

import (
	"fmt"
	"testing"
)

// TestNodes finds every message by its uid, and none that is not there, while there are more and more.
func TestNodes(t *testing.T) {
	s := newNodes()
	for i := range 20_000 {
		uid := fmt.Sprint("m", i)
		if s.number(uid) != 0 || s.get(uid) != nil {
			t.Fatalf("%s is there before it was added", uid)
		}
		if n := s.add(uid, node{id: int64(i)}); int(n) != i+1 || int(s.count()) != i+1 {
			t.Fatalf("%s has number %d of %d", uid, n, s.count())
		}
		for _, back := range []int{0, i / 2, i} {
			if n := s.get(fmt.Sprint("m", back)); n == nil || n.id != int64(back) {
				t.Fatalf("m%d is %v when there are %d", back, n, i+1)
			}
		}
	}
}
