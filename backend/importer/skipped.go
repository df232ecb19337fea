package importer

import (
	"context"

	"coppice/backend/core"
)

// The reasons for which a file is skipped.
const (
	skippedForeign = "not a session file of a known tool"
	skippedEmpty   = "contains no session"
	skippedRemoved = "removed for good"
	skippedFailed  = "cannot be read, see the problems"
)

// whyEmpty returns why no session came of a file.
func (s *source) whyEmpty() string {
	switch {
	case s.foreign:
		return skippedForeign
	case s.failed:
		return skippedFailed
	default:
		return skippedEmpty
	}
}

// skip counts a source, or a session of it, that is left out.
func (r *run) skip(path, reason string) {
	r.report.Skipped++
	if len(r.report.SkippedFiles) < core.MaxSkippedFiles {
		r.report.SkippedFiles = append(r.report.SkippedFiles, core.SkippedFile{Path: path, Reason: reason})
	}
}

// skipRemoved counts a source that was removed for good.
func (r *run) skipRemoved(path string) {
	r.report.Removed++
	r.skip(path, skippedRemoved)
}

// omit leaves out a session that was removed for good. The file's cursor is stored all the same.
func (r *run) omit(ctx context.Context, s *source, d *delivery, first bool) error {
	s.removed++
	if first || d.Session.Relation != core.RelationSubagent {
		r.skipRemoved(s.path)
	}
	if d.Cursor == nil {
		return nil
	}
	return r.library.PutCursor(ctx, *d.Cursor)
}
