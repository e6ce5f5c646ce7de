package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file lets people open a table without typing: /new without options shows a form with
// the most common options. A second form offers the others on request.

// firstFormOptions lists the first form's options, askedMore the second form's.
var (
	firstFormOptions  = []string{opponents, "robots", "pace", "rules", "language"}
	secondFormOptions = []string{opponents, "rules", "variant", "challenge", "clock"}
)

const (
	opponents = "opponents"
	// moreChoice is the entry in the first form's rules that asks for the second form.
	moreChoice = "more"
)

// opensForm reports whether a request opens the form for a new table.
func (i *interaction) opensForm(req bot.Request) bool {
	return req.Command == "new" && len(req.People) == 0 &&
		(i.Type == commandGiven && i.Data.Type == chatCommand && len(req.Args) == 0 || i.Type == componentUsed && req.Args[moreChoice] != "")
}

// openingForm returns a form for a new table: the first one, or the second one with the input
// of the first.
func (in *inbox) openingForm(ctx context.Context, i *interaction, req bot.Request) form {
	to := in.locale(ctx, i)
	c, _ := in.Host.Commands().Find(req.Command)
	second := req.Args[moreChoice] != ""
	names, told := firstFormOptions, map[string]string{}
	if second {
		names = secondFormOptions
		for name, value := range req.Args {
			if name != moreChoice {
				told[name] = value
			}
		}
	}
	f := form{CustomID: in.mark.On(bot.ButtonID(0, 0, "new", told)), Title: text.Say("A new table").In(to).String()}
	for _, name := range names {
		k := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Name == name })
		if k < 0 || name == opponents && i.place() == inBotDM {
			continue
		}
		o := c.Options[k]
		l := label{Type: labelType, Label: cut(commandTitle(strings.TrimSuffix(o.Key(), ":"), o.NameIn(to)), maxFieldLabel), Description: cut(text.Known(o.Help).In(to).String(), maxFieldHelp)}
		switch choices := o.Choices; {
		case o.Kind == bot.People:
			l.Component = field{Type: discordgo.UserSelectMenuComponent, CustomID: o.Name, MaxValues: mostPeople}
		case name == "rules" && !second && len(choices) < mostRadios:
			l.Component = field{Type: radioGroup, CustomID: o.Name, Options: menuOptions(to, append(slices.Clip(choices), bot.Choice{
				Value: moreChoice, Label: text.Say("More: other variants, challenges, clocks"),
			}))}
		default:
			if len(choices) == 0 {
				ask := bot.Request{Channel: req.Channel, Home: req.Home, User: req.User, Locale: req.Locale, HomeLocale: req.HomeLocale, Command: "new", Args: map[string]string{name: ""}}
				choices = in.Host.Complete(ctx, ask, name)
			}
			if len(choices) == 0 {
				continue
			}
			l.Component = field{Type: discordgo.SelectMenuComponent, CustomID: o.Name, Options: menuOptions(to, choices)}
			if o.List {
				l.Component.MaxValues = min(len(l.Component.Options), mostPeople)
			}
		}
		f.Components = append(f.Components, l)
	}
	return f
}

// mostRadios limits the choices of a radio group.
const mostRadios = 10

// menuOptions converts choices to menu options, in a language.
func menuOptions(to *text.Locale, choices []bot.Choice) (all []menuOption) {
	const most = 25
	for _, c := range bot.ChoicesIn(to, choices[:min(len(choices), most)]) {
		all = append(all, menuOption{Label: cut(c.Label.String(), maxOption), Value: c.Value})
	}
	return all
}

// wantsMore reports whether a submitted first form asks for the second. Since a form can't
// open another form, a button leads there.
func wantsMore(req bot.Request) bool { return req.Command == "new" && req.Args["rules"] == moreChoice }

// answerFirstForm answers a first form that asks for the second.
func (in *inbox) answerFirstForm(ctx context.Context, i *interaction, req bot.Request) bot.Reply {
	told := map[string]string{}
	for _, name := range []string{"robots", "pace", "language"} {
		if value := req.Args[name]; value != "" {
			told[name] = value
		}
	}
	open := bot.ButtonID(0, 0, "new", told)
	told[moreChoice] = "1"
	r := bot.Reply{
		Text: text.Say("What else should it have? Everything else is an option of {new}.", text.Code("/new")),
		Buttons: []bot.Button{
			{ID: bot.ButtonID(0, 0, "new", told), Label: text.Say("Choose"), Style: bot.Primary},
			{ID: open, Label: text.Say("Open it as it is")},
		},
	}
	to := in.locale(ctx, i)
	r.Text = r.Text.In(to)
	for k := range r.Buttons {
		r.Buttons[k].Label = r.Buttons[k].Label.In(to)
	}
	return r
}
