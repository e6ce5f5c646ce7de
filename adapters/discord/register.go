package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// A registrar registers our commands with Discord.
type registrar struct {
	*common
	directory *directory
}

// register replaces Discord's commands with ours in one request, only if they differ:
// Discord counts created commands, and clients reload changed ones. They stay when the
// program ends.
func (r registrar) register(ctx context.Context, application snowflake) error {
	path := "/applications/" + string(application) + "/commands"
	b, err := r.client.call(ctx, "GET", path+"?with_localizations=true", nil)
	if err != nil {
		return fmt.Errorf("read the registered commands: %w", err)
	}
	there := parseRegistered(b)
	ours := r.withEntry(commandsOf(r.directory.catalog, r.Locales, r.hasActivity()), there)
	if sameCommands(there, ours) {
		r.directory.learn(there)
		return nil
	}
	b, err = r.client.call(ctx, "PUT", path, ours)
	if isLastingRefusal(err) && slices.ContainsFunc(ours, opensActivity) && !slices.ContainsFunc(there, opensActivity) {
		r.Log.Error("Discord refuses the command that opens the Activity, so there is none; in the developer portal switch Activities on, under Activities, Settings, and start again", "error", err)
		ours = slices.DeleteFunc(ours, opensActivity)
		b, err = r.client.call(ctx, "PUT", path, ours)
	}
	if err != nil {
		return fmt.Errorf("register the commands: %w", err)
	}
	r.directory.learn(parseRegistered(b))
	r.Log.Info("commands registered with Discord", "commands", len(ours))
	return nil
}

// parseRegistered parses the registered commands. If they can't be parsed, it returns none,
// which differs from ours.
func parseRegistered(b []byte) []Command {
	var rows []struct {
		Command
		ID snowflake `json:"id"`
	}
	if json.Unmarshal(b, &rows) != nil {
		return nil
	}
	all := make([]Command, len(rows))
	for i, row := range rows {
		all[i] = row.Command
		all[i].ID = row.ID
	}
	return all
}

// sameCommands reports whether two sets of registered commands are equal in the fields of
// Command. The order of the commands and of their contexts doesn't matter.
func sameCommands(a, b []Command) bool { return slices.Equal(canonical(a), canonical(b)) }

func canonical(cs []Command) []string {
	var all []string
	for _, c := range cs {
		c.Contexts, c.Installs = slices.Sorted(slices.Values(c.Contexts)), slices.Sorted(slices.Values(c.Installs))
		b, err := json.Marshal(c)
		if err != nil {
			return nil // can't happen: all fields can be encoded
		}
		all = append(all, string(b))
	}
	slices.Sort(all)
	return all
}

// withEntry replaces our entry point with the one that Discord already has, because
// Discord refuses a list without it. The only change to that one is that it calls us if
// the Activity is enabled here.
func (r registrar) withEntry(ours, there []Command) []Command {
	i := slices.IndexFunc(there, opensActivity)
	if i < 0 {
		return ours
	}
	kept := there[i]
	if r.hasActivity() {
		kept.Handler = answeredByUs
	}
	return append(slices.DeleteFunc(ours, opensActivity), kept)
}
