// Package lists provides the commands for word lists and languages.
package lists

import (
	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// Commands returns the commands for word lists and languages.
func Commands() []*cobra.Command {
	all := []*cobra.Command{languageCommand(), lexiconCommand()}
	for _, c := range all {
		c.GroupID = cli.Words
	}
	return all
}
