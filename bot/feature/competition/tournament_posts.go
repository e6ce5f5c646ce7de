package competition

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the posts of a tournament: one message in the channel, a call at each
// table, a private message to each player without a table, and one to each director about the
// next step. Later changes edit these messages.

// Kinds of posts.
const (
	newsPost     = "tournament"          // the channel's message: From is the tournament, To the index of the news
	editPost     = "tournament edit"     // edits it without news
	tablePost    = "tournament table"    // at a table: who plays there; To is the game
	handPost     = "tournament result"   // at a table: a result was entered by hand; To is the index of the change
	yourPost     = "tournament round"    // to a player: their opponent; To includes the round
	nudgePost    = "tournament nudge"    // to a player who hasn't sat down
	directorPost = "tournament director" // to a director: what to do next
	aheadPost    = "tournament ahead"    // edits the director's message without notifying them
	claimPost    = "tournament claim"    // to a player: the opponent has reported a result
)

// tellNews writes how the tournament stands into its one message in the channel.
func (f *tournaments) tellNews(ctx context.Context, e *event, post bot.Post, m bot.Message) (_ bot.Message, err error) {
	if post.To >= len(e.News) {
		return m, feature.ErrNothingToTell
	}
	m.Standing = fmt.Sprintf("tournament %d", e.No)
	switch {
	case e.Phase == off:
		m.Text = text.Lines(text.Say("{name} was called off.", text.Strong(e.Name)), digestLine(e.Secret))
		return m, nil
	case e.Phase == ended:
		m.Text = feature.Fit(e.winners(), e.standings(-1), secretLine(e.Secret), digestLine(e.Secret))
	case e.Begun == 0:
		m.Text = e.openText()
		m.Buttons = []bot.Button{e.button(text.Say("How it stands"), bot.Ordinary, "")}
		if e.Phase == entering {
			m.Buttons = append([]bot.Button{e.button(text.Say("Enter"), bot.Primary, "join")}, m.Buttons...)
		}
	default:
		m.Text = f.roundText(ctx, e, e.Begun)
		m.Buttons = []bot.Button{e.button(text.Say("My game"), bot.Primary, "")}
	}
	m.Buttons, err = f.withPage(ctx, m.Channel, e.No, text.Say("The tournament's page"), m.Buttons)
	return m, err
}

// openText returns the invitation to enter.
func (e *event) openText() text.Text {
	how := map[contest.Kind][2]text.Text{
		contest.Swiss:         {text.Say("Swiss"), text.Say("You meet people with the same record.")},
		contest.RoundRobin:    {text.Say("Everybody meets everybody"), nil},
		contest.Knockout:      {text.Say("Knock-out"), text.Say("Lose and you're out.")},
		contest.KingOfTheHill: {text.Say("King of the hill"), text.Say("First meets second, third meets fourth.")},
		contest.Australian:    {text.Say("Australian draw"), text.Say("First meets second, third meets fourth, with few repeats.")},
		contest.ByHand:        {text.Say("Paired by hand"), nil},
	}[e.Kind]
	t := text.Lines(
		e.openState(),
		text.Sentences(
			text.Say("{how}{rounds, plural, =0 {} one {, one round} other {, # rounds}}{games, plural, =0 {} one {} other {, best of # games}}{boards, plural, =0 {} other {, teams of #}}.", text.Glue(how[0]), e.Planned, e.Contest.Format.Games, e.Contest.Format.Boards),
			how[1],
			e.timeText(),
			text.Say("The director is {who}.", text.List(nameSpans(e.Directors))),
		),
	)
	if n := e.countEntrants(); n > 0 {
		t = text.Lines(t, text.Say("{n, plural, one {One player} other {# players}} so far.", n))
	}
	if e.hasTeams() && e.Phase == entering {
		t = text.Lines(t, text.Say("To play for a team, type {join}.", text.Code("/tournament join team:Lions")))
	}
	return text.Lines(t, digestLine(e.Secret))
}

// openState describes whether people can enter.
func (e *event) openState() text.Text {
	if e.Phase == entering {
		return text.Say("{name} is open: enter with the button.", text.Strong(e.Name))
	}
	return text.Say("{name}: registration is closed.", text.Strong(e.Name))
}

// timeText describes the time limits of the games.
func (e *event) timeText() text.Text {
	if e.Real {
		return text.Say("Played at real boards; players report the results.")
	}
	if pace := e.Table["pace"]; pace != "" && pace != "none" {
		return text.Say("By correspondence: up to {time} a turn.", spanText(pace))
	}
	if clock := e.Table["clock"]; clock != "" && clock != "off" {
		return text.Say("Each player has {clock} for a game.", spanText(clock))
	}
	return nil
}

// spanText describes a time as directors choose it: "15m" or "3d" in words, and others, such as
// "10m+5s", as they are.
func spanText(typed string) text.Text {
	unit := typed[max(0, len(typed)-1):]
	n, err := strconv.Atoi(strings.TrimSuffix(typed, unit))
	switch {
	case err == nil && unit == "m":
		return text.Say("{n, plural, one {# minute} other {# minutes}}", n)
	case err == nil && unit == "h":
		return words.FormatDuration(time.Duration(n) * time.Hour)
	case err == nil && unit == "d":
		return words.FormatDuration(time.Duration(n) * 24 * time.Hour)
	}
	return text.Plain(typed)
}

// roundText describes a round: its pairings, the deadline to sit down, and the standings. The
// pairings have links to their tables if there is room for all of it.
func (f *tournaments) roundText(ctx context.Context, e *event, round int) text.Text {
	planned, over := max(e.Planned, round), e.Contest.Rounds[round-1].Over(e.Contest.Format)
	head := text.Say("{name}, round {n} of {all}. Whoever is named first moves first.", text.Strong(e.Name), round, planned)
	var title text.Text
	var standings []text.Text
	switch {
	case over:
		title, standings = text.Say("{name}: round {n} of {all} is over.", text.Strong(e.Name), round, planned), e.standings(round)
	case round > 1:
		title, standings = text.Glue(text.Strong(text.Say("Standings so far"))), e.standings(round)
	}
	if e.Wait > 0 && !over {
		title = text.Lines(text.Say("Sit down by {time}, or you forfeit.", words.Clock(e.BegunAt.Add(e.Wait))), title)
	}
	pairings := e.pairings(round, func(s spot) string {
		if p := e.place(s); p != nil && e.nextGame(s) >= 0 {
			return f.linkTo(ctx, &e.head, p.Channel)
		}
		return ""
	})
	digest := digestLine(e.Secret)
	if text.Lines(slices.Concat([]text.Text{head}, pairings, []text.Text{title}, standings, []text.Text{digest})...).Size() > bot.MaxText {
		pairings = e.pairings(round, noLinks)
	}
	return feature.Fit(feature.Fit(head, pairings, title), standings, digest)
}

// winners announces the winners.
func (e *event) winners() text.Text {
	var all []text.Span
	for _, s := range e.Contest.Standings(-1) {
		if s.Place == 1 {
			all = append(all, e.nameOf(s.No))
		}
	}
	if e.Kind == contest.Knockout {
		last := e.round().Pairings
		if no, ok := last[0].Winner(e.Contest.Format); ok {
			all = []text.Span{e.nameOf(no)}
		}
	}
	return text.Say("{who} {n, plural, one {wins} other {share first place in}} {name}!", text.List(all), len(all), text.Strong(e.Name))
}

// tellTable announces at a table who plays there.
func (f *tournaments) tellTable(ctx context.Context, e *event, post bot.Post, m bot.Message) (bot.Message, error) {
	row, found, err := f.where.Get(ctx, shelf.Channel(post.Channel))
	if err != nil || !found {
		return m, nothingIfNil(err)
	}
	p := e.pairingAt(row.spot)
	if p == nil || post.To >= len(p.Games) || e.nextGame(row.spot) != post.To {
		return m, feature.ErrNothingToTell
	}
	a, b := person(e.player(row.spot, contest.A)), person(e.player(row.spot, contest.B))
	if p.Games[post.To].First == contest.B {
		a, b = b, a
	}
	m.Text = text.Say("{name}, round {n}, table {table}: {a} plays {b}, and moves first.", text.Strong(e.Name), row.Round, row.Pairing, mention(a), mention(b))
	if games := e.Contest.Format.Games; post.To >= max(games, 1)*max(e.Contest.Format.Boards, 1) {
		m.Text = text.Sentences(m.Text, text.Say("They drew, so this game decides."))
	} else if games > 1 {
		m.Text = text.Sentences(m.Text, text.Say("Game {n} of at most {all}.", post.To+1, games))
	}
	m.Text = text.Sentences(m.Text, text.Say("The game begins when both have sat down."))
	if post.To == 0 && e.Wait > 0 {
		m.Text = text.Sentences(m.Text, text.Say("Do so by {time}.", words.Clock(e.BegunAt.Add(e.Wait))))
	}
	m.Buttons = []bot.Button{e.button(text.Say("Sit down"), bot.Primary, "sit", spotArgs(row.spot)...)}
	return m, nil
}

// tellHand announces at a table that a result was entered by hand, in place of the running
// game or another result.
func (f *tournaments) tellHand(ctx context.Context, e *event, post bot.Post, m bot.Message) (bot.Message, error) {
	if post.To >= len(e.Deeds) || e.Deeds[post.To].Undone || e.pairingAt(e.Deeds[post.To].Spot) == nil {
		return m, feature.ErrNothingToTell
	}
	d := e.Deeds[post.To]
	a, b := person(e.player(d.Spot, contest.A)), person(e.player(d.Spot, contest.B))
	m.Text = text.Say("{a}, {b}: {who} entered {score} as the result of your game in {name}.", mention(a), mention(b), text.Name(d.By), resultText(*d.Is, contest.A), text.Strong(e.Name))
	if len(d.Causes) > 0 {
		m.Text = text.Sentences(m.Text, text.Say("The game at this table doesn't count for the tournament any more, but you can finish it."))
	} else {
		m.Text = text.Sentences(m.Text, text.Say("It was {score} before.", resultText(*d.Was, contest.A)))
	}
	return m, nil
}

// mention returns a mention of a person, or their name if they have no account.
func mention(u bot.User) text.Span {
	if u.ID == "" {
		return text.Span{Text: u.Name}
	}
	return text.Mention(u)
}

// calls describes a player's next game to them: opponent, table, first move, deadline.
func (e *event) calls(s spot, ids []game.PlayerID) text.Text {
	side, _ := e.side(s, ids)
	n := e.nextGame(s)
	if n < 0 {
		return nil
	}
	other := e.player(s, side.Other())
	who := text.Name(person(other))
	if other.ID == "" {
		who = text.Span{Text: other.Name}
	}
	first := "second"
	if e.pairingAt(s).Games[n].First == side {
		first = "first"
	}
	t := text.Say("{name}, round {n}: you play {who} at table {table}{board, plural, =0 {} other {, board #}}, and move {first, select, first {first} other {second}}.", text.Strong(e.Name), s.Round, who, s.Pairing, s.Board, first)
	if e.Wait > 0 && n == 0 && !e.hasSatDown(s, ids) {
		t = text.Sentences(t, text.Say("Sit down by {time}.", words.Clock(e.BegunAt.Add(e.Wait))))
	}
	if e.Table["pace"] != "" {
		t = text.Sentences(t, e.timeText())
	}
	return t
}

// tellYou informs a player in private about a round, unless a table calls them.
func (f *tournaments) tellYou(ctx context.Context, e *event, post bot.Post, m bot.Message) (bot.Message, error) {
	round := post.To / roundNumber
	if round != e.Begun || e.isPaired() {
		return m, feature.ErrNothingToTell
	}
	m.To = e.user(post.For)
	ids := []game.PlayerID{post.For}
	if s, _, on := e.spotOf(ids); on {
		if e.nextGame(s) < 0 {
			return m, feature.ErrNothingToTell
		}
		m.Text = e.calls(s, ids)
		if p := e.place(s); p != nil && p.Channel != "" {
			return m, feature.ErrNothingToTell // called at the table
		}
		m.Text = text.Sentences(m.Text, text.Say("Report the result when you have played."))
		m.Buttons = []bot.Button{e.reportButton(s)}
		return m, nil
	}
	no, _, in := e.find(ids)
	for _, p := range e.Contest.Rounds[round-1].Pairings {
		if in && p.A == no && p.Bye() {
			m.Text = text.Say("{name}, round {n}: you have a bye, which is a win by {points}. I'll tell you when the next round begins.", text.Strong(e.Name), round, contest.ForfeitSpread)
			return m, nil
		}
	}
	return m, feature.ErrNothingToTell
}

// tellNudge reminds a player who hasn't sat down.
func (f *tournaments) tellNudge(ctx context.Context, e *event, post bot.Post, m bot.Message) (bot.Message, error) {
	_, missing := e.idleSpots()
	if post.To/roundNumber != e.Begun || !slices.ContainsFunc(missing, func(p contest.Player) bool { return p.ID == string(post.For) }) {
		return m, feature.ErrNothingToTell
	}
	ids := []game.PlayerID{post.For}
	s, _, _ := e.spotOf(ids)
	m.To = e.user(post.For)
	m.Text = text.Lines(text.Glue(text.Strong(text.Say("Your opponent and the director are waiting for you."))), e.calls(s, ids))
	m.Buttons = append([]bot.Button{e.button(text.Say("Sit down"), bot.Primary, "sit", spotArgs(s)...)}, f.wayTo(ctx, e, e.place(s).Channel)...)
	return m, nil
}

// tellDirector writes the next step into the director's one message. After a round it
// posts a new message, so that the director is notified.
func (f *tournaments) tellDirector(ctx context.Context, e *event, post bot.Post, m bot.Message) (bot.Message, error) {
	if !e.isDirectedBy([]game.PlayerID{post.For}) {
		return m, feature.ErrNothingToTell
	}
	m.Standing = fmt.Sprintf("tournament %d director", e.No)
	m.Anew = post.Kind == directorPost && (e.Gone || e.Phase == under && !e.isPaired() && e.Begun > 0 && (!e.isPlaying() || e.Held == e.Begun || len(e.disputes()) > 0))
	r, err := f.panel(ctx, e, true)
	m.To = e.user(post.For)
	m.Text, m.Buttons = r.Text, r.Buttons
	return m, err
}
