package merge

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/excerpt"
)

const (
	// childLinks returns the subagents' sessions whose fields may differ from those that their parent has for them. Each end finds the other by the ids
	// that the sessions have in their source, whichever comes first.
	childLinks = `SELECT c.key, p.id AS parent_id, coalesce(sp.uid, '') AS uid, coalesce(sp.agent, '') AS agent, coalesce(sp.title, '') AS title
		FROM sessions c JOIN origins o ON o.source_id = c.parent_source_id AND o.source = c.source JOIN sessions p ON p.key = o.session
		LEFT JOIN spawns sp ON sp.session = p.key AND sp.child = c.source_id
		WHERE c.parent_source_id <> '' AND p.key <> c.key AND c.source_id <> o.source_id AND `
	linksOfChild  = childLinks + `c.key = ?`
	linksOfParent = childLinks + `o.session = ?`

	linkChild = `UPDATE sessions SET parent_id = ?1, relation = 'subagent', parent_uid = iif(?2 <> '', ?2, parent_uid), agent = iif(agent = '', ?3, agent),
		title = iif(?4 <> '' AND title_origin <> 'user', ?4, title), title_origin = iif(?4 <> '' AND title_origin <> 'user', 'tool', title_origin) WHERE key = ?5 AND
		(parent_id <> ?1 OR relation <> 'subagent' OR ?2 <> '' AND parent_uid <> ?2 OR agent = '' AND ?3 <> '' OR ?4 <> '' AND title_origin <> 'user' AND title <> ?4)`
)

// childLink is what a subagent's session takes over from its parent.
type childLink struct {
	Key      int64
	ParentID string `db:"parent_id"`
	UID      string
	Agent    string
	Title    string
}

// takeSpawned stores which subagents the session started and which session started this one, and links those that are here.
func takeSpawned(ctx context.Context, m *merge) error {
	const add = `INSERT INTO spawns (session, child, uid, agent, title) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET uid = excluded.uid, agent = excluded.agent, title = excluded.title`
	for _, s := range m.in.Spawned {
		if m.Nodes.Get(s.UID) == nil {
			continue
		}
		if _, err := m.Exec(ctx, add, m.Key, s.SourceID, s.UID, s.Agent, excerpt.Line(s.Title, excerpt.TitleLength)); err != nil {
			return err
		}
	}
	if m.in.ParentSourceID != "" {
		const put = `UPDATE sessions SET parent_source_id = ?1 WHERE key = ?2 AND parent_source_id <> ?1`
		if _, err := m.Exec(ctx, put, m.in.ParentSourceID, m.Key); err != nil {
			return err
		}
	}
	for _, query := range []string{linksOfChild, linksOfParent} {
		if err := linkChildren(ctx, m, query); err != nil {
			return err
		}
	}
	return nil
}

func linkChildren(ctx context.Context, m *merge, query string) error {
	var links []childLink
	if err := m.All(ctx, &links, query, m.Key); err != nil {
		return err
	}
	for _, l := range links {
		result, err := m.Exec(ctx, linkChild, l.ParentID, l.UID, l.Agent, l.Title, l.Key)
		if err != nil {
			return err
		}
		if changed, err := result.RowsAffected(); err != nil {
			return core.Wrap(core.Internal, err, "count the linked sessions")
		} else if changed > 0 {
			m.Ledger.Of(l.Key).Moved = true
		}
	}
	return nil
}
