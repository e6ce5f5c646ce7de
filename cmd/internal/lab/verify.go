package lab

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"fmt"
	"os"

	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/game/record"
)

// runVerify checks the proof that a finished game's draws were fair, and says
//
//	ok FILE draws=N commitment=HEX chain=HEX
//	bad FILE: event 17 drew AEI, the seed gives AEO
//
// The commitment is to be compared with the one posted when the table opened. The chain
// is the link behind the last event (see [record.Link]): whoever has it can tell whether
// a game that they are shown is this one to the byte.
func runVerify(ctx context.Context, std cli.Std, args []string) error {
	rest, err := cli.ParseSome(cli.NewFlags("verify"), args, 1, 1, "name one proof, the .json file of an exported game or of a daily board")
	if err != nil {
		return err
	}
	data, err := os.ReadFile(rest[0])
	if err != nil {
		return err
	}
	if daily, err := puzzle.ParseProof(data); err == nil {
		return verifyDaily(std, rest[0], daily)
	}
	p, err := record.ParseProof(data)
	draws := 0
	if err == nil {
		draws, err = p.Check()
	}
	if err != nil {
		fmt.Fprintf(std.Out, "bad %s: %v\n", rest[0], err)
		return cli.ErrFailed
	}
	fmt.Fprintf(std.Out, "ok %s draws=%d commitment=%s chain=%s\n", rest[0], draws, p.Commitment, p.Chain())
	return nil
}
