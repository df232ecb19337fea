package cli

import (
	"cmp"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type approvalsOptions struct {
	remove []string
	allow  []string
	json   bool
}

func newApprovalsCmd(s *term.Shell) *cobra.Command {
	var opts approvalsOptions
	cmd := &cobra.Command{
		Use:   "approvals",
		Short: "List, confirm or remove remembered permissions",
		Long: `List the permissions and refusals that you gave for a session, a workspace or always, oldest first. --remove N removes
number N of that list, or one by its id, and may be repeated.

A permission that came with an imported session is unconfirmed and permits nothing. --allow N puts it in force.`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case len(opts.remove) > 0 && len(opts.allow) > 0:
				return core.E(core.Invalid, "--allow and --remove exclude each other")
			case len(opts.remove) > 0:
				return changeApprovals(cmd.Context(), s, opts.remove, "removed", (*sqlite.DB).Forget)
			case len(opts.allow) > 0:
				return changeApprovals(cmd.Context(), s, opts.allow, "allowed", (*sqlite.DB).Confirm)
			}
			return listApprovals(cmd.Context(), s, opts.json)
		},
	}
	cmd.Flags().StringArrayVar(&opts.remove, "remove", nil, "remove number `N` of the list, or an id")
	cmd.Flags().StringArrayVar(&opts.allow, "allow", nil, "put the imported permission with number `N` of the list, or an id, in force")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func listApprovals(ctx context.Context, s *term.Shell, asJSON bool) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		approvals, err := db.AllApprovals(ctx)
		switch {
		case err != nil:
			return err
		case asJSON:
			return s.PrintJSON(lists.NonNil(approvals))
		case len(approvals) == 0:
			s.Say("no permissions are remembered")
			return nil
		}
		t := present.Table{Columns: []present.Column{
			{Title: "#", Right: true}, {Title: "DECISION"}, {Title: "TOOL"}, {Title: "COVERS", Flex: true}, {Title: "FOR", Flex: true}, {Title: "AGE", Right: true},
		}}
		for i, one := range approvals {
			t.Add(strconv.Itoa(i+1), decisionOf(one), one.Tool, one.Matcher, scopeOf(ctx, db, one), present.Age(s.Now(), one.CreatedAtMs))
		}
		return t.Write(s.Out, s.Width)
	})
}

func decisionOf(a core.Approval) string {
	if a.Unconfirmed {
		return "unconfirmed"
	}
	return string(a.Decision)
}

// scopeOf returns what a permission is limited to.
func scopeOf(ctx context.Context, db *sqlite.DB, a core.Approval) string {
	switch a.Scope {
	case core.ScopeSession:
		return "session " + find.ShortID(ctx, db, a.SessionID)
	case core.ScopeWorkspace:
		return cmp.Or(a.WorkspacePath, "workspace")
	default:
		return string(a.Scope)
	}
}

// changeApprovals removes permissions, or puts them in force.
func changeApprovals(ctx context.Context, s *term.Shell, refs []string, done string, change func(db *sqlite.DB, ctx context.Context, id string) error) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		approvals, err := db.AllApprovals(ctx)
		if err != nil {
			return err
		}
		ids := make([]string, 0, len(refs))
		for _, ref := range refs {
			id, err := approvalOf(approvals, ref)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		for _, id := range ids {
			if err := change(db, ctx, id); err != nil {
				return err
			}
		}
		return s.Printf("%s %s\n", done, present.Count(int64(len(ids)), "permission"))
	})
}

// approvalOf returns the id of the permission that a number of the list, or an id, names.
func approvalOf(approvals []core.Approval, ref string) (string, error) {
	if number, err := strconv.Atoi(ref); err == nil && number >= 1 && number <= len(approvals) {
		return approvals[number-1].ID, nil
	}
	for _, one := range approvals {
		if one.ID == ref {
			return one.ID, nil
		}
	}
	return "", core.E(core.NotFound, "no permission %q", ref).WithHint("coppice approvals lists them")
}
