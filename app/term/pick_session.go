package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"coppice/app/internal/present"
	"coppice/app/term/line"
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
	if !s.Plain {
		restore, err := s.Prompter.raw(s.Signals)
		if err == nil {
			defer restore()
			return s.pickByKey(ctx, db, filter)
		}
	}
	return s.pickByNumber(ctx, db, filter, sessions)
}

// pickByKey lets the user choose with the arrow keys. The terminal is in raw mode.
func (s *Shell) pickByKey(ctx context.Context, db *sqlite.DB, filter core.SessionFilter) (core.Session, error) {
	var sessions []core.Session
	picker := line.Picker{
		In:    func() ([]byte, error) { return s.Prompter.typed(ctx) },
		Out:   s.Prompter.screen,
		Size:  s.Prompter.Size,
		Title: "Which session?  ↑ ↓ and Enter choose, words search, Esc cancels",
		Mark:  func(row string) string { return s.Prompter.paint(present.Bold, row) },
		Rows: func(words string, width int) (head string, rows []string, err error) {
			filter.Query = strings.TrimSpace(words)
			found, err := db.Sessions(ctx, filter)
			if err != nil {
				return "", nil, err
			}
			sessions = found
			var table strings.Builder
			if err := s.choices(found, false).Write(&table, width); err != nil {
				return "", nil, err
			}
			rows = strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n")
			return rows[0], rows[1:], nil
		},
	}
	chosen, err := picker.Pick()
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, line.ErrInterrupted):
		return core.Session{}, core.E(core.Canceled, "no session was chosen")
	case err != nil:
		return core.Session{}, err
	}
	return sessions[chosen], nil
}

// pickByNumber lets the user choose with a number and Enter, at a terminal that only shows lines.
func (s *Shell) pickByNumber(ctx context.Context, db *sqlite.DB, filter core.SessionFilter, sessions []core.Session) (core.Session, error) {
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
	if err := s.choices(sessions, true).Write(&list, width); err != nil {
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

// choices returns the table of sessions to choose from. Without numbers, the user chooses by their position.
func (s *Shell) choices(sessions []core.Session, numbered bool) *present.Table {
	t := &present.Table{Columns: []present.Column{
		{Title: "#", Right: true},
		{Title: "AGE", Right: true},
		{Title: "STATUS", Spare: true},
		{Title: "COST", Right: true, Spare: true},
		{Title: "NAME", Spare: true},
		{Title: "TASK", Flex: true},
	}}
	for i, one := range sessions {
		status := string(one.Status)
		if one.StopReason != "" && one.Status == core.StatusPartial {
			status += " (" + strings.ReplaceAll(present.OneLine(one.StopReason), "_", " ") + ")"
		}
		number := ""
		if numbered {
			number = strconv.Itoa(i + 1)
		}
		t.Add(number, present.Age(s.Now(), one.UpdatedAtMs), status, present.Money(one.CostNanoUSD), one.Name,
			present.SessionTitle(one))
	}
	return t
}
