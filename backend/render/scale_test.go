package render

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"coppice/backend/core"
)

// endless is a session of one branch whose messages are created when they are read.
type endless struct {
	length int64
	words  string
}

func (e endless) Tree(context.Context, string) (core.Tree, error) {
	tree := core.Tree{
		Session: core.Session{ID: "s", Title: "Long"}, Head: e.message(e.length - 1).UID,
		Branches: []core.Branch{{Parent: -1, ForkDepth: -1, TipDepth: e.length - 1}},
	}
	for n := range e.length / 100 {
		tree.Turns = append(tree.Turns, core.Turn{Number: n, Parent: n - 1, Messages: 100, FirstDepth: n * 100, LastUID: e.message(n*100 + 99).UID})
	}
	return tree, nil
}

func (e endless) message(depth int64) core.Message {
	m := said(core.RoleAssistant, text(fmt.Sprintf("%d %s", depth, e.words)), calls(fmt.Sprint("c", depth), "Bash", `{"command":"x"}`))
	if depth%2 == 1 {
		m = said(core.RoleTool, answers(fmt.Sprint("c", depth-1), text(fmt.Sprintf("%d %s", depth, e.words))))
	}
	m.UID, m.Seq, m.Turn, m.Depth = fmt.Sprint("u", depth), depth, depth/100, depth
	return m
}

func (e endless) Window(_ context.Context, _, _ string, from, limit int64) (core.Window, error) {
	if from < 0 {
		from += e.length
	}
	w := core.Window{Length: e.length, From: from}
	for depth := from; depth < min(from+limit, e.length); depth++ {
		w.Messages = append(w.Messages, e.message(depth))
	}
	return w, nil
}

func (e endless) Hydrate(context.Context, *core.Message) error { return nil }

func (e endless) Blob(context.Context, string) (core.Blob, error) { return core.Blob{}, nil }

// TestExportOf100000MessagesIsBounded compares the memory in use after a tenth of the export with that near its end.
func TestExportOf100000MessagesIsBounded(t *testing.T) {
	source := endless{length: 100_000, words: strings.Repeat("word ", 100)}
	for _, format := range []string{"html", "md"} {
		var held [2]uint64
		o := ExportOptions{Progress: func(p core.Progress) {
			if p.Done == 10_000 || p.Done == 99_000 {
				var stats runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&stats)
				held[p.Done/99_000] = stats.HeapAlloc
			}
		}}
		r := shared()
		write := r.HTML
		if format == "md" {
			write = r.Markdown
		}
		if err := write(t.Context(), io.Discard, source, "s", o); err != nil {
			t.Fatal(err)
		}
		if held[0] == 0 || held[1] > held[0]+2<<20 {
			t.Errorf("%s: %d bytes held at first, %d at last", format, held[0], held[1])
		}
	}
}

// TestExportOfManyForks exports a chain of forks and a fan of siblings.
func TestExportOfManyForks(t *testing.T) {
	const forks = 700
	chain, fan := newForest(core.Session{ID: "chain"}), newForest(core.Session{ID: "fan"})
	parent := chain.add(t, "", said(core.RoleUser, text("root")))
	root := fan.add(t, "", said(core.RoleUser, text("root")))
	for range forks {
		chain.add(t, parent, said(core.RoleUser, text("left")))
		parent = chain.add(t, parent, said(core.RoleUser, text("go on")))
		fan.add(t, root, said(core.RoleUser, text("left")))
		fan.add(t, root, said(core.RoleUser, text("left")))
	}
	for _, f := range []*forest{chain, fan} {
		for _, scope := range []Scope{ScopePath, ScopeAlternatives, ScopeTree} {
			for _, format := range []string{"html", "md"} {
				got := export(t, format, f, ExportOptions{Scope: scope})
				want := map[Scope]int{ScopeAlternatives: forks, ScopeTree: forks}[scope]
				if f == fan {
					want = map[Scope]int{ScopePath: 1, ScopeAlternatives: 2 * forks, ScopeTree: 2 * forks}[scope]
				}
				if count := strings.Count(got, `dir="auto">left</p>`) + strings.Count(got, "\nleft\n"); count != want {
					t.Errorf("%s %s %s: %d, want %d", f.session.ID, scope, format, count, want)
				}
			}
		}
	}
}
