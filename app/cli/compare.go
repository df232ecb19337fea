package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

type compareOptions struct {
	id    string
	nodes [2]string
	json  bool
}

func newCompareCmd(s *term.Shell) *cobra.Command {
	var opts compareOptions
	cmd := &cobra.Command{
		Use:   "compare ID NODE NODE",
		Short: "Compare two branches side by side, from their fork on",
		Long: `Compare the paths to two nodes side by side, from their fork on: their turns, cost and tokens, and the files that each changed.
A node means the path that ends there.`,
		Args: takes("ID", "NODE", "NODE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.nodes = args[0], [2]string{args[1], args[2]}
			return compareBranches(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

// comparedBranches is what compare --json prints.
type comparedBranches struct {
	core.Comparison
	Files []render.FileEffect `json:"files"`
}

func compareBranches(ctx context.Context, s *term.Shell, opts compareOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		var uids [2]string
		for i, name := range opts.nodes {
			node, err := find.Node(ctx, db, session, name)
			if err != nil {
				return err
			}
			uids[i] = node.UID
		}
		comparison, err := db.Compare(ctx, session.ID, uids[0], uids[1], 0, 0)
		if err != nil {
			return err
		}
		_, left, right, err := find.Branches(ctx, db, session.ID, uids[0], uids[1])
		if err != nil {
			return err
		}
		effects, err := render.New().Effects(ctx, db, session, left, right)
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(comparedBranches{comparison, effects.Files})
		}
		return printComparison(s, session, &comparison, effects)
	})
}

func printComparison(s *term.Shell, session core.Session, c *core.Comparison, effects render.FileEffects) error {
	if err := term.NewTranscript(s.Terminal, nil).Head(session); err != nil {
		return err
	}
	parting := "they share no message"
	if c.AncestorUID != "" {
		parting = fmt.Sprintf("they share %s, up to n%d", present.Count(c.Shared, "message"), c.AncestorTurn)
	}
	if err := s.Printf("\n%s\n\n", parting); err != nil {
		return err
	}
	sums := present.Table{Columns: []present.Column{{}, {Title: "TURNS", Right: true}, {Title: "MESSAGES", Right: true}, {Title: "TOKENS", Right: true}, {Title: "COST", Right: true}, {Title: "MODELS", Flex: true}}}
	for _, side := range []*core.Side{&c.Left, &c.Right} {
		sums.Add(fmt.Sprintf("to n%d", side.Turn), humanize.Comma(side.Turns), humanize.Comma(side.Messages),
			humanize.Comma(side.InputTokens+side.OutputTokens), present.Money(side.CostNanoUSD), strings.Join(side.Models, ", "))
	}
	if err := sums.Write(s.Out, s.Width); err != nil {
		return err
	}
	if c.RowCount > 0 {
		if err := s.Printf("\n"); err != nil {
			return err
		}
		turns := present.Table{Columns: []present.Column{{Title: fmt.Sprintf("TO N%d", c.Left.Turn), Flex: true}, {Title: fmt.Sprintf("TO N%d", c.Right.Turn), Flex: true}}}
		for i := range c.Rows {
			turns.Add(turnCell(&c.Rows[i].Left), turnCell(&c.Rows[i].Right))
		}
		if err := turns.Write(s.Out, s.Width); err != nil {
			return err
		}
	}
	if len(effects.Files) == 0 {
		return nil
	}
	if err := s.Printf("\n"); err != nil {
		return err
	}
	files := present.Table{Columns: []present.Column{{Title: "FILE", Flex: true}, {Title: fmt.Sprintf("N%d", c.Left.Turn), Right: true}, {Title: fmt.Sprintf("N%d", c.Right.Turn), Right: true}, {}}}
	for i := range effects.Files {
		file := &effects.Files[i]
		same := ""
		if file.Same {
			same = "same contents"
		}
		files.Add(present.OneLine(file.Path), effectWords(file.Left), effectWords(file.Right), same)
	}
	return files.Write(s.Out, s.Width)
}

// comparedRunes is the maximum number of characters of a turn's preview if the output is not a terminal.
const comparedRunes = 50

func turnCell(r *core.TurnRange) string {
	if r.Messages == 0 {
		return "–"
	}
	words := []string{fmt.Sprintf("n%d", r.Turn)}
	if r.Label != "" {
		words = append(words, "["+present.OneLine(r.Label)+"]")
	}
	words = append(words, fmt.Sprintf("(%s)", present.Count(r.Messages, "msg")), present.Cut(cmp.Or(present.OneLine(r.Preview), "…"), comparedRunes))
	return strings.Join(words, " ")
}

// effectWords describes the change to a file: "+12 −4", "new +12", "deleted".
func effectWords(effect render.Effect) string {
	switch {
	case effect.Changes == 0:
		return "–"
	case effect.Deleted:
		return "deleted"
	}
	words := fmt.Sprintf("+%d −%d", effect.Added, effect.Removed)
	if effect.Added+effect.Removed == 0 {
		words = "changed"
	}
	if effect.Created {
		words = "new " + words
	}
	return words
}
