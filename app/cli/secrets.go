package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/internal/secrets"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newSecretsCmd(s *term.Shell) *cobra.Command {
	var limit int64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "secrets",
		Short: "List keys and passwords in sessions, and where they occur",
		Long: `Scan what has changed for keys, tokens and passwords, and list each one once with the messages that it occurs in.

The text of a secret is not printed, and the library does not hold it a second time: ID is a keyed hash of it, which
differs between libraries. Rotate what has leaked; coppice hide, delete and trash remove messages and sessions.`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := term.NotNegative("limit", limit); err != nil {
				return err
			}
			return s.With(cmd.Context(), func(db *sqlite.DB) error { return listSecrets(cmd.Context(), s, db, limit, asJSON) })
		},
	}
	cmd.Flags().Int64Var(&limit, "limit", 100, "at most `N` secrets")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// secretList is the output as JSON.
type secretList struct {
	Secrets []core.Secret `json:"secrets"`
	Total   int64         `json:"total"`
	Failed  int64         `json:"failed"` // sessions that could not be scanned
}

func listSecrets(ctx context.Context, s *term.Shell, db *sqlite.DB, limit int64, asJSON bool) error {
	scanner, err := secrets.New(ctx, db)
	if err != nil {
		return err
	}
	line := term.NewProgressLine(s.Terminal)
	result, failure := scanner.Scan(ctx, line.Show, nil)
	line.Clear()
	if failure != nil && result.Failed == 0 {
		return failure
	}
	found, total, err := secrets.List(ctx, db, limit)
	if err != nil {
		return err
	}
	if asJSON {
		return s.PrintJSON(secretList{found, total, result.Failed})
	}
	if failure != nil {
		s.Say("warning: %s not scanned: %v", present.Count(result.Failed, "session"), failure)
	}
	if total == 0 {
		s.Say("no secret was recognised")
		return nil
	}
	t := present.Table{Columns: []present.Column{{Title: "ID"}, {Title: "TIMES", Right: true}, {Title: "SESSION"}, {Title: "NODE"}, {Title: "MESSAGE"}, {Title: "TITLE", Flex: true}}}
	for _, secret := range found {
		for i, p := range secret.Places {
			id := secret.ID
			if i > 0 {
				id = ""
			}
			t.Add(id, strconv.FormatInt(p.Count, 10), p.SessionID[:min(len(p.SessionID), 13)], "n"+strconv.FormatInt(p.Turn, 10), "m"+strconv.FormatInt(p.Seq, 10), present.OneLine(p.Title))
		}
	}
	if left := total - int64(len(found)); left > 0 {
		s.Say("%s more, see --limit", present.Count(left, "secret"))
	}
	return t.Write(s.Out, s.Width)
}
