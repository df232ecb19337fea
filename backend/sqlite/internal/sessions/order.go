package sessions

import (
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/tables"
)

// Order writes the order of a list, with its arguments.
func Order(f core.SessionFilter) (string, []any) {
	switch f.Sort {
	case core.SortCreated:
		return `s.created_at_ms DESC, s.key DESC`, nil
	case core.SortTitle:
		return `s.title COLLATE NOCASE, s.key`, nil
	case core.SortMessages:
		return `s.message_count DESC, s.key DESC`, nil
	case core.SortBranches:
		return `s.branch_count DESC, s.key DESC`, nil
	case core.SortCost:
		return mostExpensive, nil
	case core.SortProject:
		return `s.project = '', s.project, ` + newest, nil
	case core.SortTag:
		return `s.tags = '[]', s.tags, ` + newest, nil
	case core.SortMatch:
		title := strings.TrimSpace(f.Query)
		if title == "" {
			return newest, nil // one range
		}
		called, args := tables.LikeAny([]string{`s.title`, `coalesce(s.name, '')`}, tables.Spellings(title))
		return called + ` DESC, ` + newest, args
	default:
		return newest, nil
	}
}
