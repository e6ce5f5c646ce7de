package lab

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/game/record"
)

// verifyCommand returns the command that verifies proofs.
func verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "verify FILE", Short: "checks the proof that a game's draws were fair",
		Long:    "checks the proof that an exported game's draws were fair, or that a daily board was made before its day.",
		Example: "rackmate verify rackmate-12-proof.json\nrackmate export 12 && rackmate verify rackmate-12-proof.json",
		Args:    cli.Args(1, 1, "name one proof, the .json file of an exported game or of a daily board"), ValidArgsFunction: cli.Files("json"),
		RunE: func(c *cobra.Command, args []string) error { return verify(cli.StdOf(c), args[0]) },
	}
}

// verify checks the proof that a finished game's draws were fair, and prints
//
//	ok FILE draws=N commitment=HEX chain=HEX
//	bad FILE: event 17 drew AEI, the seed gives AEO
//
// Compare the commitment with the one posted when the table opened. The chain is the link after the
// last event (see [record.Link]), which identifies the game to the byte.
func verify(std cli.Std, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if daily, err := puzzle.ParseProof(data); err == nil {
		return verifyDaily(std, file, daily)
	}
	p, err := record.ParseProof(data)
	draws := 0
	if err == nil {
		draws, err = p.Check()
	}
	if err != nil {
		fmt.Fprintf(std.Out, "bad %s: %v\n", file, err)
		return cli.ErrFailed
	}
	fmt.Fprintf(std.Out, "ok %s draws=%d commitment=%s chain=%s\n", file, draws, p.Commitment, p.Chain())
	return nil
}
