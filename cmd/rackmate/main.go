// Command rackmate hosts crossword-tile games in chat channels and has tools for such games.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/cmd/internal/lab"
	"github.com/rackmate/rackmate/cmd/internal/lists"
)

func main() {
	// The first signal stops the host gracefully, the second kills it.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, cli.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Args[1:]))
}

// run executes a command line and returns the exit status.
func run(ctx context.Context, std cli.Std, args []string) int {
	return cli.Run(ctx, std, program(), args)
}

// program returns the root command, which runs the host, with all subcommands.
func program() *cobra.Command {
	root := cli.New()
	makeServe(root)
	info, _ := debug.ReadBuildInfo()
	root.Version = version(info) + addedFeatures()
	root.SetVersionTemplate("{{.Version}}\n")
	for group, all := range map[string][]*cobra.Command{
		cli.Play:    {terminalCommand(), demoCommand()},
		cli.Host:    {serveCommand(), configCommand(), doctorCommand(), inviteCommand(), keeperCommand(), healthCommand(), hostsCommand(), commandsCommand(), discordCommand(), slackCommand()},
		cli.Data:    {backupCommand(), restoreCommand(), copyCommand(), checkCommand(), recountCommand(), exportCommand(), forgetCommand(), signOutCommand()},
		cli.Program: {versionCommand(), sbomCommand(), buildCommand()},
	} {
		for _, c := range all {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	root.AddCommand(lab.Commands()...)
	root.AddCommand(lists.Commands()...)
	root.AddCommand(topics()...)
	return root
}

// versionCommand returns the command that prints the version.
func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "prints the version, and the commit that it was built from", Args: cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		Run: func(c *cobra.Command, _ []string) { fmt.Fprintln(c.OutOrStdout(), c.Root().Version) },
	}
}

// topics returns the help topics that aren't commands.
func topics() []*cobra.Command {
	return []*cobra.Command{{
		Use: "files", Short: "what is kept where",
		Long: `rackmate.db is the data file, unless --data or RACKMATE_DATA names another or a database: games, people, settings, secrets. Back it up with "rackmate backup". Beside it, while a host runs, is its control socket rackmate.db.sock, by which backup, export, invite and others reach the host.

The file that --config or RACKMATE_CONFIG names holds settings, in TOML: a line NAME = VALUE each. "rackmate config" prints one.

The user's cache (~/.cache/rackmate on Linux) keeps word lists that come packed with the program, once they were unpacked: some 100 MB if all are used. It can be removed at any time.`,
	}, {
		Use: "environment", Short: "variables that are read",
		Long: environment(),
	}}
}

// environment returns the help text about environment variables.
func environment() string {
	text := "Each setting of the host is also a variable: RACKMATE_LISTEN for --listen, RACKMATE_BACKUP_EVERY for --backup-every. A flag comes before a variable, a variable before the file that --config names. Values of a list are separated by commas.\n\nSecrets are variables alone. Each may be the path of a file instead, by the same name with _FILE:\n\n"
	for _, x := range new(serveConfig).settings("serve").secrets {
		text += fmt.Sprintf("  %s\n%s.\n\n", x.env, x.help)
	}
	return strings.TrimSpace(text)
}
