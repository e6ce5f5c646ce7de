package competition

import (
	"cmp"
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
	"github.com/rackmate/rackmate/game/contest"
)

// tournaments runs tournaments.
type tournaments struct{ book[event, *event] }

func newTournaments(s shared) *tournaments {
	return &tournaments{newBook[event, *event](s, "tournament", "e",
		func(bot.Request) error {
			return words.Refusing("No tournament in this channel. {new} begins one.", text.Code("/tournament new"))
		},
		shelf.Spec[shelf.Mark, event]{
			Why:    "who plays in a tournament, who met whom, how it came out, and what its directors did",
			Rename: func(e *event, from game.PlayerID, to bot.User) bool { return e.rename(from, to) },
			Shared: event.mentions,
		})}
}

// commands returns the tournament command.
func (f *tournaments) commands() []feature.Command {
	return []feature.Command{{
		Command: bot.Command{Name: "tournament", Help: "Play in a tournament, or direct one", Example: "/tournament", Options: tournamentOptions()},
		Run:     f.run,
		Complete: map[string]feature.Completer{
			"rounds": numbersTo(15), "boards": numbersTo(8), "table": numbersTo(25),
			"clock": values("3m", "10m+5s", "15m", "25m", "off"), "wait": values("5m", "10m", "15m", "1d", "3d", "never"), "delay": values("5m", "15m", "30m"),
			"lexicon": offeredLists(f.desk),
		},
	}}
}

func tournamentOptions() []bot.Option {
	files := filesOption()
	return []bot.Option{
		{Name: "do", Help: "What to do; leave out to see how it stands", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "new", Label: text.Say("Begin a tournament")},
			{Value: "join", Label: text.Say("Enter it")},
			{Value: "leave", Label: text.Say("Withdraw from it")},
			{Value: "result", Label: text.Say("Report the result of your game")},
			{Value: "close", Label: text.Say("Close registration")},
			{Value: "reopen", Label: text.Say("Open registration again")},
			{Value: "seed", Label: text.Say("Set who is seeded, the best first")},
			{Value: "pair", Label: text.Say("Pair the next round")},
			{Value: "start", Label: text.Say("Start the round that is paired")},
			{Value: "swap", Label: text.Say("Swap two players before a round starts")},
			{Value: "forfeit", Label: text.Say("Forfeit a player's game, or both players'")},
			{Value: "enter", Label: text.Say("Enter another player, even late")},
			{Value: "withdraw", Label: text.Say("Withdraw somebody")},
			{Value: "return", Label: text.Say("Bring a player back")},
			{Value: "nudge", Label: text.Say("Remind the players who haven't begun")},
			{Value: "undo", Label: text.Say("Undo the last action")},
			{Value: "end", Label: text.Say("End the tournament")},
			{Value: "off", Label: text.Say("Call it off")},
			{Value: "move", Label: text.Say("Continue here if its channel was removed")},
			{Value: "director", Label: text.Say("Add a director")},
			{Value: "log", Label: text.Say("See who did what")},
			{Value: "export", Label: text.Say("Get it as files")},
		}},
		{Name: "name", Help: "What a new tournament is called, or a player who has no account here", Kind: bot.Words},
		{Name: "who", Help: "Which player", Kind: bot.People},
		{Name: "method", Help: "How rounds are paired", Kind: bot.Pick, Choices: methods()},
		{Name: "rounds", Help: "How many rounds", Kind: bot.Pick},
		{Name: "games", Help: "How many games a match has", Kind: bot.Pick, Choices: []bot.Choice{{Value: "1", Label: text.Say("Single games")}, {Value: "3", Label: text.Say("Best of {n}", 3)}, {Value: "5", Label: text.Say("Best of {n}", 5)}, {Value: "7", Label: text.Say("Best of {n}", 7)}}},
		{Name: "boards", Help: "How many players of a team play at once, for a tournament of teams", Kind: bot.Pick},
		{Name: "team", Help: "The team that you enter for", Kind: bot.Words},
		{Name: "clock", Help: "How long each player may think in a game", Kind: bot.Pick},
		paceOption("For weeks by correspondence: how long a turn may take"),
		{Name: "lexicon", Help: "The word list", Kind: bot.Pick},
		{Name: "at", Help: "Where the games of a new tournament are played", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "here", Label: text.Say("At tables that open by themselves")}, {Value: "real", Label: text.Say("At real boards")},
		}},
		{Name: "wait", Help: "How long to wait for somebody who doesn't sit down", Kind: bot.Pick},
		{Name: "delay", Help: "How far the page lags behind", Kind: bot.Pick, Rare: true},
		{Name: "table", Help: "The number of a table", Kind: bot.Pick},
		{Name: "score", Help: "How a game ended: your points first, such as 412-377", Kind: bot.Word},
		files,
	}
}

func methods() []bot.Choice {
	return []bot.Choice{
		{Value: string(contest.Swiss), Label: text.Say("Swiss: you meet people with the same record")},
		{Value: string(contest.RoundRobin), Label: text.Say("Everybody meets everybody")},
		{Value: string(contest.Knockout), Label: text.Say("Knock-out")},
		{Value: string(contest.KingOfTheHill), Label: text.Say("King of the hill: first meets second, third meets fourth")},
		{Value: string(contest.Australian), Label: text.Say("Australian draw: king of the hill with few repeats")},
		{Value: string(contest.ByHand), Label: text.Say("By hand")},
	}
}

// run dispatches a command or a button.
func (f *tournaments) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	start := func(e *event) (change, error) { return e.startRound(f.desk.Now().UTC()) }
	does := map[string]feature.Run{
		"": f.show, "log": f.log, "export": f.export, "new": f.create, "move": f.move, "director": f.director,
		"join": f.join, "leave": f.leave, "enter": f.enter, "withdraw": f.withdraw, "return": f.reinstate, "seed": f.seed,
		"close": f.directorCommand((*event).closeEntries), "reopen": f.directorCommand((*event).reopen),
		"pair": f.pair, "swap": f.swap, "start": f.directorCommand(start), "nudge": f.directorCommand((*event).nudge),
		"sit": f.sit, "result": f.result, "agree": f.agree, "forfeit": f.forfeit, "forfeits": f.forfeitAll,
		"choose": f.choose, "game": f.game, "late": f.late,
		"undo": f.directorCommand((*event).undo), "end": f.directorCommand((*event).end), "off": f.directorCommand((*event).callOff),
	}
	do, known := does[req.Args["do"]]
	if !known {
		return bot.Reply{}, words.NoChoice("do", req.Args["do"], "new", "join", "leave", "close", "pair", "start", "result", "undo", "end")
	}
	return do(ctx, req)
}

// button returns a button of a tournament.
func (e *event) button(label text.Text, style bot.Style, do string, more ...string) bot.Button {
	return button("tournament", label, style, append([]string{"e", strconv.Itoa(e.No), "do", do}, more...)...)
}

// spotArgs encodes a spot as arguments of a button.
func spotArgs(s spot) []string {
	return []string{"r", strconv.Itoa(s.Round), "p", strconv.Itoa(s.Pairing), "b", strconv.Itoa(s.Board)}
}

func readSpot(args map[string]string) (s spot) {
	s.Round, _ = strconv.Atoi(args["r"])
	s.Pairing, _ = strconv.Atoi(args["p"])
	s.Board, _ = strconv.Atoi(args["b"])
	return s
}

// posts returns the kinds of posts that tournaments send.
func (f *tournaments) posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		newsPost: f.posting(f.tellNews), editPost: f.posting(f.tellNews), tablePost: f.posting(f.tellTable), handPost: f.posting(f.tellHand),
		yourPost: f.posting(f.tellYou), nudgePost: f.posting(f.tellNudge), claimPost: f.posting(f.tellClaim),
		directorPost: f.posting(f.tellDirector), aheadPost: f.posting(f.tellDirector),
	}
}

// memberLeft withdraws a person who left a home from its open tournaments.
func (f *tournaments) memberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return f.each(ctx, func(e event) error {
		if e.Home != home || !e.isOn() {
			return nil
		}
		ids := []game.PlayerID{who}
		no, _, in := e.find(ids)
		if !in || e.Contest.Entrants[no-1].Out > 0 {
			return nil
		}
		_, err := f.act(ctx, e.No, fmt.Sprintf("left:%d:%s", e.No, who), bot.User{}, func(e *event) (change, error) {
			return e.leave(ids)
		})
		return err
	})
}

// channelGone records that the channel of a tournament was deleted, and informs its
// directors. The tournament continues on its page and in private messages until a director
// names another channel. A deleted table isn't opened again; its result can be reported.
func (f *tournaments) channelGone(ctx context.Context, ch bot.ChannelID) error {
	row, found, err := f.where.Get(ctx, shelf.Channel(ch))
	if err != nil || !found {
		return err
	}
	lost := false
	e, err := f.change(ctx, row.No, fmt.Sprintf("gone:%s", ch), func(e *event) error {
		if p := e.place(row.spot); row.Round > 0 && p != nil {
			p.Channel = ""
		}
		lost = row.Round == 0 && e.Channel == ch && e.isOn()
		e.Gone = e.Gone || lost
		return nil
	})
	if err != nil || !lost {
		return err
	}
	return feature.Once(ctx, f.desk, ch, fmt.Sprintf("tournament:%d:gone:%s", e.No, ch), func(r *feature.Room) { e.callDirectors(r, f.desk.Now().UTC()) })
}

// move continues a tournament whose channel was deleted in the channel of the request.
func (f *tournaments) move(ctx context.Context, req bot.Request) (bot.Reply, error) {
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if _, found, err := f.find(ctx, req); err != nil || found {
		return bot.Reply{}, cmp.Or(err, error(words.Refusing("There is a tournament in this channel already.")))
	}
	if err := f.requireChannel(ctx, req.Channel); err != nil {
		return bot.Reply{}, err
	}
	var lost []event
	if err := f.each(ctx, func(e event) error {
		if e.Gone && e.Home == req.Home && e.isOn() && a.mayDirect(&e) == nil {
			lost = append(lost, e)
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	switch {
	case len(lost) == 0:
		return bot.Reply{}, words.Refusing("None of your tournaments has lost its channel.")
	case len(lost) > 1 && req.Args["name"] == "":
		return bot.Reply{}, words.Refusing("Which one? Add its name: {example}.", text.Code("/tournament move name:"+lost[0].Name))
	}
	i := slices.IndexFunc(lost, func(e event) bool { return req.Args["name"] == "" || bot.Alike(e.Name, req.Args["name"]) })
	if i < 0 {
		return bot.Reply{}, words.Refusing("None of your tournaments has lost its channel.")
	}
	if err := f.where.Put(ctx, shelf.Channel(req.Channel), whereRow{V: 1, No: lost[i].No}); err != nil {
		return bot.Reply{}, err
	}
	e, err := f.act(ctx, lost[i].No, req.ID, req.User, func(e *event) (change, error) {
		e.Channel, e.Gone = req.Channel, false
		switch { // what to post in the new channel
		case e.Begun == 0:
			e.tell(newsOpen, 0)
		case e.isPlaying():
			e.tell(newsPairings, e.Begun)
		default:
			e.tell(newsStandings, e.Begun)
		}
		return change{Kind: didMove}, nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return f.panel(ctx, &e, true, text.Say("{name} goes on in this channel.", text.Strong(e.Name)))
}
