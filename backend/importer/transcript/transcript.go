// Package transcript reads sessions that are one JSON object with a list of messages. Their messages mostly have no
// ids, and the file may drop the older ones; package graft handles that.
//
// The list is read twice: first for each message's content, then to yield the messages. Each pass holds one message at
// a time.
package transcript

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/graft"
	"coppice/backend/importer/jsondoc"
)

// Transcript is a session's list of messages on its way into the library.
type Transcript struct {
	File     core.SourceFile
	Data     io.ReaderAt // the text of the elements; nil: the file itself
	Outliner *jsondoc.Outliner
	Elements []jsondoc.Element
	Session  core.Session
	// Key identifies the conversation in the ids of its messages; empty: the source and the session's id there.
	Key string
	// FormerKey takes the place of Key if the library holds the session's messages by it only; empty: none.
	FormerKey string

	// Build returns the message of an element. It is called twice for each, and sets neither UID nor ParentUID unless
	// the source has ids. ok is false for an element that is not a message; that is stored as a record.
	Build func(v gjson.Result) (m core.Message, ok bool)
	// See is called for every message in order, before any is yielded, and may change its UID. It may be nil.
	See func(i int, m *core.Message)
	// Finish completes a message that is yielded; uid returns that of any message by its index. It may be nil.
	Finish func(i int, m *core.Message, uid func(i int) string)

	Cut         bool   // the beginning of the conversation is missing
	StartedMs   int64  // the time of messages that have none
	EndedMs     int64  // the time of the last one
	CostNanoUSD *int64 // of the whole session, if messages do not record theirs; stored with the last answer
	Records     []core.Record
	Wakes       []core.Wake // see core.Header

	seen  []seen
	uids  []string
	extra []core.Record
	last  string
}

// seen is what is held of a message between the two passes.
type seen struct {
	element int
	content string // its hash
	uid     string // the source's own
	role    core.Role
	sums    bool
}

// Incoming returns the session for the library.
func (t *Transcript) Incoming(ctx context.Context) core.Incoming {
	return core.Incoming{
		Header:   core.Header{Session: t.Session, Wakes: t.Wakes, Cursor: &core.Cursor{}}, // the file is rewritten each time
		Messages: t.messages(ctx),
		Head:     func() string { return t.last },
		Records: func(yield func(core.Record) bool) {
			for _, r := range t.extra {
				if !yield(r) {
					return
				}
			}
			for _, r := range t.Records {
				r.AfterUID = t.last
				if !yield(r) {
					return
				}
			}
		},
	}
}

func (t *Transcript) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		if err := t.run(ctx, yield); err != nil {
			yield(core.IncomingMessage{}, err)
		}
	}
}

func (t *Transcript) run(ctx context.Context, yield func(core.IncomingMessage, error) bool) error {
	if t.Data == nil {
		t.Data = t.File.Data
	}
	if t.Key == "" {
		t.Key = string(t.Session.Source) + " " + t.Session.SourceID
	}
	after, err := t.look(ctx)
	if err != nil {
		return err
	}
	past, err := graft.Recall(ctx, t.File, t.Session.Source, t.Session.SourceID)
	if err != nil {
		return err
	}
	if t.heldBy(past, t.FormerKey) && !t.heldBy(past, t.Key) {
		t.Key = t.FormerKey
	}
	positions := past.Arrange(t.list())
	t.uids = make([]string, len(t.seen))
	for _, p := range positions {
		t.uids[p.Index], t.last = p.UID, p.UID
	}
	for i := range t.extra {
		if n := after[i]; n > 0 {
			t.extra[i].AfterUID = t.uids[n-1]
		}
	}
	h := secondPass{Transcript: t, past: past, positions: positions, timeMs: t.StartedMs}
	h.droppedUsage, h.droppedCost = past.Dropped(positions)
	return h.run(ctx, yield)
}

// heldBy reports whether the library holds the first message, by an id that is made of a key.
func (t *Transcript) heldBy(past *graft.Past, key string) bool {
	return key != "" && len(t.seen) > 0 && past.TimeMs(graft.UID(key, "", t.seen[0].content)) != 0
}

// look is the first pass. It returns for each record the number of messages before it.
func (t *Transcript) look(ctx context.Context) (after []int, err error) {
	for n, e := range t.Elements {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := t.Outliner.Read(t.Data, e)
		if damage, ok := errors.AsType[*jsondoc.Damage](err); ok {
			t.File.Problem(damage.Line, damage.Message)
			continue
		}
		if err != nil {
			return nil, err
		}
		m, ok := t.Build(v)
		if !ok {
			t.extra = append(t.extra, core.Record{
				Line: e.Line, Type: v.Get("role").String(), Body: json.RawMessage(v.Raw),
			})
			after = append(after, len(t.seen))
			continue
		}
		if t.See != nil {
			t.See(len(t.seen), &m)
		}
		t.seen = append(t.seen, seen{element: n, content: Content(&m), uid: m.UID, role: m.Role, sums: m.Kind == core.KindCompaction})
	}
	return after, nil
}

func (t *Transcript) list() graft.List {
	return graft.List{
		Len: len(t.seen), Cut: t.Cut,
		Sums: func(i int) bool { return t.seen[i].sums },
		UID: func(parent string, i int) string {
			if s := t.seen[i]; s.uid != "" {
				return s.uid
			}
			return graft.UID(t.Key, parent, t.seen[i].content)
		},
	}
}

// Content returns the hash of a message's content. It ignores differences between two files of the same conversation such as
// white space and the order of keys.
func Content(m *core.Message) string {
	h := sha256.New()
	put := func(words ...string) {
		for _, w := range words {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
	}
	put(string(m.Role), m.Name, m.Agent)
	if m.CreatedAtMs != 0 {
		put(strconv.FormatInt(m.CreatedAtMs, 10))
	}
	var parts func(all []core.Part)
	parts = func(all []core.Part) { // results contain no results
		for _, p := range all {
			put(string(p.Type), p.ID, p.Name, p.Text, canonical(p.Arguments), canonical(p.Native))
			if p.Media != nil {
				put(p.Media.Name, p.Media.URI, core.Hash(p.Media.Data))
			}
			parts(p.Result)
		}
	}
	parts(m.Parts)
	return string(h.Sum(nil))
}

func canonical(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(b)
}
