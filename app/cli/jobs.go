package cli

import (
	"context"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type jobsOptions struct {
	stop bool
	json bool
}

func newJobsCmd(s *term.Shell) *cobra.Command {
	var opts jobsOptions
	cmd := &cobra.Command{
		Use:   "jobs [ID]",
		Short: "List or stop the jobs that agents gave to others",
		Long: `List the jobs that agents gave to others: those of a session, or without ID all that are running. Each is a session of its own.

--stop ends the running job whose session is ID, in whatever process it runs. The agent that gave it receives what it has done.`,
		Example: `  coppice jobs
  coppice jobs 3f2a
  coppice jobs --stop 9b1c`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.stop {
				return takes("ID")(cmd, args)
			}
			return usage(cobra.MaximumNArgs(1))(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.With(cmd.Context(), func(db *sqlite.DB) error {
				if opts.stop {
					return stopJob(cmd.Context(), s, db, args[0])
				}
				return listJobs(cmd.Context(), s, db, args, opts)
			})
		},
	}
	cmd.Flags().BoolVar(&opts.stop, "stop", false, "stop the running job whose session is ID")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the jobs as JSON")
	return cmd
}

func stopJob(ctx context.Context, s *term.Shell, db *sqlite.DB, id string) error {
	session, err := find.Session(ctx, db, id)
	if err != nil {
		return err
	}
	if err := db.RequestStop(ctx, session.ID); err != nil {
		return err
	}
	s.Say("stopping the job")
	return nil
}

func listJobs(ctx context.Context, s *term.Shell, db *sqlite.DB, args []string, opts jobsOptions) error {
	parent := ""
	if len(args) > 0 {
		session, err := find.Session(ctx, db, args[0])
		if err != nil {
			return err
		}
		parent = session.ID
	}
	jobs, err := db.Jobs(ctx, parent)
	if err != nil {
		return err
	}
	if opts.json {
		return s.PrintJSON(jobs)
	}
	if len(jobs) == 0 {
		s.Say("no jobs")
		return nil
	}
	t := present.Table{Columns: []present.Column{{Title: "ID"}, {Title: "AGENT"}, {Title: "JOB", Flex: true}, {Title: "STATUS"}, {Title: "STEPS", Right: true}, {Title: "TOKENS", Right: true}, {Title: "COST", Right: true}}}
	for i := range jobs {
		addJob(ctx, &t, db, &jobs[i])
	}
	return t.Write(s.Out, s.Width)
}

func addJob(ctx context.Context, t *present.Table, db *sqlite.DB, job *core.Job) {
	t.Add(find.ShortID(ctx, db, job.SessionID), present.OneLine(job.Agent), present.OneLine(job.Title), string(job.Status), humanize.Comma(job.Steps), humanize.Comma(job.Tokens), present.Money(job.CostNanoUSD))
}
