package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
)

// reloadable lists the settings that can change while the host runs.
var reloadable = []string{"log-level", "verbose", "backup-every", "backup-to", "keep"}

// hangups returns a channel that receives each SIGHUP. Without it the signal would end the process.
func hangups() chan os.Signal {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	return asked
}

// reload rereads the settings on each signal until ctx is done. It applies the ones that can
// change, and logs which others need a restart.
func (c *serveConfig) reload(ctx context.Context, asked chan os.Signal, b *backups, log *slog.Logger) error {
	defer signal.Stop(asked)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-asked:
			c.rereadSettings(b, log)
		}
	}
}

// rereadSettings rereads the settings and applies the ones that can change.
func (c *serveConfig) rereadSettings(b *backups, log *slog.Logger) {
	now, read, err := c.again()
	if err == nil {
		err = now.check()
	}
	if err != nil {
		log.Error("can't reload the settings; nothing was changed", "error", err)
		return
	}
	var taken, later []string
	for _, name := range changedSettings(c.latest, read) {
		if slices.Contains(reloadable, name) {
			taken = append(taken, name)
		}
	}
	for _, name := range changedSettings(c.read, read) {
		if !slices.Contains(reloadable, name) {
			later = append(later, name)
		}
	}
	c.latest = read
	c.setLevel(now)
	b.set(now.backups)
	log.Warn("settings reloaded", "changed", strings.Join(taken, ", "))
	if len(later) > 0 {
		log.Warn("these settings have changed too; they take effect after a restart", "settings", strings.Join(later, ", "))
	}
}

// changedSettings returns the names of the settings, secrets included, whose values differ.
func changedSettings(before, after *settings) (names []string) {
	after.flags.VisitAll(func(f *pflag.Flag) {
		if before.flags.Lookup(f.Name).Value.String() != f.Value.String() {
			names = append(names, f.Name)
		}
	})
	for i, x := range after.secrets {
		if *before.secrets[i].value != *x.value {
			names = append(names, x.env)
		}
	}
	return names
}
