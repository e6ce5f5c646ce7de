package lab

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// program returns the root command with the commands of this package.
func program() *cobra.Command {
	root := cli.New()
	root.AddCommand(Commands()...)
	return root
}

// command runs a command line and returns its exit status and output.
func command(t *testing.T, stdin string, args ...string) (status int, out, err string) {
	t.Helper()
	var o, e strings.Builder
	status = cli.Run(t.Context(), cli.Std{In: strings.NewReader(stdin), Out: &o, Err: &e}, program(), args)
	return status, o.String(), e.String()
}
