package slack

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has whom a request names: people, and user groups such as @team; and
// who can be invited.

// mostOfGroup is how many people one can invite by the name of a group: each has a
// seat kept free, and is called.
const mostOfGroup = 20

var (
	mention = regexp.MustCompile(`<@([UW][A-Z0-9]+)(?:\|[^>]*)?>`)
	group   = regexp.MustCompile(`<!subteam\^(S[A-Z0-9]+)(?:\|@?([^>\s]*))?>`)

	// groupWord is a group in what withoutNames gives: the id and the name.
	groupWord = regexp.MustCompile(`<@(S[A-Z0-9]+)\|([^>]*)>`)
)

// withoutNames leaves the id alone of each person in what Slack escaped:
// "<@U1|ann>" becomes "<@U1>". A group keeps its name, "<@S1|@team>", for people
// are told of it.
func withoutNames(text string) string {
	text = group.ReplaceAllStringFunc(text, func(s string) string {
		g := group.FindStringSubmatch(s)
		name := "group"
		if g[2] != "" {
			name = g[2]
		}
		return "<@" + g[1] + "|@" + name + ">"
	})
	return mention.ReplaceAllString(text, "<@$1>")
}

// readable puts the names of groups in their place where an option isn't for
// people.
func readable(commands bot.Commands, req bot.Request) {
	c, _ := commands.Find(req.Command)
	for _, o := range c.Options {
		if value, given := req.Args[o.Name]; given && o.Kind != bot.People {
			req.Args[o.Name] = groupWord.ReplaceAllString(value, "$2")
		}
	}
}

// named are the people whom a request's options of the kind People name, those of
// groups too. The refusal is nil where all of them can be told.
func (d *directory) named(ctx context.Context, who member, req bot.Request) (all []bot.User, refusal text.Text) {
	c, _ := d.Host.Commands().Find(req.Command)
	var ids []string
	for _, o := range c.Options {
		if o.Kind != bot.People {
			continue
		}
		for _, word := range strings.Fields(req.Args[o.Name]) {
			if m := mention.FindStringSubmatch(word); m != nil && m[0] == word {
				ids = append(ids, m[1])
				continue
			}
			g := groupWord.FindStringSubmatch(word)
			if g == nil || g[0] != word || req.Command != "new" {
				return nil, unknown(groupWord.ReplaceAllString(word, "$2"))
			}
			members, refusal := d.membersOf(ctx, who, g[1], g[2])
			if refusal != nil {
				return nil, refusal
			}
			ids = append(ids, slices.DeleteFunc(members, func(id string) bool {
				p, err := d.profile(ctx, member{who.home, id})
				return isError(err, noPerson...) || p.Bot || p.Gone
			})...)
		}
	}
	for _, id := range ids {
		all = append(all, d.user(ctx, member{who.home, id}, ""))
	}
	return all, nil
}

// cantInvite says why those whom somebody invites can't play there, nil where they
// can.
func (d *directory) cantInvite(ctx context.Context, who member, req bot.Request) text.Text {
	for _, guest := range req.People {
		m, err := memberOf(guest.ID)
		if err != nil || m == who {
			continue
		}
		p, err := d.profile(ctx, m)
		if isError(err, noPerson...) || err == nil && p.Gone {
			return unknown("@" + guest.Name)
		}
		if err == nil && p.Bot {
			return text.Say("{who} is an app, and apps can't play. {new} starts a game against one of my robots.", text.Name(guest), text.Code("/new robots"))
		}
		if at, err := placeOf(req.Channel); err == nil && d.own(ctx, who, at) {
			return text.Say("{who} can't see this conversation: it's just you and me. Open the table in a channel that you're both in. Here, {new} starts a game against one of my robots.", text.Name(guest), text.Code("/new robots"))
		}
	}
	return nil
}

// noPerson are why Slack knows nobody of an id.
var noPerson = []string{"user_not_found", "user_not_visible", "users_not_found"}

// unknown says that a word names nobody.
func unknown(word string) text.Text {
	return text.Say("I can't tell who {name} is. Type @ and choose people one by one from Slack's list, or use the form: {form}.", text.Code(word), text.Code("/"+umbrella))
}

// membersOf are the people of a user group, but for whoever asks. The refusal says
// what to do where they can't be told, or there are too many of them.
func (d *directory) membersOf(ctx context.Context, who member, id, name string) (ids []string, refusal text.Text) {
	err := d.web.call(ctx, who.home, func(api *slack.Client) (err error) {
		ids, err = api.GetUserGroupMembersContext(ctx, id)
		return err
	})
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == who.id })
	choose := text.Say("Choose people one by one, or leave them out so that anybody can join.")
	switch team := (text.Span{Text: name, Code: true}); {
	case isError(err, "missing_scope", "permission_denied"):
		d.Log.Warn("can't look who is in a user group: install the app again, with the scope usergroups:read", "home", who.home)
		return nil, text.Sentences(text.Say("I can't see who is in {team} until I'm installed again with the scopes in my latest manifest.", team), choose)
	case err != nil:
		d.Log.Info("can't look who is in a user group", "home", who.home, "error", err)
		return nil, text.Sentences(text.Say("I can't see who is in {team} right now.", team), choose)
	case len(ids) == 0:
		return nil, text.Sentences(text.Say("There is nobody in {team} to invite.", team), choose)
	case len(ids) > mostOfGroup:
		return nil, text.Sentences(text.Say("There are {n} other people in {team}. I can invite up to {most} through a group.", len(ids), team, mostOfGroup), choose)
	}
	return ids, nil
}
