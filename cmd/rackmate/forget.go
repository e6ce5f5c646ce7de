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
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// This file erases data at the operator's request: of a person, as /data delete does; of a Discord
// server, but not its people, who may be in others; of a Slack workspace with its people and its
// token. Finished games stay, without the names.

// Kinds of erasure.
const (
	aPerson    = "person"
	aServer    = "server"
	aWorkspace = "workspace"
)

// forgetCommand returns the command that shows what is kept about a person, a server or a
// workspace, and removes it with --yes.
func forgetCommand() *cobra.Command {
	var data string
	var yes bool
	c := &cobra.Command{
		Use: "forget [--data FILE] [--yes] person NAME | server ID | workspace ID", Short: "shows what is kept about a person, a server or a workspace; removes it",
		Long:              "shows what is kept about a person (by the name in the room, or as discord:ID or slack:WORKSPACE/ID), a Discord server, or a Slack workspace and its people; --yes removes it, also beside a running host. Finished games stay, with \"former player\" for the names.",
		Example:           "rackmate forget person Ann\nrackmate forget --yes workspace T0123ABCD",
		Args:              cli.Args(2, cli.Many, "say what to forget: person NAME (in the room), person discord:ID, person slack:WORKSPACE/ID, server ID (Discord), or workspace ID (Slack)"),
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{aPerson, aServer, aWorkspace}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			return forget(c.Context(), cli.StdOf(c), data, args[0], strings.Join(args[1:], " "), yes)
		},
	}
	dataFlag(c, &data)
	c.Flags().BoolVar(&yes, "yes", false, "remove it")
	return c
}

// forgetAtCommand returns a platform's forget command, which needs no --yes.
func forgetAtCommand(what, id string) *cobra.Command {
	var data string
	c := &cobra.Command{
		Use: "forget [--data FILE] " + id, Short: "removes all that is kept about a " + what,
		Args: cli.Args(1, 1, "name the "+what+" by its id: forget removes all that is kept about it"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			return forget(c.Context(), cli.StdOf(c), data, what, args[0], true)
		},
	}
	dataFlag(c, &data)
	return c
}

func forget(ctx context.Context, std cli.Std, data, what, which string, yes bool) error {
	if what == aServer {
		which = strings.TrimPrefix(which, discord.Platform+":")
	}
	if err := checkForget(what, which); err != nil {
		return err
	}
	var said string
	ask := url.Values{"what": {what}, "which": {which}}
	if yes {
		ask.Set("yes", "yes")
	}
	err := onData(ctx, data, http.MethodPost, "/forget?"+ask.Encode(), readText(&said), func(db database) error {
		var c serveConfig
		config, err := c.hostConfig(slog.New(slog.NewTextHandler(std.Err, &slog.HandlerOptions{Level: slog.LevelWarn})))
		if err != nil {
			return err
		}
		config.Store, config.Notes, config.Now = db, db.Notes(hostNotes), db.Now
		config.Platforms = func() []bot.Platform { return []bot.Platform{{Name: slack.Platform}} } // the adapter's own notes are erased separately
		said, err = eraser{db: db, host: host.New(config)}.erase(ctx, what, which, yes)
		return err
	})
	fmt.Fprint(std.Out, said)
	if err == nil && !yes {
		fmt.Fprintln(std.Err, "Nothing is removed yet. Finished games would stay, without the names of those who are forgotten. To remove the rest, give the same with --yes.")
	}
	return err
}

// checkForget returns an error unless the id is valid for its kind.
func checkForget(what, which string) error {
	platform, id, named := strings.Cut(which, ":")
	switch what {
	case aPerson:
		if named && platform == discord.Platform {
			if _, ok := discord.HomeID(id); !ok {
				return cli.UsageError(fmt.Sprintf("%q isn't a person on Discord: an ID has only digits, as in discord:80351110224678912", which))
			}
		}
		if named && platform == slack.Platform && !slackPerson.MatchString(id) {
			return cli.UsageError(fmt.Sprintf("%q isn't a person on Slack: name the workspace and the member's ID, as in slack:T0123ABCD/U0456EFGH", which))
		}
	case aServer:
		if _, ok := discord.HomeID(which); !ok {
			return cli.UsageError(fmt.Sprintf("%q isn't the ID of a server, which has only digits, such as 81384788765712384 or discord:81384788765712384: in developer mode, Discord copies it with a right click on the server", which))
		}
	case aWorkspace:
		if _, ok := slack.HomeID(which); !ok {
			return cli.UsageError(fmt.Sprintf("%q isn't the ID of a workspace, which begins with T, or with E for an organisation, as in Slack's address https://app.slack.com/client/T0123ABCD", which))
		}
	default:
		return cli.UsageError(fmt.Sprintf("%q can't be forgotten: write person, server or workspace", what))
	}
	return nil
}

var slackPerson = regexp.MustCompile(`^[TE][A-Z0-9]+/[UW][A-Z0-9]+$`)

// An eraser erases data. It can be run again, and resumes where it was stopped.
type eraser struct {
	db   database
	host *host.Host
	// running is set if the host's platforms are connected and must erase people too.
	running bool
}

// erase erases a person, server or channel if yes is true. It returns the counts to
// print.
func (e eraser) erase(ctx context.Context, what, which string, yes bool) (said string, err error) {
	if err := checkForget(what, which); err != nil {
		return "", err
	}
	switch what {
	case aPerson:
		return e.person(ctx, which, yes)
	case aServer:
		return e.server(ctx, which, yes)
	default:
		return e.workspace(ctx, which, yes)
	}
}

func (e eraser) person(ctx context.Context, which string, yes bool) (said string, err error) {
	who := bot.User{ID: bot.PlayerID(which)}
	if p := bot.ChannelID(which).Platform(); p != discord.Platform && p != slack.Platform {
		var found bool
		if who, found, err = web.Named(ctx, e.db.Notes(web.Platform), which); err != nil || !found {
			return "", errors.Join(err, fmt.Errorf("nobody in the room is called %q", which))
		}
	}
	is, err := e.host.CountData(ctx, who.ID)
	if err != nil {
		return "", err
	}
	said = fmt.Sprintf("playing=%d played=%d notes=%d\n", is.Playing, is.Played, sum(is.Rows))
	switch {
	case !yes:
		return said + formatCounts(is.Rows), nil
	case e.running:
		return said, e.host.Forget(ctx, who)
	default:
		return said + "noted: the host does it as soon as it runs\n", e.host.ForgetSoon(ctx, who)
	}
}

// days is a flag value in whole days, such as 400d.
type days time.Duration

const day = 24 * time.Hour

func (*days) Type() string { return "days" }

func (d *days) String() string {
	if *d == 0 {
		return "0"
	}
	return fmt.Sprintf("%dd", time.Duration(*d)/day)
}

func (d *days) Set(said string) error {
	n, err := strconv.Atoi(strings.TrimSuffix(said, "d"))
	if err != nil || n < 0 || n > 100_000 {
		return errors.New("write a number of days, such as 400d, or 0 for never")
	}
	*d = days(time.Duration(n) * day)
	return nil
}

// eraseLoop returns a loop that erases the people whom rackmate forget recorded in a shared database.
// It runs in one process at a time.
func eraseLoop(h *host.Host, log *slog.Logger) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for every := time.NewTicker(time.Minute); ; {
			select {
			case <-ctx.Done():
				every.Stop()
				return nil
			case <-every.C:
			}
			if err := h.ForgetLeavers(ctx); err != nil && ctx.Err() == nil {
				log.Error("can't erase a person yet; retrying in a minute", "error", err)
			}
		}
	}
}

func (e eraser) server(ctx context.Context, guild string, yes bool) (said string, err error) {
	home, _ := discord.HomeID(guild)
	channels, err := e.host.ChannelsOf(ctx, home)
	if err != nil {
		return "", err
	}
	places := map[string]bool{home: true}
	for _, ch := range channels {
		places[string(ch)] = true
	}
	in := func(place string) bool { return places[place] }
	if yes {
		if err := e.host.HomeGone(ctx, home); err != nil {
			return "", fmt.Errorf("end the games there: %w", err)
		}
	}
	kept, err := seek(ctx, e.db, in, nil)
	if err != nil {
		return "", err
	}
	boards, noted, err := discord.CountNotes(ctx, e.db.Notes(discord.Platform), guild, channels)
	if err != nil {
		return "", err
	}
	count := func(rows map[string]int) string {
		return fmt.Sprintf("channels=%d boards=%d posts=%d notes=%d\n", len(channels), boards, len(kept.posts), sum(rows)+noted)
	}
	if !yes {
		rows, err := e.host.CountRowsAt(ctx, in)
		return count(rows) + formatCounts(rows), err
	}
	if err := errors.Join(e.drop(ctx, kept.posts), discord.ForgetServer(ctx, e.db.Notes(discord.Platform), guild, channels)); err != nil {
		return "", err
	}
	rows, err := e.host.ForgetPlaces(ctx, in)
	said = count(rows)
	if boards > 0 && !e.running {
		said += "noted: the host deletes the boards as soon as it runs\n"
	}
	return said, err
}

func (e eraser) workspace(ctx context.Context, workspace string, yes bool) (said string, err error) {
	home, _ := slack.HomeID(workspace)
	itself := regexp.MustCompile(`^` + regexp.QuoteMeta(home) + `([^A-Z0-9]|$)`)
	in := itself.MatchString
	if yes {
		if err := e.host.HomeGone(ctx, home); err != nil {
			return "", fmt.Errorf("end the games there: %w", err)
		}
	}
	kept, err := seek(ctx, e.db, in, regexp.MustCompile(regexp.QuoteMeta(home)+`/[UW][A-Z0-9]+`))
	if err != nil {
		return "", err
	}
	if !yes {
		rows, err := e.host.CountRowsAt(ctx, in)
		return fmt.Sprintf("people=%d notes=%d posts=%d\n", len(kept.people), sum(rows), len(kept.posts)) + formatCounts(rows), err
	}
	if err := errors.Join(e.drop(ctx, kept.posts), e.cancel(ctx, kept.timers)); err != nil {
		return "", err
	}
	for _, who := range slices.Sorted(maps.Keys(kept.people)) {
		if err := e.host.Forget(ctx, bot.User{ID: who}); err != nil {
			return "", fmt.Errorf("erase %s: %w", who, err)
		}
	}
	rows, err := e.host.ForgetPlaces(ctx, in)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("people=%d notes=%d\n", len(kept.people), sum(rows)), slack.ForgetHome(ctx, e.db.Notes(slack.Platform), workspace)
}

// drop removes posts from the queue.
func (e eraser) drop(ctx context.Context, posts []bot.Post) error {
	for _, p := range posts {
		if err := e.db.RemovePost(ctx, p); err != nil && !errors.Is(err, bot.ErrLost) {
			return err
		}
	}
	return nil
}

// cancel removes timers.
func (e eraser) cancel(ctx context.Context, timers []bot.Timer) error {
	if err := e.db.RemoveTimers(ctx, timers...); !errors.Is(err, bot.ErrLost) { // others run now
		return err
	}
	return nil
}

// sum returns the number of rows on all shelves.
func sum(rows map[string]int) (n int) {
	for _, of := range rows {
		n += of
	}
	return n
}

// formatCounts returns the row counts by shelf, one a line.
func formatCounts(rows map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "  %s: %d\n", name, rows[name])
	}
	return b.String()
}

// storedAbout holds what a database has about some places, besides notes.
type storedAbout struct {
	people map[bot.PlayerID]bool
	posts  []bot.Post  // waiting to be posted there
	timers []bot.Timer // of tables there
}

// seek searches the database for posts and timers of some places, and for people whose ids match a pattern.
func seek(ctx context.Context, db database, in func(place string) bool, who *regexp.Regexp) (kept storedAbout, err error) {
	kept.people = map[bot.PlayerID]bool{}
	named := func(text []byte) {
		if who == nil {
			return
		}
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
			if named([]byte(r.For)); in(string(r.Channel)) && (who != nil || r.For == "" || r.Kind == table.RackKind) { // players still learn of the end
				kept.posts = append(kept.posts, r.Post)
			}
		case store.Timer:
			if in(string(r.Channel)) {
				kept.timers = append(kept.timers, r.Timer)
			}
		case store.Note:
			named([]byte(r.Key))
			if r.Adapter != slack.Platform {
				named(r.Value)
			}
		}
		return nil
	})
	return kept, err
}
