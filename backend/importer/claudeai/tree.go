package claudeai

import (
	"context"
	"encoding/json"
	"iter"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/chatexport"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// tree is a conversation with all its branches, as far as the export contains them.
type tree struct {
	all     gjson.Result
	built   [][]core.Message // by message of the export: an answer with tools is several of ours
	order   chatexport.Tree
	unknown []record
}

// record is a message of an unknown sender.
type record struct {
	at  int // among the messages
	all gjson.Result
}

func newTree(c *chatexport.Conversation, v gjson.Result) *tree {
	t := &tree{all: v}
	var nodes []chatexport.Node
	seen := map[string]bool{}
	before := ""
	jsonl.Each(v.Get("chat_messages"), func(_ string, m gjson.Result) bool {
		uid := jsonl.Text(m.Get("uuid"))
		if uid == "" || seen[uid] || strings.Contains(uid, "/") || !m.IsObject() { // what follows a slash is ours
			c.Problem("message " + strconv.Itoa(len(nodes)+1) + " has no uuid, or not one of its own; it is skipped")
			return true
		}
		seen[uid] = true
		n := chatexport.Node{ID: uid, Parent: before, TimeMs: jsonl.Millis(m.Get("created_at"))}
		if parent := m.Get("parent_message_uuid"); parent.Exists() {
			n.Parent = jsonl.Text(parent) // that of a first message is the uuid of none
		}
		said, known := build(uid, m)
		if !known {
			t.unknown = append(t.unknown, record{len(nodes), m})
		}
		n.Skip = len(said) == 0
		nodes, t.built, before = append(nodes, n), append(t.built, said), uid
		return true
	})
	t.order = c.Arrange(nodes, jsonl.Millis(v.Get("created_at")))
	for _, p := range t.order.Positions {
		t.link(p)
	}
	return t
}

// link puts the messages of a position below each other, each no older than the one above.
func (t *tree) link(p chatexport.Position) {
	up, timeMs := "", p.TimeMs
	if p.Parent >= 0 {
		above := t.built[p.Parent]
		up, timeMs = t.last(p.Parent), max(timeMs, above[len(above)-1].CreatedAtMs)
	}
	for i := range t.built[p.Index] {
		m := &t.built[p.Index][i]
		timeMs = max(timeMs, m.CreatedAtMs)
		m.ParentUID, m.CreatedAtMs = up, timeMs
		up = m.UID
	}
}

// last returns the uid of the last message that one of the export becomes.
func (t *tree) last(at int) string {
	said := t.built[at]
	return said[len(said)-1].UID
}

func (t *tree) session(path string) core.Session {
	v := t.all
	s := core.Session{
		Source: core.SourceClaudeAI, SourceID: jsonl.Text(v.Get("uuid")), SourcePath: path, Status: core.StatusIdle, Title: jsonl.Title(jsonl.Text(v.Get("name"))),
		Model: jsonl.Text(v.Get("model")), CreatedAtMs: jsonl.Millis(v.Get("created_at")),
		Meta: transcript.Rest(v, "uuid", "name", "model", "created_at", "updated_at", "chat_messages", "current_leaf_message_uuid"),
	}
	t.order.Describe(&s, func(node int) *core.Message { return &t.built[node][0] })
	return s
}

func (t *tree) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for _, p := range t.order.Positions {
			if err := ctx.Err(); err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
			for _, m := range t.built[p.Index] {
				if !yield(core.IncomingMessage{Message: m}, nil) {
					return
				}
			}
		}
	}
}

// head returns the message that Claude.ai shows last; the newest if the export does not record it.
func (t *tree) head() string {
	if at := t.order.Above(jsonl.Text(t.all.Get("current_leaf_message_uuid"))); at >= 0 {
		return t.last(at)
	}
	return t.last(t.order.Positions[len(t.order.Positions)-1].Index)
}

// records are the messages of unknown senders.
func (t *tree) records() iter.Seq[core.Record] {
	return func(yield func(core.Record) bool) {
		for _, u := range t.unknown {
			r := core.Record{Type: jsonl.Text(u.all.Get("sender")), Body: json.RawMessage(u.all.Raw)}
			if up := t.order.Above(t.order.ID(u.at)); up >= 0 {
				r.AfterUID = t.last(up)
			}
			if !yield(r) {
				return
			}
		}
	}
}
