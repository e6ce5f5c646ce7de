package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store"
)

// This file forgets a workspace of Slack's: its people, as /data delete does, its
// channels and its token. Games that are over stay, by former players.

// runSlack removes what is kept of a workspace.
func runSlack(ctx context.Context, std stdio, args []string) error {
	flags := newFlags("slack")
	data := dataFlag(flags)
	rest, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) != 2 || rest[0] != "forget" {
		return usageError("say what to do: forget WORKSPACE removes all that is kept of it")
	}
	workspace := rest[1]
	if _, ok := slack.HomeID(workspace); !ok {
		return usageError(fmt.Sprintf("%q is no id of a workspace: those begin with T, or E for an organisation, as in Slack's address https://app.slack.com/client/T0123ABCD", workspace))
	}
	var said string
	err = onData(ctx, *data, http.MethodPost, "/slack/forget?"+url.Values{"workspace": {workspace}}.Encode(), readText(&said), func(db database) error {
		var c serveConfig
		config, err := c.hostConfig(slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
		if err != nil {
			return err
		}
		config.Store, config.Notes = db, db.Notes(hostNotes)
		config.Platforms = func() []bot.Platform { return []bot.Platform{{Name: slack.Platform}} } // its own notes go as a whole
		said, err = forgetWorkspace(ctx, db, host.New(config), workspace)
		return err
	})
	fmt.Fprint(std.out, said)
	return err
}

// forgetWorkspace removes all that is kept of a workspace, and says how many people
// and notes that were. It can be done again, and goes on where it was stopped.
func forgetWorkspace(ctx context.Context, db database, h *host.Host, workspace string) (said string, err error) {
	home, ok := slack.HomeID(workspace)
	if !ok {
		return "", fmt.Errorf("%q is no id of a workspace", workspace)
	}
	if err := h.HomeGone(ctx, home); err != nil {
		return "", fmt.Errorf("end the games there: %w", err)
	}
	kept, err := seekHome(ctx, db, home)
	if err != nil {
		return "", err
	}
	for _, p := range kept.posts {
		if err := db.Sent(ctx, p); err != nil && !errors.Is(err, bot.ErrLost) {
			return "", err
		}
	}
	for _, who := range slices.Sorted(maps.Keys(kept.people)) {
		if err := h.Forget(ctx, bot.User{ID: who}); err != nil {
			return "", fmt.Errorf("forget %s: %w", who, err)
		}
	}
	found := len(kept.people)
	if kept, err = seekHome(ctx, db, home); err != nil {
		return "", err
	}
	for _, n := range kept.notes {
		if err := db.Notes(hostNotes).Put(ctx, n.Shelf, n.Key, nil); err != nil {
			return "", err
		}
	}
	if err := slack.ForgetHome(ctx, db.Notes(slack.Platform), workspace); err != nil {
		return "", err
	}
	return fmt.Sprintf("people=%d notes=%d\n", found, len(kept.notes)), nil
}

// A keptOf is what a database has of a home.
type keptOf struct {
	people map[bot.PlayerID]bool
	posts  []bot.Post   // which wait to be posted there
	notes  []store.Note // of the host's, about its channels
}

// seekHome looks through all that is kept for a home, its channels and its people:
// their ids begin with the home's.
func seekHome(ctx context.Context, db database, home string) (kept keptOf, err error) {
	who := regexp.MustCompile(regexp.QuoteMeta(home) + `/[UW][A-Z0-9]+`)
	itself := regexp.MustCompile(regexp.QuoteMeta(home) + `([^A-Z0-9]|$)`)
	kept.people = map[bot.PlayerID]bool{}
	named := func(text []byte) {
		for _, id := range who.FindAll(text, -1) {
			kept.people[bot.PlayerID(id)] = true
		}
	}
	err = db.Records(ctx, func(r store.Record) error {
		switch r := r.(type) {
		case store.Table:
			for _, e := range r.Events {
				named(e)
			}
		case store.Post:
			if named([]byte(r.For)); itself.MatchString(string(r.Channel)) {
				kept.posts = append(kept.posts, r.Post)
			}
		case store.Note:
			named([]byte(r.Key))
			if r.Adapter != slack.Platform {
				named(r.Value)
			}
			if r.Adapter == hostNotes && itself.MatchString(r.Key) {
				kept.notes = append(kept.notes, r)
			}
		}
		return nil
	})
	return kept, err
}
