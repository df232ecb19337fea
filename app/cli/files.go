package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newFilesCmd(s *term.Shell) *cobra.Command {
	var limit int64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "files FILE",
		Short: "List the sessions and turns that changed a file, newest first",
		Long: `List the sessions and turns that changed a file, newest first.

FILE is a path, or the end of one: go.mod, or cmd/main.go. Changes by tools for editing, writing, patching and deleting
files are known; what a command in a shell changed is not.`,
		Args: takes("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := term.NotNegative("limit", limit); err != nil {
				return err
			}
			return s.With(cmd.Context(), func(db *sqlite.DB) error {
				touches, err := touchesOf(cmd.Context(), db, args[0], limit)
				switch {
				case err != nil:
					return err
				case asJSON:
					return s.PrintJSON(touches)
				case len(touches) == 0:
					s.Say("no session changed %s", present.OneLine(args[0]))
					return nil
				}
				return printTouches(s, touches)
			})
		},
	}
	cmd.Flags().Int64Var(&limit, "limit", 0, "at most `N` changes (default all)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// touchesOf finds changes to a path as the user writes it, else to the same file by its absolute path.
func touchesOf(ctx context.Context, db *sqlite.DB, file string, limit int64) ([]core.FileTouch, error) {
	if err := db.Derive(ctx, nil); err != nil {
		return nil, err
	}
	touches, err := db.FileTouches(ctx, strings.TrimPrefix(file, "./"), limit)
	if err != nil || len(touches) > 0 {
		return touches, err
	}
	absolute, err := filepath.Abs(file)
	if err != nil {
		return touches, nil
	}
	return db.FileTouches(ctx, absolute, limit)
}

func printTouches(s *term.Shell, touches []core.FileTouch) error {
	t := present.Table{Columns: []present.Column{
		{Title: "TIME"}, {Title: "SESSION"}, {Title: "TURN"}, {Title: "LINES", Right: true}, {Title: "PATH", Spare: true}, {Title: "TITLE", Flex: true},
	}}
	for i := range touches {
		f := &touches[i]
		lines := "+" + strconv.FormatInt(f.LinesAdded, 10) + " −" + strconv.FormatInt(f.LinesRemoved, 10)
		if f.Failed {
			lines = "failed"
		}
		t.Add(present.Moment(f.CreatedAtMs), f.SessionID[:min(len(f.SessionID), 13)], "n"+strconv.FormatInt(f.Turn, 10), lines, present.OneLine(f.Path), present.OneLine(f.Title))
	}
	return t.Write(s.Out, s.Width)
}
