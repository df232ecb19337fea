package chatgpt

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/chatexport"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// tree is a conversation: every node of its mapping, not only those that lead to the current one.
type tree struct {
	all     gjson.Result
	from    *chatexport.Conversation
	nodes   []node
	order   chatexport.Tree
	unknown []int  // nodes that are kept as records
	id      string // of the conversation; empty: the first message's counts
	prefix  string // of the messages' ids, if theirs are not unique
}

// node is one of the mapping.
type node struct {
	all     gjson.Result
	message core.Message
	files   []file // what its media are called in the export
	call    int    // the node whose call is open below it; -1: none
}

func newTree(c *chatexport.Conversation, v gjson.Result) *tree {
	t := &tree{all: v, from: c, id: id(v)}
	if t.id == "" && hasPlainIDs(v.Get("mapping")) {
		t.id = t.deriveID(c)
		t.prefix = t.id + "/"
	}
	nodes := t.read(v.Get("mapping"))
	t.order = c.Arrange(nodes, transcript.Seconds(v.Get("create_time")))
	for _, p := range t.order.Positions {
		t.finish(p)
	}
	return t
}

// read builds a message for each node. A node without one only connects others.
func (t *tree) read(mapping gjson.Result) []chatexport.Node {
	var nodes []chatexport.Node
	index := map[string]int{}
	jsonl.Each(mapping, func(key string, v gjson.Result) bool {
		if len(nodes) == core.MaxMessages {
			t.from.Problem("more than 200,000 messages: the others are not imported")
			return false
		}
		if _, twice := index[key]; twice || key == "" || !v.IsObject() {
			t.from.Problem("a node that has no id, or not one of its own, is skipped")
			return true
		}
		index[key] = len(nodes)
		n, ok := t.node(key, v)
		nodes = append(nodes, chatexport.Node{
			ID: key, Parent: jsonl.Text(v.Get("parent")), TimeMs: transcript.Seconds(v.Get("message.create_time")), Skip: !ok,
		})
		t.nodes = append(t.nodes, n)
		return true
	})
	for i := range t.nodes { // a parent may be named by its children, the children by their parent, or both
		for rank, child := range t.nodes[i].all.Get("children").Array() {
			c, known := index[jsonl.Text(child)]
			if !known || c == i {
				continue
			}
			nodes[c].Rank = rank
			if nodes[c].Parent == "" {
				nodes[c].Parent = nodes[i].ID
			}
		}
	}
	return nodes
}

// node builds the message of a node; ok is false if it has none, or an empty one.
func (t *tree) node(key string, v gjson.Result) (n node, ok bool) {
	n = node{all: v, call: -1}
	m := v.Get("message")
	if !m.IsObject() {
		return n, false
	}
	switch role := core.Role(jsonl.Text(m.Get("author.role"))); role {
	case core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool:
		n.message, n.files, ok = build(t.prefix+key, role, m)
	default:
		t.unknown = append(t.unknown, len(t.nodes))
	}
	return n, ok
}

// finish completes a message from its ancestors.
func (t *tree) finish(p chatexport.Position) {
	n := &t.nodes[p.Index]
	m := &n.message
	m.CreatedAtMs = p.TimeMs
	if p.Parent >= 0 {
		up := &t.nodes[p.Parent]
		m.ParentUID, n.call = up.message.UID, up.call
	}
	switch {
	case m.FinishReason == core.FinishToolCall:
		n.call = p.Index
	case m.Role == core.RoleTool && n.call >= 0:
		m.Parts[0].ID = t.nodes[n.call].message.UID
	case m.Role != core.RoleTool && m.Kind == core.KindMessage:
		n.call = -1 // results precede any other message
	}
}

func (t *tree) session(path string) core.Session {
	v := t.all
	s := core.Session{
		Source: core.SourceChatGPT, SourceID: t.id, SourcePath: path, Status: core.StatusIdle, Title: jsonl.Title(jsonl.Text(v.Get("title"))),
		Model: jsonl.Text(v.Get("default_model_slug")), CreatedAtMs: transcript.Seconds(v.Get("create_time")),
		Meta: transcript.Rest(v, "conversation_id", "id", "title", "mapping", "current_node", "default_model_slug", "create_time", "update_time"),
	}
	t.order.Describe(&s, func(node int) *core.Message { return &t.nodes[node].message })
	return s
}

func (t *tree) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		attachments := t.from.Attachments()
		for _, p := range t.order.Positions {
			if err := ctx.Err(); err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
			n := &t.nodes[p.Index]
			attachments.NextMessage()
			for _, f := range n.files {
				attachments.Attach(f.media, f.id)
				f.media.Name = cmp.Or(f.media.Name, f.kind)
			}
			if !yield(core.IncomingMessage{Message: n.message}, nil) {
				return
			}
			*n = node{} // the library has it
		}
	}
}

// head returns the message that ChatGPT shows last; the newest if the export does not record it.
func (t *tree) head() string {
	at := t.order.Above(jsonl.Text(t.all.Get("current_node")))
	if at < 0 {
		at = t.order.Positions[len(t.order.Positions)-1].Index
	}
	return t.prefix + t.order.ID(at)
}

// records are the messages with an unknown role.
func (t *tree) records() iter.Seq[core.Record] {
	return func(yield func(core.Record) bool) {
		for _, at := range t.unknown {
			r := core.Record{Type: jsonl.Text(t.nodes[at].all.Get("message.author.role")), Body: json.RawMessage(t.nodes[at].all.Raw)}
			if up := t.order.Above(t.order.ID(at)); up >= 0 {
				r.AfterUID = t.prefix + t.order.ID(up)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// lacksFiles reports whether messages refer to files that this export does not have: the library's version from another
// export is better.
func (t *tree) lacksFiles() bool {
	for i := range t.nodes {
		if len(t.nodes[i].files) > 0 {
			return !t.from.Export.HasFiles()
		}
	}
	return false
}
