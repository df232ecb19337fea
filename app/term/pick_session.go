package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// pickedSessions is the number of sessions that the user can choose from.
const pickedSessions = 30

// PickSession asks the user to choose one of the sessions that a filter selects. The error is NotFound if it selects none, Canceled
// if none is chosen, and Invalid without a terminal.
func (s *Shell) PickSession(ctx context.Context, db *sqlite.DB, filter core.SessionFilter) (core.Session, error) {
	if s.Prompter == nil {
		return core.Session{}, core.E(core.Invalid, "no session named, and no terminal to choose one at").WithRemedy(core.ListSessions)
	}
	filter.Limit = pickedSessions
	sessions, err := db.Sessions(ctx, filter)
	if err != nil {
		return core.Session{}, err
	}
	if len(sessions) == 0 {
		return core.Session{}, nothingToPick(filter)
	}
	if err := s.showChoices(sessions); err != nil {
		return core.Session{}, err
	}
	for {
		word, err := s.Prompter.Ask(ctx, fmt.Sprintf("Select session [1-%d], or words to search for: ", len(sessions)))
		word = strings.TrimSpace(word)
		switch {
		case errors.Is(err, io.EOF), err == nil && (word == "" || word == "q"):
			return core.Session{}, core.E(core.Canceled, "no session was chosen")
		case err != nil:
			return core.Session{}, err
		}
		if number, err := strconv.Atoi(word); err == nil {
			if number >= 1 && number <= len(sessions) {
				return sessions[number-1], nil
			}
			continue
		}
		filter.Query = word
		found, err := db.Sessions(ctx, filter)
		switch {
		case err != nil:
			s.Report(err)
		case len(found) == 0:
			s.Say("no session with %q", word)
		default:
			sessions = found
			if err := s.showChoices(sessions); err != nil {
				return core.Session{}, err
			}
		}
	}
}

// showChoices prints the sessions to choose from.
func (s *Shell) showChoices(sessions []core.Session) error {
	var list strings.Builder
	width, _ := s.Prompter.Size()
	if err := s.choices(sessions).Write(&list, width); err != nil {
		return err
	}
	s.Prompter.Write(list.String())
	return nil
}

func nothingToPick(filter core.SessionFilter) error {
	if filter.Incomplete {
		return core.E(core.NotFound, "no session is unfinished").
			WithHint("coppice sessions lists all of them; coppice resume ID TASK continues any with a further task")
	}
	return core.E(core.NotFound, "the library has no sessions")
}

// choices returns the table of sessions to choose from.
func (s *Shell) choices(sessions []core.Session) *present.Table {
	t := &present.Table{Columns: []present.Column{
		{Title: "#", Right: true},
		{Title: "AGE", Right: true},
		{Title: "STATUS"},
		{Title: "STEPS", Right: true},
		{Title: "COST", Right: true},
		{Title: "NAME", Spare: true},
		{Title: "TASK", Flex: true},
	}}
	for i, one := range sessions {
		status := string(one.Status)
		if one.StopReason != "" && one.Status == core.StatusPartial {
			status += " (" + strings.ReplaceAll(present.OneLine(one.StopReason), "_", " ") + ")"
		}
		t.Add(strconv.Itoa(i+1), present.Age(s.Now(), one.UpdatedAtMs), status, humanize.Comma(one.StepCount), present.Money(one.CostNanoUSD), one.Name,
			present.SessionTitle(one))
	}
	return t
}
