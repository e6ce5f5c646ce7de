package competition

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A leagueFeature runs leagues.
type leagueFeature struct {
	shared
	leagues feature.Numbered[league]
	where   *shelf.Shelf[shelf.Channel, leagueRow]
	notices *leagueNotices
}

// A leagueRow says of which league a channel is, and which game is played there.
type leagueRow struct {
	V        int  `json:"v"` // 1
	No       int  `json:"no"`
	Season   int  `json:"season,omitempty"` // 0 for the channel of the league itself
	Division int  `json:"division,omitempty"`
	Round    int  `json:"round,omitempty"`
	Pairing  int  `json:"pairing,omitempty"`
	Late     bool `json:"late,omitempty"` // the season ended before the game: it is played on for nothing
}

func newLeagues(o shared) *leagueFeature {
	d, own := o.desk, o.own
	leagues := feature.Numbered[league]{
		Desk: d, Own: own, Kind: leagueKind,
		Rows: shelf.Open(own, "leagues", shelf.Spec[shelf.Mark, league]{
			Why:    "who plays in a league, in which division, and how their games came out",
			Rename: func(l *league, from game.PlayerID, to bot.User) bool { return l.rename(from, to) },
			Shared: league.names, Sharing: "leagues",
			Places: func(l league) []string { return []string{string(l.Channel), l.Home} },
		}),
		Count: shelf.Open(own, "league count", shelf.Spec[shelf.Mark, int]{Why: "how many leagues there have been"}),
		Is:    func(l league) (int, bot.ChannelID) { return l.No, l.Channel },
	}
	where := shelf.Open(own, "league places", shelf.Spec[shelf.Channel, leagueRow]{Why: "which league a channel is of, and which of its games is played there"})
	return &leagueFeature{o, leagues, where, &leagueNotices{d, leagues, where, o.URL}}
}

// leagueSign is a number that nobody can guess who doesn't know the secret.
func leagueSign(secret []byte, what ...string) []byte {
	h := hmac.New(sha256.New, secret)
	for _, s := range what {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return h.Sum(nil)
}

// meant is the league that a request is about: the one that its button names, or that of
// its channel.
func (f *leagueFeature) meant(ctx context.Context, req bot.Request) (l league, found bool, err error) {
	no, err := strconv.Atoi(req.Args["l"])
	if err != nil {
		row, ok, err := f.where.Get(ctx, shelf.Channel(req.Channel))
		if err != nil || !ok {
			return l, false, err
		}
		no = row.No
	}
	return f.leagues.Get(ctx, no)
}

// there is meant, where there has to be one.
func (f *leagueFeature) there(ctx context.Context, req bot.Request) (league, error) {
	l, found, err := f.meant(ctx, req)
	if err == nil && !found {
		err = words.Refusing("There's no league in this channel. {new} begins one.", text.Code("/league new"))
	}
	return l, err
}

// asked is the league of a request's channel, and who asks, under all their names.
func (f *leagueFeature) asked(ctx context.Context, req bot.Request) (league, []game.PlayerID, error) {
	l, err := f.there(ctx, req)
	if err != nil {
		return l, nil, err
	}
	ids, err := f.desk.Identities(ctx, req.User.ID)
	return l, ids, err
}

// change carries out what happens to a league, and has seen to what follows. It looks a
// minute later too, lest a process ends in between.
func (f *leagueFeature) change(ctx context.Context, no int, cause string, fn func(l *league) error) (l league, err error) {
	l, found, err := f.leagues.Get(ctx, no)
	if err != nil || !found {
		return l, err
	}
	if err := f.leagues.Look(ctx, l, cause+":net", f.desk.Now().Add(time.Minute)); err != nil {
		return l, err
	}
	if l, err = f.leagues.Change(ctx, no, fn); err != nil || l.V == 0 {
		return l, err
	}
	return l, f.leagues.Look(ctx, l, cause+":look", f.desk.Now())
}

// again reports whether a request has come before and wasn't refused, so that it is
// answered as it was then, whatever came of it.
func (f *leagueFeature) again(ctx context.Context, l league, cause string) (bool, error) {
	return f.leagues.Seen(ctx, l, cause+":net")
}

const (
	leagueKind     = "league"
	leagueOverKind = "league game"
)

// Commands are those of the feature.
func (f *leagueFeature) Commands() []feature.Command {
	return []feature.Command{{
		Command: bot.Command{Name: "league", Help: "Play in a league: seasons by correspondence, in divisions", Example: "/league", Options: leagueOptions()},
		Run:     f.run,
		Reads:   func(ctx context.Context, req bot.Request) { f.where.Ahead(ctx, shelf.Channel(req.Channel)) },
		Complete: map[string]feature.Completer{
			"promoted": numbersTo(5), "relegated": numbersTo(5), "division": numbersTo(12), "lexicon": offeredLists(f.desk),
			"season": values("14", "28", "42", "60"), "registration": values("3", "7", "14"),
		},
	}}
}

func leagueOptions() []bot.Option {
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
		{Name: "who", Help: "Who it's about", Kind: bot.People},
		{Name: "as", Help: "Which files", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "csv", Label: text.Say("Tables: standings, pairings, games")}, {Value: "tsh", Label: text.Say("TSH")}, {Value: "naspa", Label: text.Say("NASPA's text")}, {Value: "tou", Label: text.Say("TOU, for WESPA")}, {Value: "gcg", Label: text.Say("The games as GCG")},
		}, Rare: true},
		{Name: "division", Help: "The number of a division", Kind: bot.Pick},
		{Name: "pace", Help: "How long a turn can take", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "12h", Label: words.Lasting(12 * time.Hour)}, {Value: "1d", Label: words.Lasting(24 * time.Hour)}, {Value: "3d", Label: words.Lasting(72 * time.Hour)}, {Value: "5d", Label: words.Lasting(120 * time.Hour)},
		}},
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

func (f *leagueFeature) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	switch do := req.Args["do"]; do {
	case "":
		return f.show(ctx, req)
	case "table":
		return f.table(ctx, req)
	case "export":
		return f.export(ctx, req)
	case "new":
		return f.create(ctx, req)
	case "join":
		return f.join(ctx, req)
	case "leave":
		return f.leave(ctx, req)
	case "remind":
		return f.remind(ctx, req)
	case "start", "end", "stop", "remove":
		return f.manage(ctx, req, do)
	default:
		return bot.Reply{}, words.BadChoice("do", do)
	}
}

// button is a button of a league's.
func (l *league) button(label text.Text, style bot.Style, do string, more ...string) bot.Button {
	args := map[string]string{"l": strconv.Itoa(l.No)}
	if do != "" {
		args["do"] = do
	}
	for i := 0; i+1 < len(more); i += 2 {
		args[more[i]] = more[i+1]
	}
	return bot.Button{ID: bot.ButtonID(0, 0, "league", args), Label: label, Style: style}
}

// Due sees to what follows, and to games that have ended.
func (f *leagueFeature) Due() map[string]feature.Due {
	return map[string]feature.Due{leagueKind: {Do: f.seeTo, Workers: 2}, leagueOverKind: {Do: f.gameOver}}
}

// Timers has a game's result taken that has ended.
func (f *leagueFeature) Timers(ctx context.Context, s feature.Step) []bot.Timer {
	if s.After.Phase != game.Over || s.After.End == nil {
		return nil
	}
	// Where that can't be read it is looked at all the same.
	if row, found, err := f.where.Get(ctx, shelf.Channel(s.Before.Channel)); err == nil && (!found || row.Season == 0) {
		return nil
	}
	return []bot.Timer{{At: s.Last().At, Kind: leagueOverKind, Number: s.After.Number}}
}

// Posts are those of the feature.
func (f *leagueFeature) Posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		openPost: {Tell: f.notices.tellOpen, Apart: true}, beginPost: {Tell: f.notices.tellBegin, Apart: true}, endPost: {Tell: f.notices.tellEnd, Apart: true},
		divisionPost: {Tell: f.notices.tellDivision, Apart: true}, movesPost: {Tell: f.notices.tellMoves, Apart: true},
		remindPost: {Tell: f.notices.tellRemind, Apart: true}, seasonPost: {Tell: f.notices.tellYou, Apart: true}, latePost: {Tell: f.notices.tellLate, Apart: true}, stuckPost: {Tell: f.notices.tellStuck, Apart: true},
	}
}

// MemberLeft withdraws who has left the home.
func (f *leagueFeature) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return f.withdrawFrom(ctx, who, func(l league) bool { return l.Home == home })
}

// Withdraw withdraws who is to be forgotten, before they resign their games: so those
// count as they do for everybody who withdraws, void before half of them are over.
func (f *leagueFeature) Withdraw(ctx context.Context, who game.PlayerID) error {
	return f.withdrawFrom(ctx, who, func(league) bool { return true })
}

func (f *leagueFeature) withdrawFrom(ctx context.Context, who game.PlayerID, from func(league) bool) error {
	return f.leagues.Each(ctx, func(l league) error {
		if !from(l) || !l.names(who) {
			return nil
		}
		_, err := f.change(ctx, l.No, fmt.Sprintf("left:%d:%d:%s", l.No, l.Season, who), func(l *league) error {
			l.out([]game.PlayerID{who})
			l.Remind = slices.DeleteFunc(l.Remind, func(u bot.User) bool { return u.ID == who })
			return nil
		})
		return err
	})
}

// out takes somebody out of registration, or of the season that is on.
func (l *league) out(ids []game.PlayerID) (void bool) {
	switch l.Phase {
	case entering:
		if i := l.entered(ids); i >= 0 {
			l.Entries = slices.Delete(l.Entries, i, i+1)
		}
	case playing:
		if div, no, ok := l.find(ids); ok {
			return l.withdraw(div, no)
		}
	}
	return false
}

// ChannelGone ends a league whose channel is gone. A game whose channel is gone opens
// anew.
func (f *leagueFeature) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
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

// PlayedOn reports whether a game of a season that has ended is played on, for nothing.
func (f *leagueFeature) PlayedOn(ctx context.Context, t table.Table) (bool, error) {
	row, found, err := f.where.Get(ctx, shelf.Channel(t.Channel))
	return found && row.Late, err
}
