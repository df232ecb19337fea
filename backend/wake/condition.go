package wake

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"coppice/backend/core"
)

// Moment returns the time that a text such as "2026-12-24 18:00", "18:00" or "90m" names, and whether it names one. A time of day is
// the next one, a duration counts from now.
func Moment(text string, now time.Time) (time.Time, bool) {
	if after, err := time.ParseDuration(strings.TrimPrefix(text, "+")); err == nil && after >= 0 {
		return now.Add(after), true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	if at, err := time.ParseInLocation("15:04", text, now.Location()); err == nil {
		next := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, now.Location())
		if !next.After(now) {
			next = next.AddDate(0, 0, 1)
		}
		return next, true
	}
	return time.Time{}, false
}

// AtTime returns the condition that holds from a time on.
func AtTime(at time.Time) core.Wake {
	return core.Wake{Kind: core.WakeTime, AtMs: at.UnixMilli(), Active: true}
}

// OnChange returns the condition that holds when the file or folder at an absolute path is no longer as it is now.
func OnChange(path string) (core.Wake, error) {
	if !filepath.IsAbs(path) {
		return core.Wake{}, core.E(core.Invalid, "invalid path %q: want an absolute path", path)
	}
	path = filepath.Clean(path)
	return core.Wake{Kind: core.WakeChange, Path: path, Fingerprint: Fingerprint(path), Active: true}, nil
}

// OnEnd returns the condition of a session that holds when another session has ended.
func OnEnd(ctx context.Context, library Library, sessionID, other string) (core.Wake, error) {
	awaited, err := library.Session(ctx, other)
	if err != nil {
		return core.Wake{}, err
	}
	if awaited.ID == sessionID {
		return core.Wake{}, core.E(core.Invalid, "a session cannot wait for its own end")
	}
	return core.Wake{Kind: core.WakeDone, AwaitedID: awaited.ID, Active: true}, nil
}
