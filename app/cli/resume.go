package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newResumeCmd(s *term.Shell) *cobra.Command {
	var flags term.RunOptions
	cmd := &cobra.Command{
		Use:   "resume [ID] [TASK]",
		Short: "Continue a session where it stopped, or with a further task",
		Long: `Continue a session where it stopped, or with a further task. Without ID it lists what is unfinished and asks.

The model is sent the exact messages, and nothing that was done is done again. You may give another model, agent, mode or budget;
the differences are printed. Cost and tokens count for the whole session, so a larger --budget continues
where a smaller one stopped.`,
		Example: `  coppice resume
  coppice resume 019cbd39-c208 --budget 2.00
  coppice resume 019cbd39-c208 "now write the tests" --model ollama/llama3.2`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && s.Prompter == nil {
				return usageError(cmd, core.E(core.Invalid, "no session to continue: without a terminal, give its ID"))
			}
			flags.Picks = len(args) == 0
			if !flags.Picks {
				flags.Session = args[0]
				args = args[1:]
			}
			if err := checkResume(&flags, s.Terminal); err != nil {
				return err
			}
			return resume(cmd.Context(), s, &flags, args)
		},
	}
	registerRunFlags(&flags, cmd)
	cmd.Flags().BoolVar(&flags.JSON, "json", false, "print one JSON value: sessionId, status, stopReason, steps, costNanoUsd, …, answer")
	return cmd
}

// checkResume checks the flags of a resume whose session is not chosen yet.
func checkResume(f *term.RunOptions, t term.Terminal) error {
	if f.Picks && f.Branch != "" {
		return core.E(core.Invalid, "--branch is a node of a session: name that too").WithHint("usage: coppice resume ID --branch NODE")
	}
	if err := f.CheckOneModel(); err != nil {
		return err
	}
	return f.Check(t)
}

func resume(ctx context.Context, s *term.Shell, flags *term.RunOptions, words []string) error {
	text, err := taskOf(ctx, s, words)
	if err != nil {
		return err
	}
	return s.ForRuns(ctx, flags, func(db *sqlite.DB) error {
		var session core.Session
		if flags.Picks {
			session, err = pickSession(ctx, s, db)
		} else {
			session, err = flags.Find(ctx, db)
		}
		if err != nil {
			return err
		}
		return s.RunSession(ctx, db, session, flags, text)
	})
}

// pickedSessions is the number of sessions that the user can choose from.
const pickedSessions = 30

// pickSession asks the user to choose an unfinished session. The error is NotFound if all are finished, and Canceled if none is chosen.
func pickSession(ctx context.Context, s *term.Shell, db *sqlite.DB) (core.Session, error) {
	sessions, err := db.Sessions(ctx, core.SessionFilter{Incomplete: true, Limit: pickedSessions})
	if err != nil {
		return core.Session{}, err
	}
	if len(sessions) == 0 {
		return core.Session{}, core.E(core.NotFound, "no session is unfinished").
			WithHint("coppice sessions lists all of them; coppice resume ID TASK continues any with a further task")
	}
	var list strings.Builder
	if err := unfinished(s, sessions).Write(&list, screenWidth(s)); err != nil {
		return core.Session{}, err
	}
	s.Prompter.Write(list.String())
	for {
		word, err := s.Prompter.Ask(ctx, fmt.Sprintf("Select session [1-%d]: ", len(sessions)))
		word = strings.TrimSpace(word)
		switch {
		case errors.Is(err, io.EOF), err == nil && (word == "" || word == "q"):
			return core.Session{}, core.E(core.Canceled, "no session was chosen")
		case err != nil:
			return core.Session{}, err
		}
		if number, err := strconv.Atoi(word); err == nil && number >= 1 && number <= len(sessions) {
			return sessions[number-1], nil
		}
	}
}

// unfinished returns the table of sessions to choose from.
func unfinished(s *term.Shell, sessions []core.Session) *present.Table {
	t := &present.Table{Columns: []present.Column{
		{Title: "#", Right: true},
		{Title: "AGE", Right: true},
		{Title: "STATUS"},
		{Title: "STEPS", Right: true},
		{Title: "COST", Right: true},
		{Title: "TASK", Flex: true},
	}}
	for i, one := range sessions {
		status := string(one.Status)
		if one.StopReason != "" && one.Status == core.StatusPartial {
			status += " (" + strings.ReplaceAll(present.OneLine(one.StopReason), "_", " ") + ")"
		}
		t.Add(strconv.Itoa(i+1), present.Age(s.Now(), one.UpdatedAtMs), status, humanize.Comma(one.StepCount), present.Money(one.CostNanoUSD), present.SessionTitle(one))
	}
	return t
}

func screenWidth(s *term.Shell) int {
	width, _ := s.Prompter.Size()
	return width
}
