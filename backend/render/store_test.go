package render

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"coppice/backend/core"
)

// forest is a session in memory that replaces the store.
type forest struct {
	session  core.Session
	skeleton *core.Skeleton
	messages []core.Message // by seq
	at       map[core.Position]int
	bySeq    map[string]int
	labels   []core.Label
	hidden   []core.HiddenTop
	children []core.Session
	blobs    map[string]core.Blob
	whole    map[string]core.Message // hydrated
	reads    int
}

func newForest(session core.Session) *forest {
	return &forest{
		session: session, skeleton: core.NewSkeleton(nil, nil), at: map[core.Position]int{}, bySeq: map[string]int{},
		blobs: map[string]core.Blob{}, whole: map[string]core.Message{},
	}
}

// add appends a message below the one with the uid, which is empty for a root, and returns its uid.
func (f *forest) add(t testing.TB, parentUID string, m core.Message) string {
	t.Helper()
	var parent *core.Position
	if parentUID != "" {
		at := f.place(parentUID)
		parent = &at
	}
	place, err := f.skeleton.Append(parent, m.IsPrompt())
	if err != nil {
		t.Fatal(err)
	}
	m.Seq, m.Turn, m.Branch, m.Depth, m.ParentUID = place.Seq, place.Turn, place.Branch, place.Depth, parentUID
	if m.UID == "" {
		m.UID = fmt.Sprintf("uid-%d", m.Seq)
	}
	if m.CreatedAtMs == 0 {
		m.CreatedAtMs = 1763712000000 + m.Seq*60_000
	}
	f.at[place.Position()] = len(f.messages)
	f.bySeq[m.UID] = len(f.messages)
	f.messages = append(f.messages, m)
	f.session.HeadUID = m.UID
	return m.UID
}

func (f *forest) place(uid string) core.Position {
	m := f.messages[f.bySeq[uid]]
	return core.Position{Branch: m.Branch, Depth: m.Depth}
}

func (f *forest) get(at core.Position) core.Message {
	m := f.messages[f.at[at]]
	siblings := f.skeleton.Siblings(at)
	m.Siblings = int64(len(siblings))
	for i, s := range siblings {
		if s == at {
			m.SiblingIndex = int64(i + 1)
		}
	}
	f.reads++
	return m
}

func (f *forest) Session(context.Context, string) (core.Session, error) {
	s := f.session
	tally := f.skeleton.Tally()
	s.MessageCount, s.TurnCount, s.BranchCount = tally.Messages, tally.Turns, tally.Branches
	return s, nil
}

func (f *forest) Message(_ context.Context, _, uid string) (core.Message, error) {
	if _, ok := f.bySeq[uid]; !ok {
		return core.Message{}, core.E(core.NotFound, "no message %s", uid)
	}
	return f.get(f.place(uid)), nil
}

func (f *forest) Windows(ctx context.Context, sessionID, leafUID string, ranges []core.Range) ([]core.Window, error) {
	windows := make([]core.Window, len(ranges))
	for i, r := range ranges {
		var err error
		if windows[i], err = f.Window(ctx, sessionID, leafUID, r.From, r.Limit); err != nil {
			return nil, err
		}
	}
	return windows, nil
}

func (f *forest) Window(_ context.Context, _, leafUID string, from, limit int64) (core.Window, error) {
	if leafUID == "" {
		leafUID = f.session.HeadUID
	}
	w := core.Window{LeafUID: leafUID, Messages: []core.Message{}}
	if leafUID == "" {
		return w, nil
	}
	path := f.skeleton.Path(f.place(leafUID))
	w.Length = path.Length()
	for i, seg := range path.Window(from, limit) {
		if i == 0 {
			w.From = seg.From
		}
		for depth := seg.From; depth <= seg.To; depth++ {
			w.Messages = append(w.Messages, f.get(core.Position{Branch: seg.Branch, Depth: depth}))
		}
	}
	return w, nil
}

func (f *forest) Messages(context.Context, string) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, m := range f.messages {
			if !yield(f.get(core.Position{Branch: m.Branch, Depth: m.Depth}), nil) {
				return
			}
		}
	}
}

func (f *forest) Tree(ctx context.Context, id string) (core.Tree, error) {
	session, _ := f.Session(ctx, id)
	tree := core.Tree{Session: session, Head: f.session.HeadUID, HeadTurn: -1, Branches: f.skeleton.Branches, Hidden: f.hidden}
	for _, turn := range f.skeleton.Turns {
		first := f.get(core.Position{Branch: turn.Branch, Depth: turn.FirstDepth})
		last := f.get(core.Position{Branch: turn.Branch, Depth: turn.FirstDepth + turn.Messages - 1})
		turn.FirstUID, turn.LastUID, turn.Role, turn.CreatedAtMs = first.UID, last.UID, first.Role, first.CreatedAtMs
		if len(first.Parts) > 0 {
			turn.Preview = core.Preview(first.Parts[0].Text, 120)
		}
		for _, label := range f.labels {
			if label.Turn == turn.Number {
				turn.Label = label.Text
			}
		}
		tree.Turns = append(tree.Turns, turn)
	}
	return tree, nil
}

func (f *forest) Labels(context.Context, string) ([]core.Label, error) { return f.labels, nil }

func (f *forest) Sessions(context.Context, core.SessionFilter) ([]core.Session, error) {
	return f.children, nil
}

func (f *forest) Blob(_ context.Context, hash string) (core.Blob, error) {
	blob, ok := f.blobs[hash]
	if !ok {
		return core.Blob{}, core.E(core.NotFound, "no blob %s", hash)
	}
	return blob, nil
}

func (f *forest) Hydrate(_ context.Context, m *core.Message) error {
	if whole, ok := f.whole[m.UID]; ok {
		m.Parts = whole.Parts
	}
	return nil
}

func said(role core.Role, parts ...core.Part) core.Message {
	return core.Message{Role: role, Kind: core.KindMessage, Parts: parts}
}

func text(s string) core.Part { return core.Part{Type: core.PartText, Text: s} }

func calls(id, name, arguments string) core.Part {
	return core.Part{Type: core.PartToolCall, ID: id, Name: name, Arguments: []byte(arguments)}
}

func answers(id string, parts ...core.Part) core.Part {
	return core.Part{Type: core.PartToolResult, ID: id, Result: parts}
}
