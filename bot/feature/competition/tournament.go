package competition

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// A tournamentFeature runs tournaments. Each of its parts has one matter of its own: who is in,
// what the director does, results by hand, the tables, what is said, and files.
type tournamentFeature struct {
	*registry
	registration *registration
	direction    *direction
	results      *results
	hall         *hall
	notices      *notices
	exports      *exports
}

func newTournaments(o shared) *tournamentFeature {
	d, own := o.desk, o.own
	r := &registry{
		o,
		feature.Numbered[event]{
			Desk: d, Own: own, Kind: lookKind,
			Rows: shelf.Open(own, "tournaments", shelf.Spec[shelf.Mark, event]{
				Why:    "who plays in a tournament, who met whom, how it came out, and what its directors did",
				Rename: func(e *event, from game.PlayerID, to bot.User) bool { return e.rename(from, to) },
				Shared: event.names, Sharing: "tournaments",
				Places: func(e event) []string { return []string{string(e.Channel), e.Home} },
			}),
			Count: shelf.Open(own, "tournament count", shelf.Spec[shelf.Mark, int]{Why: "how many tournaments there have been"}),
			Is:    func(e event) (int, bot.ChannelID) { return e.No, e.Channel },
		},
		shelf.Open(own, "tournament places", shelf.Spec[shelf.Channel, whereRow]{Why: "which tournament a channel is of"}),
	}
	n := &notices{r}
	of := &office{n}
	return &tournamentFeature{r, &registration{of}, &direction{of}, &results{of}, &hall{n}, n, &exports{r}}
}

// Commands are those of the feature.
func (f *tournamentFeature) Commands() []feature.Command {
	return []feature.Command{{
		Command: bot.Command{Name: "tournament", Help: "Play in a tournament, or direct one", Example: "/tournament", Options: tournamentOptions()},
		Run:     f.run,
		Reads:   func(ctx context.Context, req bot.Request) { f.where.Ahead(ctx, shelf.Channel(req.Channel)) },
		Complete: map[string]feature.Completer{
			"rounds": numbersTo(15), "boards": numbersTo(8), "table": numbersTo(25),
			"clock": values("3m", "10m+5s", "15m", "25m", "off"), "wait": values("5m", "10m", "15m", "1d", "3d", "never"), "delay": values("5m", "15m", "30m"),
			"lexicon": offeredLists(f.desk),
		},
	}}
}

func tournamentOptions() []bot.Option {
	return []bot.Option{
		{Name: "do", Help: "What to do; leave out to see how it stands", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "new", Label: text.Say("Begin a tournament")},
			{Value: "join", Label: text.Say("Enter it")},
			{Value: "leave", Label: text.Say("Withdraw from it")},
			{Value: "result", Label: text.Say("Report how a game ended that was played elsewhere")},
			{Value: "close", Label: text.Say("Close registration")},
			{Value: "reopen", Label: text.Say("Open registration again")},
			{Value: "seed", Label: text.Say("Set who is seeded, the best first")},
			{Value: "pair", Label: text.Say("Pair the next round")},
			{Value: "start", Label: text.Say("Start the round that is paired")},
			{Value: "swap", Label: text.Say("Swap two players before a round starts")},
			{Value: "forfeit", Label: text.Say("Have somebody forfeit their game, or both")},
			{Value: "enter", Label: text.Say("Enter somebody else, also late")},
			{Value: "withdraw", Label: text.Say("Withdraw somebody")},
			{Value: "return", Label: text.Say("Take somebody back in")},
			{Value: "nudge", Label: text.Say("Remind those who haven't begun")},
			{Value: "undo", Label: text.Say("Take the last act back")},
			{Value: "end", Label: text.Say("End the tournament")},
			{Value: "off", Label: text.Say("Call it off")},
			{Value: "director", Label: text.Say("Add a director")},
			{Value: "log", Label: text.Say("See who did what")},
			{Value: "export", Label: text.Say("Get it as files")},
		}},
		{Name: "name", Help: "What a new tournament is called, or a player who has no account here", Kind: bot.Words},
		{Name: "who", Help: "Whom it is about", Kind: bot.People},
		{Name: "method", Help: "How rounds are paired", Kind: bot.Pick, Choices: methods()},
		{Name: "rounds", Help: "How many rounds", Kind: bot.Pick},
		{Name: "games", Help: "How many games a match has", Kind: bot.Pick, Choices: []bot.Choice{{Value: "1", Label: text.Say("Single games")}, {Value: "3", Label: text.Say("Best of {n}", 3)}, {Value: "5", Label: text.Say("Best of {n}", 5)}, {Value: "7", Label: text.Say("Best of {n}", 7)}}},
		{Name: "boards", Help: "How many players of a team play at once, for a tournament of teams", Kind: bot.Pick},
		{Name: "team", Help: "The team that you enter for", Kind: bot.Words},
		{Name: "clock", Help: "How long each player may think in a game", Kind: bot.Pick},
		{Name: "pace", Help: "For weeks by correspondence: how long a turn may take", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "12h", Label: words.Lasting(12 * time.Hour)}, {Value: "1d", Label: words.Lasting(24 * time.Hour)}, {Value: "3d", Label: words.Lasting(72 * time.Hour)}, {Value: "5d", Label: words.Lasting(120 * time.Hour)},
		}},
		{Name: "lexicon", Help: "The word list", Kind: bot.Pick},
		{Name: "wait", Help: "How long to wait for somebody who doesn't sit down", Kind: bot.Pick},
		{Name: "delay", Help: "By how much the page is behind", Kind: bot.Pick, Rare: true},
		{Name: "table", Help: "The number of a table", Kind: bot.Pick},
		{Name: "score", Help: "How a game ended: your points first, such as 412-377", Kind: bot.Word},
		{Name: "as", Help: "Which files", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "csv", Label: text.Say("Tables: standings, pairings, games")}, {Value: "tsh", Label: text.Say("TSH")}, {Value: "naspa", Label: text.Say("NASPA's text")}, {Value: "tou", Label: text.Say("TOU, for WESPA")}, {Value: "gcg", Label: text.Say("The games as GCG")}, {Value: "proof", Label: text.Say("The proof of the lots")},
		}},
	}
}

func methods() []bot.Choice {
	return []bot.Choice{
		{Value: string(contest.Swiss), Label: text.Say("Swiss: who did as well meet each other")},
		{Value: string(contest.RoundRobin), Label: text.Say("Everybody meets everybody")},
		{Value: string(contest.Knockout), Label: text.Say("Knock-out")},
		{Value: string(contest.KingOfTheHill), Label: text.Say("King of the hill: first meets second, third meets fourth")},
		{Value: string(contest.Australian), Label: text.Say("Australian draw: king of the hill with few repeats")},
		{Value: string(contest.ByHand), Label: text.Say("By hand")},
	}
}

// run carries out a command or a button.
func (f *tournamentFeature) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	does := map[string]feature.Run{
		"": f.direction.show, "pair": f.direction.pair, "start": f.direction.begin, "swap": f.direction.swap, "nudge": f.direction.nudge,
		"undo": f.direction.undo, "end": f.direction.end, "off": f.direction.callOff, "director": f.direction.director, "log": f.direction.log,
		"new": f.registration.create, "join": f.registration.join, "leave": f.registration.leave, "close": f.registration.closeEntries, "seed": f.registration.seed, "reopen": f.registration.reopen,
		"enter": f.registration.enter, "withdraw": f.registration.withdraw, "return": f.registration.comeBack,
		"sit": f.hall.sit, "result": f.results.result, "agree": f.results.agree, "forfeit": f.results.forfeit, "export": f.exports.export,
	}
	do, known := does[req.Args["do"]]
	if !known {
		return bot.Reply{}, words.NoChoice("do", req.Args["do"], "new", "join", "leave", "close", "pair", "start", "result", "undo", "end")
	}
	return do(ctx, req)
}

// button is one of a tournament's.
func (e *event) button(label text.Text, style bot.Style, do string, more ...string) bot.Button {
	args := map[string]string{"do": do, "e": strconv.Itoa(e.No)}
	for i := 0; i+1 < len(more); i += 2 {
		args[more[i]] = more[i+1]
	}
	return bot.Button{ID: bot.ButtonID(0, 0, "tournament", args), Label: label, Style: style}
}

// spotArgs are a spot in the arguments of a button, and readSpot reads them.
func spotArgs(s spot) []string {
	return []string{"r", strconv.Itoa(s.Round), "p", strconv.Itoa(s.Pairing), "b", strconv.Itoa(s.Board)}
}

func readSpot(args map[string]string) (s spot) {
	s.Round, _ = strconv.Atoi(args["r"])
	s.Pairing, _ = strconv.Atoi(args["p"])
	s.Board, _ = strconv.Atoi(args["b"])
	return s
}

// Due sees to what follows from what was done, to games that have ended, and to who
// doesn't sit down.
func (f *tournamentFeature) Due() map[string]feature.Due {
	return map[string]feature.Due{lookKind: {Do: f.hall.seeTo, Workers: 2}, overKind: {Do: f.hall.gameOver}, waitKind: {Do: f.hall.waited}}
}

// Timers has a game's result taken that has ended at one of the tables.
func (f *tournamentFeature) Timers(ctx context.Context, s feature.Step) []bot.Timer {
	if s.After.Phase != game.Over || s.After.End == nil {
		return nil
	}
	// Where that can't be read it is looked at all the same.
	if row, found, err := f.where.Get(ctx, shelf.Channel(s.Before.Channel)); err == nil && (!found || row.Round == 0) {
		return nil
	}
	return []bot.Timer{{At: s.Last().At, Kind: overKind, Number: s.After.Number}}
}

// Posts are those of the feature.
func (f *tournamentFeature) Posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		newsPost: {Tell: f.notices.tellNews, Apart: true}, editPost: {Tell: f.notices.tellNews, Apart: true}, tablePost: {Tell: f.notices.tellTable, Apart: true}, handPost: {Tell: f.notices.tellHand, Apart: true},
		yourPost: {Tell: f.notices.tellYou, Apart: true}, nudgePost: {Tell: f.notices.tellNudge, Apart: true}, directorPost: {Tell: f.notices.tellDirector, Apart: true}, aheadPost: {Tell: f.notices.tellDirector, Apart: true}, claimPost: {Tell: f.notices.tellClaim, Apart: true},
	}
}

// MemberLeft withdraws who has left the home from tournaments that are open there.
func (f *tournamentFeature) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return f.events.Each(ctx, func(e event) error {
		if e.Home != home || e.Phase != entering && e.Phase != under {
			return nil
		}
		ids := []game.PlayerID{who}
		no, _, in := e.find(ids)
		if !in || e.Contest.Entrants[no-1].Out > 0 {
			return nil
		}
		_, err := f.change(ctx, e.No, fmt.Sprintf("left:%d:%s", e.No, who), bot.User{}, func(e *event) (deed, error) {
			return e.leave(ids)
		})
		return err
	})
}

// ChannelGone calls a tournament off whose channel is gone: nobody could be told of it
// any more. A table that is gone is opened no more, and its result can be given by hand.
func (f *tournamentFeature) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
	row, found, err := f.where.Get(ctx, shelf.Channel(ch))
	if err != nil || !found {
		return err
	}
	_, err = f.change(ctx, row.No, fmt.Sprintf("gone:%s", ch), bot.User{}, func(e *event) (deed, error) {
		if row.Round > 0 {
			if p := e.place(row.spot); p != nil {
				p.Channel = ""
			}
			return deed{Kind: didOff, Spot: row.spot}, nil
		}
		if e.Phase == entering || e.Phase == under {
			e.Phase = off
		}
		return deed{Kind: didOff}, nil
	})
	return err
}

// person is a player as the host knows them.
func person(p contest.Player) bot.User { return bot.User{ID: game.PlayerID(p.ID), Name: p.Name} }
