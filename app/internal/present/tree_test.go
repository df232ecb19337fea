package present

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

// treeOf returns a tree of turns with the given parents. The first turn is turn 0.
func treeOf(parents ...int64) core.Tree {
	tree := core.Tree{HeadTurn: int64(len(parents)) - 1}
	for i, parent := range parents {
		tree.Turns = append(tree.Turns, core.Turn{
			Number: int64(i), Parent: parent, Cumulative: 2, Role: core.RoleUser, Preview: "text",
		})
	}
	return tree
}

func draw(t *testing.T, tree core.Tree, width int) string {
	t.Helper()
	var out strings.Builder
	if err := DrawTree(&out, tree, width, false); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(out.String(), "\n")
}

func TestDrawTree(t *testing.T) {
	t.Parallel()
	forked := treeOf(-1, 0, 0, 1, 2, 2)
	forked.Turns[2].Label = "plan b"
	forked.Turns[4].Cumulative = 1
	forked.Turns[5].Role = core.RoleAssistant
	for name, test := range map[string]struct {
		tree core.Tree
		want string
	}{
		"empty": {core.Tree{HeadTurn: -1}, ""},
		"one":   {treeOf(-1), "n0 (2 msgs) ◂ head  text\n"},
		"a chain does not indent": {treeOf(-1, 0, 1), `n0 (2 msgs)  text
n1 (2 msgs)  text
n2 (2 msgs) ◂ head  text
`},
		"only forks indent": {forked, `n0 (2 msgs)  text
├─ n1 (2 msgs)  text
│  n3 (2 msgs)  text
└─ n2 [plan b] (2 msgs)  text
   ├─ n4 (1 msg)  text
   └─ n5 (2 msgs) ◂ head  assistant: text
`},
		"several roots": {treeOf(-1, -1, 0), `├─ n0 (2 msgs)  text
│  n2 (2 msgs) ◂ head  text
└─ n1 (2 msgs)  text
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := draw(t, test.tree, 0); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// On a terminal the path to the head stays at the left, and alternatives are above what follows.
func TestDrawTreeKeepsThePathFlat(t *testing.T) {
	t.Parallel()
	tree := treeOf(-1, 0, 0, 1, 1, 2, 3)
	tree.HeadTurn = 6
	for _, turn := range []int{0, 1, 3, 6} {
		tree.Turns[turn].OnPath = true
	}
	want := `n0 (2 msgs)  text
├─ n2 (2 msgs)  text
│  n5 (2 msgs)  text
n1 (2 msgs)  text
├─ n4 (2 msgs)  text
n3 (2 msgs)  text
n6 (2 msgs) ◂ head  text
`
	if got := draw(t, tree, 80); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDrawTreeFoldsOnATerminal(t *testing.T) {
	t.Parallel()
	parents := []int64{-1}
	for i := range int64(29) {
		parents = append(parents, i)
	}
	tree := treeOf(parents...)
	tree.Turns[20].Label = "here"
	want := `n0 (2 msgs)  text
… 19 turns
n20 [here] (2 msgs)  text
… 8 turns
n29 (2 msgs) ◂ head  text
`
	if got := draw(t, tree, 80); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Count(draw(t, tree, 0), "\n"); got != 30 {
		t.Errorf("%d lines where nothing is to be folded, want 30", got)
	}
}

func TestDrawTreeFitsTheTerminal(t *testing.T) {
	t.Parallel()
	tree := treeOf(-1)
	tree.Turns[0].Preview = strings.Repeat("词 ", 200)
	if got := Cut(strings.TrimSuffix(draw(t, tree, 60), "\n"), 60); !strings.HasSuffix(got, "…") || len([]rune(got)) > 60 {
		t.Errorf("not cut: %q", got)
	}
}

// Chains and forks may be as deep as they are long.
func TestDrawDeepTrees(t *testing.T) {
	t.Parallel()
	const turns = 20_000
	chain, forks := []int64{-1}, []int64{-1}
	for i := int64(1); i < turns; i++ {
		chain = append(chain, i-1)
		forks = append(forks, max(0, (i-1)/2*2)) // every second turn is a fork
	}
	for name, tree := range map[string]core.Tree{"chain": treeOf(chain...), "forks": treeOf(forks...)} {
		drawn := draw(t, tree, 0)
		if lines := strings.Count(drawn, "\n"); lines != turns {
			t.Errorf("%s: %d lines, want %d", name, lines, turns)
		}
		if len(drawn) > turns*160 {
			t.Errorf("%s: %d bytes: indentation grows with depth", name, len(drawn))
		}
	}
}

func TestDrawTreeFoldsWhatIsBesideThePath(t *testing.T) {
	t.Parallel()
	comb := make([]int64, 1000) // siblings below the first turn; the last one has a child
	comb[0] = -1
	tree := treeOf(comb...)
	tree.Turns[0].OnPath, tree.Turns[999].OnPath = true, true
	tree.Turns[500].Label = "keep"
	got := strings.Split(draw(t, tree, 80), "\n")
	if len(got) != mostBeside+4 {
		t.Errorf("%d lines:\n%s", len(got), strings.Join(got, "\n"))
	}
	if want := "├─ … 986 alternatives, 986 turns"; got[len(got)-3] != want {
		t.Errorf("%q, want %q", got[len(got)-3], want)
	}

	long := make([]int64, 600) // a path of 300, and a branch of 299 beside it
	for i := range long {
		long[i] = int64(i) - 1
	}
	long[301] = 0
	tree = treeOf(long...)
	tree.HeadTurn = 300
	for i := range 301 {
		tree.Turns[i].OnPath = true
	}
	want := "n0 (2 msgs)  text\n├─ n301 (2 msgs) + 298 turns  text\nn1 (2 msgs)  text\n… 298 turns\nn300 (2 msgs) ◂ head  text\n"
	if got := draw(t, tree, 80); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	tree.Turns[599].Label = "plan"
	if got := draw(t, tree, 80); !strings.Contains(got, "n599 [plan]") {
		t.Errorf("the label is folded away:\n%s", got)
	}
	if got := draw(t, tree, 0); strings.Count(got, "\n") != 600 {
		t.Error("turns are missing where it is no terminal")
	}
}

func TestDrawTreeInColors(t *testing.T) {
	t.Parallel()
	tree := treeOf(-1, 0, 0)
	tree.Turns[0].OnPath, tree.Turns[2].OnPath, tree.Turns[2].Label = true, true, "plan"
	tree.Turns[1].Hidden = true
	var out, plain strings.Builder
	if err := DrawTree(&out, tree, 40, true); err != nil {
		t.Fatal(err)
	}
	want := "\n\x1b[32mn0\x1b[0m\x1b[2m (2 msgs)\x1b[0m  text\n" +
		"\x1b[32mn2\x1b[0m\x1b[33m [plan]\x1b[0m\x1b[2m (2 msgs)\x1b[0m\x1b[32m ◂ head\x1b[0m  text\n" +
		"\x1b[2m1 turn in the trash\x1b[0m\n"
	if out.String() != want {
		t.Errorf("got %q", out.String())
	}
	if err := DrawTree(&plain, tree, 0, true); err != nil || strings.Contains(plain.String(), "\x1b") {
		t.Errorf("colors where it is no terminal: %q, %v", plain.String(), err)
	}
}
