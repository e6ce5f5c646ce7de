package tournament

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// A Feature runs tournaments.
type Feature struct {
	desk   feature.Desk
	own    *shelf.Owner
	events *shelf.Shelf[shelf.Mark, event]       // by number
	where  *shelf.Shelf[shelf.Channel, whereRow] // the latest of a channel, and what is played in one beside it
	count  *shelf.Shelf[shelf.Mark, int]         // how many there have been
	Others
}

// Others are what it has of the host and of other features.
type Others struct {
	URL      string // see [feature.Means]
	Settings *settings.Settings
	// Read asks all features what they read of a command that opens a table.
	Read func(o *feature.Opening) error
	// Member is what the club of a place knows of somebody: a rating, 0 for none, and whom
	// they don't want to be paired with.
	Member func(ctx context.Context, home string, ch bot.ChannelID, who game.PlayerID) (rating int, avoids []game.PlayerID, err error)
	// Watch calls fn with each channel whose table has changed.
	Watch func(ctx context.Context, fn func(bot.ChannelID)) error
	// Page is the address of a table's page, "" where there is none; nil where there are no pages.
	Page func(ctx context.Context, id bot.TableID) (string, error)
	// Files are a finished game to keep, its moves first.
	Files func(table.Table) ([]bot.File, error)
}

// A whereRow says which tournament a channel is of.
type whereRow struct {
	V  int `json:"v"` // 1
	No int `json:"no"`
	spot
}

// New makes the feature.
func New(d feature.Desk, own *shelf.Owner, o Others) *Feature {
	return &Feature{
		d, own,
		shelf.Open(own, "tournaments", shelf.Spec[shelf.Mark, event]{
			Why:    "who plays in a tournament, who met whom, how it came out, and what its directors did",
			Rename: func(e *event, from game.PlayerID, to bot.User) bool { return e.rename(from, to) },
			Shared: event.names, Sharing: "tournaments",
			Places: func(e event) []string { return []string{string(e.Channel), e.Home} },
		}),
		shelf.Open(own, "tournament places", shelf.Spec[shelf.Channel, whereRow]{Why: "which tournament a channel is of"}),
		shelf.Open(own, "tournament count", shelf.Spec[shelf.Mark, int]{Why: "how many tournaments there have been"}),
		o,
	}
}

// numbers is the only row of the count.
const numbers = shelf.Mark("all")

func key(no int) shelf.Mark { return shelf.Mark(fmt.Sprintf("%08d", no)) }

// load is a tournament by its number.
func (f *Feature) load(ctx context.Context, no int) (event, error) {
	e, found, err := f.events.Get(ctx, key(no))
	if err == nil && !found {
		err = words.Refusing("That tournament is gone.")
	}
	return e, err
}

// meant is the tournament that a request is about: the one that its button names, or
// that of its channel, or of the channel beside which that is. found is false where there
// is none.
func (f *Feature) meant(ctx context.Context, req bot.Request) (e event, found bool, err error) {
	if no, err := strconv.Atoi(req.Args["e"]); err == nil {
		e, err = f.load(ctx, no)
		return e, err == nil, err
	}
	row, found, err := f.where.Get(ctx, shelf.Channel(req.Channel))
	if err != nil || !found {
		return e, false, err
	}
	e, found, err = f.events.Get(ctx, key(row.No))
	return e, found, err
}

// there is meant, where there has to be one.
func (f *Feature) there(ctx context.Context, req bot.Request) (event, error) {
	e, found, err := f.meant(ctx, req)
	if err == nil && !found {
		err = words.Refusing("There is no tournament in this channel. {new} begins one.", text.Code("/tournament new"))
	}
	return e, err
}

// An asker is somebody who asks, under all their names, and what they may do.
type asker struct {
	bot.User
	ids     []game.PlayerID
	manages bool
}

func (f *Feature) asker(ctx context.Context, req bot.Request) (asker, error) {
	ids, err := f.desk.Identities(ctx, req.User.ID)
	return asker{req.User, ids, req.Manager}, err
}

// may refuses what only directors may do. Those who manage the place may too, so that a
// tournament goes on when its director has gone.
func (a asker) may(e *event) error {
	if e.directs(a.ids) || a.manages {
		return nil
	}
	return words.Refusing("Only the director can do that: {who}.", text.List(named(e.Directors)))
}

func named(all []bot.User) (spans []text.Span) {
	for _, u := range all {
		spans = append(spans, text.Name(u))
	}
	return spans
}

// change carries out what somebody does to a tournament, once for a request, and has
// seen to what follows. fn says what was done.
func (f *Feature) change(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) (deed, error)) (e event, err error) {
	if e, err = f.load(ctx, no); err != nil {
		return e, err
	}
	if err := f.look(ctx, e, cause+":net", f.desk.Now().Add(net)); err != nil {
		return e, err
	}
	if err := f.own.Change(ctx, func(tx shelf.Tx) error {
		rows := f.events.In(tx)
		var found bool
		if e, found, err = rows.Get(key(no)); err != nil || !found {
			return err
		}
		if e.did(cause) {
			return nil
		}
		begun := e.Begun
		d, err := fn(&e)
		if err != nil {
			return err
		}
		d.By, d.At, d.Cause, d.Begun = by, f.desk.Now().UTC(), cause, begun
		e.Deeds = append(e.Deeds, d)
		return rows.Put(key(no), e)
	}); err != nil {
		return e, err
	}
	return e, f.look(ctx, e, cause+":look", f.desk.Now())
}

// lookKind is the kind of the timers that see to what follows from what was done, and
// net how long after it that is looked at once more, lest a process ended in between.
const (
	lookKind = "tournament"
	net      = time.Minute
)

// look has it seen to at a time.
func (f *Feature) look(ctx context.Context, e event, cause string, at time.Time) error {
	return f.timer(ctx, e, cause, bot.Timer{At: at, Kind: lookKind, Number: e.No})
}

func (f *Feature) timer(ctx context.Context, e event, cause string, t bot.Timer) error {
	return f.desk.Update(ctx, e.Channel, "tournament:"+cause, func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Timer(t)
		}
		return nil
	})
}

// secret makes what the lots of a tournament come from. A request that is made again
// makes the same.
func (f *Feature) secret(ctx context.Context, no int, cause string) (string, error) {
	own, err := f.own.Secret(ctx, "tournaments")
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sign(own, strconv.Itoa(no), cause)), nil
}

// Commands are those of the feature.
func (f *Feature) Commands() []feature.Command {
	return []feature.Command{{
		Command: bot.Command{Name: "tournament", Help: "Play in a tournament, or direct one", Example: "/tournament", Options: options()},
		Run:     f.run,
		Reads:   func(ctx context.Context, req bot.Request) { f.where.Ahead(ctx, shelf.Channel(req.Channel)) },
		Complete: map[string]feature.Completer{
			"rounds": numbersTo(15), "boards": numbersTo(8), "table": numbersTo(25),
			"clock": values("3m", "10m+5s", "15m", "25m", "off"), "wait": values("5m", "10m", "15m", "1d", "3d", "never"), "delay": values("5m", "15m", "30m"),
			"lexicon": f.lists,
		},
	}}
}

func options() []bot.Option {
	return []bot.Option{
		{Name: "do", Help: "What to do; leave out to see how it stands", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "new", Label: text.Say("Begin a tournament")},
			{Value: "join", Label: text.Say("Enter it")},
			{Value: "leave", Label: text.Say("Withdraw from it")},
			{Value: "result", Label: text.Say("Report how a game ended that was played elsewhere")},
			{Value: "close", Label: text.Say("Close registration")},
			{Value: "reopen", Label: text.Say("Open registration again")},
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

func values(all ...string) feature.Completer {
	return func(context.Context, bot.Request) (cs []bot.Choice) {
		for _, v := range all {
			cs = append(cs, bot.Choice{Value: v, Label: text.Plain(v)})
		}
		return cs
	}
}

func numbersTo(most int) feature.Completer {
	return func(context.Context, bot.Request) (cs []bot.Choice) {
		for n := 1; n <= most; n++ {
			cs = append(cs, bot.Choice{Value: strconv.Itoa(n), Label: text.Plain(strconv.Itoa(n))})
		}
		return cs
	}
}

func (f *Feature) lists(context.Context, bot.Request) (cs []bot.Choice) {
	for _, l := range f.desk.Lists().Offered() {
		cs = append(cs, bot.Choice{Value: l.Name(), Label: text.Plain(l.Name())})
	}
	return cs
}

// run carries out a command or a button.
func (f *Feature) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	does := map[string]feature.Run{
		"": f.show, "new": f.create, "join": f.join, "leave": f.leave, "sit": f.sit, "result": f.result, "agree": f.agree, "close": f.closeEntries, "reopen": f.reopen,
		"pair": f.pair, "start": f.begin, "swap": f.swap, "forfeit": f.forfeit, "enter": f.enter, "withdraw": f.withdraw, "return": f.comeBack, "nudge": f.nudge,
		"undo": f.undo, "end": f.end, "off": f.callOff, "director": f.director, "log": f.log, "export": f.export,
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
func (f *Feature) Due() map[string]feature.Due {
	return map[string]feature.Due{lookKind: {Do: f.seeTo, Workers: 2}, overKind: {Do: f.gameOver}, waitKind: {Do: f.waited}}
}

// Timers has a game's result taken that has ended at one of the tables.
func (f *Feature) Timers(ctx context.Context, s feature.Step) []bot.Timer {
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
func (f *Feature) Posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		newsPost: {Tell: f.tellNews, Apart: true}, editPost: {Tell: f.tellEdit, Apart: true}, tablePost: {Tell: f.tellTable, Apart: true},
		yourPost: {Tell: f.tellYou, Apart: true}, nudgePost: {Tell: f.tellNudge, Apart: true}, directorPost: {Tell: f.tellDirector, Apart: true}, claimPost: {Tell: f.tellClaim, Apart: true},
	}
}

// MemberLeft withdraws who has left the home from tournaments that are open there.
func (f *Feature) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return f.each(ctx, func(e event) error {
		if e.Home != home || e.Phase != entering && e.Phase != under {
			return nil
		}
		no, _, in := e.find([]game.PlayerID{who})
		if !in {
			return nil
		}
		_, err := f.change(ctx, e.No, fmt.Sprintf("left:%d:%s", e.No, who), bot.User{}, func(e *event) (deed, error) {
			e.out(no)
			return deed{Kind: didWithdraw, No: no}, nil
		})
		return err
	})
}

// ChannelGone calls a tournament off whose channel is gone: nobody could be told of it
// any more. A table that is gone is opened no more, and its result can be given by hand.
func (f *Feature) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
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

// each calls fn with all tournaments.
func (f *Feature) each(ctx context.Context, fn func(event) error) error {
	var all []event
	if err := f.events.Each(ctx, func(_ shelf.Mark, e event) error {
		all = append(all, e)
		return nil
	}); err != nil {
		return err
	}
	for _, e := range all {
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

// out withdraws an entrant from the next round on.
func (e *event) out(no contest.No) {
	if x := &e.Contest.Entrants[no-1]; x.Out == 0 {
		x.Out = len(e.Contest.Rounds) + 1
		if e.paired() {
			x.Out++ // they are paired already, and may forfeit
		}
	}
}

// person is a player as the host knows them.
func person(p contest.Player) bot.User { return bot.User{ID: game.PlayerID(p.ID), Name: p.Name} }

// called is an entrant's name in a sentence.
func (e *event) called(no contest.No) text.Span {
	x, ok := e.Contest.Entrant(no)
	switch {
	case !ok:
		return text.Span{Text: "?"}
	case len(x.Team) > 0 || x.ID == "":
		return text.Span{Text: x.Name}
	}
	return text.Name(person(x.Player))
}

// teams reports whether teams play.
func (e *event) teams() bool { return e.Contest.Format.Boards > 0 }

// contains reports whether a list has one of several.
func contains[T comparable](list []T, any []T) bool {
	return slices.ContainsFunc(any, func(t T) bool { return slices.Contains(list, t) })
}
