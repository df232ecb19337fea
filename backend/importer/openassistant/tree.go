package openassistant

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/graft"
	"coppice/backend/importer/jsonl"
)

// tree is a conversation: a prompt, its answers, what was asked then, and so on.
type tree struct {
	file     core.SourceFile
	id       string
	meta     jsonl.Fields
	messages []core.Message // a parent before its children
	best     []float64      // by message: its rank among its siblings; the lowest is the best
	dated    bool           // the file records when messages were written
	unknown  []core.Record
	flaw     string
	replies  map[string][]gjson.Result // by the message they answer; nil: messages hold their replies
}

// reply is a reply that is still to be read.
type reply struct {
	parent string
	all    gjson.Result
}

func newTree(file core.SourceFile, v gjson.Result) *tree {
	t := &tree{file: file, id: jsonl.Text(v.Get("message_tree_id")), dated: true}
	jsonl.Each(v, func(key string, v gjson.Result) bool {
		if key != "message_tree_id" && key != "prompt" && v.Type != gjson.Null {
			t.meta.Set(key, jsonl.Raw(v))
		}
		return true
	})
	t.grow([]gjson.Result{v.Get("prompt")})
	if t.id == "" && len(t.messages) > 0 {
		t.id = t.messages[0].UID
	}
	return t
}

// grow reads messages and all below them.
func (t *tree) grow(roots []gjson.Result) {
	seen := map[string]bool{}
	var pending []reply
	push := func(parent string, all []gjson.Result) {
		for _, v := range slices.Backward(all) {
			pending = append(pending, reply{parent, v})
		}
	}
	push("", roots)
	for len(pending) > 0 {
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		held, uid := t.take(next, seen)
		below := t.replies[uid]
		if t.replies == nil {
			below = held.Array()
		}
		push(uid, below)
	}
}

// take reads one message and returns its replies, and their parent.
func (t *tree) take(r reply, seen map[string]bool) (replies gjson.Result, uid string) {
	m := core.Message{ParentUID: r.parent, Kind: core.KindMessage, Parts: []core.Part{}}
	rank := math.Inf(1)
	var meta jsonl.Fields
	role, model := "", gjson.Result{}
	jsonl.Each(r.all, func(key string, v gjson.Result) bool {
		switch key {
		case "message_id":
			m.UID = jsonl.Text(v)
		case "text":
			if words := jsonl.Text(v); words != "" {
				m.Parts = []core.Part{{Type: core.PartText, Text: words}}
			}
		case "role":
			role = jsonl.Text(v)
		case "created_date":
			m.CreatedAtMs = jsonl.Millis(v)
		case "model_name":
			model = v
		case "replies":
			replies = v
		case "parent_id": // the position shows it
		default:
			if t.replies != nil && (key == "message_tree_id" || key == "tree_state") {
				if key == "tree_state" { // of the tree, repeated with each message
					t.meta.Set(key, jsonl.Raw(v))
				}
				return true
			}
			if v.Type != gjson.Null {
				meta.Set(key, jsonl.Raw(v))
			}
			if key == "rank" && v.Type == gjson.Number {
				rank = v.Num
			}
		}
		return true
	})
	switch {
	case role == "assistant":
		m.Role, m.Model = core.RoleAssistant, jsonl.Text(model)
	case role == "prompter":
		m.Role = core.RoleUser
		meta.Set("model_name", jsonl.Raw(model)) // of a prompt that a model wrote
	case r.all.IsObject():
		t.unknown = append(t.unknown, core.Record{AfterUID: r.parent, Type: role, Body: json.RawMessage(r.all.Raw)})
		return gjson.Result{}, "" // its replies are in the record
	}
	if m.UID == "" || seen[m.UID] || m.Role == "" {
		t.flaw = "a message has no id, or not one of its own; it and its replies are skipped"
		return gjson.Result{}, ""
	}
	seen[m.UID] = true
	t.dated = t.dated && m.CreatedAtMs > 0
	m.Meta = meta.JSON()
	t.messages, t.best = append(t.messages, m), append(t.best, rank)
	return replies, m.UID
}

func (t *tree) session() core.Session {
	s := core.Session{
		Source: core.SourceOpenAssistant, SourceID: t.id, SourcePath: t.file.Path, Status: core.StatusIdle, CreatedAtMs: t.messages[0].CreatedAtMs, Meta: t.meta.JSON(),
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = t.file.ModifiedMs
	}
	for i := range t.messages {
		m := &t.messages[i]
		if m.IsPrompt() && s.Task == "" {
			s.Task = jsonl.Task(m.Text())
		}
		if m.Model != "" {
			s.Model = m.Model
		}
	}
	return s
}

// incoming hands out the messages. One without a time has that which the library gave it first, which is that of the file.
func (t *tree) incoming(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		past := &graft.Past{}
		if !t.dated {
			var err error
			if past, err = graft.Recall(ctx, t.file, core.SourceOpenAssistant, t.id); err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
		}
		for _, m := range t.messages {
			if m.CreatedAtMs == 0 {
				m.CreatedAtMs = past.TimeMs(m.UID)
			}
			if m.CreatedAtMs == 0 {
				m.CreatedAtMs = t.file.ModifiedMs
			}
			if !yield(core.IncomingMessage{Message: m}, nil) {
				return
			}
		}
	}
}

// head is the end of the path of the best answers.
func (t *tree) head() string {
	best := map[string]int{} // by parent
	for i, m := range t.messages {
		if b, known := best[m.ParentUID]; !known || t.best[i] < t.best[b] {
			best[m.ParentUID] = i
		}
	}
	uid := ""
	for i, more := best[uid]; more; i, more = best[uid] {
		uid = t.messages[i].UID
	}
	return uid
}

// records are the messages with an unknown role, each with its replies.
func (t *tree) records() iter.Seq[core.Record] { return slices.Values(t.unknown) }
