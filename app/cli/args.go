package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"coppice/backend/core"
)

// takes checks the arguments of a command: one for each name, any number of the last one where that ends
// with an ellipsis.
func takes(names ...string) cobra.PositionalArgs {
	return usage(func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return core.E(core.Invalid, "%s is missing", strings.TrimSuffix(names[len(args)], "…"))
		}
		if len(args) == len(names) || len(names) > 0 && strings.HasSuffix(names[len(names)-1], "…") {
			return nil
		}
		return core.E(core.Invalid, "%q is one argument too many", args[len(names)])
	})
}

// usage makes a mistake in the arguments an Invalid error with what to type instead as its hint.
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
	cmd.SuggestionsMinimumDistance = 2 // letters that differ
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		return e.WithHint("did you mean %s?", strings.Join(like, " or "))
	}
	return e.WithHint("%s --help lists the commands", cmd.CommandPath())
}

// usageError says in our words what cobra has found.
func usageError(cmd *cobra.Command, err error) error {
	message, _, _ := strings.Cut(err.Error(), ": strconv.") // how Go says that a number is none
	e := core.E(core.Invalid, "%s", message)
	if !cmd.HasParent() {
		return e.WithHint("coppice --help lists the commands")
	}
	return e.WithHint("usage: %s", cmd.UseLine())
}
