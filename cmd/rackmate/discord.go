package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
)

// discordConfig holds the operator's settings for Discord. Secrets come from the environment, the
// rest from flags.
type discordConfig struct {
	token     string
	publicKey string
	// clientSecret enables the Activity; the web room reads it too.
	clientSecret string
	api          string
	shards       discord.Shards
	commands     bool // every command is a top-level one
}

// settings adds the settings for Discord.
func (c *discordConfig) settings(s *settings) {
	s.secret(&c.token, "DISCORD_TOKEN", "the bot's token; without it there is no Discord")
	s.secret(&c.publicKey, "DISCORD_PUBLIC_KEY", "the application's public key, where Discord posts interactions to the host")
	s.flags.StringVar(&c.api, "discord-api", "", "the `URL` of another server that speaks Discord's API")
	s.flags.BoolVar(&c.commands, "discord-all-commands", false, "have each command stand by itself, as /stats, in place of /rackmate stats")
	s.flags.Var((*shards)(&c.shards), "discord-shards", "the `SHARDS` that this host runs, such as 0/2 or 0-3/8; without it as many as Discord recommends")
}

// shards makes discord.Shards a flag value.
type shards discord.Shards

func (s *shards) Set(text string) error {
	if text == "" {
		*s = shards{}
		return nil
	}
	parsed, err := discord.ParseShards(text)
	if err == nil {
		*s = shards(parsed)
	}
	return err
}

func (*shards) Type() string { return "shards" }

func (s *shards) String() string {
	switch {
	case s.Of == 0:
		return ""
	case s.First == s.Last:
		return fmt.Sprintf("%d/%d", s.First, s.Of)
	}
	return fmt.Sprintf("%d-%d/%d", s.First, s.Last, s.Of)
}

var errNoToken = errors.New("there is no DISCORD_TOKEN in the environment: create an application at https://discord.com/developers/applications, and copy the token from its page Bot")

// errPartial rejects a part of the shards with a data file, which only one process can open. Tables
// in two files would have the same numbers.
var errPartial = errors.New("--discord-shards names a part of the shards, and the others would need a second host with its own file and tables: leave it out, name all shards, such as 0-3/4, or keep everything in PostgreSQL, which several hosts can share")

// open returns the adapter for Discord, or nil if Discord isn't configured.
func (c *discordConfig) open(x platformEnv) (bot.Adapter, error) {
	if c.token == "" {
		if c.publicKey != "" {
			return nil, errNoToken
		}
		return nil, nil
	}
	if !x.shared && c.shards.Of > 0 && (c.shards.First > 0 || c.shards.Last < c.shards.Of-1) {
		return nil, errPartial
	}
	return discord.New(discord.Config{
		Host: x.host, Locales: x.locales, Notes: x.notes(discord.Platform), Token: c.token, PublicKey: c.publicKey, ClientSecret: c.clientSecret,
		API: c.api, Shards: c.shards, CommandsByThemselves: c.commands, Now: x.now, Log: x.log, Observer: x.observer, Alone: x.alone,
		ForgettingServer: func(ctx context.Context, guild string) error { return x.forget(ctx, aServer, guild) },
		ForgettingPerson: func(ctx context.Context, who bot.PlayerID) error { return x.forget(ctx, aPerson, string(who)) },
	})
}

// discordCommand returns the command that manages the bot's servers.
func discordCommand() *cobra.Command {
	return cli.WithVerbs(&cobra.Command{
		Use: "discord invite | forget [--data FILE] ID", Short: "prints the link that adds the bot to a server; forgets one",
		Long:    "prints the link that adds the bot to a Discord server (needs DISCORD_TOKEN); forget removes all that is kept about a server, like forget --yes server.",
		Example: "rackmate discord invite\nrackmate discord forget 81384788765712384",
	}, inviteToDiscordCommand(), forgetAtCommand(aServer, "ID"))
}

func inviteToDiscordCommand() *cobra.Command {
	var conf discordConfig
	s := newSettings("discord")
	conf.settings(s)
	c := &cobra.Command{
		Use: "invite [SETTING]...", Short: "prints the link by which a server gets the bot", Args: cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.read(os.Environ()); err != nil {
				return err
			}
			link, err := conf.invite(c.Context())
			if err == nil {
				fmt.Fprintln(c.OutOrStdout(), link)
			}
			return err
		},
	}
	s.addTo(c)
	return c
}

// invite returns the link that adds the bot to a server.
func (c *discordConfig) invite(ctx context.Context) (link string, err error) {
	if c.token == "" {
		return "", errNoToken
	}
	a, err := discord.New(discord.Config{Token: c.token, API: c.api, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if link, err = a.Invite(ctx); err != nil {
		return "", fmt.Errorf("ask Discord for the application: %w", err)
	}
	return link, nil
}

// commandsOptions holds the options of the commands subcommand.
type commandsOptions struct {
	activity, byThemselves bool
	manifest               slack.ManifestOptions
}

// commandsCommand returns the command that prints what is registered with a platform.
func commandsCommand() *cobra.Command {
	var o commandsOptions
	c := &cobra.Command{
		Use: "commands discord|slack [FLAG]...", Short: "prints the commands for Discord, or the manifest for Slack, as JSON",
		Long:      "prints, as JSON, the commands that are registered with Discord, or the Slack app's manifest.",
		Example:   "rackmate commands discord\nrackmate commands slack --url https://play.example.org",
		ValidArgs: []string{discord.Platform, slack.Platform},
		Args:      cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageError("name the platform: discord or slack")
			}
			if len(args) > 1 {
				return cli.UsageError(fmt.Sprintf("unexpected argument %q", args[1]))
			}
			return o.print(c, args[0])
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.activity, "activity", false, "Discord: with the command that opens the Activity, without which Discord refuses the list once Activities are on; so it is where DISCORD_CLIENT_SECRET is set")
	flags.BoolVar(&o.byThemselves, "discord-all-commands", false, "Discord: each command by itself, as /stats, in place of /rackmate stats")
	flags.StringVar(&o.manifest.Prefix, "prefix", "", "Slack: a `PREFIX` of commands, such as rm- for /rm-play")
	flags.BoolVar(&o.manifest.AllCommands, "all", false, "Slack: a slash command for each command")
	flags.StringVar(&o.manifest.URL, "url", "", "Slack: the `URL` that Slack reaches the host at; without it Socket Mode")
	flags.BoolVar(&o.manifest.Minimal, "minimal", false, "Slack: without im:history, the scope to read direct messages with the app: people play there by buttons and forms, not by typing, and a rack whose post Slack didn't confirm may be there twice. Start the host with --slack-minimal")
	flags.BoolVar(&o.manifest.Rotation, "rotate", false, "Slack: tokens that expire and are renewed")
	registerRemoved(flags, "own-posts", noOwnPosts)
	return c
}

// platformFlags lists the flags that apply to each platform.
var platformFlags = map[string][]string{
	discord.Platform: {"activity", "discord-all-commands"},
	slack.Platform:   {"prefix", "all", "url", "minimal", "rotate"},
}

func (o commandsOptions) print(c *cobra.Command, platform string) error {
	if platformFlags[platform] == nil {
		return cli.UsageError(fmt.Sprintf("unknown platform %q: name discord or slack", platform))
	}
	for other, names := range platformFlags {
		for _, name := range names {
			if other != platform && c.Flags().Changed(name) {
				return cli.UsageError(fmt.Sprintf("--%s is for %s", name, other))
			}
		}
	}
	if platform == slack.Platform {
		b, err := slack.Manifest(features.Commands(), o.manifest)
		if err != nil {
			return cli.UsageError(err.Error())
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", b)
		return err
	}
	if !c.Flags().Changed("activity") {
		secret, _, err := readSecret("DISCORD_CLIENT_SECRET", os.Getenv)
		if err != nil {
			return err
		}
		o.activity = secret != ""
	}
	locales, err := sentences.Load(data.Sentences())
	if err != nil {
		return err
	}
	out := json.NewEncoder(c.OutOrStdout())
	out.SetIndent("", "  ")
	return out.Encode(discord.Commands(features.Commands(), locales, o.activity, o.byThemselves))
}
