package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/library"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newRecoverCmd(s *term.Shell) *cobra.Command {
	asJSON, output := false, ""
	cmd := &cobra.Command{
		Use:   "recover",
		Short: "Save what can be read of a damaged library to a new one",
		Long: `Read the library page by page, even if it cannot be opened, and write what is found to a new library.
The damaged file is not changed. A message whose parent is lost begins a tree of its own; one whose body is
lost keeps the beginning of its text.`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return recoverLibrary(cmd.Context(), s, output, asJSON) },
	}
	cmd.Flags().StringVar(&output, "output", "", "the new library's `FILE` (default NAME.recovered.db beside the damaged one)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// recoveredName returns the path of the library that a recovery of the library at path creates.
func recoveredName(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".recovered.db"
}

func recoverLibrary(ctx context.Context, s *term.Shell, output string, asJSON bool) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	if err := s.Unlock(ctx, path); err != nil {
		return err
	}
	if output == "" {
		output = recoveredName(path)
	}
	line := term.NewProgressLine(s.Terminal)
	report, err := sqlite.Recover(ctx, path, output, line.Show)
	line.Clear()
	if err != nil {
		return err
	}
	if asJSON {
		return s.PrintJSON(report)
	}
	return printRecovery(s, &report)
}

// printRecovery prints what was recovered: a line for each session of which something is missing, then the totals.
func printRecovery(s *term.Shell, r *core.Recovery) error {
	t := present.Table{Columns: []present.Column{{Title: "SAVED", Right: true}, {Title: "TITLE", Flex: true}, {Title: "MISSING"}}}
	for i := range r.Sessions {
		if one := &r.Sessions[i]; !one.IsWhole() {
			t.Add(present.Count(one.Saved, "message"), present.OneLine(one.Title), lossOf(one))
		}
	}
	if len(t.Rows) > 0 {
		if err := t.Write(s.Out, s.Width); err != nil {
			return err
		}
	}
	for _, problem := range r.Problems {
		s.Say("the new library: %s", present.OneLine(problem))
	}
	return s.Printf("%s of %d whole, %s, %s saved to %s\n", present.Count(r.Whole, "session"), len(r.Sessions),
		present.Count(r.Messages, "message"), present.Count(r.Contents, "large content"), r.Output)
}

// lossOf describes what is missing from a session.
func lossOf(s *core.RecoveredSession) string {
	var parts []string
	add := func(n int64, thing, rest string) {
		if n > 0 {
			parts = append(parts, present.Count(n, thing)+rest)
		}
	}
	if s.Expected < 0 {
		parts = append(parts, "title and settings lost")
	}
	add(s.Expected-s.Saved, "message", " lost")
	add(s.Shortened, "message", " shortened")
	add(s.Changed, "message", " altered")
	add(s.NewRoots, "message", " without a parent")
	return strings.Join(parts, ", ")
}

// inspectLibrary prints the damage to a library that cannot be opened.
func inspectLibrary(ctx context.Context, s *term.Shell, openErr error) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	line := term.NewProgressLine(s.Terminal)
	found, err := sqlite.Inspect(ctx, path, line.Show)
	line.Clear()
	if err != nil {
		return errors.Join(openErr, err)
	}
	for _, problem := range found.Damaged {
		if err := s.Printf("%s\n", present.OneLine(problem)); err != nil {
			return err
		}
	}
	if err := s.Printf("%s in %s can be read\n", present.Count(found.Messages, "message"), present.Count(int64(len(found.Sessions)), "session")); err != nil {
		return err
	}
	return &core.Error{
		Code: core.Corrupt, Err: openErr, Message: fmt.Sprintf("%s has damaged pages: %d of %d", path, found.Damages, found.Pages),
		Hint: "coppice db recover saves what can be read to a new library; coppice db backups lists the backups",
	}
}
