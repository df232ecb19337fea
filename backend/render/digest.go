package render

import (
	"context"
	"slices"

	"coppice/backend/core"
)

// Span is a range of messages of a path, mostly a turn.
type Span struct {
	From  int64 `json:"from"`
	Count int64 `json:"count"`
}

// TurnDigest is a turn in short: its prompt and its final answer. What was done between them is a Work, which takes longer to
// read.
type TurnDigest struct {
	From    int64        `json:"from"`
	Count   int64        `json:"count"`
	Prompt  *MessageView `json:"prompt,omitempty"` // nil: the turn begins with a fork below a prompt
	Answer  *MessageView `json:"answer,omitempty"` // the last message of the model; nil: it has not answered
	HasWork bool         `json:"hasWork"`          // there is more between them
}

// CallsPage is a range of the calls of a turn, as the messages that made them with no other blocks.
type CallsPage struct {
	Total    int64         `json:"total"`
	Messages []MessageView `json:"messages"` // never nil
}

const (
	// promptReach and answerReach are how many messages at the beginning and the end of a turn are searched for its prompt and its
	// answer.
	promptReach = 4
	answerReach = 12
	// maxWorkMessages bounds what is read to count the work of one turn.
	maxWorkMessages = 5000
	workPage        = 250
	maxCalls        = 200
)

// Digests returns turns of a path in short. It reads a few messages at the beginning and the end of each.
func (r *Renderer) Digests(ctx context.Context, store Store, session core.Session, leafUID string, turns []Span) ([]TurnDigest, error) {
	labels, err := store.Labels(ctx, session.ID)
	if err != nil {
		return nil, core.Wrap(core.CodeOf(err), err, "read the labels")
	}
	texts := labelTexts(labels)
	read, err := endsOf(ctx, store, session.ID, leafUID, turns)
	if err != nil {
		return nil, err
	}
	out := make([]TurnDigest, 0, len(turns))
	left := pageBudget
	for i, span := range turns {
		messages := read[i]
		s := messageRange{messages: messages, to: len(messages), pairs: pair(messages)}
		p := page{r: r, loaded: &s, workspace: session.WorkspacePath, children: childSessions{}, left: left}
		out = append(out, p.digest(span, texts))
		left = p.left
	}
	return out, nil
}

// endsOf returns the messages at both ends of each turn, in order; all of them if it is short.
func endsOf(ctx context.Context, store Store, sessionID, leafUID string, turns []Span) ([][]core.Message, error) {
	var ranges []core.Range
	var turnOf []int // of each range
	for i, span := range turns {
		ends := []core.Range{{From: span.From, Limit: span.Count}}
		if span.Count > promptReach+answerReach {
			ends = []core.Range{{From: span.From, Limit: promptReach}, {From: span.From + span.Count - answerReach, Limit: answerReach}}
		}
		for _, end := range ends {
			ranges, turnOf = append(ranges, end), append(turnOf, i)
		}
	}
	windows, err := store.Windows(ctx, sessionID, leafUID, ranges)
	if err != nil {
		return nil, core.Wrap(core.CodeOf(err), err, "read turns")
	}
	messages := make([][]core.Message, len(turns))
	for i, w := range windows {
		messages[turnOf[i]] = append(messages[turnOf[i]], w.Messages...)
	}
	return messages, nil
}

func (p *page) digest(span Span, labels map[string]string) TurnDigest {
	d := TurnDigest{From: span.From, Count: span.Count}
	prompt, answer := promptAndAnswer(p.loaded.messages)
	if prompt >= 0 {
		view := p.message(prompt)
		view.TurnStart = view.Depth == span.From
		if view.TurnStart {
			view.Label = labels[view.UID]
		}
		d.Prompt = &view
	}
	between := span.Count
	for _, shown := range []bool{prompt >= 0, answer >= 0} {
		if shown {
			between--
		}
	}
	calls := 0
	if answer >= 0 {
		view := p.message(answer)
		view.Blocks, calls = answerBlocks(view.Blocks, between == 0)
		view.Hidden = false
		d.Answer = &view
	}
	d.HasWork = between > 0 || calls > 0
	return d
}

// answerBlocks returns what a digest shows of an answer, and how many other blocks it has. Reasoning that leads to the answer at once is part
// of it, folded as ever: there is no work to find it in.
func answerBlocks(blocks []Block, alone bool) (shown []Block, others int) {
	alone = alone && !slices.ContainsFunc(blocks, func(b Block) bool { return b.Type == BlockTool })
	shown = []Block{}
	for _, block := range blocks {
		switch block.Type {
		case BlockProse, BlockMedia, BlockNotice:
			shown = append(shown, block)
		case BlockReasoning:
			if alone {
				shown = append(shown, block)
			} else {
				others++
			}
		default:
			others++
		}
	}
	return shown, others
}

// promptAndAnswer returns the indexes of the user's prompt and of the model's last message with text among the messages of a turn; -1 if
// it is missing. A turn without such text is answered by its last message of the model.
func promptAndAnswer(messages []core.Message) (prompt, answer int) {
	prompt, answer = -1, -1
	silent := -1
	for i := range messages {
		m := &messages[i]
		switch {
		case m.IsPrompt() && !hasResult(m) && prompt < 0 && i < promptReach:
			prompt = i
		case m.Role == core.RoleAssistant && m.Kind == core.KindMessage && hasText(m):
			answer = i
		case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
			silent = i
		}
	}
	if answer < 0 {
		answer = silent
	}
	return prompt, answer
}

func hasText(m *core.Message) bool {
	for i := range m.Parts {
		if part := &m.Parts[i]; part.Type == core.PartText && part.Text != "" && !part.Injected {
			return true
		}
	}
	return false
}

// TurnWork counts what was done in a turn. It reads at most maxWorkMessages messages, a page at a time.
func (r *Renderer) TurnWork(ctx context.Context, store Store, session core.Session, leafUID string, span Span) (Work, error) {
	t := r.newTally(session.WorkspacePath)
	end := span.From + min(span.Count, maxWorkMessages)
	for from := span.From; from < end; from += workPage {
		w, err := store.Window(ctx, session.ID, leafUID, from, min(workPage, end-from))
		if err != nil {
			return Work{}, core.Wrap(core.CodeOf(err), err, "read a turn")
		}
		for i := range w.Messages {
			t.add(&w.Messages[i])
		}
	}
	work := t.result()
	work.Partial = span.Count > maxWorkMessages
	return work, nil
}

// TurnCalls returns the calls of a phase of a turn, limit from the index from, at most maxCalls.
func (r *Renderer) TurnCalls(ctx context.Context, store Store, session core.Session, leafUID string, span Span, kind PhaseKind, from, limit int64) (CallsPage, error) {
	span.Count = min(span.Count, maxWorkMessages)
	w, err := store.Window(ctx, session.ID, leafUID, span.From, span.Count)
	if err != nil {
		return CallsPage{}, core.Wrap(core.CodeOf(err), err, "read a turn")
	}
	s := messageRange{messages: w.Messages, to: len(w.Messages), pairs: pair(w.Messages)}
	children, err := r.childrenOf(ctx, store, session.ID, &s)
	if err != nil {
		return CallsPage{}, err
	}
	p := page{r: r, loaded: &s, workspace: session.WorkspacePath, children: children, left: pageBudget}
	return p.calls(kind, from, min(limit, maxCalls)), nil
}

func (p *page) calls(kind PhaseKind, from, limit int64) CallsPage {
	out := CallsPage{Messages: []MessageView{}}
	for m := range p.loaded.messages {
		message := &p.loaded.messages[m]
		view := MessageView{
			UID: message.UID, Seq: message.Seq, Turn: message.Turn, Branch: message.Branch, Depth: message.Depth, ParentUID: message.ParentUID,
			Siblings: message.Siblings, SiblingIndex: message.SiblingIndex, Role: message.Role, Kind: message.Kind, CreatedAtMs: message.CreatedAtMs,
			Cites: []string{}, Blocks: []Block{},
		}
		for i := range message.Parts {
			part := &message.Parts[i]
			if part.Type != core.PartToolCall || p.r.call(part).phase() != kind {
				continue
			}
			if out.Total >= from && out.Total < from+limit {
				block := p.tool(partIndex{m, i}, part)
				block.Part = int64(i)
				view.Blocks = append(view.Blocks, block)
			}
			out.Total++
		}
		if len(view.Blocks) > 0 {
			out.Messages = append(out.Messages, view)
		}
	}
	return out
}
