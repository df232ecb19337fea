package sessions

import (
	"cmp"
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/modelname"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// Facets returns what sessions can be filtered by.
func (db *Store) Facets(ctx context.Context) (core.Facets, error) {
	f := core.Facets{Labels: []core.Facet{}, Tags: []core.Tag{}}
	err := db.Read(ctx, func(t *store.Txn) error {
		var groups []facetGroup
		if err := t.All(ctx, &groups, facetGroups); err != nil {
			return err
		}
		addUp(&f, groups)
		if err := t.All(ctx, &f.Tags, allTags); err != nil {
			return err
		}
		return t.All(ctx, &f.Labels, facetLabels)
	})
	return f, conn.Fail(err, "count what sessions can be filtered by")
}

// facetGroup counts the sessions that are alike.
type facetGroup struct {
	Place     string // list, archive or trash
	Source    string
	Status    string
	Workspace string
	Project   string
	Model     string
	Count     int64
	Pinned    int64
}

const (
	// facetGroups reads what is counted whenever a session changes.
	facetGroups = `SELECT place, source, status, workspace_path AS workspace, coalesce(w.project, '') AS project, model, count, pinned
		FROM facets LEFT JOIN workspace_projects w USING (workspace_path) WHERE count > 0`
	facetLabels = `SELECT l.text AS value, count(DISTINCT l.session) AS count FROM labels l JOIN sessions s ON s.key = l.session
		WHERE s.deleted_at_ms = 0 AND s.archived_at_ms = 0 AND s.relation <> 'subagent' GROUP BY l.text ORDER BY count DESC, value`
)

func addUp(f *core.Facets, groups []facetGroup) {
	sources, statuses, workspaces, models, projects := map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, g := range groups {
		switch g.Place {
		case "trash":
			f.Trash += g.Count
		case "archive":
			f.Archived += g.Count
		default:
			f.Total += g.Count
			f.Pinned += g.Pinned
			sources[g.Source] += g.Count
			statuses[g.Status] += g.Count
			workspaces[g.Workspace] += g.Count
			models[modelname.Family(g.Model)] += g.Count
			projects[g.Project] += g.Count
		}
	}
	for _, s := range incomplete() {
		f.Incomplete += statuses[string(s)]
	}
	f.Sources, f.Statuses, f.Workspaces, f.Models = ranked(sources), ranked(statuses), ranked(workspaces), ranked(models)
	f.Projects = ranked(projects)
}

// ranked puts the most frequent value first; an empty one cannot be filtered by.
func ranked(counts map[string]int64) []core.Facet {
	facets := []core.Facet{}
	for value, n := range counts {
		if value != "" {
			facets = append(facets, core.Facet{Value: value, Count: n})
		}
	}
	slices.SortFunc(facets, func(a, b core.Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return facets
}
