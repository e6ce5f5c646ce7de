package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

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

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// runKeeper names those who keep the web room, or lists them.
func runKeeper(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("keeper")
	data := dataFlag(flags)
	rest, err := cli.ParseSome(flags, args, 1, cli.Many, "name somebody in the room, or use list")
	if err != nil {
		return err
	}
	do, name := rest[0], strings.Join(rest[1:], " ")
	switch {
	case do == "list" && name == "":
	case (do == "add" || do == "remove") && name != "":
	case do == "add" || do == "remove":
		return cli.UsageError("name somebody in the room: rackmate keeper " + do + " NAME")
	default:
		do, name = "add", strings.Join(rest, " ")
	}
	said, err := onRoom(ctx, *data, "/keepers?"+url.Values{"do": {do}, "name": {name}}.Encode(), func(notes bot.Notes) (string, error) {
		return keepers(ctx, notes, do, name)
	})
	fmt.Fprint(std.Out, said)
	return err
}

// keepers does what the operator asks for, and says what came of it.
func keepers(ctx context.Context, notes bot.Notes, do, name string) (string, error) {
	switch do {
	case "list":
		names, err := web.Keepers(ctx, notes)
		if len(names) == 0 {
			return "Nobody keeps the room. rackmate keeper NAME lets somebody who is in it.\n", err
		}
		return strings.Join(names, "\n") + "\n", err
	case "add":
		return name + " keeps the room now.\n", web.SetKeeper(ctx, notes, name, true)
	case "remove":
		return name + " doesn't keep the room any more.\n", web.SetKeeper(ctx, notes, name, false)
	}
	return "", fmt.Errorf("there is no %q", do)
}

// runInvite makes an invitation to the web room, and prints its link.
func runInvite(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("invite")
	data := dataFlag(flags)
	uses := flags.Int("uses", 1, "")
	life := flags.Duration("for", 7*24*time.Hour, "")
	rest, err := cli.Parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return cli.UsageError(fmt.Sprintf("%q means nothing here: --uses says how many people can come, and --for how long, such as 48h", rest[0]))
	}
	i := web.Invitation{Uses: *uses, Life: *life}
	said, err := onRoom(ctx, *data, "/invitations?"+url.Values{"uses": {fmt.Sprint(i.Uses)}, "for": {i.Life.String()}}.Encode(), func(notes bot.Notes) (string, error) {
		return web.Invite(ctx, notes, rand.Reader, time.Now(), i)
	})
	if err == nil {
		fmt.Fprintln(std.Out, strings.TrimSpace(said))
	}
	return err
}

// onRoom has the host that runs on some data do something to its web room, or
// does it itself where none does.
func onRoom(ctx context.Context, data, path string, do func(notes bot.Notes) (string, error)) (said string, err error) {
	err = onData(ctx, data, http.MethodPost, path, readText(&said), func(db database) error {
		said, err = do(db.Notes(web.Platform))
		return err
	})
	if err != nil {
		return "", err
	}
	return said, nil
}

// answerOnRoom lets the control socket answer onRoom.
func answerOnRoom(mux *http.ServeMux, notes bot.Notes) {
	mux.HandleFunc("POST /keepers", func(w http.ResponseWriter, req *http.Request) {
		said, err := keepers(req.Context(), notes, req.FormValue("do"), req.FormValue("name"))
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
