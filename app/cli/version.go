package cli

import (
	"github.com/spf13/cobra"

	"coppice/app/internal/version"
	"coppice/app/term"
)

func newVersionCmd(s *term.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  takes(),
		RunE:  func(*cobra.Command, []string) error { return s.Printf("coppice %s\n", version.Full()) },
	}
}
