package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"coppice/app/term"
)

// TestHelpIsImperative requires that each command's help begins with a verb in the imperative, as "List sessions".
func TestHelpIsImperative(t *testing.T) {
	t.Parallel()
	thirdPerson := regexp.MustCompile(`^[A-Z][a-z]*[^s]s$`)
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, text := range []string{cmd.Short, cmd.Long} {
			if first, _, _ := strings.Cut(text, " "); thirdPerson.MatchString(first) {
				t.Errorf("the help of %q begins with %q", cmd.CommandPath(), first)
			}
		}
		for _, child := range cmd.Commands() {
			check(child)
		}
	}
	check(newRootCmd(&term.Shell{}, nil))
}
