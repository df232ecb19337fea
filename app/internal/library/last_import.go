package library

import (
	"context"
	"encoding/json"
	"time"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// lastImportKey is the key of the setting with the last import, a core.LastImport as JSON.
const lastImportKey = "import.last"

// The limits of what is stored of an import.
const (
	storedSessions = 5
	storedProblems = 100
	storedSkipped  = 200
)

// StoreLastImport stores the report of an import that the user requested.
func StoreLastImport(ctx context.Context, db *sqlite.DB, report core.Report, now time.Time) error {
	last := core.LastImport{
		AtMs: now.UnixMilli(), Report: report,
		SessionCount: int64(len(report.Sessions)), ProblemCount: int64(len(report.Problems)),
	}
	r := &last.Report
	r.Sessions = lists.NonNil(r.Sessions[:min(len(r.Sessions), storedSessions)])
	r.Problems = lists.NonNil(r.Problems[:min(len(r.Problems), storedProblems)])
	r.SkippedFiles = r.SkippedFiles[:min(len(r.SkippedFiles), storedSkipped)]
	value, err := json.Marshal(last)
	if err != nil {
		return core.Wrap(core.Internal, err, "store the report of the import")
	}
	return db.PutSetting(ctx, lastImportKey, string(value))
}

// LastImport returns the import that the user requested last; nil if none is stored.
func LastImport(ctx context.Context, db *sqlite.DB) (*core.LastImport, error) {
	stored, err := db.Setting(ctx, lastImportKey)
	if err != nil || stored == "" {
		return nil, err
	}
	last := &core.LastImport{}
	if err := json.Unmarshal([]byte(stored), last); err != nil {
		return nil, core.E(core.Internal, "read the report of the last import: %v", err).WithHint("import again")
	}
	last.Report.Sessions, last.Report.Problems = lists.NonNil(last.Report.Sessions), lists.NonNil(last.Report.Problems)
	return last, nil
}
