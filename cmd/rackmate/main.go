// Command rackmate hosts crossword-tile games in chat channels, and has a few
// tools for such games. Each subcommand is a file of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
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
		{"serve", "[SETTING]...", "the host, with the web room (also without any subcommand); Discord when DISCORD_TOKEN is set, Slack when SLACK_BOT_TOKEN is. \"rackmate config\" lists the settings", runServe},
		{"terminal", "[--robot LEVEL | --names ANN,BOB] [--plain] [--lexicon L] [--language CODE|FILE] [--data FILE] [OPTION:VALUE]...", "a table in this terminal, against a robot or for people who share it; --plain writes line by line, as for screen readers; options are those of /new", runTerminal},
		{"config", "[SETTING]...", "the host's settings as they count, and where each comes from: a flag, the environment (RACKMATE_LISTEN), a file (--config FILE), or the default", runConfig},
		{"invite", "[--data FILE] [--uses N] [--for DURATION]", "makes a link by which people come into the web room, of a running host too: one person within seven days, unless it is told otherwise", runInvite},
		{"keeper", "[--data FILE] [add] NAME | remove NAME | list", "who keeps the web room, of a running host too: they set how it plays and keep order there", runKeeper},
		{"backup", "[--data FILE] FILE", "a consistent copy of the file of data, or of a database as such a file, while hosts run too", runBackup},
		{"copy", "FROM TO", "carries everything from a file of data to a database (postgres://...), or back, and compares it; broken off, it goes on where it was", runCopy},
		{"restore", "[--data FILE] BACKUP", "puts a backup where a file of data is gone; it overwrites nothing, and says what it restored", runRestore},
		{"health", "[--live] [SETTING]...", "asks the host that runs with these settings how it is; exit status 1 where it isn't ready, or with --live, where it doesn't answer", runHealth},
		{"hosts", "--data postgres://...", "the hosts that share a database, and what each has to do", runHosts},
		{"check", "FILE", "looks through a whole file of data that no host runs on, a backup, or a database, for damage", runCheck},
		{"recount", "[--data FILE] [--answers FILE]", "makes ratings, records, tables and streaks anew from the games and answers that are counted, of a running host too", runRecount},
		{"export", "[--data FILE] [-o FOLDER] GAME", "a finished game as GCG, with the proof of its draws", runExport},
		{"render", "[--theme light|dark|cb] [--language CODE|FILE] [--plain] [--replay FILE.gcg] [-o FILE] 'CGP'", "a position as PNG, or a recorded game as animated GIF", runRender},
		{"gallery", "FOLDER", "pictures of every kind, for looking at", runGallery},
		{"replay", "[--language CODE] FILE...", "plays written games through the rules, recomputing every score", runReplay},
		{"review", "[--lexicon L] [--language CODE] FILE...", "judges each move of written games: what it gave up, and what was best", runReview},
		{"verify", "FILE", "checks the proof that an exported game's draws were fair, or that a daily board was made before its day", runVerify},
		{"moves", "[--lexicon L] [--count] [--top N] 'CGP' | --stdin", "the legal plays of the side to move, best score first", runMoves},
		{"solve", "[--lexicon L] [--rules R] [--positions N] [--time DURATION] 'CGP'", "plays out an ending as well as can be; the last line says what the side to move gains, and whether that is proven. With 1 to 4 tiles in the bag: the chance to win after each of the best moves, over all that the bag may have, exact where it says so", runSolve},
		{"analyse", "[--lexicon L] [--json] FILE.gcg", "what review says of a written game, as JSON for other programs", runAnalyse},
		{"engine", "[--level ROBOT] [--lexicon L] [--rules R] [--seed S] [--time DURATION] [--positions N]", "chooses moves for other programs: a position as CGP a line in, a move a line out (go doc ./game/engine)", runEngine},
		{"match", "[--games N] [--parallel N] [--error PERCENT] [--sprt LOW,HIGH] [--seed S] [--time DURATION] [--positions N] [--lexicon L] [--rules R] [--variant V] [--from FILE] [--out FILE.csv|FOLDER] [--resume] [--engine 'COMMAND']... ROBOT...", "games of robots and other engines against each other, and how many each won. Games come in rounds, in which each sits first once with the same tiles; --parallel plays rounds at the same time, a processor each, and the games are the same; --time is of the processor; --error stops when the rates are so sure, --sprt when it is clear by which difference of Elo ratings the first is stronger; --from begins at positions, a CGP a line; --out keeps results (CSV), with which --resume goes on, or games (GCG)", runMatch},
		{"forget", "[--data FILE] [--yes] person NAME|discord:ID|slack:WORKSPACE/ID | server ID | workspace ID", "what is kept of a person (by the name in the room, or the id on Discord or Slack), of a Discord server, or of a Slack workspace and its people; --yes removes it, beside a running host too. Games that are over stay, by former players", runForget},
		{"discord", "invite | forget [--data FILE] ID", "the link by which a Discord server gets the bot, which needs DISCORD_TOKEN; removes all that is kept of a server, as forget --yes server does", runDiscord},
		{"slack", "forget [--data FILE] WORKSPACE", "removes all that is kept of a Slack workspace and its people, as forget --yes workspace does; WORKSPACE is its id, such as T0123ABCD", runSlack},
		{"commands", "discord|slack [--activity] [--all] [--prefix P] [--url URL] [--rotate] [--own-posts]", "what is registered with Discord, as JSON; the manifest of the Slack app", runCommands},
		{"lexicon", lexiconUsage, "compiles word lists (a word a line, # begins a note; --strict refuses a list with a line that can't be played, --rejected keeps such lines) and joins them; saves one as a file; looks words up; prints a list, and what two lists differ in", runLexicon},
		{"language", languageUsage, "the languages that tables can choose; what is wrong with a file of another", runLanguage},
		{"completion", "bash|zsh|fish", "what a shell needs to complete subcommands and flags", runCompletion},
		{"man", "", "the manual page: rackmate man > rackmate.1", runMan},
		{"sbom", "", "the modules that this program is made of, as CycloneDX", runSBOM},
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
			return nil, usageError(err.Error())
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

func printHelp(w io.Writer) {
	fmt.Fprint(w, "rackmate hosts crossword-tile games in chat channels.\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(w, "  rackmate %s %s\n      %s\n", c.name, c.usage, c.help)
	}
	fmt.Fprint(w, "  rackmate version\n      the version, and the commit that it was built from\n")
}
