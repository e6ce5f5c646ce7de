package people

import (
	"context"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// gamesAtOnce is the number of games on a page of /games. Their links are long.
const gamesAtOnce = 8

// games lists a person's games on all their linked platforms, and the tables that they are invited
// to.
func (f *Feature) games(ctx context.Context, req bot.Request) (bot.Reply, error) {
	ids, err := f.Identities(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	all, unread, err := feature.Playing(ctx, f.desk, ids...)
	if err != nil {
		return bot.Reply{}, err
	}
	var left text.Text
	if unread > 0 {
		left = text.Say("{n, plural, one {One of your games} other {# of your games}} can't be shown right now. Whoever runs this host can find the reason in the log.", unread)
	}
	invited, err := f.Invited(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(all)+len(invited) == 0 && unread > 0 {
		return bot.Reply{Text: left}, nil
	}
	if len(all)+len(invited) == 0 {
		t := text.Say("You have no games running. {new} opens a table.", text.Code("/new"))
		if len(ids) == 1 {
			t = text.Sentences(t, text.Say("Do you play elsewhere too? {link} brings those games here.", text.Code("/link")))
		}
		return bot.Reply{Text: t}, nil
	}
	turns := 0
	for _, g := range all {
		if g.IsTurn() {
			turns++
		}
	}
	pages := max(1, (len(all)+gamesAtOnce-1)/gamesAtOnce)
	page, _ := strconv.Atoi(req.Args["page"])
	page = min(max(page, 1), pages)
	var t text.Text
	if len(all) > 0 {
		t = text.Say("You have {games, plural, one {# game} other {# games}} running; {turns, plural, =0 {none are} one {one is} other {# are}} waiting for you.", len(all), turns)
	}
	for _, g := range all[(page-1)*gamesAtOnce : min(page*gamesAtOnce, len(all))] {
		line, err := feature.GameLine(ctx, f.desk, f.ways(), g)
		if err != nil {
			return bot.Reply{}, err
		}
		t = text.Lines(t, line)
	}
	if unread > 0 {
		t = text.Lines(t, left)
	}
	var r bot.Reply
	for _, one := range invited[:min(len(invited), gamesAtOnce)] {
		url, err := f.ways().URL(ctx, f.desk, one)
		if err != nil {
			return bot.Reply{}, err
		}
		t = text.Lines(t, feature.LinkBoard(words.Invitation(one), url))
		b := words.JoinButton(one)
		if len(invited) > 1 {
			b.Label = text.Say("Join {name}", one.Host.Name)
		}
		r.Buttons = append(r.Buttons, b)
	}
	r.Text = t
	if i := slices.IndexFunc(all, func(g feature.OwnGame) bool { return feature.Obstacle(ctx, f.desk, g.Channel) != nil }); i >= 0 {
		r.Buttons = append(r.Buttons, feature.ShowBoard(all[i].ID))
	}
	if page < pages {
		r.Buttons = append(r.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "games", map[string]string{"page": strconv.Itoa(page + 1)}), Label: text.Say("Next ({page} of {pages})", page+1, pages)})
	}
	return r, nil
}
