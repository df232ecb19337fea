package engine

import (
	"context"
	"fmt"

	"coppice/backend/core"
)

// RequestCheck is the result of rebuilding requests.
type RequestCheck struct {
	Checked  int64
	Redacted int64    // secrets in them were replaced before they were imported
	Changed  int64    // of sessions of other tools: an import has changed their messages since
	Problems []string // the others that differ from what was sent
}

// CheckRequests rebuilds requests and compares them with what was sent.
func (e *Engine) CheckRequests(ctx context.Context, requests []core.SampledRequest, progress func(core.Progress)) (RequestCheck, error) {
	var done RequestCheck
	for i := range requests {
		q := &requests[i]
		_, err := e.Rebuild(ctx, q.SessionID, &q.SentRequest)
		switch code := core.CodeOf(err); {
		case err == nil:
		case code == core.Conflict:
			done.Redacted++
		case code == core.Corrupt && !q.Native:
			done.Changed++
		case code == core.Corrupt, code == core.NotFound:
			done.Problems = append(done.Problems, fmt.Sprintf("session %s: %v", q.SessionID, err))
		default:
			return done, err
		}
		done.Checked++
		if progress != nil {
			progress(core.Progress{Done: done.Checked, Total: int64(len(requests)), Current: "requests"})
		}
	}
	return done, nil
}
