package merge

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/tables"
)

// keepsStored reports whether a stored message stays as it is although a copy of its session has another form of it. The form of
// a session with another id replaces it only if it has more parts; the form of the same session in another file only if it is not
// an earlier one.
func keepsStored(ctx context.Context, m *merge, id int64, form *core.Message) (bool, error) {
	if m.own() && !m.elsewhere() {
		return false, nil
	}
	var row tables.MessageRow
	const stored = `SELECT uid, body, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens FROM messages WHERE id = ?`
	if err := m.Get(ctx, &row, stored, id); err != nil {
		return false, err
	}
	is, err := tables.DecodeMessage(ctx, m.Txn, &row)
	if err != nil {
		return false, err
	}
	if !m.own() {
		return len(is.Parts) >= len(form.Parts), nil
	}
	return isEarlier(form, &is), nil
}

// isEarlier reports whether a form of a message is an earlier state of another one.
func isEarlier(form, grown *core.Message) bool {
	last := len(form.Parts) - 1
	switch {
	case last+1 != len(grown.Parts):
		return last+1 < len(grown.Parts)
	case grown.Usage != nil && (form.Usage == nil || form.Usage.OutputTokens < grown.Usage.OutputTokens):
		return true
	case last < 0:
		return false
	}
	said, says := form.Parts[last].Text, grown.Parts[last].Text
	return len(said) < len(says) && strings.HasPrefix(says, said)
}

// takeMessage adds a message, or compares it with the one that is there.
func takeMessage(ctx context.Context, m *merge, incoming *item) error {
	number := m.Nodes.Number(incoming.message.UID)
	if number == 0 {
		return appendNew(ctx, m, incoming)
	}
	n := m.Nodes.At(number)
	if n.Came {
		return core.E(core.Invalid, "duplicate message %q", incoming.message.UID)
	}
	n.Came = true
	m.Order = append(m.Order, number)
	if m.in.Keep {
		return nil
	}
	parent, err := m.parent(incoming)
	if err != nil {
		return err
	}
	if parent != n.Parent {
		m.moves[number] = parent
	}
	if incoming.message.Known {
		return nil
	}
	return replaceOlder(ctx, m, n, incoming)
}

// replaceOlder replaces a message by a form of it that says something else. A copy may have been made while the
// message was still growing, so what it says counts only where it is more.
func replaceOlder(ctx context.Context, m *merge, n *arrange.Node, incoming *item) error {
	p, err := incoming.packed, incoming.err
	if err != nil || p.Hash == n.Hash {
		return err
	}
	if keeps, err := keepsStored(ctx, m, n.ID, &p.Message); err != nil || keeps {
		return err
	}
	p.InRow(m.Codec)
	if err := tables.ReplaceMessage(ctx, m.Txn, m.Key, n.ID, p); err != nil {
		return err
	}
	if p.Message.IsPrompt() != n.Prompt {
		n.Prompt, m.replan = p.Message.IsPrompt(), true
	}
	m.redated = m.redated || n.CreatedAtMs != p.Message.CreatedAtMs
	n.Hash, n.CreatedAtMs = p.Hash, p.Message.CreatedAtMs
	m.newestMs = max(m.newestMs, p.Message.EndMs())
	m.merged.Updated++
	m.countBounded(p)
	return nil
}

func appendNew(ctx context.Context, m *merge, incoming *item) error {
	if incoming.message.Known {
		return core.E(core.Invalid, "message %q was imported before, but is not in the library", incoming.message.UID)
	}
	parent, err := m.parent(incoming)
	if err != nil {
		return err
	}
	p, err := incoming.packed, incoming.err
	if err != nil {
		return err
	}
	n := arrange.Node{
		Parent: parent, Hash: p.Hash, CreatedAtMs: p.Message.CreatedAtMs, Prompt: p.Message.IsPrompt(), Came: true, Added: true,
	}
	place, err := m.Skeleton.Append(m.Nodes.Position(parent), n.Prompt)
	if err != nil {
		return err
	}
	n.Put(place)
	if err := placeBody(ctx, m, p); err != nil {
		return err
	}
	if n.ID, err = tables.StoreMessage(ctx, m.Txn, m.Key, place, m.Nodes.ID(parent), p); err != nil {
		return err
	}
	if incoming.words != nil {
		m.gathering.Add(search.Indexed{Message: n.ID, ContentHash: p.Hash, CreatedAtMs: n.CreatedAtMs}, incoming.words, incoming.number)
	}
	if m.firstAdded == 0 {
		m.firstAdded = n.ID
	}
	m.Order = append(m.Order, m.Nodes.Add(p.Message.UID, n))
	m.newestMs = max(m.newestMs, p.Message.EndMs())
	m.merged.Added++
	m.countBounded(p)
	return nil
}

// placeBody puts the body of a message into the pack of its group. If the library has a message of the group already, all of
// them are stored alone, because a pack holds only what messages refer to.
func placeBody(ctx context.Context, m *merge, p *packing.Packed) (err error) {
	group := p.Group
	if group == nil {
		return nil
	}
	if m.group != group {
		m.group, m.pack = group, 0
		if group.Frame != nil && !slices.ContainsFunc(group.UIDs, func(uid string) bool { return m.Nodes.Number(uid) != 0 }) {
			m.pack, err = tables.StorePack(ctx, m.Txn, m.Key, group.Frame)
		}
		group.Frame = nil
	}
	if m.pack == 0 {
		p.InRow(m.Codec)
	} else {
		p.InPack(m.pack)
	}
	return err
}

// parent returns the number of the parent of a message; 0 for a root.
func (m *merge) parent(incoming *item) (int32, error) {
	if incoming.message.ParentUID == "" {
		return 0, nil
	}
	parent := m.Nodes.Number(incoming.message.ParentUID)
	if parent == 0 {
		return 0, core.E(core.Invalid, "message %q: no parent %q", incoming.message.UID, incoming.message.ParentUID)
	}
	return parent, nil
}

func (m *merge) countBounded(p *packing.Packed) {
	if p.Bounded {
		m.merged.Bounded++
	}
}
