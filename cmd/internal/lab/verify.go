package lab

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/game/record"
)

// verifyCommand returns the command that verifies proofs.
func verifyCommand() *cobra.Command {
	var posted string
	c := &cobra.Command{
		Use: "verify FILE", Short: "checks the proof that a game's draws were fair",
		Long: "checks the proof that an exported game's draws were fair, or that a daily board was made before its day. " +
			"With --posted it also compares the digest in the message that opened the table, or in the post of the day before; without it, only the host vouches for the secret.",
		Example: "rackmate verify rackmate-12-proof.json --posted abcd-efgh-ijkl-mnop-qrst-uvwx-yz23-4567\nrackmate export 12 && rackmate verify rackmate-12-proof.json",
		Args:    cli.Args(1, 1, "name one proof, the .json file of an exported game or of a daily board"), ValidArgsFunction: cli.Files("json"),
		RunE: func(c *cobra.Command, args []string) error { return verify(cli.StdOf(c), args[0], posted) },
	}
	c.Flags().StringVar(&posted, "posted", "", "the message's line in small type, or the whole message")
	return c
}

// verify checks the proof that a finished game's draws were fair, and prints
//
//	ok FILE draws=N commitment=HEX chain=HEX
//	bad FILE: event 17 drew AEI, the seed gives AEO
//
// posted is a text with the digest that was posted when the table opened, or "". The chain is the link after the
// last event (see [record.Link]), which identifies the game to the byte.
func verify(std cli.Std, file, posted string) error {
	digest := game.FindDigest(posted)
	if posted != "" && digest == "" {
		return cli.UsageError("--posted has no digest: copy the line in small type from the message that opened the table; rackmate can't open links")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if daily, err := puzzle.ParseProof(data); err == nil {
		return verifyDaily(std, file, daily, digest)
	}
	p, err := record.ParseProof(data)
	draws := 0
	if err == nil {
		draws, err = p.Check()
	}
	if err == nil {
		err = compare(p.Commitment, digest)
	}
	if err != nil {
		fmt.Fprintf(std.Out, "bad %s: %v\n", file, err)
		return cli.ErrFailed
	}
	fmt.Fprintf(std.Out, "ok %s draws=%d commitment=%s chain=%s\n", file, draws, p.Commitment, p.Chain())
	hint(std, p.Commitment, digest)
	return nil
}

// compare returns an error if a digest that was posted isn't that of a commitment.
func compare(commitment, posted string) error {
	if want := game.Digest(commitment); posted != "" && posted != want {
		return fmt.Errorf("the message has the digest %s, the secret gives %s", posted, want)
	}
	return nil
}

// hint tells a person who gave no digest that only the host vouches for the secret.
func hint(std cli.Std, commitment, posted string) {
	if posted == "" {
		fmt.Fprintf(std.Err, "so far only the host vouches for the secret: look for %s in small type under the message that opened it, or pass that line with --posted\n", game.Digest(commitment))
	}
}
