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

// This file resolves the people whom a request names, including user groups such as @team,
// and determines who can be invited.

// mostOfGroup limits the people of a group that can be invited by its name: each gets a
// reserved seat and a mention.
const mostOfGroup = 20

var (
	mention = regexp.MustCompile(`<@([UW][A-Z0-9]+)(?:\|[^>]*)?>`)
	group   = regexp.MustCompile(`<!subteam\^(S[A-Z0-9]+)(?:\|@?([^>\s]*))?>`)

	// groupWord matches a group in the result of withoutNames: the id and the name.
	groupWord = regexp.MustCompile(`<@(S[A-Z0-9]+)\|([^>]*)>`)
)

// withoutNames reduces mentions of people in escaped text to their ids: "<@U1|ann>"
// becomes "<@U1>". A group keeps its name, "<@S1|@team>", for people to read.
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

// replaceGroups replaces groups with their names in options that don't take people.
func replaceGroups(commands bot.Commands, req bot.Request) {
	c, _ := commands.Find(req.Command)
	for _, o := range c.Options {
		if value, given := req.Args[o.Name]; given && o.Kind != bot.People {
			req.Args[o.Name] = groupWord.ReplaceAllString(value, "$2")
		}
	}
}

// resolveNames returns the people named by a request's options of the kind People, including
// members of groups. If some can't be resolved, it returns a refusal.
func (d *directory) resolveNames(ctx context.Context, who member, req bot.Request) (all []bot.User, refusal text.Text) {
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
				return nil, explainUnknown(groupWord.ReplaceAllString(word, "$2"))
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

// cantInvite returns why invited people can't play, or nil if they can.
func (d *directory) cantInvite(ctx context.Context, who member, req bot.Request) text.Text {
	for _, guest := range req.People {
		m, err := memberOf(guest.ID)
		if err != nil || m == who {
			continue
		}
		p, err := d.profile(ctx, m)
		if isError(err, noPerson...) || err == nil && p.Gone {
			return explainUnknown("@" + guest.Name)
		}
		if err == nil && p.Bot {
			return text.Say("{who} is an app, and apps can't play. {new} starts a game against one of my robots.", text.Name(guest), text.Code("/new robots"))
		}
		if at, err := placeOf(req.Channel); err == nil && d.isOwnDM(ctx, who, at) {
			return text.Say("{who} can't see this conversation: it's just you and me. Open the table in a channel that you're both in. Here, {new} starts a game against one of my robots.", text.Name(guest), text.Code("/new robots"))
		}
	}
	return nil
}

// noPerson lists Slack's error codes for unknown people.
var noPerson = []string{"user_not_found", "user_not_visible", "users_not_found"}

// explainUnknown returns a refusal for a word that names nobody.
func explainUnknown(word string) text.Text {
	return text.Say("I can't tell who {name} is. Type @ and choose people one by one from Slack's list, or use the form: {form}.", text.Code(word), text.Code("/"+umbrella))
}

// membersOf returns the people of a user group except the person who asks. If they can't be
// listed or are too many, the refusal says what to do.
func (d *directory) membersOf(ctx context.Context, who member, id, name string) (ids []string, refusal text.Text) {
	err := d.web.call(ctx, who.home, func(api *slack.Client) (err error) {
		ids, err = api.GetUserGroupMembersContext(ctx, id)
		return err
	})
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == who.id })
	choose := text.Say("Choose people one by one, or leave them out so that anybody can join.")
	switch team := (text.Span{Text: name, Code: true}); {
	case isError(err, "missing_scope", "permission_denied"):
		d.Log.Warn("can't look up the members of a user group: install the app again, with the scope usergroups:read", "home", who.home)
		return nil, text.Sentences(text.Say("I can't see who is in {team} until I'm installed again with the scopes in my latest manifest.", team), choose)
	case err != nil:
		d.Log.Info("can't look up the members of a user group", "home", who.home, "error", err)
		return nil, text.Sentences(text.Say("I can't see who is in {team} right now.", team), choose)
	case len(ids) == 0:
		return nil, text.Sentences(text.Say("There is nobody in {team} to invite.", team), choose)
	case len(ids) > mostOfGroup:
		return nil, text.Sentences(text.Say("There are {n} other people in {team}. I can invite up to {most} through a group.", len(ids), team, mostOfGroup), choose)
	}
	return ids, nil
}
