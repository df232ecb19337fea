package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"coppice/backend/core"
)

// takes returns a check of the arguments of a command: one for each name, and any number for the last name if it ends
// with an ellipsis.
func takes(names ...string) cobra.PositionalArgs {
	return usage(func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return core.E(core.Invalid, "%s is missing", strings.TrimSuffix(names[len(args)], "…"))
		}
		if len(args) == len(names) || len(names) > 0 && strings.HasSuffix(names[len(names)-1], "…") {
			return nil
		}
		return core.E(core.Invalid, "unexpected argument %q", args[len(names)])
	})
}

// usage returns a check whose errors are Invalid and have the usage of the command as their hint.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		if cmd.HasSubCommands() && len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return usageError(cmd, err)
	}
}

func unknownCommand(cmd *cobra.Command, name string) error {
	e := core.E(core.Invalid, "unknown command %q for %q", name, cmd.CommandPath())
	cmd.SuggestionsMinimumDistance = 2 // the number of letters that differ
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		return e.WithHint("did you mean %s?", strings.Join(like, " or "))
	}
	return e.WithHint("%s --help lists the commands", cmd.CommandPath())
}

// usageError returns an error of cobra as an Invalid error in the wording of this program.
func usageError(cmd *cobra.Command, err error) error {
	message, _, _ := strings.Cut(err.Error(), ": strconv.") // the suffix of an invalid number, from package strconv
	e := core.E(core.Invalid, "%s", message)
	if !cmd.HasParent() {
		return e.WithHint("coppice --help lists the commands")
	}
	return e.WithHint("usage: %s", cmd.UseLine())
}
