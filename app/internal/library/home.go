package library

import (
	"context"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// homeRows is the length of each list of the home page.
const homeRows = 5

// Home returns the home page of a library, with this week's activity in the zone of now.
func Home(ctx context.Context, db *sqlite.DB, now time.Time) (core.Home, error) {
	home, err := db.HomeLists(ctx, homeRows)
	if err != nil {
		return home, err
	}
	home.WeekFromMs = weekStart(now).UnixMilli()
	if home.Week, err = db.ActivitySince(ctx, home.WeekFromMs); err != nil {
		return home, err
	}
	if home.LastImport, err = LastImport(ctx, db); err != nil || home.LastImport == nil {
		return home, err
	}
	for _, id := range home.LastImport.Report.Sessions {
		session, err := db.Session(ctx, id)
		switch {
		case err == nil:
			home.Imported = append(home.Imported, session)
		case core.CodeOf(err) != core.NotFound: // else it was deleted for good since
			return home, err
		}
	}
	return home, nil
}

// weekStart returns the beginning of the Monday on or before a time.
func weekStart(now time.Time) time.Time {
	year, month, day := now.Date()
	daysSinceMonday := (int(now.Weekday()) + 6) % 7
	return time.Date(year, month, day-daysSinceMonday, 0, 0, 0, 0, now.Location())
}
