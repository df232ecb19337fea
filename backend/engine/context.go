package engine

import (
	"context"

	"coppice/backend/compact"
	"coppice/backend/core"
)

// Context is what a model was sent for an answer, or would be sent after a message.
type Context struct {
	Sending
	State core.RunState
	Sent  *core.SentRequest // nil: it was not sent
	// Redacted means that secrets in the request were replaced before the session was imported: what was sent differed there.
	Redacted bool
	Parts    ContextTokens
	// Compacted is the newest compaction on the path; nil: none. Its message has CompactedUID.
	Compacted    *core.Compaction
	CompactedUID string
	Omitted      []Omission // messages of the path that the request does not contain, in order
}

// ContextTokens are estimates by the length of the texts.
type ContextTokens struct {
	System   int64 `json:"system"`
	Tools    int64 `json:"tools"`
	Messages int64 `json:"messages"`
	Total    int64 `json:"total"`
	Window   int64 `json:"window"` // of the model; 0: unknown
}

// Omission is a message that a request does not contain.
type Omission struct {
	UID string         `json:"uid"`
	Seq int64          `json:"seq"` // the message is m<Seq>
	Why OmissionReason `json:"why"`
}

// OmissionReason is why a request does not contain a message.
type OmissionReason string

// The reasons.
const (
	OmittedCompacted OmissionReason = "compacted" // a summary replaces it
	OmittedNotSent   OmissionReason = "not_sent"  // models are never sent messages of its kind
)

// ContextOf returns the context of a message: the request that an answer resulted from, if it was recorded, otherwise the request
// that would follow the message if a run continued there with the state. An empty uid is the head. The error is Corrupt if a
// recorded request cannot be rebuilt.
func (e *Engine) ContextOf(ctx context.Context, sessionID, uid string, next core.RunState) (Context, error) {
	out := Context{State: next}
	tip := uid
	if uid != "" {
		sent, ok, err := e.Store.RequestOf(ctx, sessionID, uid)
		if err != nil {
			return out, err
		}
		if ok {
			out.Sent, out.State, tip = &sent, sent.State, sent.ParentUID
		}
	}
	path, err := e.Store.Conversation(ctx, sessionID, tip)
	if err != nil {
		return out, err
	}
	if out.Sent == nil {
		if path, err = e.withResults(ctx, sessionID, path); err != nil {
			return out, err
		}
	}
	if out.Sent != nil {
		if out.Request, err = rebuild(path, sessionID, out.Sent); core.CodeOf(err) == core.Conflict {
			out.Redacted, err = true, nil
		}
	} else {
		out.State.Form = core.RequestForm{}
		out.Request = assemble(contextOf(path, &out.State), &out.State)
	}
	out.omit(path)
	out.measure(path)
	return out, err
}

// omit lists what of the path is not sent.
func (c *Context) omit(path []core.Message) {
	hidden, newest := compact.Covered(path), 0
	for i := range path {
		if path[i].Kind == core.KindCompaction {
			newest = i
		}
	}
	for i := range path {
		m := &path[i]
		if compaction, ok := m.Compaction(); ok {
			c.Compacted, c.CompactedUID = &compaction, m.UID
		}
		_, sent := sendable(m)
		switch {
		case i < hidden, m.Kind == core.KindCompaction && i < newest:
			c.Omitted = append(c.Omitted, Omission{m.UID, m.Seq, OmittedCompacted})
		case m.Role == core.RoleTool, sent, c.State.Form.Closing && i == len(path)-1:
		default:
			c.Omitted = append(c.Omitted, Omission{m.UID, m.Seq, OmittedNotSent})
		}
	}
}

func (c *Context) measure(path []core.Message) {
	c.Mode, c.Path, c.Hidden, c.FirstTurn, c.LastTurn = c.State.Mode, len(path), compact.Covered(path), -1, -1
	c.countTurns(path[c.Hidden:])
	c.PathTokens = compact.SizeOf(c.Request.Messages).Tokens
	c.weigh()
	c.Parts = ContextTokens{System: c.SystemTokens, Tools: c.ToolTokens, Messages: c.PathTokens, Window: c.State.ContextTokens}
	c.Parts.Total = c.Parts.System + c.Parts.Tools + c.Parts.Messages
}

// MessageTokens estimates the size of one message of a request.
func MessageTokens(m *core.Message) int64 { return compact.SizeOf([]core.Message{*m}).Tokens }
