package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
)

// discordConfig is what the operator says of Discord: the secrets in the
// environment, the rest by flags.
type discordConfig struct {
	token     string
	publicKey string
	// clientSecret switches the Activity on; the web room reads it too.
	clientSecret string
	api          string
	shards       discord.Shards
	commands     bool // each stands by itself
}

// settings adds Discord's settings.
func (c *discordConfig) settings(s *settings) {
	s.secret(&c.token, "DISCORD_TOKEN", "the bot's token; without it there is no Discord")
	s.secret(&c.publicKey, "DISCORD_PUBLIC_KEY", "the application's public key, where Discord posts interactions to the host")
	s.flags.StringVar(&c.api, "discord-api", "", "the `URL` of another server that speaks Discord's API")
	s.flags.BoolVar(&c.commands, "discord-all-commands", false, "have each command stand by itself, as /stats, in place of /rackmate stats")
	s.flags.Var((*shards)(&c.shards), "discord-shards", "the `SHARDS` that this host runs, such as 0/2 or 0-3/8; without it as many as Discord recommends")
}

// shards are discord.Shards as the value of a flag.
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

// errPartial refuses to run a part of the shards beside a store that only one
// process can open: tables of two files would have the same numbers.
var errPartial = errors.New("--discord-shards names a part of the shards, and the others would need a second host with a file of its own, whose tables this one knows nothing of: leave it out, name all of them, such as 0-3/4, or keep everything in PostgreSQL, which several hosts can share")

// open makes Discord's adapter, nil where nobody asks for it.
func (c *discordConfig) open(x surroundings) (bot.Adapter, error) {
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
		Host: x.host, Tongues: x.tongues, Notes: x.notes(discord.Platform), Token: c.token, PublicKey: c.publicKey, ClientSecret: c.clientSecret,
		API: c.api, Shards: c.shards, CommandsByThemselves: c.commands, Now: x.now, Log: x.log, Observer: x.observer, Alone: x.alone,
		ForgettingServer: func(ctx context.Context, guild string) error { return x.forget(ctx, aServer, guild) },
		ForgettingPerson: func(ctx context.Context, who bot.PlayerID) error { return x.forget(ctx, aPerson, string(who)) },
	})
}

// runDiscord prints the link by which a server gets the bot, or removes what is kept of a
// server.
func runDiscord(ctx context.Context, std cli.Std, args []string) error {
	if slices.Contains(args, "forget") {
		return forgetAt(ctx, std, "discord", aServer, args)
	}
	var c discordConfig
	s := newSettings("discord")
	c.settings(s)
	rest, err := s.parse(args, os.Environ())
	if err != nil {
		return err
	}
	if len(rest) != 1 || rest[0] != "invite" {
		return cli.UsageError("say what to do: invite prints the link by which a server gets the bot, forget ID removes all that is kept of a server")
	}
	if c.token == "" {
		return errNoToken
	}
	a, err := discord.New(discord.Config{Token: c.token, API: c.api, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	link, err := a.Invite(ctx)
	if err != nil {
		return fmt.Errorf("ask Discord which application this is: %w", err)
	}
	fmt.Fprintln(std.Out, link)
	return nil
}

// runCommands prints what is registered with a platform.
func runCommands(_ context.Context, std cli.Std, args []string) error {
	if len(args) > 0 && args[0] == slack.Platform {
		return printSlackManifest(std, args[1:])
	}
	secret, _, err := readSecret("DISCORD_CLIENT_SECRET", os.Getenv)
	if err != nil {
		return err
	}
	flags := cli.NewFlags("commands")
	activity := flags.Bool("activity", secret != "", "with the command that opens the Activity, without which Discord refuses the list once Activities are on; so it is where DISCORD_CLIENT_SECRET is set")
	byThemselves := flags.Bool("discord-all-commands", false, "each command by itself, as /stats, in place of /rackmate stats")
	rest, err := cli.Parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 || rest[0] != discord.Platform {
		return cli.UsageError("name the platform: discord or slack")
	}
	tongues, err := sentences.Load(data.Sentences())
	if err != nil {
		return err
	}
	out := json.NewEncoder(std.Out)
	out.SetIndent("", "  ")
	return out.Encode(discord.Commands(features.Commands(), tongues, *activity, *byThemselves))
}
