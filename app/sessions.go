package app

import (
	"context"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// printSessions prints a list of sessions for people.
func (s *shell) printSessions(ctx context.Context, db *sqlite.DB, sessions []core.Session) error {
	short, err := db.ShortIDs(ctx, ids(sessions)...)
	if err != nil {
		return err
	}
	t := table{columns: []column{
		{title: "ID"},
		{title: "TITLE", flex: true},
		{title: "SOURCE", spare: true},
		{title: "STATUS", spare: true},
		{title: "MODEL", spare: true},
		{title: "STEPS", right: true, spare: true},
		{title: "MSGS", right: true},
		{title: "BRANCHES", right: true},
		{title: "COST", right: true},
		{title: "AGE", right: true},
	}}
	now := s.now()
	for i, id := range short {
		one := sessions[i]
		status := string(one.Status)
		if one.Status == core.StatusIdle {
			status = ""
		}
		t.add(id, titleOf(one), sourceOf(one), status, oneLine(one.Model), stepsOf(one), humanize.Comma(one.MessageCount),
			humanize.Comma(one.BranchCount), money(one.CostNanoUSD), age(now, one.UpdatedAtMs))
	}
	return t.write(s.out, s.width)
}

// sourceOf writes where a session is from, and that it is not there any more.
func sourceOf(s core.Session) string {
	if s.SourceGoneMs == 0 {
		return string(s.Source)
	}
	return string(s.Source) + ", only here"
}

// stepsOf writes how many steps a session has taken; an imported one that was never run tells of its messages only.
func stepsOf(s core.Session) string {
	if s.Source != core.SourceCoppice && s.Status == core.StatusIdle {
		return ""
	}
	return humanize.Comma(s.StepCount)
}
