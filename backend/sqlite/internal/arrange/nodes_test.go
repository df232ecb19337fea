package arrange

import (
	"fmt"
	"testing"
)

// TestNodes finds every message by its uid, and none that is not there, while there are more and more.
func TestNodes(t *testing.T) {
	s := NewNodes()
	for i := range 20_000 {
		uid := fmt.Sprint("m", i)
		if s.Number(uid) != 0 || s.Get(uid) != nil {
			t.Fatalf("%s is there before it was added", uid)
		}
		if n := s.Add(uid, Node{ID: int64(i)}); int(n) != i+1 || int(s.Count()) != i+1 {
			t.Fatalf("%s has number %d of %d", uid, n, s.Count())
		}
		for _, back := range []int{0, i / 2, i} {
			if n := s.Get(fmt.Sprint("m", back)); n == nil || n.ID != int64(back) {
				t.Fatalf("m%d is %v when there are %d", back, n, i+1)
			}
		}
	}
}
