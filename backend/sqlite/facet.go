package sqlite

import (
	"context"

	"coppice/backend/core"
)

// listed are the sessions of the list as it opens.
const listed = `deleted_at_ms = 0 AND archived_at_ms = 0 AND relation <> 'subagent'`

// Facets returns what sessions can be filtered by.
func (db *DB) Facets(ctx context.Context) (core.Facets, error) {
	var f core.Facets
	err := db.read(ctx, func(t *tx) error {
		if err := t.countFacets(ctx, &f); err != nil {
			return err
		}
		for _, q := range []struct {
			to    *[]core.Facet
			query string
		}{
			{&f.Sources, facetOf(`source`)},
			{&f.Statuses, facetOf(`status`)},
			{&f.Workspaces, facetOf(`workspace_path`)},
			{&f.Models, facetOf(`model`)},
			{&f.Labels, `SELECT l.text AS value, count(DISTINCT l.session) AS count FROM labels l JOIN sessions s ON s.key = l.session
				WHERE ` + listed + ` GROUP BY l.text ORDER BY count DESC, value`},
		} {
			*q.to = []core.Facet{}
			if err := t.all(ctx, q.to, q.query); err != nil {
				return err
			}
		}
		return nil
	})
	return f, fail(err, "count what sessions can be filtered by")
}

func facetOf(column string) string {
	return `SELECT ` + column + ` AS value, count(*) AS count FROM sessions WHERE ` + listed + ` AND ` + column + ` <> ''
		GROUP BY ` + column + ` ORDER BY count DESC, value`
}

func (t *tx) countFacets(ctx context.Context, f *core.Facets) error {
	var n struct{ Total, Pinned, Archived, Trash, Incomplete int64 }
	const query = `SELECT count(*) FILTER (WHERE ` + listed + `) AS total,
		count(*) FILTER (WHERE ` + listed + ` AND pinned_at_ms > 0) AS pinned,
		count(*) FILTER (WHERE deleted_at_ms = 0 AND archived_at_ms > 0 AND relation <> 'subagent') AS archived,
		count(*) FILTER (WHERE deleted_at_ms > 0 AND relation <> 'subagent') AS trash,
		count(*) FILTER (WHERE ` + listed + ` AND status IN ('running', 'partial', 'failed', 'interrupted', 'hibernated')) AS incomplete
		FROM sessions`
	if err := t.get(ctx, &n, query); err != nil {
		return err
	}
	f.Total, f.Pinned, f.Archived, f.Trash, f.Incomplete = n.Total, n.Pinned, n.Archived, n.Trash, n.Incomplete
	return nil
}
