// Package recovery writes what is readable of a damaged library to a new one.
package recovery

import (
	"errors"
	"io/fs"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/salvage"
	"coppice/backend/sqlite/internal/store"
)

// loadBatch is how many rows are written in one transaction.
const loadBatch = 2000

// shownDamage is how much of the damage a report lists.
const shownDamage = 100

func codeOfFile(err error) core.Code {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return core.NotFound
	case errors.Is(err, fs.ErrPermission):
		return core.Denied
	default:
		return core.Corrupt
	}
}

// recovery is one recovery on its way.
type recovery struct {
	from     *salvage.File
	to       *store.Library
	progress func(core.Progress)
	report   core.Recovery
	shapes   []shape
	sessions map[int64]*recoveredRow // by sessions.key
	aside    int64                   // messages whose stored position was taken
	waiting  []loaded                // messages whose packs were not read yet
}

// recoveredRow is what is known of a session while its messages come in.
type recoveredRow struct {
	core.RecoveredSession
	hasRow bool
}

func (r *recovery) session(key int64) *recoveredRow {
	s, ok := r.sessions[key]
	if !ok {
		s = &recoveredRow{RecoveredSession: core.RecoveredSession{Expected: -1}}
		r.sessions[key] = s
	}
	return s
}

// reportDamage lists what could not be read.
func (r *recovery) reportDamage() {
	damage := r.from.Damage()
	r.report.Damages = int64(len(damage))
	for _, d := range damage[:min(len(damage), shownDamage)] {
		r.report.Damaged = append(r.report.Damaged, describePage(d))
	}
}

func describePage(d salvage.Damage) string {
	if d.Table == "" {
		return core.E(core.Corrupt, "page %d: %s", d.Page, d.Cause).Error()
	}
	return core.E(core.Corrupt, "page %d (%s): %s", d.Page, d.Table, d.Cause).Error()
}
