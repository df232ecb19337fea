package dot_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/exporter/dot"
)

func tree() core.Tree {
	return core.Tree{
		Session:  core.Session{ID: "s1", Title: `A "title" with \ and <b>`},
		Branches: []core.Branch{{Number: 0, Parent: -1, ForkDepth: -1, TipDepth: 3}, {Number: 1, Parent: 0, ForkDepth: 1, TipDepth: 3}, {Number: 2, Parent: 0, ForkDepth: 1, TipDepth: 2}},
		Turns: []core.Turn{
			{Number: 0, Parent: -1, Branch: 0, Messages: 2, FirstUID: "a", Preview: "Hello", OnPath: true},
			{Number: 1, Parent: 0, Branch: 0, FirstDepth: 2, Messages: 2, FirstUID: "c", Preview: strings.Repeat("é", 80), Label: "the fix", OnPath: true},
			{Number: 2, Parent: 0, Branch: 1, FirstDepth: 2, Messages: 2, FirstUID: "e", Preview: "line\nbreak"},
			{Number: 3, Parent: 0, Branch: 2, FirstDepth: 2, Messages: 1, FirstUID: "g", Preview: "hidden words"},
		},
		Hidden: []core.HiddenTop{{UID: "g", Turn: 3, Branch: 2, Depth: 2}},
	}
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	if err := dot.Write(&out, tree()); err != nil {
		t.Fatal(err)
	}
	const want = `digraph "s1" {
	graph [rankdir=TB, label="A \"title\" with \\ and <b>"];
	node [shape=box, style=rounded, fontname="sans-serif"];
	n0 [label="n0\nHello\n2 messages", penwidth=2.5];
	n1 [label="n1 [the fix]\nééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…\n2 messages", penwidth=2.5];
	n0 -> n1 [penwidth=2.5];
	n2 [label="n2\nline\nbreak\n2 messages"];
	n0 -> n2;
}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestGraphvizReads lets Graphviz draw the tree, where it is installed.
func TestGraphvizReads(t *testing.T) {
	program, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	var out bytes.Buffer
	if err := dot.Write(&out, tree()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-Tsvg")
	cmd.Stdin = &out
	if drawn, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, drawn)
	}
}
