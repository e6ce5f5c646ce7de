package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// keeperCommand returns the command that adds, removes or lists the keepers of the web room.
func keeperCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use: "keeper [--data FILE] [add] NAME | remove NAME | list", Short: "adds, removes or lists the keepers of the web room",
		Long:              "adds, removes or lists the keepers of the web room, also of a running host: they choose its settings and keep order.",
		Example:           "rackmate keeper Ann\nrackmate keeper list",
		Args:              cli.Args(1, cli.Many, "name somebody in the room, or use list"),
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"add", "remove", "list"}, cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(c *cobra.Command, args []string) error { return runKeeper(c.Context(), cli.StdOf(c), data, args) },
	}
	dataFlag(c, &data)
	return c
}

// runKeeper runs the keeper command.
func runKeeper(ctx context.Context, std cli.Std, data string, rest []string) error {
	do, name := rest[0], strings.Join(rest[1:], " ")
	switch {
	case do == "list" && name == "":
	case (do == "add" || do == "remove") && name != "":
	case do == "add" || do == "remove":
		return cli.UsageError("name somebody in the room: rackmate keeper " + do + " NAME")
	default:
		do, name = "add", strings.Join(rest, " ")
	}
	said, err := onRoom(ctx, data, "/keepers?"+url.Values{"do": {do}, "name": {name}}.Encode(), func(notes bot.Notes, _ time.Time) (string, error) {
		return changeKeepers(ctx, notes, do, name)
	})
	fmt.Fprint(std.Out, said)
	return err
}

// changeKeepers changes or lists the keepers, and returns the text to print.
func changeKeepers(ctx context.Context, notes bot.Notes, do, name string) (string, error) {
	switch do {
	case "list":
		names, err := web.Keepers(ctx, notes)
		if len(names) == 0 {
			return "The room has no keepers yet. Somebody who is in it becomes one by: rackmate keeper NAME\n", err
		}
		return strings.Join(names, "\n") + "\n", err
	case "add":
		return name + " keeps the room now.\n", web.SetKeeper(ctx, notes, name, true)
	case "remove":
		return name + " doesn't keep the room any more.\n", web.SetKeeper(ctx, notes, name, false)
	}
	return "", fmt.Errorf("unknown action %q: use add, remove or list", do)
}

// inviteCommand returns the command that creates an invitation to the web room.
func inviteCommand() *cobra.Command {
	var data string
	var i web.Invitation
	c := &cobra.Command{
		Use: "invite [--data FILE] [--uses N] [--for DURATION]", Short: "makes a link into the web room",
		Long:    "makes a link into the web room, also of a running host: for one person and seven days, unless you say otherwise.",
		Example: "rackmate invite\nrackmate invite --uses 20 --for 48h",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UsageError(fmt.Sprintf("unexpected argument %q: --uses limits how many people can come, --for how long, such as 48h", args[0]))
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return invite(c.Context(), cli.StdOf(c), data, i) },
	}
	dataFlag(c, &data)
	c.Flags().IntVar(&i.Uses, "uses", 1, "how many `PEOPLE` can come by the link")
	c.Flags().DurationVar(&i.Life, "for", 7*24*time.Hour, "how long the link serves, a `TIME` such as 48h")
	return c
}

// invite creates an invitation and prints its link.
func invite(ctx context.Context, std cli.Std, data string, i web.Invitation) error {
	said, err := onRoom(ctx, data, "/invitations?"+url.Values{"uses": {fmt.Sprint(i.Uses)}, "for": {i.Life.String()}}.Encode(), func(notes bot.Notes, now time.Time) (string, error) {
		return web.Invite(ctx, notes, rand.Reader, now, i)
	})
	if err == nil {
		fmt.Fprintln(std.Out, strings.TrimSpace(said))
	}
	return err
}

// onRoom asks the host that has the data open to change its web room. If no host runs, it makes the
// change itself.
func onRoom(ctx context.Context, data, path string, do func(notes bot.Notes, now time.Time) (string, error)) (said string, err error) {
	err = onData(ctx, data, http.MethodPost, path, readText(&said), func(db database) error {
		said, err = do(db.Notes(web.Platform), db.Now())
		return err
	})
	if err != nil {
		return "", err
	}
	return said, nil
}

// answerOnRoom registers the requests of onRoom with the control socket.
func answerOnRoom(mux *http.ServeMux, notes bot.Notes) {
	mux.HandleFunc("POST /keepers", func(w http.ResponseWriter, req *http.Request) {
		said, err := changeKeepers(req.Context(), notes, req.FormValue("do"), req.FormValue("name"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		io.WriteString(w, said)
	})
	mux.HandleFunc("POST /invitations", func(w http.ResponseWriter, req *http.Request) {
		uses, err := strconv.Atoi(req.FormValue("uses"))
		life, err2 := time.ParseDuration(req.FormValue("for"))
		if err = errors.Join(err, err2); err == nil {
			var link string
			if link, err = web.Invite(req.Context(), notes, rand.Reader, time.Now(), web.Invitation{Uses: uses, Life: life}); err == nil {
				io.WriteString(w, link)
				return
			}
		}
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
	})
}
