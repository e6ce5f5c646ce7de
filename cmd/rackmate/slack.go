package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
)

// slackConfig is what the operator says of Slack: the secrets in the
// environment, the rest by flags.
type slackConfig struct {
	secrets slack.Config // of it, the tokens and OAuth
	prefix  string
	api     string
}

// slackFlags adds Slack's flags, and reads the environment.
func slackFlags(flags *flag.FlagSet, c *slackConfig) {
	c.secrets.AppToken, c.secrets.BotToken = os.Getenv("SLACK_APP_TOKEN"), os.Getenv("SLACK_BOT_TOKEN")
	c.secrets.SigningSecret = os.Getenv("SLACK_SIGNING_SECRET")
	c.secrets.OAuth = slack.OAuth{
		ClientID: os.Getenv("SLACK_CLIENT_ID"), ClientSecret: os.Getenv("SLACK_CLIENT_SECRET"),
		Key: os.Getenv("SLACK_TOKEN_KEY"),
	}
	flags.StringVar(&c.prefix, "slack-prefix", "", "")
	flags.StringVar(&c.secrets.OAuth.URL, "slack-url", "", "")
	flags.StringVar(&c.api, "slack-api", "", "")
}

// slackPath is what Slack calls when it is not by Socket Mode.
const slackPath = "/slack/"

// open makes Slack's adapter, nil where nobody asks for it.
func (c slackConfig) open(host *bot.Host, db *bolt.DB, log *slog.Logger) (*slack.Adapter, error) {
	s := c.secrets
	if s.AppToken == "" && s.BotToken == "" && s.OAuth.ClientID == "" {
		return nil, nil
	}
	s.Host, s.Notes, s.Prefix, s.API, s.Now, s.Log = host, db.Notes(slack.Platform), c.prefix, c.api, time.Now, log
	return slack.New(s)
}

// printSlackManifest prints the app's manifest, to be pasted at
// https://api.slack.com/apps.
func printSlackManifest(std stdio, args []string) error {
	var o slack.ManifestOptions
	flags := newFlags("commands slack")
	flags.StringVar(&o.Prefix, "prefix", "", "")
	flags.StringVar(&o.URL, "url", "", "")
	flags.BoolVar(&o.Rotation, "rotate", false, "")
	flags.BoolVar(&o.OwnPosts, "own-posts", false, "")
	rest, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usageError(fmt.Sprintf("%q means nothing here", rest[0]))
	}
	b, err := slack.Manifest(o)
	if err != nil {
		return usageError(err.Error())
	}
	_, err = fmt.Fprintf(std.out, "%s\n", b)
	return err
}
