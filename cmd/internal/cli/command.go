// Package cli has what the parts of the program share: the command line, progress, and the
// word lists, languages, boards and fonts that come along.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Subcommand is one thing that the program does.
type Subcommand struct {
	Name  string
	Usage string // what stands behind the name
	Help  string // one line
	Run   func(ctx context.Context, std Std, args []string) error
}

// Std is where a subcommand reads and writes: what a script reads goes to
// Out, all else to Err.
type Std struct {
	In       io.Reader
	Out, Err io.Writer
}

// A UsageError is a command line that can't be understood; the exit status is 2.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// ErrFailed says that a check failed, which has been printed: the exit status
// is 1 and nothing more is said.
var ErrFailed = errors.New("a check failed")

// NewFlags makes a subcommand's flags; see Parse.
func NewFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// Parse reads flags that may stand before, between and after the other
// arguments, which it returns. "--" ends the flags.
func Parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, badFlag(err)
		}
		left := flags.Args()
		if ended := len(args) - len(left); ended > 0 && args[ended-1] == "--" {
			return append(rest, left...), nil
		}
		if len(left) == 0 {
			return rest, nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// Many is any number of arguments.
const Many = math.MaxInt

// ParseSome is Parse where least to most arguments are wanted; wanted says which.
func ParseSome(flags *flag.FlagSet, args []string, least, most int, wanted string) ([]string, error) {
	rest, err := Parse(flags, args)
	if err == nil && (len(rest) < least || len(rest) > most) {
		return nil, UsageError(wanted)
	}
	return rest, err
}

// badFlag says what is wrong with a flag in our own words, and with the dashes that people
// type.
func badFlag(err error) error {
	var name, value, why string
	switch said := err.Error(); {
	case strings.HasPrefix(said, "flag provided but not defined: -"):
		return UsageError("there is no flag --" + strings.TrimPrefix(said, "flag provided but not defined: -"))
	case strings.HasPrefix(said, "flag needs an argument: -"):
		return UsageError("--" + strings.TrimPrefix(said, "flag needs an argument: -") + " needs a value")
	default:
		rest, ok := strings.CutPrefix(said, "invalid value ")
		quoted, qerr := strconv.QuotedPrefix(rest)
		if !ok || qerr != nil {
			return UsageError(said)
		}
		value = quoted
		rest = strings.TrimPrefix(rest[len(quoted):], " for flag -")
		name, why, _ = strings.Cut(rest, ": ")
	}
	if why == "parse error" || why == "" {
		return UsageError(fmt.Sprintf("--%s can't be %s", name, value))
	}
	return UsageError(fmt.Sprintf("--%s can't be %s: %s", name, value, why))
}

// Run carries out a command line and gives the exit status: 0 success, 1 a
// check failed or something went wrong, 2 bad usage.
func Run(ctx context.Context, std Std, all []Subcommand, args []string) int {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if len(args) > 0 && name == "serve" {
		switch args[0] {
		case "-h", "-help", "--help":
			name = "help"
		}
	}
	switch name {
	case "help":
		printHelp(std.Out, all)
		return 0
	}
	for _, c := range all {
		if c.Name != name {
			continue
		}
		err := c.Run(ctx, std, args)
		var usage UsageError
		switch {
		case err == nil:
			return 0
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprintf(std.Err, "usage: rackmate %s %s\n%s\n", c.Name, c.Usage, c.Help)
			return 0
		case errors.As(err, &usage):
			fmt.Fprintf(std.Err, "rackmate %s: %v\nusage: rackmate %s %s\n", c.Name, err, c.Name, c.Usage)
			return 2
		case !errors.Is(err, ErrFailed):
			fmt.Fprintf(std.Err, "rackmate: %v\n", err)
		}
		return 1
	}
	fmt.Fprintf(std.Err, "rackmate: there is no subcommand %q; rackmate help lists them\n", name)
	return 2
}

func printHelp(w io.Writer, all []Subcommand) {
	fmt.Fprint(w, "rackmate hosts crossword-tile games in chat channels.\n\n")
	for _, c := range all {
		fmt.Fprintf(w, "  rackmate %s %s\n      %s\n", c.Name, c.Usage, c.Help)
	}
	fmt.Fprint(w, "  rackmate version\n      prints the version, and the commit that it was built from\n")
}
