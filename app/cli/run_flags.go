package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"coppice/app/term"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/lists"
)

// registerRunFlags registers the flags that run, resume and chat share.
func registerRunFlags(f *term.RunOptions, cmd *cobra.Command) {
	flags := cmd.Flags()
	f.Given = flags.Changed
	flags.StringArrayVar(&f.Models, "model", nil, "`PROVIDER/MODEL`, such as anthropic/claude-sonnet-5; coppice models lists them; NAME=PROVIDER/MODEL for an agent of a team")
	flags.StringVar(&f.BaseURL, "base-url", "", "the `URL` of a server, instead of the provider's")
	flags.StringVar(&f.Agent, "agent", "", "build, plan, review or one of yours")
	flags.StringVar(&f.Team, "team", "", "a `TEAM` of agents, instead of one: a file, or a name that coppice team list shows")
	flags.StringVar(&f.Mode, "mode", "", "which calls need your permission: "+lists.Join(core.Modes()))
	flags.StringVar(&f.Effort, "effort", "", "how much the model reasons: "+lists.Join(term.Efforts()))
	flags.TextVar(&f.Budget, "budget", config.Dollars(0), "stop when the session has cost this many `USD`; 0: no limit")
	flags.TextVar(&f.Timeout, "timeout", config.Duration(0), "stop after this `TIME`, such as 90s or 30m; 0: no limit")
	flags.Int64Var(&f.MaxSteps, "max-steps", 0, "stop after `N` calls of the model; 0: no limit")
	flags.Int64Var(&f.MaxTokens, "max-tokens", 0, "stop when the session has used `N` tokens; 0: no limit")
	flags.StringVar(&f.Compaction, "compaction", "", "the `STRATEGY` that compacts a long context: "+lists.Join(core.CompactionStrategies()))
	flags.StringArrayVar(&f.Images, "image", nil, "add an image `FILE` to the task; may be repeated")
	flags.StringVar(&f.Workspace, "workspace", "", "the `FOLDER` to work in (default: that of the session, else this one)")
	flags.StringVar(&f.Branch, "branch", "", "continue from this `NODE` of the session")
	flags.TextVar(&f.HibernateAfter, "hibernate-after", config.Duration(0), "hibernate the session when you have not answered for this `TIME`, such as 30m")
	flags.BoolVar(&f.HITL, "hitl", false, "wait for you after each answer of the model")
	flags.BoolVar(&f.Summary, "summary", false, "send the model only a short summary of what came before")
	flags.BoolVar(&f.TakeOver, "take-over", false, "end a run of the session on another machine that is off")
	flags.StringVar(&f.Output, "output", "", "write the transcript to this Markdown `FILE`")
	for _, hidden := range []string{"budget", "timeout", "hibernate-after"} { // the default 0 would mislead in the help
		flags.Lookup(hidden).DefValue = ""
	}
}

func registerName(f *term.RunOptions, flags *pflag.FlagSet) {
	flags.StringVar(&f.Name, "name", "", "a `NAME` for the session, to find it by")
}

func registerJSONStream(f *term.RunOptions, flags *pflag.FlagSet) {
	flags.BoolVar(&f.JSONStream, "json-stream", false, "print what happens as it happens, one JSON object per line: start, text, message, tool_start, …, end")
}

func registerOutputSchema(f *term.RunOptions, flags *pflag.FlagSet) {
	flags.StringVar(&f.OutputSchema, "output-schema", "", "the answer must be JSON that satisfies the JSON Schema in this `FILE`; it is printed alone")
}

func registerNewest(f *term.RunOptions, flags *pflag.FlagSet) {
	flags.BoolVar(&f.Newest, "continue", false, "continue the newest session of this folder")
}

// taskOf joins the words of a task. It replaces the word - with the contents of standard input.
func taskOf(ctx context.Context, s *term.Shell, words []string) (string, error) {
	if !slices.Contains(words, "-") {
		return strings.TrimSpace(strings.Join(words, " ")), nil
	}
	given, err := s.Keys.All(ctx)
	if err != nil {
		return "", err
	}
	said := strings.Join(slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "-" }), " ")
	return strings.TrimSpace(said + "\n\n" + strings.TrimSpace(given)), nil
}
