package ladder

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// This file answers /stats and /top with the counts of records.go.

func topOptions() []bot.Option {
	return []bot.Option{
		{Name: "of", Help: "Where and when. Leave it out for this server.", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "server", Label: text.Say("This server, by rating")}, {Value: "channel", Label: text.Say("This channel, by rating")}, {Value: "month", Label: text.Say("This server, this month, by games won")},
			{Value: "season", Label: text.Say("This server, this quarter, with a picture")}, {Value: "records", Label: text.Say("This server's records")},
			{Value: "duplicate", Label: text.Say("Duplicate on this server: how much of the best total each has scored")},
		}},
		{Name: "page", Help: "Which page of a long leaderboard, or me for the one you're on", Kind: bot.Words},
		{Name: "me", Help: "Leave the leaderboards, or come back", Kind: bot.Pick, Choices: []bot.Choice{{Value: "out", Label: text.Say("Leave leaderboards")}, {Value: "in", Label: text.Say("Put me back")}}},
	}
}

// stats answers with a player's statistics.
func (f *Feature) stats(ctx context.Context, req bot.Request) (bot.Reply, error) {
	who := req.User
	if len(req.People) > 0 {
		who = req.People[0]
	}
	mine := who.ID == req.User.ID
	ids := []game.PlayerID{who.ID}
	if mine {
		var err error
		if ids, err = f.desk.Identities(ctx, who.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	var p storedPlayer
	for _, id := range ids {
		one, _, err := f.players.Get(ctx, shelf.Person(id))
		if err != nil {
			return bot.Reply{}, err
		}
		p.merge(one)
	}
	if p.Hidden && !mine {
		return bot.Reply{Text: text.Say("{who} keeps their stats private.", text.Name(who))}, nil
	}
	earned, err := f.badgesOf(ctx, p.Total, ids...)
	if err != nil {
		return bot.Reply{}, err
	}
	badges := badgeLine(earned)
	switch {
	case p.Total.Games == 0 && mine:
		return bot.Reply{Text: text.Lines(text.Sentences(text.Say("You haven't finished a rated game yet."), text.Say("{new} opens a table.", text.Code("/new")), uncounted), badges)}, nil
	case p.Total.Games == 0:
		return bot.Reply{Text: text.Lines(text.Say("{who} hasn't finished a rated game yet.", text.Name(who)), badges)}, nil
	}
	t := text.Sentences(describeFeats(who, p.Total)...)
	for _, pool := range pools(p.Ratings) {
		t = text.Lines(t, f.describeRating(pool, p.Ratings[pool]))
	}
	t = text.Lines(text.InTable(t, f.statsTable(who, p)), badges)
	if !mine {
		v, _, err := f.versus.Get(ctx, shelf.Both(shelf.Person(req.User.ID), shelf.Person(who.ID)))
		if err != nil {
			return bot.Reply{}, err
		}
		if v.Wins+v.Losses+v.Ties > 0 {
			t = text.Lines(t, text.Say("You against {who}: {won} won, {lost} lost{ties, plural, =0 {} other {, # tied}}.", who.Name, v.Wins, v.Losses, v.Ties))
		}
	}
	if mine {
		t = text.Lines(t, uncounted)
	}
	if mine && p.Hidden {
		t = text.Lines(t, text.Say("Only you can see this. {top} puts you back on the leaderboards.", text.Code("/top me:in")))
	}
	return bot.Reply{Text: t}, nil
}

// uncounted says which games don't count, and why.
var uncounted = text.Say("Games don't count if they have robots or hints, if one person plays both sides, or if they end before a third of the tiles are played.")

// merge adds the counts of another identity of the same player. If both have a rating in a
// pool, the one with more games wins.
func (p *storedPlayer) merge(other storedPlayer) {
	p.Total.add(other.Total)
	p.Hidden = p.Hidden || other.Hidden
	for pool, r := range other.Ratings {
		if p.Ratings == nil {
			p.Ratings = map[string]storedRating{}
		}
		if r.Games > p.Ratings[pool].Games {
			p.Ratings[pool] = r
		}
	}
}

// describeFeats describes a player's feats, a sentence each.
func describeFeats(who bot.User, f feats) []text.Text {
	var aTurn any = "none"
	if f.Turns > 0 {
		aTurn = average(f.Points, f.Turns)
	}
	all := []text.Text{
		text.Say("{who}: {games, plural, one {# game} other {# games}}, {won} won{ties, plural, =0 {} other {, # tied}}.", text.Strong(who.Name), f.Games, f.Wins, f.Ties),
		// the score is at most zero if the player lost points in every game
		text.Say("On average: {points} points a game{turn, select, none {} other {, {turn} a turn}}{most, plural, =0 {} other {. Highest: #}}.", average(f.Points, f.Games), aTurn, max(f.High, 0)),
		text.Say("{n, plural, one {# bingo} other {# bingos}}.", f.Bingos),
	}
	if f.Best != nil {
		all = append(all, text.Say("Best play: {word} for {score}.", text.Strong(f.Best.Word), f.Best.Score))
	}
	if f.Longest != nil {
		all = append(all, text.Say("Longest word: {word}.", f.Longest.Word))
	}
	if f.Phonies+f.Caught > 0 {
		all = append(all, text.Say("Phonies challenged off: {own} of their own, {others} of their opponents'.", f.Phonies, f.Caught))
	}
	return all
}

// statsTable returns the facts of describeFeats and describeRating as a table.
func (f *Feature) statsTable(who bot.User, p storedPlayer) *text.Table {
	t := &text.Table{Columns: []text.Column{{Head: text.Plain(who.Name)}, {Head: text.Item("Rated games"), Right: true}}}
	row := func(what, value text.Text) { t.Rows = append(t.Rows, []text.Text{what, value}) }
	total := p.Total
	row(text.Item("Games"), number(total.Games))
	row(text.Item("Won"), number(total.Wins))
	if total.Ties > 0 {
		row(text.Item("Tied"), number(total.Ties))
	}
	row(text.Item("Average"), text.Glue(average(total.Points, total.Games)))
	if total.Turns > 0 {
		row(text.Item("Points a turn"), text.Glue(average(total.Points, total.Turns)))
	}
	if total.High > 0 {
		row(text.Item("Highest score"), number(total.High))
	}
	row(text.Item("Bingos"), number(total.Bingos))
	if total.Best != nil {
		row(text.Item("Best play"), text.Plain(fmt.Sprintf("%s, %d", total.Best.Word, total.Best.Score)))
	}
	if total.Longest != nil {
		row(text.Item("Longest word"), text.Plain(total.Longest.Word))
	}
	if total.Phonies+total.Caught > 0 {
		row(text.Item("Opponents' phonies challenged off"), number(total.Phonies))
		row(text.Item("Phonies they challenged off"), number(total.Caught))
	}
	for _, pool := range pools(p.Ratings) {
		r := p.Ratings[pool].today(f.desk.Now())
		value := text.Plain(fmt.Sprintf("%.0f ± %.0f", r.Value, 2*r.Deviation))
		if !isCertain(r) {
			value = text.Item("{rating}, provisional", value)
		}
		row(text.Item("Rating, {pool}", f.poolName(pool)), value)
	}
	return t
}

func average(sum, n int) text.Tenths { return text.Tenths(float64(sum) / float64(max(n, 1))) }

// describeRating describes a rating: "Rating, open games, English: 1612 ± 90 after 14 games."
func (f *Feature) describeRating(pool string, s storedRating) text.Text {
	r := s.today(f.desk.Now())
	sure := "yes"
	if !isCertain(r) {
		sure = "no"
	}
	return text.Say("Rating, {pool}: {rating} after {n, plural, one {# game} other {# games}}{certain, select, yes {} other {, still provisional}}.",
		f.poolName(pool), fmt.Sprintf("%.0f ± %.0f", r.Value, 2*r.Deviation), s.Games, sure)
}

// pools returns the pools of a player's ratings, most played first.
func pools(ratings map[string]storedRating) []string {
	var all []string
	for pool := range ratings {
		all = append(all, pool)
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(ratings[b].Games-ratings[a].Games, strings.Compare(a, b))
	})
	return all
}

// top shows the leaderboard of a channel, server or period, or the records.
func (f *Feature) top(ctx context.Context, req bot.Request) (bot.Reply, error) {
	switch me := req.Args["me"]; me {
	case "":
	case "in", "out":
		return f.hide(ctx, req, me == "out")
	default:
		return bot.Reply{}, words.NoChoice("me", me, "in", "out")
	}
	home, err := f.settings.HomeFor(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	of := req.Args["of"]
	if home == "" && (of == "" || of == "server") {
		of = "channel"
	}
	now := f.desk.Now()
	switch of {
	case "channel":
		ch, err := f.settings.OpenChannel(ctx, req.Channel)
		if err != nil {
			return bot.Reply{}, err
		}
		r, err := f.listTop(ctx, req, "channel", shelf.Place(settings.ChannelScope(ch)))
		if err != nil {
			return r, err
		}
		return f.withMarks(ctx, req, "", r)
	case "", "server":
		r, err := f.listTop(ctx, req, "server", shelf.Place(settings.HomeScope(home)))
		if err != nil {
			return r, err
		}
		return f.withMarks(ctx, req, home, r)
	}
	if home == "" {
		return bot.Reply{}, words.Refusing("There's no server here, only this conversation. {top} shows its leaderboard.", text.Code("/top channel"))
	}
	switch of {
	case "month":
		return f.topWinners(ctx, req, now.UTC(), monthScope(home, now))
	case "season":
		return f.season(ctx, req, home)
	case "records":
		return f.records(ctx, shelf.Place(settings.HomeScope(home)))
	case "duplicate":
		return f.topShares(ctx, home)
	}
	return bot.Reply{}, words.NoChoice("of", of, "server", "channel", "month", "season", "records", "duplicate")
}

// hide takes the player off the leaderboards, or puts them back.
func (f *Feature) hide(ctx context.Context, req bot.Request, out bool) (bot.Reply, error) {
	if err := f.players.Change(ctx, shelf.Person(req.User.ID), func(p *storedPlayer) (keep bool, err error) {
		p.V, p.Hidden = 1, out
		if p.Name == "" {
			p.Name = req.User.Name
		}
		return true, nil
	}); err != nil {
		return bot.Reply{}, err
	}
	if out {
		return bot.Reply{Text: text.Say("You're off the leaderboards, and only you can see your {stats}. Your games still count for the people you play. {top} puts you back.", text.Code("/stats"), text.Code("/top me:in"))}, nil
	}
	return bot.Reply{Text: text.Say("You're on the leaderboards, and others can see your {stats}. {top} takes you off.", text.Code("/stats"), text.Code("/top me:out"))}, nil
}

// A leaderboardEntry is a player's entry on a leaderboard.
type leaderboardEntry struct {
	id game.PlayerID
	storedPlayer
	tally storedTally
}

// standings returns the players counted in a scope, except for hidden ones. It reads only
// their rows, and no games.
func (f *Feature) standings(ctx context.Context, scope shelf.Place) (all []leaderboardEntry, err error) {
	var keys []shelf.Person
	if err := shelf.EachUnder(ctx, f.scopes, scope, func(who shelf.Person, tally storedTally) error {
		keys = append(keys, who)
		all = append(all, leaderboardEntry{id: game.PlayerID(who), tally: tally})
		return nil
	}); err != nil {
		return nil, err
	}
	players, err := f.players.GetAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	seen := all[:0]
	for _, s := range all {
		if s.storedPlayer = players[shelf.Person(s.id)]; !s.Hidden {
			seen = append(seen, s)
		}
	}
	return seen, nil
}

// rankPlayers returns a scope's players by rating in the pool played most there, and that pool.
func (f *Feature) rankPlayers(ctx context.Context, scope shelf.Place) (all []leaderboardEntry, pool string, err error) {
	if all, err = f.standings(ctx, scope); err != nil {
		return nil, "", err
	}
	played := map[string]int{}
	for _, s := range all {
		for pool, n := range s.tally.Pools {
			played[pool] += n
		}
	}
	for _, p := range slices.Sorted(maps.Keys(played)) {
		if played[p] > played[pool] {
			pool = p
		}
	}
	value := func(s leaderboardEntry) float64 { return math.Round(s.Ratings[pool].Value) }
	all = slices.DeleteFunc(all, func(s leaderboardEntry) bool { return s.tally.Pools[pool] == 0 })
	slices.SortFunc(all, func(a, b leaderboardEntry) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), strings.Compare(a.Name, b.Name), strings.Compare(string(a.id), string(b.id)))
	})
	return all, pool, nil
}

// listTop answers with a scope's players by rating in the pool played most there. kind is
// "channel" or "server".
func (f *Feature) listTop(ctx context.Context, req bot.Request, kind string, scope shelf.Place) (bot.Reply, error) {
	all, pool, err := f.rankPlayers(ctx, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now()
	if len(all) == 0 {
		return emptyLeaderboard(text.Say("Nobody is on the leaderboard {place, select, channel {for this channel} other {for this server}} yet. Finish a rated game to be the first.", kind)), nil
	}
	p, err := pageFor(req, all)
	if err != nil {
		return bot.Reply{}, err
	}
	unsure := func(s leaderboardEntry) bool { return !isCertain(s.Ratings[pool].today(now)) }
	rating := func(s leaderboardEntry) string {
		if unsure(s) {
			return fmt.Sprintf("%.0f?", s.Ratings[pool].Value)
		}
		return fmt.Sprintf("%.0f", s.Ratings[pool].Value)
	}
	ratings := p.alignColumn(rating)
	lines := p.lines(func(i int, s leaderboardEntry) text.Text {
		return text.Item("{rating}  {won} of {games} won", ratings[i], s.tally.Total.Wins, s.tally.Total.Games)
	})
	t := text.Lines(text.Say("Top players {place, select, channel {in this channel} other {on this server}}, {pool}:", kind, f.poolName(pool)), p.list(lines, []text.Text{text.Item("Rating"), text.Item("Won"), text.Item("Games")}, func(s leaderboardEntry) []text.Text {
		return []text.Text{text.Plain(rating(s)), number(s.tally.Total.Wins), number(s.tally.Total.Games)}
	}))
	if slices.ContainsFunc(p.rows, unsure) {
		t = text.Lines(t, text.Say("A {mark} marks ratings based on only a few games.", text.Code("?")))
	}
	return bot.Reply{Text: t, Buttons: p.buttons(req)}, nil
}

// topWinners answers with a scope's players by games won.
func (f *Feature) topWinners(ctx context.Context, req bot.Request, now time.Time, scope shelf.Place) (bot.Reply, error) {
	all, err := f.standings(ctx, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(all) == 0 {
		return emptyLeaderboard(text.Say("Nobody is on the leaderboard for {month} {year} yet. Finish a rated game to be the first.", month(now.Month()), now.Year())), nil
	}
	sortByWins(all)
	p, err := pageFor(req, all)
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:    text.Lines(text.Say("Most games won in {month} {year}:", month(now.Month()), now.Year()), p.winners()),
		Buttons: p.buttons(req),
	}, nil
}

// mostOfMonth is the number of players that Month lists.
const mostOfMonth = 5

// Month lists the players who have won the most games this month in a channel's home. It returns nil
// if no one has finished a rated game yet.
func (f *Feature) Month(ctx context.Context, ch bot.ChannelID) (text.Text, error) {
	home, err := f.settings.HomeOf(ctx, ch)
	if err != nil || home == "" {
		return nil, err
	}
	now := f.desk.Now().UTC()
	all, err := f.standings(ctx, monthScope(home, now))
	if err != nil || len(all) == 0 {
		return nil, err
	}
	sortByWins(all)
	p := page{rows: all[:min(len(all), mostOfMonth)], number: 1, pages: 1}
	return text.Lines(text.Say("Most games won in {month} {year}:", month(now.Month()), now.Year()), p.winners()), nil
}

// IsInMonth reports whether a player has finished a rated game this month in a channel's home.
func (f *Feature) IsInMonth(ctx context.Context, ch bot.ChannelID, who game.PlayerID) (bool, error) {
	home, err := f.settings.HomeOf(ctx, ch)
	if err != nil || home == "" {
		return false, err
	}
	_, found, err := f.scopes.Get(ctx, shelf.Both(monthScope(home, f.desk.Now().UTC()), shelf.Person(who)))
	return found, err
}

func sortByWins(all []leaderboardEntry) {
	slices.SortFunc(all, func(a, b leaderboardEntry) int {
		x, y := a.tally.Total, b.tally.Total
		return cmp.Or(y.Wins-x.Wins, y.Ties-x.Ties, y.Points*x.Games-x.Points*y.Games, strings.Compare(a.Name, b.Name), strings.Compare(string(a.id), string(b.id)))
	})
}

// emptyLeaderboard returns a reply for an empty leaderboard, which explains how to open a table.
func emptyLeaderboard(t text.Text) bot.Reply {
	return bot.Reply{Text: text.Sentences(t, text.Say("{new} opens a table.", text.Code("/new")))}
}

// month returns the name of a month.
func month(m time.Month) text.Text {
	return text.Item("{month, select, 1 {January} 2 {February} 3 {March} 4 {April} 5 {May} 6 {June} 7 {July} 8 {August} 9 {September} 10 {October} 11 {November} other {December}}", int(m))
}

// records answers with the records of a scope.
func (f *Feature) records(ctx context.Context, scope shelf.Place) (bot.Reply, error) {
	b, _, err := f.bests.Get(ctx, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	if b.Games == 0 {
		return emptyLeaderboard(text.Say("No records yet. Finish a rated game to set the first.")), nil
	}
	t := text.Say("This server's records, from {n, plural, one {# game} other {# games}}:", b.Games)
	return bot.Reply{Text: text.Lines(append([]text.Text{t}, bestLines(b, f.hiddenPlayers(ctx))...)...)}, nil
}

// hiddenPlayers returns a function that reports whether a player is hidden. Players who can't be
// read count as hidden.
func (f *Feature) hiddenPlayers(ctx context.Context) func(game.PlayerID) bool {
	return func(p game.PlayerID) bool {
		s, _, err := f.players.Get(ctx, shelf.Person(p))
		return err != nil || s.Hidden
	}
}

func bestLines(b storedBests, hidden func(game.PlayerID) bool) (lines []text.Text) {
	who := func(r *bestHolder) text.Text {
		if hidden(r.ID) {
			return text.Item("somebody")
		}
		return text.Plain(r.Name)
	}
	if b.Play != nil {
		lines = append(lines, text.Say("Best play: {word} for {score}, by {who}", b.Play.Word, b.Play.Score, who(b.Play)))
	}
	if b.Game != nil {
		lines = append(lines, text.Say("Best game: {n, plural, one {# point} other {# points}}, by {who}", b.Game.Score, who(b.Game)))
	}
	if b.Word != nil {
		lines = append(lines, text.Say("Longest word: {word}, by {who}", b.Word.Word, who(b.Word)))
	}
	return lines
}

// season answers with the standings of the current quarter, with a picture.
func (f *Feature) season(ctx context.Context, req bot.Request, home string) (bot.Reply, error) {
	now := f.desk.Now().UTC()
	scope := seasonScope(home, now)
	all, err := f.standings(ctx, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	first := now.Month() - (now.Month()-1)%3
	if len(all) == 0 {
		return emptyLeaderboard(text.Say("Nobody is on the leaderboard for {first} to {last} {year} yet. Finish a rated game to be the first.", month(first), month(first+2), now.Year())), nil
	}
	sortByWins(all)
	p, err := pageFor(req, all)
	if err != nil {
		return bot.Reply{}, err
	}
	b, _, err := f.bests.Get(ctx, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	facts := bestLines(b, f.hiddenPlayers(ctx))
	card := func(to *text.Locale) imaging.SeasonCard {
		card := imaging.SeasonCard{
			Locale:  to,
			Title:   text.Say("The season, {first} to {last} {year}", month(first), month(first+2), now.Year()).In(to).String(),
			Caption: text.Say("{n, plural, one {# game} other {# games}} played", b.Games).In(to).String(),
		}
		for _, f := range facts {
			card.Facts = append(card.Facts, f.In(to).String())
		}
		for _, s := range p.rows {
			note := text.Item("{points} a game", average(s.tally.Total.Points, s.tally.Total.Games))
			card.Lines = append(card.Lines, imaging.SeasonLine{Name: s.Name, Won: s.tally.Total.Wins, Games: s.tally.Total.Games, Note: note.In(to).String()})
		}
		return card
	}
	return bot.Reply{
		Text:    text.Lines(append([]text.Text{text.Say("The season, {first} to {last} {year}:", month(first), month(first+2), now.Year()), p.winners()}, facts...)...),
		Buttons: p.buttons(req),
		Picture: feature.Draw(f.desk.Painter(ctx, req.Channel, req.Dark), card, (*imaging.Renderer).Season),
	}, nil
}
