package host

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
)

// A registry is what the features of a host bring together, in the order of their
// list.
type registry struct {
	handlers []feature.Command
	commands bot.Commands
	variants table.Variants
	pages    []bot.Pages
	due      map[string]feature.Due
	posts    map[string]feature.Posting

	hears     []feature.Hears
	elsewhere []feature.Elsewhere
	opens     []feature.Opens
	atOnce    []feature.AtOnce
	answers   []feature.Answers
	owns      []feature.Owns
	ends      []feature.Ends
	beside    []feature.Beside
	tabled    []feature.Tabled
	walled    []feature.Walled
	leagued   []feature.Leagued
	daily     []feature.Daily
	follows   []feature.Follows
	timers    []feature.Timers
	reads     []feature.Reads
	wants     []feature.Wants
	tells     []feature.Tells
	hushes    []feature.Hushes
	persons   []feature.Persons
	orders    []feature.Orders
	goes      []feature.Goes
	leaves    []feature.Leaves
	withdraws []feature.Withdraws
	parts     []feature.Parts
}

// An Order says how what several features bring is listed. What it doesn't name comes
// last.
type Order struct {
	Commands []string
	Options  map[string][]string // by command
	Settings []string
}

// those are the features that implement T.
func those[T any](all []feature.Feature) (list []T) {
	for _, f := range all {
		if is, ok := f.(T); ok {
			list = append(list, is)
		}
	}
	return list
}

// register takes in what features bring.
func (e *engine) register(all []feature.Feature, order Order) {
	mustImplement(all)
	e.registry = registry{
		due:       map[string]feature.Due{table.CountKind: {Do: (&alarms{desk: &desk{e}}).recount}},
		posts:     map[string]feature.Posting{},
		hears:     those[feature.Hears](all),
		elsewhere: those[feature.Elsewhere](all),
		opens:     those[feature.Opens](all),
		atOnce:    those[feature.AtOnce](all),
		answers:   those[feature.Answers](all),
		owns:      those[feature.Owns](all),
		ends:      those[feature.Ends](all),
		beside:    those[feature.Beside](all),
		tabled:    those[feature.Tabled](all),
		walled:    those[feature.Walled](all),
		leagued:   those[feature.Leagued](all),
		daily:     those[feature.Daily](all),
		follows:   those[feature.Follows](all),
		timers:    those[feature.Timers](all),
		reads:     those[feature.Reads](all),
		wants:     those[feature.Wants](all),
		tells:     those[feature.Tells](all),
		hushes:    those[feature.Hushes](all),
		persons:   those[feature.Persons](all),
		orders:    those[feature.Orders](all),
		goes:      those[feature.Goes](all),
		leaves:    those[feature.Leaves](all),
		withdraws: those[feature.Withdraws](all),
		parts:     those[feature.Parts](all),
	}
	for _, f := range those[feature.Variant](all) {
		e.variants = append(e.variants, f.Variant())
	}
	for _, f := range those[feature.Paged](all) {
		e.pages = append(e.pages, f.Pages()...)
	}
	var placeable []settings.Setting
	for _, f := range those[feature.Settings](all) {
		placeable = append(placeable, f.Settings()...)
	}
	slices.SortStableFunc(placeable, func(a, b settings.Setting) int { return by(order.Settings, a.Name, b.Name) })
	e.settings.Define(placeable)
	for _, f := range e.timers {
		maps.Copy(e.due, f.Due())
	}
	for _, f := range those[feature.Posts](all) {
		maps.Copy(e.posts, f.Posts())
	}
	e.handlers = commandsOf(all, order)
	e.registry.commands = feature.Contract(e.handlers)
}

// commandsOf are the commands that features bring, with what others add to them.
func commandsOf(all []feature.Feature, order Order) []feature.Command {
	var commands []feature.Command
	for _, f := range all {
		if of, ok := f.(feature.Commands); ok {
			for _, c := range of.Commands() {
				if v, ok := f.(feature.Variant); ok {
					c = c.Of(v.Variant().Name)
				}
				commands = append(commands, c)
			}
		}
	}
	extend(commands, those[feature.Extensions](all))
	for i, c := range commands {
		for j, o := range c.Options {
			c.Options[j].Completes = o.Completes || c.Complete[o.Name] != nil
		}
		slices.SortStableFunc(commands[i].Options, func(a, b bot.Option) int { return by(order.Options[c.Name], a.Name, b.Name) })
	}
	slices.SortStableFunc(commands, func(a, b feature.Command) int { return by(order.Commands, a.Name, b.Name) })
	return commands
}

// extend adds to commands what other features have for them.
func extend(all []feature.Command, others []feature.Extensions) {
	extensions := make([]map[string]feature.Extension, len(others))
	for i, f := range others {
		extensions[i] = f.Extensions()
	}
	for i, c := range all {
		c.Options = slices.Clone(c.Options)
		for _, of := range extensions {
			more, ok := of[c.Name]
			if !ok {
				continue
			}
			c.Options = append(c.Options, more.Options...)
			if more.Run != nil {
				c.Run = unless(c.Run, more)
			}
		}
		all[i] = c
	}
}

// unless is a command that another carries out where one of its options is given.
func unless(run feature.Run, other feature.Extension) feature.Run {
	return func(ctx context.Context, req bot.Request) (bot.Reply, error) {
		if slices.ContainsFunc(other.Options, func(o bot.Option) bool { return req.Args[o.Name] != "" }) {
			return other.Run(ctx, req)
		}
		return run(ctx, req)
	}
}

// by compares names by their places in a list, those that aren't there last.
func by(list []string, a, b string) int {
	i, j := slices.Index(list, a), slices.Index(list, b)
	switch {
	case i < 0 && j < 0, i == j:
		return 0
	case i < 0:
		return 1
	case j < 0:
		return -1
	}
	return i - j
}

// interfaces are those of package feature.
var interfaces = []reflect.Type{
	reflect.TypeFor[feature.Commands](),
	reflect.TypeFor[feature.Extensions](),
	reflect.TypeFor[feature.Settings](),
	reflect.TypeFor[feature.Hears](),
	reflect.TypeFor[feature.Elsewhere](),
	reflect.TypeFor[feature.Variant](),
	reflect.TypeFor[feature.Opens](),
	reflect.TypeFor[feature.AtOnce](),
	reflect.TypeFor[feature.Answers](),
	reflect.TypeFor[feature.Owns](),
	reflect.TypeFor[feature.Ends](),
	reflect.TypeFor[feature.Beside](),
	reflect.TypeFor[feature.Paged](),
	reflect.TypeFor[feature.Tabled](),
	reflect.TypeFor[feature.Walled](),
	reflect.TypeFor[feature.Leagued](),
	reflect.TypeFor[feature.Follows](),
	reflect.TypeFor[feature.Timers](),
	reflect.TypeFor[feature.Reads](),
	reflect.TypeFor[feature.Posts](),
	reflect.TypeFor[feature.Wants](),
	reflect.TypeFor[feature.Tells](),
	reflect.TypeFor[feature.Hushes](),
	reflect.TypeFor[feature.Persons](),
	reflect.TypeFor[feature.Orders](),
	reflect.TypeFor[feature.Goes](),
	reflect.TypeFor[feature.Leaves](),
	reflect.TypeFor[feature.Withdraws](),
	reflect.TypeFor[feature.Parts](),
}

// meant are the types of features that mustImplement has let pass.
var meant sync.Map

// mustImplement refuses features that can't be meant so: those that implement nothing,
// and those that have a method of an interface that they don't implement.
func mustImplement(all []feature.Feature) {
	for _, f := range all {
		is, some := reflect.TypeOf(f), false
		if _, ok := meant.Load(is); ok {
			continue
		}
		for _, i := range interfaces {
			if is.Implements(i) {
				some = true
				continue
			}
			for m := range i.Methods() {
				if _, has := is.MethodByName(m.Name); has {
					panic(fmt.Sprintf("%v has a method %s, and isn't a feature.%s: its methods are to be %v", is, m.Name, i.Name(), i))
				}
			}
		}
		if !some {
			panic(fmt.Sprintf("%v implements no interface of package feature", is))
		}
		meant.Store(is, true)
	}
}
