package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// hostsCommand returns the command that lists the hosts on a shared database.
func hostsCommand() *cobra.Command {
	var data string
	var grants bool
	c := &cobra.Command{
		Use: "hosts [--grants] --data postgres://...", Short: "lists the hosts that share a database, and what each has to do",
		Example: "rackmate hosts --data postgres://rackmate@db.example.org/rackmate\nrackmate hosts --grants --data postgres://rackmate@db.example.org/rackmate | psql",
		Args:    cli.Args(0, 0, "there is nothing to name but the database, with --data"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return listHosts(c.Context(), cli.StdOf(c), data, grants) },
	}
	dataFlag(c, &data)
	c.Flags().BoolVar(&grants, "grants", false, "print what the database's role needs, as SQL for the database's owner")
	return c
}

// listHosts prints the hosts on a shared database, and the leases that the loops of each hold.
func listHosts(ctx context.Context, std cli.Std, data string, grants bool) error {
	if !isURL(data) {
		return cli.UsageError("only hosts on a database are listed: name one with --data postgres://...")
	}
	if grants {
		sql, err := postgres.Grants(data)
		if err == nil {
			fmt.Fprint(std.Out, sql)
		}
		return err
	}
	db, err := openData(ctx, data)
	if err != nil {
		return err
	}
	defer db.Close()
	now := db.Now()
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
