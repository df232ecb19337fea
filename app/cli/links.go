package cli

import (
	"context"
	"fmt"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// printLinks prints the sessions that are linked with a session, one per line. coppice tree accepts the ids.
func printLinks(ctx context.Context, s *term.Shell, db *sqlite.DB, links []core.Link) error {
	others := make([]string, len(links))
	for i := range links {
		others[i] = links[i].SessionID
	}
	short, err := db.ShortIDs(ctx, others...)
	if err != nil {
		return err
	}
	for i := range links {
		if err := s.Printf("%s\n", present.Cut(linkWords(&links[i], short[i]), s.Width)); err != nil {
			return err
		}
	}
	return nil
}

// linkWords describes how a session is linked: "n4 split off as 0199bb34 "Plan B", in the trash".
func linkWords(link *core.Link, id string) string {
	words := ""
	if link.Turn >= 0 {
		words = fmt.Sprintf("n%d ", link.Turn)
	}
	words += map[core.Way]string{
		core.WaySplitFrom: "split off",
		core.WaySplitTo:   "split off as",
		core.WayGraftFrom: "copied from",
		core.WayGraftTo:   "copied to",
	}[link.Way] + " "
	if link.OtherTurn >= 0 {
		words += fmt.Sprintf("n%d of ", link.OtherTurn)
	}
	words += id
	if link.Title != "" {
		words += fmt.Sprintf(" %q", present.OneLine(link.Title))
	}
	switch link.State {
	case core.LinkThere:
	case core.LinkTrashed:
		words += ", in the trash"
	case core.LinkGone:
		words += ", which is not in this library"
	}
	return words
}
