package moderation

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// storedBlocks lists the people that a person has blocked.
type storedBlocks struct {
	V   int           `json:"v"`
	All []storedBlock `json:"all"`
}

type storedBlock struct {
	Who game.PlayerID `json:"who"`
	// Name is their name at that time.
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

func blockOptions() []bot.Option {
	return []bot.Option{
		{Name: "who", Help: "Who to block. Leave it out to see your list.", Kind: bot.People},
		{Name: "undo", Help: "Unblock them", Kind: bot.YesNo},
	}
}

// block blocks a person for the sender, unblocks them, or lists everyone the sender has
// blocked. Buttons name the person by ID.
func (f *Feature) block(ctx context.Context, req bot.Request) (bot.Reply, error) {
	about := append(slices.Clip(peopleIn(req)), bot.User{}) // ends with the zero User, for requests that name no one
	who, name := about[0].ID, about[0].Name
	undo, err := words.YesNo(req.Args, "undo", false)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case len(about) > 2:
		return bot.Reply{}, words.Refusing("Block one person at a time: {block}.", text.Code("/block @bob"))
	case who == req.User.ID:
		return bot.Reply{}, words.Refusing("You can't block yourself. {block} blocks Bob.", text.Code("/block @bob"))
	case who.IsRobot():
		return bot.Reply{}, words.Refusing("Robots only speak when spoken to, so there's nothing to block.")
	}
	var all storedBlocks
	err = f.blocks.Change(ctx, shelf.Person(req.User.ID), func(is *storedBlocks) (keep bool, err error) {
		is.V = 1
		has := func(b storedBlock) bool { return b.Who == who }
		switch had := slices.ContainsFunc(is.All, has); {
		case who == "", had == !undo:
		case undo:
			is.All = slices.DeleteFunc(is.All, has)
		case len(is.All) >= bot.LimitBlocks.Most:
			return false, words.Refusing("You've blocked {n, plural, one {# person} other {# people}}, and that's the limit. {block} shows them and lets you unblock one.", len(is.All), text.Code("/block"))
		default:
			is.All = append(is.All, storedBlock{who, text.Shorten(name, bot.MaxName), f.desk.Now().UTC()})
		}
		all = *is
		return len(all.All) > 0, nil
	})
	switch {
	case err != nil:
		return bot.Reply{}, err
	case who == "":
		return listBlocks(all), nil
	case undo:
		return bot.Reply{Text: text.Say("You'll hear from {who} again.", text.Name(about[0]))}, nil
	}
	return bot.Reply{
		Text:    text.Say("You won't hear from {who} any more: no direct messages, no invitations, no pings. They won't be told. Games you're both in go on.", text.Name(about[0])),
		Buttons: []bot.Button{{ID: personButton("block", about[0], "undo", "yes"), Label: text.Say("Unblock")}},
	}, nil
}

// personButton returns the ID of a button that runs a command about a person. It includes
// their name if there is room.
func personButton(command string, who bot.User, option, value string) string {
	args := map[string]string{"id": string(who.ID), "name": text.Shorten(who.Name, 12)}
	if option != "" {
		args[option] = value
	}
	if id := bot.ButtonID(0, 0, command, args); len(id) <= bot.MaxButtonID {
		return id
	}
	delete(args, "name")
	return bot.ButtonID(0, 0, command, args)
}

// peopleIn returns the people named by a request or by its button.
func peopleIn(req bot.Request) []bot.User {
	if id := req.Args["id"]; len(req.People) == 0 && id != "" && len(id) <= 100 {
		return []bot.User{{ID: game.PlayerID(id), Name: text.Shorten(cmp.Or(req.Args["name"], "them"), bot.MaxName)}}
	}
	return req.People
}

// listBlocks lists the people that a person has blocked, latest first.
func listBlocks(all storedBlocks) bot.Reply {
	if len(all.All) == 0 {
		return bot.Reply{Text: text.Say("You haven't blocked anybody. {block} stops direct messages and invitations from Bob, and he isn't told.", text.Code("/block @bob"))}
	}
	var r bot.Reply
	var lines []text.Text
	for _, b := range slices.Backward(all.All) {
		lines = append(lines, text.Glue(b.Name, " · ", words.Clock(b.At)))
		if len(r.Buttons) < bot.MostButtons {
			r.Buttons = append(r.Buttons, bot.Button{ID: personButton("block", bot.User{ID: b.Who, Name: b.Name}, "undo", "yes"), Label: text.Say("Unblock {who}", b.Name)})
		}
	}
	r.Text = feature.Fit(text.Say("You've blocked:"), lines)
	return r
}

// Blocks reports whether a person has blocked another, under any of their linked
// identities.
func (f *Feature) Blocks(ctx context.Context, who, whom game.PlayerID) (bool, error) {
	if who == whom || who.IsRobot() || whom.IsRobot() {
		return false, nil
	}
	own, err := f.desk.Identities(ctx, who)
	if err != nil {
		return false, err
	}
	var theirs []game.PlayerID
	for _, p := range own {
		all, found, err := f.blocks.Get(ctx, shelf.Person(p))
		if err != nil {
			return false, err
		}
		if !found {
			continue
		}
		if theirs == nil {
			if theirs, err = f.desk.Identities(ctx, whom); err != nil {
				return false, err
			}
		}
		if slices.ContainsFunc(all.All, func(b storedBlock) bool { return slices.Contains(theirs, b.Who) }) {
			return true, nil
		}
	}
	return false, nil
}

// areBlocked reports whether one of two people has blocked the other.
func (f *Feature) areBlocked(ctx context.Context, a, b game.PlayerID) (bool, error) {
	if has, err := f.Blocks(ctx, a, b); has || err != nil {
		return has, err
	}
	return f.Blocks(ctx, b, a)
}

// without removes a person from the list of blocked people. It reports whether any are
// left.
func (s *storedBlocks) without(who game.PlayerID) (left bool) {
	s.All = slices.DeleteFunc(s.All, func(b storedBlock) bool { return b.Who == who })
	return len(s.All) > 0
}
