// Command rackmate hosts crossword-tile games in chat channels, and has a few
// tools for such games. Each subcommand is a file of its own.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/cmd/internal/lab"
	"github.com/rackmate/rackmate/cmd/internal/lists"
)

// subcommands lists them in the order that help shows them.
func subcommands() []cli.Subcommand {
	return slices.Concat([]cli.Subcommand{
		{Name: "serve", Usage: "[SETTING]...", Help: "runs the host, with the web room (so does rackmate without a subcommand); on Discord when DISCORD_TOKEN is set, on Slack when SLACK_BOT_TOKEN is. \"rackmate config\" lists the settings", Run: runServe},
		{Name: "terminal", Usage: "[--robot LEVEL | --names ANN,BOB] [--plain] [--lexicon L] [--language CODE|FILE] [--data FILE] [OPTION:VALUE]...", Help: "a game in this terminal, against a robot or for people who share it; --plain writes line by line, as for screen readers; options are those of /new", Run: runTerminal},
		{Name: "config", Usage: "[SETTING]...", Help: "prints the settings that the host would use, and where each comes from: a flag, the environment (RACKMATE_LISTEN), a file (--config FILE), or the default", Run: runConfig},
		{Name: "invite", Usage: "[--data FILE] [--uses N] [--for DURATION]", Help: "makes a link into the web room, also of a running host: for one person and seven days, unless you say otherwise", Run: runInvite},
		{Name: "keeper", Usage: "[--data FILE] [add] NAME | remove NAME | list", Help: "adds, removes or lists the keepers of the web room, also of a running host: they choose its settings and keep order", Run: runKeeper},
		{Name: "backup", Usage: "[--data FILE] FILE", Help: "writes a consistent copy of the data file, or of a database as such a file, also while hosts run", Run: runBackup},
		{Name: "copy", Usage: "FROM TO", Help: "copies everything from a data file to a database (postgres://...), or back, and compares the two; if it's interrupted, run it again and it carries on", Run: runCopy},
		{Name: "restore", Usage: "[--data FILE] BACKUP", Help: "makes a data file from a backup and says what it restored; it never overwrites one", Run: runRestore},
		{Name: "health", Usage: "[--live] [SETTING]...", Help: "asks the host with these settings how it is; exit status 1 if it isn't ready or, with --live, if it doesn't answer", Run: runHealth},
		{Name: "hosts", Usage: "--data postgres://...", Help: "lists the hosts that share a database, and what each has to do", Run: runHosts},
		{Name: "check", Usage: "FILE", Help: "looks for damage in a whole data file (with no host running on it), a backup or a database", Run: runCheck},
		{Name: "recount", Usage: "[--data FILE] [--answers FILE]", Help: "works out ratings, records, tables and streaks again from the games and answers that count, also of a running host", Run: runRecount},
		{Name: "export", Usage: "[--data FILE] [-o FOLDER] GAME", Help: "writes a finished game as GCG, with the proof of its draws", Run: runExport},
		{Name: "forget", Usage: "[--data FILE] [--yes] person NAME|discord:ID|slack:WORKSPACE/ID | server ID | workspace ID", Help: "shows what is kept about a person (by the name in the room, or the id on Discord or Slack), a Discord server, or a Slack workspace and its people; --yes removes it, also beside a running host. Finished games stay, with \"former player\" for the names", Run: runForget},
		{Name: "discord", Usage: "invite | forget [--data FILE] ID", Help: "prints the link that adds the bot to a Discord server (needs DISCORD_TOKEN); forget removes all that is kept about a server, like forget --yes server", Run: runDiscord},
		{Name: "slack", Usage: "forget [--data FILE] WORKSPACE", Help: "removes all that is kept about a Slack workspace and its people, like forget --yes workspace; WORKSPACE is its id, such as T0123ABCD", Run: runSlack},
		{Name: "commands", Usage: "discord|slack [--activity] [--all] [--prefix P] [--url URL] [--rotate]", Help: "prints, as JSON, the commands that are registered with Discord, or the Slack app's manifest", Run: runCommands},
		{Name: "completion", Usage: "bash|zsh|fish", Help: "prints a script by which a shell completes subcommands and flags", Run: runCompletion},
		{Name: "man", Usage: "", Help: "prints the manual page: rackmate man > rackmate.1", Run: runMan},
		{Name: "sbom", Usage: "", Help: "lists the modules that this program is made of, as CycloneDX", Run: runSBOM},
	}, lab.Subcommands(), lists.Subcommands())
}

func main() {
	// The first signal asks to stop, the second one kills.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, cli.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Args[1:]))
}

// run carries out a command line and gives the exit status.
func run(ctx context.Context, std cli.Std, args []string) int {
	if len(args) > 0 && (args[0] == "version" || args[0] == "-version" || args[0] == "--version") {
		info, _ := debug.ReadBuildInfo()
		fmt.Fprintln(std.Out, version(info))
		return 0
	}
	return cli.Run(ctx, std, subcommands(), args)
}
