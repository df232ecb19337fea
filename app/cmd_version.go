package app

import (
	"github.com/spf13/cobra"

	"coppice/app/internal/version"
)

func newVersionCmd(s *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Prints the version",
		Args:  takes(),
		RunE:  func(*cobra.Command, []string) error { return s.printf("coppice %s\n", version.Full()) },
	}
}
