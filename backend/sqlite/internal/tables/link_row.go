package tables

import (
	"bytes"
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// linksOf reads four kinds of rows: the session's parent, its children that were split off, what was copied into it, and out of it.
const linksOf = `WITH ends (way, uid, session_id, other_uid, at) AS (
		SELECT 'split_from', '', parent_id, parent_uid, 0 FROM sessions WHERE key = ?1 AND relation = 'fork' AND parent_id <> ''
		UNION ALL
		SELECT 'split_to', parent_uid, id, '', key FROM sessions WHERE parent_id = ?2 AND parent_id <> '' AND relation = 'fork'
		UNION ALL
		SELECT 'graft_from', m.uid, g.from_session, g.from_uid, m.id FROM grafts g JOIN messages m ON m.id = g.message WHERE g.session = ?1
		UNION ALL
		SELECT 'graft_to', g.from_uid, s.id, m.uid, m.id
		FROM grafts g JOIN messages m ON m.id = g.message JOIN sessions s ON s.key = g.session WHERE g.from_session = ?2)
	SELECT e.way, e.uid, coalesce(here.turn, -1) AS turn, e.session_id, coalesce(o.title, '') AS title, e.other_uid,
		coalesce(there.turn, -1) AS other_turn,
		CASE WHEN o.key IS NULL THEN 'gone' WHEN o.deleted_at_ms > 0 THEN 'trashed' ELSE 'there' END AS state
	FROM ends e
	LEFT JOIN messages here ON here.uid = e.uid AND here.session = ?1
	LEFT JOIN sessions o ON o.id = e.session_id
	LEFT JOIN messages there ON there.uid = e.other_uid AND there.session = o.key
	ORDER BY turn, e.at`

// ReadLinks returns the links between a session and others, by turn.
func ReadLinks(ctx context.Context, t *conn.Tx, key int64, sessionID string) ([]core.Link, error) {
	links := []core.Link{}
	return links, t.All(ctx, &links, linksOf, key, sessionID)
}

// storeGraft remembers a message that is the first of what was copied from somewhere, as its Meta says.
func storeGraft(ctx context.Context, t *conn.Tx, session, id int64, m *core.Message) error {
	if !bytes.Contains(m.Meta, []byte(`"graftedFrom"`)) {
		return nil
	}
	var meta struct {
		GraftedFrom core.GraftOrigin `json:"graftedFrom"`
	}
	// What another program has written there is kept, and means nothing here.
	if json.Unmarshal(m.Meta, &meta) != nil || !meta.GraftedFrom.Top {
		return nil
	}
	_, err := t.Exec(ctx, `INSERT INTO grafts (message, session, from_session, from_uid) VALUES (?, ?, ?, ?)`,
		id, session, meta.GraftedFrom.SessionID, meta.GraftedFrom.UID)
	return err
}
