package render

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Store is the part of the store that the views use.
type Store interface {
	// Window returns limit messages of the path that ends at leafUID, from depth from on.
	Window(ctx context.Context, sessionID, leafUID string, from, limit int64) (core.Window, error)
	// Windows returns several ranges of one path.
	Windows(ctx context.Context, sessionID, leafUID string, ranges []core.Range) ([]core.Window, error)
	Message(ctx context.Context, sessionID, uid string) (core.Message, error)
	Labels(ctx context.Context, sessionID string) ([]core.Label, error)
	Sessions(ctx context.Context, filter core.SessionFilter) ([]core.Session, error)
	Blob(ctx context.Context, hash string) (core.Blob, error)
}

// reach is how many messages before and after a window are searched for the other half of a tool call. Results are
// close to their calls, so a window looks the same wherever it begins and ends.
const reach = 64

// Window returns a range of a path for the window. It may read a few messages around the range.
func (r *Renderer) Window(ctx context.Context, store Store, session core.Session, w core.Window) (WindowView, error) {
	s := messageRange{messages: w.Messages, from: 0, to: len(w.Messages)}
	if err := s.widen(ctx, store, session.ID, w); err != nil {
		return WindowView{}, err
	}
	labels, err := store.Labels(ctx, session.ID)
	if err != nil {
		return WindowView{}, core.Wrap(core.CodeOf(err), err, "read the labels")
	}
	children, err := r.childrenOf(ctx, store, session.ID, &s)
	if err != nil {
		return WindowView{}, err
	}
	view := WindowView{LeafUID: w.LeafUID, Length: w.Length, From: w.From, Messages: make([]MessageView, 0, len(w.Messages))}
	page := page{r: r, loaded: &s, workspace: session.WorkspacePath, children: children, left: pageBudget, previewLeft: previewBudget}
	texts := labelTexts(labels)
	for m := s.from; m < s.to; m++ {
		message := page.message(m)
		message.TurnStart = m == 0 || s.messages[m-1].Turn != message.Turn
		if message.TurnStart {
			message.Label = texts[message.UID]
		}
		view.Messages = append(view.Messages, message)
	}
	return view, nil
}

func labelTexts(labels []core.Label) map[string]string {
	texts := make(map[string]string, len(labels))
	for _, label := range labels {
		texts[label.UID] = plain.Visible(label.Text)
	}
	return texts
}

// A range of consecutive messages of a path. The messages from index from up to, but not including, index to are shown.
type messageRange struct {
	messages []core.Message
	from, to int
	pairs    pairing
}

// widen reads messages around the window as far as calls and results require it, and the one before it, which
// determines whether the window begins with a turn.
func (s *messageRange) widen(ctx context.Context, store Store, sessionID string, w core.Window) error {
	s.pairs = pair(s.messages)
	if w.From > 0 {
		limit := int64(1)
		if s.pairs.lacks(s.messages, s.from, s.to, core.PartToolResult) {
			limit = min(w.From, reach)
		}
		before, err := store.Window(ctx, sessionID, w.LeafUID, w.From-limit, limit)
		if err != nil {
			return core.Wrap(core.CodeOf(err), err, "read the messages before the window")
		}
		s.messages = append(before.Messages, s.messages...)
		s.from, s.to = len(before.Messages), len(s.messages)
		s.pairs = pair(s.messages)
	}
	for _, limit := range []int64{4, reach - 4} {
		next := w.From + int64(len(s.messages)-s.from)
		if next >= w.Length || !s.pairs.lacks(s.messages, s.from, s.to, core.PartToolCall) {
			return nil
		}
		after, err := store.Window(ctx, sessionID, w.LeafUID, next, limit)
		if err != nil {
			return core.Wrap(core.CodeOf(err), err, "read the messages after the window")
		}
		s.messages = append(s.messages[:len(s.messages):len(s.messages)], after.Messages...)
		s.pairs = pair(s.messages)
	}
	return nil
}
