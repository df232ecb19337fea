package archive

import (
	"context"
	"iter"

	"coppice/backend/core"
)

// selection is the part of a session that is written.
type selection struct {
	session  core.Session
	branches []any // branch
	messages iter.Seq2[core.Message, error]
	labels   []any // core.Label
	aliases  []any // core.Alias
	// What the user has marked: core.Bookmark and hiddenTop. Left out if empty.
	bookmarks []any
	hidden    []any
	records   iter.Seq2[core.Record, error]
	runs      iter.Seq2[core.RunItem, error] // nil: none
}

// choose returns the selection that the options ask for.
func (e *exporter) choose(ctx context.Context, id string) (*selection, error) {
	s, err := e.from.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	switch e.opts.Scope {
	case "", ScopeTree:
		return e.whole(ctx, s)
	case ScopePath:
		return e.part(ctx, s, e.from.PathMessages(ctx, s.ID, e.opts.LeafUID))
	case ScopeAlternatives:
		beside, err := e.alternatives(ctx, s)
		if err != nil {
			return nil, err
		}
		return e.part(ctx, s, beside)
	case ScopeBranches:
		chosen, err := e.branches(ctx, s)
		if err != nil {
			return nil, err
		}
		return e.part(ctx, s, chosen)
	}
	return nil, core.E(core.Invalid, "unknown scope %q", e.opts.Scope).WithHint("one of: tree, path, alternatives, branches")
}

func (e *exporter) whole(ctx context.Context, s core.Session) (*selection, error) {
	tree, err := e.from.Tree(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	labels, err := e.from.Labels(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	aliases, err := e.from.Aliases(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	sel := &selection{session: s, messages: e.from.Messages(ctx, s.ID), records: e.from.Records(ctx, s.ID), runs: e.from.RunItems(ctx, s.ID)}
	for _, b := range tree.Branches {
		sel.branches = append(sel.branches, branchOf(b))
	}
	for _, l := range labels {
		sel.labels = append(sel.labels, l)
	}
	for _, a := range aliases {
		sel.aliases = append(sel.aliases, a)
	}
	return sel, e.addTending(ctx, sel)
}

// addTending adds what the user has marked, for a whole session.
func (e *exporter) addTending(ctx context.Context, sel *selection) error {
	bookmarks, err := e.from.Bookmarks(ctx, sel.session.ID)
	if err != nil {
		return err
	}
	for _, b := range bookmarks {
		sel.bookmarks = append(sel.bookmarks, b)
	}
	tops, err := e.from.Hidden(ctx, sel.session.ID)
	if err != nil {
		return err
	}
	for _, top := range tops {
		sel.hidden = append(sel.hidden, hiddenTop{top.UID, top.HiddenAtMs})
	}
	return nil
}

// hiddenTop is the top of a subtree in the trash of a session.
type hiddenTop struct {
	UID        string `json:"uid"`
	HiddenAtMs int64  `json:"hiddenAtMs"`
}

func branchOf(b core.Branch) branch {
	return branch{b.Number, b.Parent, b.ForkDepth, b.TipDepth, b.CreatedAtMs}
}

// alternatives yields the messages of the path and their siblings that are not in the trash, by seq.
func (e *exporter) alternatives(ctx context.Context, s core.Session) (iter.Seq2[core.Message, error], error) {
	onPath := map[string]bool{"": true} // a root's parent
	for m, err := range e.from.PathMessages(ctx, s.ID, e.opts.LeafUID) {
		if err != nil {
			return nil, err
		}
		onPath[m.UID] = true
	}
	tops, err := e.from.Hidden(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	inTrash := make(map[string]bool, len(tops)) // a message beside the path can only be the top of a subtree in the trash
	for _, top := range tops {
		inTrash[top.UID] = !onPath[top.UID]
	}
	return func(yield func(core.Message, error) bool) {
		for m, err := range e.from.Messages(ctx, s.ID) {
			if err == nil && inTrash[m.UID] {
				continue
			}
			if (err != nil || onPath[m.ParentUID]) && !yield(m, err) {
				return
			}
		}
	}, nil
}

// branches yields the messages of the chosen paths, by seq.
func (e *exporter) branches(ctx context.Context, s core.Session) (iter.Seq2[core.Message, error], error) {
	chosen := map[string]bool{}
	for _, leaf := range append([]string{e.opts.LeafUID}, e.opts.OtherLeafUIDs...) {
		for m, err := range e.from.PathMessages(ctx, s.ID, leaf) {
			if err != nil {
				return nil, err
			}
			chosen[m.UID] = true
		}
	}
	return func(yield func(core.Message, error) bool) {
		for m, err := range e.from.Messages(ctx, s.ID) {
			if (err != nil || chosen[m.UID]) && !yield(m, err) {
				return
			}
		}
	}, nil
}

// part returns a selection of some of a session's messages, which it renumbers.
func (e *exporter) part(ctx context.Context, s core.Session, messages iter.Seq2[core.Message, error]) (*selection, error) {
	p := excerpt{session: s, born: []int64{}}
	p.session.MessageCount, p.session.BranchCount, p.session.TurnCount, p.session.StepCount = 0, 0, 0, 0
	p.session.InputTokens, p.session.OutputTokens, p.session.CacheRead, p.session.CacheWrite, p.session.Reasoning = 0, 0, 0, 0, 0
	p.session.CostNanoUSD = nil
	p.session.MainUID, p.session.HiddenCount = "", 0
	last := ""
	for m, err := range messages {
		if err != nil {
			return nil, err
		}
		if err := p.add(m); err != nil {
			return nil, err
		}
		last = m.UID
	}
	p.settle(e.opts, last)
	labels, err := e.from.Labels(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	return &selection{
		session: p.session, branches: p.branches(), messages: p.numbered(messages), labels: p.labels(labels),
		records: func(func(core.Record, error) bool) {},
	}, nil
}
