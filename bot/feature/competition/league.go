package competition

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Refusals in a channel without a league: of people who may begin one, and of others.
var (
	errNoLeague             = words.Refusing("There's no league in this channel. {new} begins one.", text.Code("/league new"))
	errNoLeagueForMembers   = &words.Refusal{Reply: words.Refuse(text.Sentences(text.Say("There's no league in this channel."), errManagersBeginLeagues.Reply.Text))}
	errManagersBeginLeagues = words.Refusing("Only managers of this place can begin a league here.")
)

// mayBeginLeague reports whether a person may begin a league: on a server, only its managers may.
func mayBeginLeague(req bot.Request) bool { return req.Manager || req.Home == "" }

// leagues runs leagues.
type leagues struct{ book[league, *league] }

func newLeagues(s shared) *leagues {
	return &leagues{newBook[league, *league](s, "league", "l",
		func(req bot.Request) error {
			if mayBeginLeague(req) {
				return errNoLeague
			}
			return errNoLeagueForMembers
		},
		shelf.Spec[shelf.Mark, league]{
			Why:    "who plays in a league, in which division, and how their games came out",
			Rename: func(l *league, from game.PlayerID, to bot.User) bool { return l.rename(from, to) },
			Shared: league.mentions,
		})}
}

// commands returns the league command.
func (f *leagues) commands() []feature.Command {
	return []feature.Command{{
		Command: bot.Command{Name: "league", Help: "Play in a league: seasons by correspondence, in divisions", Example: "/league", Options: leagueOptions()},
		Run:     f.run,
		Complete: map[string]feature.Completer{
			"promoted": numbersTo(5), "relegated": numbersTo(5), "division": numbersTo(12), "lexicon": offeredLists(f.desk),
			"season": values("14", "28", "42", "60"), "registration": values("3", "7", "14"),
		},
	}}
}

func leagueOptions() []bot.Option {
	files := filesOption()
	files.Rare = true
	return []bot.Option{
		{Name: "do", Help: "What to do; leave out to see how it stands", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "join", Label: text.Say("Register for the next season")},
			{Value: "leave", Label: text.Say("Take it back, or withdraw")},
			{Value: "remind", Label: text.Say("Remind me of registrations, or stop")},
			{Value: "table", Label: text.Say("See a division's standings")},
			{Value: "export", Label: text.Say("Get it as files")},
			{Value: "new", Label: text.Say("Begin a league in this channel")},
			{Value: "start", Label: text.Say("Close registration and start the season")},
			{Value: "end", Label: text.Say("End the season now")},
			{Value: "remove", Label: text.Say("Withdraw somebody")},
			{Value: "stop", Label: text.Say("End the league after this season")},
		}},
		{Name: "name", Help: "What a new league is called", Kind: bot.Words},
		{Name: "who", Help: "Which player", Kind: bot.People},
		files,
		{Name: "division", Help: "The number of a division", Kind: bot.Pick},
		paceOption("How long a turn can take"),
		{Name: "lexicon", Help: "The word list", Kind: bot.Pick},
		{Name: "sizes", Help: "How large divisions are", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "small", Label: text.Say("About 7 players")}, {Value: "large", Label: text.Say("About 15 players")},
		}, Rare: true},
		{Name: "promoted", Help: "How many go up from a division", Kind: bot.Pick, Rare: true},
		{Name: "relegated", Help: "How many go down from a division", Kind: bot.Pick, Rare: true},
		{Name: "games", Help: "How many games each player has at once", Kind: bot.Pick, Choices: []bot.Choice{{Value: "1", Label: text.Plain("1")}, {Value: "2", Label: text.Plain("2")}, {Value: "3", Label: text.Plain("3")}, {Value: "5", Label: text.Plain("5")}}, Rare: true},
		{Name: "season", Help: "How many days a season lasts", Kind: bot.Pick, Rare: true},
		{Name: "registration", Help: "How many days registration is open", Kind: bot.Pick, Rare: true},
	}
}

func (f *leagues) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	does := map[string]feature.Run{
		"": f.show, "table": f.table, "export": f.export, "new": f.create, "join": f.join, "leave": f.leave, "remind": f.remind,
		"start": f.manage, "end": f.manage, "stop": f.manage, "remove": f.manage,
	}
	do, known := does[req.Args["do"]]
	if !known {
		return bot.Reply{}, words.NoChoice("do", req.Args["do"], "join", "leave", "remind", "table", "export", "new", "start", "end", "remove", "stop")
	}
	return do(ctx, req)
}

// button returns a button of a league.
func (l *league) button(label text.Text, style bot.Style, do string, more ...string) bot.Button {
	return button("league", label, style, append([]string{"l", strconv.Itoa(l.No), "do", do}, more...)...)
}

// posts returns the kinds of posts that leagues send.
func (f *leagues) posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		openPost: f.onlyIn(f.tellOpen, entering), remindPost: f.onlyIn(f.tellRemind, entering),
		beginPost: f.onlyIn(f.tellBegin, playing, over), movesPost: {Tell: tellNothing, Apart: true},
		seasonPost: f.onlyIn(f.tellYou, playing), stuckPost: f.onlyIn(f.tellStuck, playing),
		endPost: f.posting(f.tellEnd), latePost: f.posting(f.tellLate),
		divisionPost: {Tell: f.tellDivision, Apart: true, Drawn: f.drawDivision},
	}
}

// withdraw withdraws a person from the leagues that from selects.
func (f *leagues) withdraw(ctx context.Context, who game.PlayerID, from func(league) bool) error {
	return f.each(ctx, func(l league) error {
		if !from(l) || !l.mentions(who) {
			return nil
		}
		_, err := f.change(ctx, l.No, fmt.Sprintf("left:%d:%d:%s", l.No, l.Season, who), func(l *league) error {
			l.remove([]game.PlayerID{who})
			l.Remind = slices.DeleteFunc(l.Remind, func(u bot.User) bool { return u.ID == who })
			return nil
		})
		return err
	})
}

// remove removes a person from registration, or withdraws them from the current season. It
// reports whether their games became void.
func (l *league) remove(ids []game.PlayerID) (void bool) {
	switch l.Phase {
	case entering:
		if i := l.entryOf(ids); i >= 0 {
			l.Entries = slices.Delete(l.Entries, i, i+1)
		}
	case playing:
		if div, no, ok := l.find(ids); ok {
			return l.withdraw(div, no)
		}
	}
	return false
}

// channelGone ends a league whose channel was deleted. If the thread of a game was deleted,
// the game is opened again.
func (f *leagues) channelGone(ctx context.Context, ch bot.ChannelID) error {
	row, found, err := f.where.Get(ctx, shelf.Channel(ch))
	if err != nil || !found {
		return err
	}
	_, err = f.change(ctx, row.No, fmt.Sprintf("gone:%s", ch), func(l *league) error {
		switch {
		case row.Season == 0:
			l.Phase, l.Stopped = over, true
		case row.Season == l.Season && l.Phase == playing:
			if p := l.Div[row.Division].place(row.ref()); p != nil && p.Channel == ch {
				*p = leaguePlace{Round: p.Round, Pairing: p.Pairing, Try: p.Try + 1}
			}
		}
		return nil
	})
	return err
}
