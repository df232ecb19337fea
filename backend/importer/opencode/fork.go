package opencode

import (
	"context"
	"hash/maphash"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// contentKey identifies the content of a message. A copy has the same content under another id.
type contentKey struct {
	sum uint64
	uid string
}

// inherited returns the ids of the messages that a session shares with the one it is a copy of, so that both come
// together in the library: OpenCode copies a session to fork it.
func (db *database) inherited(ctx context.Context, all []info, of *info) ([]string, error) {
	line := lineage(all, of)
	if len(line) == 1 {
		return nil, nil
	}
	seed := maphash.MakeSeed()
	var before []contentKey
	for i := len(line) - 1; i >= 0; i-- {
		var here []contentKey
		same := true
		for r, err := range db.each(ctx, line[i].id) {
			if err != nil {
				return nil, err
			}
			if r.again || isMarker(r.kind) {
				continue
			}
			m := contentKey{sum: sumOf(seed, &r), uid: uidOf(&r)}
			same = same && len(here) < len(before) && before[len(here)].sum == m.sum
			if same {
				m.uid = before[len(here)].uid
			} else if i == 0 {
				break // its own from here on
			}
			here = append(here, m)
		}
		before = here
	}
	var uids []string
	for _, m := range before {
		uids = append(uids, m.uid)
	}
	return uids, nil
}

// lineage returns a session, the one it is a copy of, and so on. A copy by 1.x shows that by its title only.
func lineage(all []info, of *info) []*info {
	line := []*info{of}
	seen := map[string]bool{of.id: true}
	for next := source(all, of); next != nil && !seen[next.id]; next = source(all, next) {
		seen[next.id] = true
		line = append(line, next)
	}
	return line
}

// source finds the session that one is a copy of; nil if it is not a copy.
func source(all []info, of *info) *info {
	title := ""
	if m := forked.FindStringSubmatch(of.title); m != nil && of.fork == "" {
		title = m[1]
	}
	for i := range all {
		s := &all[i]
		if of.fork != "" && s.id == of.fork || title != "" && s.title == title && s.directory == of.directory && s.createdMs <= of.createdMs {
			return s
		}
	}
	return nil
}

// sumOf returns a hash of a message's content.
func sumOf(seed maphash.Seed, r *raw) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	put := func(words string) {
		h.WriteString(words)
		h.WriteByte(0)
	}
	put(r.role())
	put(jsonl.Text(r.info.Get("text")))
	put(jsonl.Text(r.info.Get("summary")))
	piece := func(v gjson.Result) {
		put(jsonl.Text(v.Get("type")))
		put(jsonl.Text(v.Get("text")))
		put(first(v, "tool", "name"))
		put(v.Get("state.input").Raw)
	}
	for _, p := range r.parts {
		piece(p)
	}
	jsonl.Each(r.info.Get("content"), func(_ string, v gjson.Result) bool { piece(v); return true })
	return h.Sum64()
}
