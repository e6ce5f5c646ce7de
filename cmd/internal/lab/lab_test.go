package lab

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, stdin string, args ...string) (status int, out, err string) {
	t.Helper()
	var o, e strings.Builder
	status = cli.Run(t.Context(), cli.Std{In: strings.NewReader(stdin), Out: &o, Err: &e}, Subcommands(), args)
	return status, o.String(), e.String()
}
