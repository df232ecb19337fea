// Package dot writes the tree of a session in the DOT language of Graphviz: a node for each turn, and an edge to each turn that
// continues it.
package dot

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// maxLabelRunes is how much of a turn's words a node shows.
const maxLabelRunes = 60

// Write writes a tree without the turns in its trash. The turns of the path to the head are bold, labels are in brackets.
func Write(to io.Writer, tree core.Tree) error {
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, "digraph %s {\n\tgraph [rankdir=TB, label=%s];\n\tnode [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
		quoted(tree.Session.ID), quoted(tree.Session.Title))
	skeleton := core.NewSkeleton(tree.Branches, tree.Turns)
	hidden := skeleton.HiddenSet(core.Tops(tree.Hidden))
	shown := make([]bool, len(tree.Turns))
	for i := range tree.Turns {
		turn := &tree.Turns[i]
		if turn.Hidden || hidden.Hides(skeleton.Turns[i].Top()) {
			continue
		}
		shown[i] = true
		fmt.Fprintf(out, "\tn%d [label=%s%s];\n", turn.Number, quoted(words(turn)), weight(turn.OnPath))
		if turn.Parent >= 0 && turn.Parent < int64(len(shown)) && shown[turn.Parent] {
			fmt.Fprintf(out, "\tn%d -> n%d%s;\n", turn.Parent, turn.Number, edge(turn.OnPath))
		}
	}
	fmt.Fprintf(out, "}\n")
	return core.Wrap(core.Unavailable, out.Flush(), "write the tree")
}

// words returns what a node shows: its number, its label, the beginning of its prompt, and the number of its messages.
func words(turn *core.Turn) string {
	head := fmt.Sprintf("n%d", turn.Number)
	if turn.Label != "" {
		head += " [" + turn.Label + "]"
	}
	noun := "messages"
	if turn.Messages == 1 {
		noun = "message"
	}
	return head + "\n" + short(turn.Preview) + "\n" + humanize.Comma(turn.Messages) + " " + noun
}

func short(text string) string {
	if utf8.RuneCountInString(text) <= maxLabelRunes {
		return text
	}
	return core.Cut(text, maxLabelRunes-1) + "…"
}

func weight(onPath bool) string {
	if onPath {
		return ", penwidth=2.5"
	}
	return ""
}

func edge(onPath bool) string {
	if onPath {
		return " [penwidth=2.5]"
	}
	return ""
}

// quoted returns a text as a quoted string of DOT. In these, only quotes and backslashes need an escape; \n is a centered line.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", "", "\x00", "").Replace(text) + `"`
}
