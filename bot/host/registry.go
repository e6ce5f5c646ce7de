package host

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
)

// A registry combines what the features of a host provide, in the order of their list.
type registry struct {
	handlers []feature.Command
	commands bot.Commands
	variants table.Variants
	pages    []bot.Pages
	due      map[string]feature.Due
	posts    map[string]feature.Posting
	features []feature.Feature
}

// An Order sets the order of what several features provide. What it doesn't name comes last.
type Order struct {
	Commands []string
	Options  map[string][]string // by command
	Settings []string
}

// register collects what the features provide.
func (e *engine) register(all []feature.Feature, order Order) {
	e.registry = registry{
		due:      map[string]feature.Due{table.CountKind: {Do: (&alarms{desk: &desk{e}}).recount}},
		posts:    map[string]feature.Posting{},
		features: all,
	}
	var placeable []settings.Setting
	for _, f := range all {
		if f.Variant != nil {
			e.variants = append(e.variants, *f.Variant)
		}
		e.pages = append(e.pages, f.Pages...)
		placeable = append(placeable, f.Settings...)
		maps.Copy(e.due, f.Due)
		maps.Copy(e.posts, f.Posts)
	}
	slices.SortStableFunc(placeable, func(a, b settings.Setting) int { return compareByOrder(order.Settings, a.Name, b.Name) })
	e.settings.Define(placeable)
	e.handlers = commandsOf(all, order)
	e.registry.commands = feature.Contract(e.handlers)
}

// commandsOf returns the features' commands, with the other features' extensions.
func commandsOf(all []feature.Feature, order Order) []feature.Command {
	var commands []feature.Command
	for _, f := range all {
		if f.Commands == nil {
			continue
		}
		for _, c := range f.Commands() {
			if f.Variant != nil {
				c = c.Of(f.Variant.Name)
			}
			commands = append(commands, c)
		}
	}
	extend(commands, all)
	for i, c := range commands {
		for j, o := range c.Options {
			c.Options[j].Completes = o.Completes || c.Complete[o.Name] != nil
		}
		slices.SortStableFunc(commands[i].Options, func(a, b bot.Option) int { return compareByOrder(order.Options[c.Name], a.Name, b.Name) })
	}
	slices.SortStableFunc(commands, func(a, b feature.Command) int { return compareByOrder(order.Commands, a.Name, b.Name) })
	return commands
}

// extend adds the other features' extensions to commands.
func extend(commands []feature.Command, others []feature.Feature) {
	for i, c := range commands {
		c.Options = slices.Clone(c.Options)
		for _, f := range others {
			more, ok := f.Extensions[c.Name]
			if !ok {
				continue
			}
			c.Options = append(c.Options, more.Options...)
			if more.Run != nil {
				c.Run = withExtension(c.Run, more)
			}
		}
		commands[i] = c
	}
}

// withExtension returns a command that another feature carries out if one of its options is given.
func withExtension(run feature.Run, other feature.Extension) feature.Run {
	return func(ctx context.Context, req bot.Request) (bot.Reply, error) {
		if slices.ContainsFunc(other.Options, func(o bot.Option) bool { return req.Args[o.Name] != "" }) {
			return other.Run(ctx, req)
		}
		return run(ctx, req)
	}
}

// compareByOrder compares names by their positions in a list; names that aren't in it come last.
func compareByOrder(list []string, a, b string) int {
	return cmp.Compare(uint(slices.Index(list, a)), uint(slices.Index(list, b))) // -1 becomes the largest
}
