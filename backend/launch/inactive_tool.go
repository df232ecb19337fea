package launch

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/importer/agentzero"
	"coppice/backend/sqlite"
)

// InactiveTools returns the tools that an imported session had made for itself and that Coppice cannot run.
func InactiveTools(ctx context.Context, db *sqlite.DB, session core.Session) ([]core.InactiveTool, error) {
	if session.Source != core.SourceAgentZero {
		return nil, nil
	}
	return agentzero.DynamicTools(db.Records(ctx, session.ID))
}
