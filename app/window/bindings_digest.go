package window

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// PathTurns are the turns of a path. Numbers and counts of a path with 100,000 turns are short enough for one answer, because the
// numbers are differences.
type PathTurns struct {
	Length int64   `json:"length"` // messages on the path
	Steps  []int64 `json:"steps"`  // the difference of each turn's number to the one before; of the first, its number; never nil
	Counts []int64 `json:"counts"` // messages of each turn; never nil
}

// mostDigests is the largest number of turns that one call of GetDigests returns.
const mostDigests = 100

// DigestBindings return turns in short.
type DigestBindings struct{ *program }

// GetPathTurns returns where the turns of a path begin; of the path to the head if leafUID is empty.
func (b *DigestBindings) GetPathTurns(sessionID, leafUID string) (PathTurns, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (PathTurns, error) {
		out := PathTurns{Steps: []int64{}, Counts: []int64{}}
		turns, err := db.PathTurns(ctx, sessionID, leafUID)
		if err != nil {
			return out, err
		}
		before := int64(0)
		for _, t := range turns {
			out.Steps, out.Counts = append(out.Steps, t.Number-before), append(out.Counts, t.Count)
			before, out.Length = t.Number, t.From+t.Count
		}
		return out, nil
	})
}

// GetDigests returns turns of a path in short, at most 100.
func (b *DigestBindings) GetDigests(sessionID, leafUID string, turns []render.Span) ([]render.TurnDigest, error) {
	return ofSession(b.program, sessionID, func(ctx context.Context, db *sqlite.DB, session core.Session) ([]render.TurnDigest, error) {
		digests, err := b.render.Digests(ctx, db, session, leafUID, turns[:min(len(turns), mostDigests)])
		return lists.NonNil(digests), err
	})
}

// GetTurnWork counts what was done in a turn of a path.
func (b *DigestBindings) GetTurnWork(sessionID, leafUID string, turn render.Span) (render.Work, error) {
	return ofSession(b.program, sessionID, func(ctx context.Context, db *sqlite.DB, session core.Session) (render.Work, error) {
		return b.render.TurnWork(ctx, db, session, leafUID, turn)
	})
}

// GetTurnCalls returns the calls of a phase of a turn, limit from the index from.
func (b *DigestBindings) GetTurnCalls(sessionID, leafUID string, turn render.Span, phase string, from, limit int64) (render.CallsPage, error) {
	return ofSession(b.program, sessionID, func(ctx context.Context, db *sqlite.DB, session core.Session) (render.CallsPage, error) {
		return b.render.TurnCalls(ctx, db, session, leafUID, turn, render.PhaseKind(phase), from, limit)
	})
}

// ofSession calls fn with a session of the open library.
func ofSession[T any](p *program, id string, fn func(context.Context, *sqlite.DB, core.Session) (T, error)) (T, error) {
	return call(p, func(ctx context.Context, db *sqlite.DB) (T, error) {
		session, err := db.Session(ctx, id)
		if err != nil {
			var none T
			return none, err
		}
		return fn(ctx, db, session)
	})
}
