// Package lab provides the commands for positions, recorded games and robots.
package lab

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// Commands returns the commands of this package.
func Commands() []*cobra.Command {
	all := []*cobra.Command{
		analyseCommand(), engineCommand(), galleryCommand(), matchCommand(), movesCommand(), renderCommand(),
		replayCommand(), reviewCommand(), solveCommand(), verifyCommand(),
	}
	for _, c := range all {
		c.GroupID = cli.Lab
	}
	return append(all, cgpTopic())
}

// cgpTopic returns the help topic about the notation of positions.
func cgpTopic() *cobra.Command {
	return &cobra.Command{
		Use: "cgp", Short: "how a position is written",
		Long: `Positions are written as CGP, one line of four fields and some operations:

  BOARD RACKS SCORES PASSES OPERATION; OPERATION; ...

BOARD has the rows from the top, parted by slashes: letters are tiles, lower-case letters are blanks, numbers are that many empty squares. RACKS has the rack of the side to move, a slash, and the other's, empty if it isn't known; ? is a blank. SCORES has the points in the same order, PASSES how many turns in a row scored nothing. Operations may follow, each with a semicolon: "lex fr;" names the word list, "rules club;" the rule set, "ms 500;" the time for a move, "lm 8H HORN;" the move before.

  rackmate moves --top 3 '15/15/15/15/15/15/15/7HORN4/15/15/15/15/15/15/15 AEINRST/ 0/14 0'

Brackets part tiles where letters could be read in two ways. In Spanish CH, LL and RR are one tile each wherever these letters stand side by side, on a rack too: [LL] says so for whoever reads it, and L[L] is two tiles L. A shell needs quotes around the line.`,
	}
}

// position joins the words of a position that was typed without quotes. A quoted one must be the
// only argument.
func position(args []string) (string, error) {
	for _, arg := range args {
		if len(args) > 1 && strings.ContainsAny(arg, " \t") {
			return "", cli.UsageError("give one position as CGP, in quotes: \"rackmate help cgp\" explains it")
		}
	}
	return strings.Join(args, " "), nil
}

// noteTiles warns about adjacent letters on a rack that are read as one tile, unless brackets show
// that this is intended.
func noteTiles(w io.Writer, set *game.TileSet, cgp string) {
	fields := strings.Fields(cgp)
	if len(fields) < 2 {
		return
	}
	bare := strings.ToUpper(bracketed.ReplaceAllString(fields[1], " "))
	for _, k := range set.Kinds() {
		if utf8.RuneCountInString(k.Text) > 1 && strings.Contains(bare, k.Text) {
			first, size := utf8.DecodeRuneInString(k.Text)
			fmt.Fprintf(w, "%s on a rack is one tile, as [%s] is; two tiles are %c[%s]\n", k.Text, k.Text, first, k.Text[size:])
		}
	}
}

// bracketed matches text in brackets.
var bracketed = regexp.MustCompile(`\[[^]]*\]`)

// rulesFlag adds the flag that selects the rule set.
func rulesFlag(c *cobra.Command, name *string) {
	var names []string
	for _, r := range game.RuleSets() {
		names = append(names, r.Name)
	}
	c.Flags().StringVar(name, "rules", game.Classic().Name, "the rule `SET`: "+strings.Join(names, ", "))
	cli.Choices(c, "rules", names...)
}

// robotNames returns the names of all robots.
func robotNames() (names []string) {
	for _, l := range robots() {
		names = append(names, l.Name)
	}
	return names
}

// robots returns the yardsticks followed by the levels.
func robots() []robot.Level { return append(robot.Yardsticks(), robot.Levels()...) }
