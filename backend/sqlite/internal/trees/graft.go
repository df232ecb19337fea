package trees

import (
	"context"
	"encoding/json"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Graft copies a path, or a subtree, of a session below a message of another one, or of the same: as a new tree where that
// is empty. Each copy says in its Meta what it was taken from. The head of the session that gets it stays. Checkpoints are not
// copied: their run states are those of the other session, whose server this one may not use.
func (db *Store) Graft(ctx context.Context, source core.GraftSource, sessionID, parentUID string) (core.Grafted, error) {
	grafted := core.Grafted{SessionID: sessionID}
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		before, err := tables.ReadSessionRow(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		if parentUID != "" {
			if _, err := tables.FindMessage(ctx, t.Tx, parentUID, tables.HeadByUID, parentUID, key); err != nil {
				return err
			}
		}
		if grafted, _, err = db.copyInto(ctx, t, source, sessionID, parentUID, true); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE sessions SET head = ? WHERE key = ?`, before.Head, key)
		return err
	}))
	return grafted, conn.Fail(err, "copy from session %s into session %s", source.SessionID, sessionID)
}

// Split copies the path to a message, and all below it, into a new session, whose parent is the one that it was copied from. That one stays
// as it is. The copies have its checkpoints, and the new session continues with its run state.
func (db *Store) Split(ctx context.Context, sessionID, uid, title string) (core.Session, error) {
	var split core.Session
	err := db.Write(ctx, func(t *store.Txn) error {
		key, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		from, err := tables.ReadSessionRow(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		split = core.Session{
			Title: excerpt.Line(title, excerpt.TitleLength), WorkspacePath: from.WorkspacePath, Agent: from.Agent, Model: from.Model, Status: core.StatusIdle,
			ParentID: from.ID, ParentUID: m.UID, Relation: core.RelationFork,
		}
		if err := tables.CompleteSession(&split, db.Now()); err != nil {
			return err
		}
		newKey, err := tables.AddSession(ctx, t, &split)
		if err != nil {
			return err
		}
		_, copies, err := db.copyInto(ctx, t, core.GraftSource{SessionID: sessionID, UID: uid, Path: true, Below: true}, split.ID, "", false)
		if err != nil {
			return err
		}
		if err := tables.CopyCheckpoints(ctx, t.Tx, key, newKey, copies); err != nil {
			return err
		}
		split, err = tables.ReadSession(ctx, t.Tx, newKey)
		return err
	})
	return split, conn.Fail(err, "split session %s", sessionID)
}

// copyInto appends copies, each under a uid of its own, and returns these by the uids of the originals. If marks is set, the first
// one is marked.
func (db *Store) copyInto(ctx context.Context, t *store.Txn, source core.GraftSource, sessionID, parentUID string, marks bool) (core.Grafted, map[string]string, error) {
	grafted := core.Grafted{SessionID: sessionID}
	key, m, err := tables.MessageOfSession(ctx, t.Tx, source.SessionID, source.UID)
	if err != nil {
		return grafted, nil, err
	}
	ids, err := readGraftSource(ctx, t.Tx, key, m.Position(), source)
	if err != nil {
		return grafted, nil, err
	}
	copies := make(map[string]string, len(ids))
	for _, id := range ids {
		var row tables.MessageRow
		if err := t.Get(ctx, &row, tables.MessageHead+`, m.body`+tables.MessageFrom+`WHERE m.id = ?`, id); err != nil {
			return grafted, nil, err
		}
		message, err := tables.DecodeMessage(ctx, t, &row)
		if err != nil {
			return grafted, nil, err
		}
		from := message.UID
		message.UID = core.NewID(db.Now())
		origin := core.GraftOrigin{SessionID: source.SessionID, UID: from, Top: marks && grafted.Messages == 0}
		if message.Meta, err = withOrigin(message.Meta, origin); err != nil {
			return grafted, nil, err
		}
		if parent, ok := copies[message.ParentUID]; ok {
			message.ParentUID = parent
		} else {
			message.ParentUID = parentUID
		}
		copies[from] = message.UID
		p, err := db.Codec.Pack(message)
		if err != nil {
			return grafted, nil, err
		}
		if err := tables.AppendMessage(ctx, t, sessionID, p, true); err != nil {
			return grafted, nil, err
		}
		if grafted.UID == "" {
			grafted.UID = message.UID
		}
		grafted.Messages++
	}
	return grafted, copies, nil
}

// readGraftSource returns the keys of the messages to copy, a parent before its children. What is in the trash stays there.
func readGraftSource(ctx context.Context, t *conn.Tx, key int64, at core.Position, source core.GraftSource) ([]int64, error) {
	s, err := tables.ReadSkeleton(ctx, t, key)
	if err != nil {
		return nil, err
	}
	veil, err := tables.ReadHidden(ctx, t, key, s)
	if err != nil {
		return nil, err
	}
	segments := []core.Segment{}
	if source.Path {
		segments = append(segments, s.Path(at)...)
	} else {
		segments = append(segments, core.Segment{Branch: at.Branch, From: at.Depth, To: at.Depth})
	}
	if source.Below {
		for _, n := range s.Below(at) {
			b := s.Branches[n]
			from := b.FirstDepth()
			if n == at.Branch {
				from = at.Depth + 1
			}
			to := b.TipDepth
			if !veil.Hides(at) {
				to = min(to, veil.From(n)-1)
			}
			segments = append(segments, core.Segment{Branch: n, From: from, To: to})
		}
	}
	type place struct{ ID, Seq int64 }
	found := []place{}
	for _, seg := range segments {
		var some []place
		const of = `SELECT id, seq FROM messages WHERE session = ? AND branch = ? AND depth BETWEEN ? AND ?`
		if err := t.All(ctx, &some, of, key, seg.Branch, seg.From, seg.To); err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	slices.SortFunc(found, func(a, b place) int { return int(a.Seq - b.Seq) })
	ids := make([]int64, len(found))
	for i, m := range found {
		ids[i] = m.ID
	}
	return ids, nil
}

// withOrigin adds to a message's Meta what it was copied from.
func withOrigin(meta json.RawMessage, of core.GraftOrigin) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(meta) > 0 {
		if err := json.Unmarshal(meta, &fields); err != nil {
			return nil, core.Wrap(core.Corrupt, err, "what is noted of message %s is damaged", of.UID)
		}
	}
	origin, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	fields["graftedFrom"] = origin
	return json.Marshal(fields)
}
