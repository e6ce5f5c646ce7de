package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// slackConfig holds the operator's settings for Slack. Secrets come from the environment, the rest
// from flags.
type slackConfig struct {
	secrets slack.Config // holds the tokens and OAuth secrets
	prefix  string
	api     string
}

// noOwnPosts explains why a former setting is ignored.
const noOwnPosts = "Slack tells the app where its posts are, so it reads no channels"

// settings adds the settings for Slack.
func (c *slackConfig) settings(s *settings) {
	x := &c.secrets
	s.secret(&x.AppToken, "SLACK_APP_TOKEN", "the app-level token (xapp-), for Socket Mode")
	s.secret(&x.BotToken, "SLACK_BOT_TOKEN", "the bot's token (xoxb-) of one workspace; without it or SLACK_CLIENT_ID there is no Slack")
	s.secret(&x.SigningSecret, "SLACK_SIGNING_SECRET", "what Slack signs its requests with, for HTTP")
	s.secret(&x.OAuth.ClientID, "SLACK_CLIENT_ID", "the app's client id, for many workspaces")
	s.secret(&x.OAuth.ClientSecret, "SLACK_CLIENT_SECRET", "the app's client secret, for many workspaces")
	s.secret(&x.OAuth.Key, "SLACK_TOKEN_KEY", "what workspaces' tokens are encrypted with, from openssl rand -base64 32")
	s.flags.BoolVar(&x.AllCommands, "slack-all-commands", false, "the app has a slash command for each command: see rackmate commands slack --all")
	s.flags.BoolVar(&x.Minimal, "slack-minimal", false, "the app was made from the manifest that rackmate commands slack --minimal prints")
	registerRemoved(s.flags, "slack-own-posts", noOwnPosts)
	s.flags.StringVar(&c.prefix, "slack-prefix", "", "what commands begin with: rm- makes /rm-play")
	s.flags.StringVar(&x.OAuth.URL, "slack-url", "", "the `URL` that Slack reaches the host at")
	s.flags.StringVar(&c.api, "slack-api", "", "the `URL` of another server that speaks Slack's API")
}

// configured reports whether Slack is set up at all.
func (c *slackConfig) configured() bool {
	return c.secrets.AppToken != "" || c.secrets.BotToken != "" || c.installs()
}

// installs reports whether workspaces can install the app themselves.
func (c *slackConfig) installs() bool { return c.secrets.OAuth.ClientID != "" }

// open returns the adapter for Slack, or nil if Slack isn't configured.
func (c *slackConfig) open(x platformEnv) (bot.Adapter, error) {
	if !c.configured() {
		return nil, nil
	}
	s := c.secrets
	s.Host, s.Locales, s.Notes, s.Prefix, s.API, s.Now, s.Log = x.host, x.locales, x.notes(slack.Platform), c.prefix, c.api, x.now, x.log
	s.Alone, s.Shared, s.Observer, s.Forgetting = x.alone, x.shared, x.observer, func(ctx context.Context, workspace string) error { return x.forget(ctx, aWorkspace, workspace) }
	s.Pages, s.PagesURL = x.tables, string(x.url)
	return slack.New(s)
}

// slackCommand returns the command that manages the app's workspaces.
func slackCommand() *cobra.Command {
	return cli.WithVerbs(&cobra.Command{
		Use: "slack forget [--data FILE] WORKSPACE", Short: "forgets a workspace",
		Long:    "removes all that is kept about a Slack workspace and its people, like forget --yes workspace; WORKSPACE is its id, such as T0123ABCD.",
		Example: "rackmate slack forget T0123ABCD\nrackmate slack forget --data postgres://rackmate@db.example.org/rackmate T0123ABCD",
	}, forgetAtCommand(aWorkspace, "WORKSPACE"))
}
