// Command rackmate hosts crossword-tile games in chat channels, and has a few
// tools for such games. Each subcommand is a file of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// A subcommand is one thing that the program does.
type subcommand struct {
	name  string
	usage string // what stands behind the name
	help  string // one line
	run   func(ctx context.Context, std stdio, args []string) error
}

// subcommands lists them in the order that help shows them.
func subcommands() []subcommand {
	return []subcommand{
		{"serve", "[SETTING]...", "runs the host, with the web room (so does rackmate without a subcommand); on Discord when DISCORD_TOKEN is set, on Slack when SLACK_BOT_TOKEN is. \"rackmate config\" lists the settings", runServe},
		{"terminal", "[--robot LEVEL | --names ANN,BOB] [--plain] [--lexicon L] [--language CODE|FILE] [--data FILE] [OPTION:VALUE]...", "a game in this terminal, against a robot or for people who share it; --plain writes line by line, as for screen readers; options are those of /new", runTerminal},
		{"config", "[SETTING]...", "prints the settings that the host would use, and where each comes from: a flag, the environment (RACKMATE_LISTEN), a file (--config FILE), or the default", runConfig},
		{"invite", "[--data FILE] [--uses N] [--for DURATION]", "makes a link into the web room, also of a running host: for one person and seven days, unless you say otherwise", runInvite},
		{"keeper", "[--data FILE] [add] NAME | remove NAME | list", "adds, removes or lists the keepers of the web room, also of a running host: they choose its settings and keep order", runKeeper},
		{"backup", "[--data FILE] FILE", "writes a consistent copy of the data file, or of a database as such a file, also while hosts run", runBackup},
		{"copy", "FROM TO", "copies everything from a data file to a database (postgres://...), or back, and compares the two; if it's interrupted, run it again and it carries on", runCopy},
		{"restore", "[--data FILE] BACKUP", "makes a data file from a backup and says what it restored; it never overwrites one", runRestore},
		{"health", "[--live] [SETTING]...", "asks the host with these settings how it is; exit status 1 if it isn't ready or, with --live, if it doesn't answer", runHealth},
		{"hosts", "--data postgres://...", "lists the hosts that share a database, and what each has to do", runHosts},
		{"check", "FILE", "looks for damage in a whole data file (with no host running on it), a backup or a database", runCheck},
		{"recount", "[--data FILE] [--answers FILE]", "works out ratings, records, tables and streaks again from the games and answers that count, also of a running host", runRecount},
		{"export", "[--data FILE] [-o FOLDER] GAME", "writes a finished game as GCG, with the proof of its draws", runExport},
		{"render", "[--theme light|dark|cb] [--language CODE|FILE] [--plain] [--replay FILE.gcg] [-o FILE] 'CGP'", "draws a position as PNG, or a recorded game as an animated GIF", runRender},
		{"gallery", "FOLDER", "draws a picture of every kind, to look at", runGallery},
		{"replay", "[--language CODE] FILE...", "plays written games through the rules and works out every score again", runReplay},
		{"review", "[--lexicon L] [--language CODE] FILE...", "judges every move of written games: what it gave up, and what was best", runReview},
		{"verify", "FILE", "checks the proof that an exported game's draws were fair, or that a daily board was made before its day", runVerify},
		{"moves", "[--lexicon L] [--count] [--top N] 'CGP' | --stdin", "lists the legal plays of the side to move, best score first", runMoves},
		{"solve", "[--lexicon L] [--rules R] [--positions N] [--time DURATION] 'CGP'", "finds the best play in an ending; the last line says what the side to move gains, and whether that's proven. With 1 to 4 tiles in the bag it gives the best moves' chances to win, whatever the bag holds, exact where it says so", runSolve},
		{"analyse", "[--lexicon L] [--json] FILE.gcg", "what review says about a game, as JSON for other programs", runAnalyse},
		{"engine", "[--level ROBOT] [--lexicon L] [--rules R] [--seed S] [--time DURATION] [--positions N]", "chooses moves for other programs: reads a position (CGP) a line and answers with a move a line (go doc ./game/engine)", runEngine},
		{"match", "[--games N] [--parallel N] [--error PERCENT] [--sprt LOW,HIGH] [--seed S] [--time DURATION] [--positions N] [--lexicon L] [--rules R] [--variant V] [--from FILE] [--out FILE.csv|FOLDER] [--resume] [--engine 'COMMAND']... ROBOT...", "plays robots and other engines against each other and counts the wins. In each round everybody sits first once, with the same tiles; --parallel plays rounds at the same time, one on each processor, with the same games; --time is processor time; --error stops once the rates are that certain, --sprt once it's clear by which Elo difference the first is stronger; --from starts at positions, a CGP a line; --out keeps results (CSV), which --resume continues, or games (GCG)", runMatch},
		{"forget", "[--data FILE] [--yes] person NAME|discord:ID|slack:WORKSPACE/ID | server ID | workspace ID", "shows what is kept about a person (by the name in the room, or the id on Discord or Slack), a Discord server, or a Slack workspace and its people; --yes removes it, also beside a running host. Finished games stay, with \"former player\" for the names", runForget},
		{"discord", "invite | forget [--data FILE] ID", "prints the link that adds the bot to a Discord server (needs DISCORD_TOKEN); forget removes all that is kept about a server, like forget --yes server", runDiscord},
		{"slack", "forget [--data FILE] WORKSPACE", "removes all that is kept about a Slack workspace and its people, like forget --yes workspace; WORKSPACE is its id, such as T0123ABCD", runSlack},
		{"commands", "discord|slack [--activity] [--all] [--prefix P] [--url URL] [--rotate] [--own-posts]", "prints, as JSON, the commands that are registered with Discord, or the Slack app's manifest", runCommands},
		{"lexicon", lexiconUsage, "compiles word lists (a word a line, # begins a note; --strict refuses a list with a line that can't be played, --rejected writes those lines to a file) and joins them; saves one as a file; looks words up; prints a list, or what differs between two", runLexicon},
		{"language", languageUsage, "lists the languages that tables can choose; checks the file of another", runLanguage},
		{"completion", "bash|zsh|fish", "prints a script by which a shell completes subcommands and flags", runCompletion},
		{"man", "", "prints the manual page: rackmate man > rackmate.1", runMan},
		{"sbom", "", "lists the modules that this program is made of, as CycloneDX", runSBOM},
	}
}

// stdio is where a subcommand reads and writes: what a script reads goes to
// out, all else to err.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// A usageError is a command line that can't be understood; the exit status is 2.
type usageError string

func (e usageError) Error() string { return string(e) }

// errFailed says that a check failed, which has been printed: the exit status
// is 1 and nothing more is said.
var errFailed = errors.New("a check failed")

func main() {
	// The first signal asks to stop, the second one kills.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, stdio{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

// run carries out a command line and gives the exit status: 0 success, 1 a
// check failed or something went wrong, 2 bad usage.
func run(ctx context.Context, std stdio, args []string) int {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if len(args) > 0 && name == "serve" {
		switch args[0] {
		case "-h", "-help", "--help":
			name = "help"
		case "-version", "--version":
			name = "version"
		}
	}
	switch name {
	case "help":
		printHelp(std.out)
		return 0
	case "version":
		info, _ := debug.ReadBuildInfo()
		fmt.Fprintln(std.out, version(info))
		return 0
	}
	for _, c := range subcommands() {
		if c.name != name {
			continue
		}
		err := c.run(ctx, std, args)
		var usage usageError
		switch {
		case err == nil:
			return 0
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprintf(std.err, "usage: rackmate %s %s\n%s\n", c.name, c.usage, c.help)
			return 0
		case errors.As(err, &usage):
			fmt.Fprintf(std.err, "rackmate %s: %v\nusage: rackmate %s %s\n", c.name, err, c.name, c.usage)
			return 2
		case !errors.Is(err, errFailed):
			fmt.Fprintf(std.err, "rackmate: %v\n", err)
		}
		return 1
	}
	fmt.Fprintf(std.err, "rackmate: there is no subcommand %q; rackmate help lists them\n", name)
	return 2
}

// newFlags makes a subcommand's flags; see parse.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parse reads flags that may stand before, between and after the other
// arguments, which it returns. "--" ends the flags.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
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

// many is any number of arguments.
const many = math.MaxInt

// parseSome is parse where least to most arguments are wanted; wanted says which.
func parseSome(flags *flag.FlagSet, args []string, least, most int, wanted string) ([]string, error) {
	rest, err := parse(flags, args)
	if err == nil && (len(rest) < least || len(rest) > most) {
		return nil, usageError(wanted)
	}
	return rest, err
}

// badFlag says what is wrong with a flag in our own words, and with the dashes that people
// type.
func badFlag(err error) error {
	var name, value, why string
	switch said := err.Error(); {
	case strings.HasPrefix(said, "flag provided but not defined: -"):
		return usageError("there is no flag --" + strings.TrimPrefix(said, "flag provided but not defined: -"))
	case strings.HasPrefix(said, "flag needs an argument: -"):
		return usageError("--" + strings.TrimPrefix(said, "flag needs an argument: -") + " needs a value")
	default:
		rest, ok := strings.CutPrefix(said, "invalid value ")
		quoted, qerr := strconv.QuotedPrefix(rest)
		if !ok || qerr != nil {
			return usageError(said)
		}
		value = quoted
		rest = strings.TrimPrefix(rest[len(quoted):], " for flag -")
		name, why, _ = strings.Cut(rest, ": ")
	}
	if why == "parse error" || why == "" {
		return usageError(fmt.Sprintf("--%s can't be %s", name, value))
	}
	return usageError(fmt.Sprintf("--%s can't be %s: %s", name, value, why))
}

func printHelp(w io.Writer) {
	fmt.Fprint(w, "rackmate hosts crossword-tile games in chat channels.\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(w, "  rackmate %s %s\n      %s\n", c.name, c.usage, c.help)
	}
	fmt.Fprint(w, "  rackmate version\n      prints the version, and the commit that it was built from\n")
}
