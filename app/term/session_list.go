package term

import (
	"context"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// PrintSessions prints a list of sessions for users.
func (s *Shell) PrintSessions(ctx context.Context, db *sqlite.DB, sessions []core.Session) error {
	short, err := db.ShortIDs(ctx, find.IDs(sessions)...)
	if err != nil {
		return err
	}
	t := present.Table{Columns: []present.Column{
		{Title: "ID"},
		{Title: "NAME", Spare: true},
		{Title: "TITLE", Flex: true},
		{Title: "SOURCE", Spare: true},
		{Title: "STATUS", Spare: true},
		{Title: "MODEL", Spare: true},
		{Title: "STEPS", Right: true, Spare: true},
		{Title: "MSGS", Right: true},
		{Title: "BRANCHES", Right: true},
		{Title: "COST", Right: true},
		{Title: "AGE", Right: true},
	}}
	now := s.Now()
	for i, id := range short {
		one := sessions[i]
		status := string(one.Status)
		if one.Status == core.StatusIdle {
			status = ""
		}
		t.Add(id, one.Name, present.SessionTitle(one), sourceOf(one), status, present.OneLine(one.Model), stepsOf(one), humanize.Comma(one.MessageCount),
			humanize.Comma(one.BranchCount), present.SessionCost(&one), present.Age(now, one.UpdatedAtMs))
	}
	return t.Write(s.Out, s.Width)
}

// sourceOf returns the tool that a session is from, marked if the tool no longer has the session, or its beginning.
func sourceOf(s core.Session) string {
	source := string(s.Source)
	if s.SourceGoneMs != 0 {
		source += ", only here"
	}
	if s.IncompleteStart {
		source += ", start missing"
	}
	return source
}

// stepsOf returns the number of steps of a session. It is empty for an imported session that was never run.
func stepsOf(s core.Session) string {
	if s.Source != core.SourceCoppice && s.Status == core.StatusIdle {
		return ""
	}
	return humanize.Comma(s.StepCount)
}
