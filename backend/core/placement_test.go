package core_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestPlanRefuses(t *testing.T) {
	tests := []struct {
		name  string
		nodes []core.Node
		want  string
	}{
		{"a parent that comes later", []core.Node{{UID: "a", ParentUID: "b"}, {UID: "b"}}, `the parent "b" of message "a"`},
		{"a uid twice", []core.Node{{UID: "a"}, {UID: "a"}}, `duplicate message "a"`},
		{"no uid", []core.Node{{UID: "a"}, {}}, "message 1 has no uid"},
		{"its own parent", []core.Node{{UID: "a", ParentUID: "a"}}, `the parent "a"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := core.Plan(test.nodes)
			if core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestParentsFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		sorted := m.nodes()
		shuffled := rapid.Permutation(sorted).Draw(t, "shuffled")
		order, err := core.ParentsFirst(shuffled)
		if err != nil {
			t.Fatal(err)
		}
		nodes := pick(shuffled, order)
		if _, _, err := core.Plan(nodes); err != nil || len(nodes) != len(sorted) {
			t.Fatalf("%d of %d nodes, %v", len(nodes), len(sorted), err)
		}
		kept, err := core.ParentsFirst(nodes)
		if err != nil || !slices.IsSorted(kept) {
			t.Fatalf("a good order was changed to %v, %v", kept, err)
		}
	})
}

func pick(nodes []core.Node, order []int) []core.Node {
	var picked []core.Node
	for _, i := range order {
		picked = append(picked, nodes[i])
	}
	return picked
}

func TestParentsFirstOrder(t *testing.T) {
	nodes := []core.Node{{UID: "x"}, {UID: "c", ParentUID: "b"}, {UID: "y", ParentUID: "elsewhere"}, {UID: "a"}, {UID: "b", ParentUID: "a"}}
	order, err := core.ParentsFirst(nodes)
	if want := []int{0, 3, 4, 1, 2}; err != nil || !slices.Equal(order, want) {
		t.Fatalf("got %v, %v, want %v", order, err, want)
	}
}

func TestParentsFirstRefuses(t *testing.T) {
	circle := []core.Node{{UID: "a", ParentUID: "c"}, {UID: "b", ParentUID: "a"}, {UID: "c", ParentUID: "b"}}
	if _, err := core.ParentsFirst(circle); core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "its own ancestor") {
		t.Errorf("a circle gives %v", err)
	}
	if _, err := core.ParentsFirst([]core.Node{{UID: "a"}, {UID: "a"}}); core.CodeOf(err) != core.Invalid {
		t.Errorf("a uid twice gives %v", err)
	}
}

func TestParentsFirstDeep(t *testing.T) {
	const length = 100_000
	nodes := make([]core.Node, length) // every message before its parent
	for i := range nodes {
		nodes[i] = core.Node{UID: uid(i), ParentUID: uid(i + 1)}
	}
	nodes[length-1].ParentUID = ""
	order, err := core.ParentsFirst(nodes)
	if err != nil || order[0] != length-1 || order[length-1] != 0 {
		t.Fatalf("the deep chain: %v", err)
	}
}
