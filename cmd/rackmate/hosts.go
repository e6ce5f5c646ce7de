package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rackmate/rackmate/bot/store/postgres"
)

// runHosts lists the processes that share a database, and what each loop of
// them holds.
func runHosts(ctx context.Context, std cli.Std, args []string) error {
	flags := cli.NewFlags("hosts")
	data := dataFlag(flags)
	grants := flags.Bool("grants", false, "print what the database's role needs, as SQL for the database's owner")
	if _, err := cli.ParseSome(flags, args, 0, 0, "there is nothing to name but the database, with --data"); err != nil {
		return err
	}
	if !isURL(*data) {
		return cli.UsageError("only a database is shared by hosts: name one with --data postgres://...")
	}
	if *grants {
		sql, err := postgres.Grants(*data)
		if err == nil {
			fmt.Fprint(std.Out, sql)
		}
		return err
	}
	db, err := openData(ctx, *data)
	if err != nil {
		return err
	}
	defer db.Close()
	now := time.Now()
	list, err := db.Holders(ctx, now)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "HOST\tLOOP\tLIVES\tPOSTS\tTIMERS\tJOBS")
	for _, h := range list {
		host, loop, _ := strings.Cut(string(h.Holder), " ")
		fmt.Fprintf(w, "%s\t%s\t%v\t%d\t%d\t%s\n", host, loop, h.Until.Sub(now).Round(time.Second), h.Posts, h.Timers, strings.Join(h.Jobs, ", "))
	}
	return w.Flush()
}
