package ladder

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/person"
	"github.com/rackmate/rackmate/bot/place"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// statsCommand and topCommand show what is counted in records.go.

func statsOptions() []bot.Option {
	return []bot.Option{{Name: "player", Help: "Whose; leave out for your own", Kind: bot.People}}
}

func topOptions() []bot.Option {
	return []bot.Option{
		{Name: "of", Help: "Where and when; leave out for this server", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "server", Label: bot.Say("This server, by rating")}, {Value: "channel", Label: bot.Say("This channel, by rating")}, {Value: "month", Label: bot.Say("This server, this month, by games won")},
			{Value: "season", Label: bot.Say("This server, this quarter of the year, with a picture")}, {Value: "records", Label: bot.Say("The records of this server")},
		}},
		{Name: "me", Help: "Leave these tables, or come back", Kind: bot.Pick, Choices: []bot.Choice{{Value: "out", Label: bot.Say("Don't show me in them")}, {Value: "in", Label: bot.Say("Show me again")}}},
	}
}

// stats tells what somebody has done.
func stats(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	who := req.User
	if len(req.People) > 0 {
		who = req.People[0]
	}
	mine := who.ID == req.User.ID
	ids := []game.PlayerID{who.ID}
	if mine {
		var err error
		if ids, err = person.Identities(ctx, h, who.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	var p storedPlayer
	for _, id := range ids {
		var one storedPlayer
		if _, err := notes.Read(ctx, h.Notes, playersShelf, string(id), &one); err != nil {
			return bot.Reply{}, err
		}
		p.merge(one)
	}
	switch {
	case p.Hidden && !mine:
		return bot.Reply{Text: bot.Say("{who} keeps their records to themselves.", bot.Name(who))}, nil
	case p.Total.Games == 0 && mine:
		return bot.Reply{Text: bot.Say("You have finished no game yet that counts. Games with robots don't; {new} opens a table.", bot.Code("/new"))}, nil
	case p.Total.Games == 0:
		return bot.Reply{Text: bot.Say("{who} has finished no game yet that counts.", bot.Name(who))}, nil
	}
	t := bot.Glue(bot.Strong(who.Name), ": ", doings(p.Total))
	for _, pool := range pools(p.Ratings) {
		t = bot.Lines(t, bot.Say("Rating, {poolName}: {rated}.", poolName(pool), rated(p.Ratings[pool], h.Now())))
	}
	if !mine {
		var v storedVersus
		if _, err := notes.Read(ctx, h.Notes, versusShelf, notes.Key(string(req.User.ID), string(who.ID)), &v); err != nil {
			return bot.Reply{}, err
		}
		if v.Wins+v.Losses+v.Ties > 0 {
			t = bot.Lines(t, bot.Say("You against {name}: {wins} won, {losses} lost{tied}.", who.Name, v.Wins, v.Losses, tied(v.Ties)))
		}
	}
	if mine && p.Hidden {
		t = bot.Lines(t, bot.Say("Only you see this. {top} puts you into the tables again.", bot.Code("/top me:in")))
	}
	return bot.Reply{Text: t}, nil
}

// merge adds what somebody did under another name of theirs. Of two ratings of
// a pool the one with more games counts.
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

// doings are somebody's feats in sentences.
func doings(f feats) bot.Text {
	t := bot.Say("{n, plural, one {# game} other {# games}}, {wins} won{ties, plural, =0 {} other {, # tied}}.", f.Games, f.Wins, f.Ties)
	perGame := average(f.Points, f.Games)
	// Somebody who lost points in all their games has no highest score.
	if f.Turns > 0 {
		t = bot.Sentences(t, bot.Say("On average {points} points a game and {turn} a turn{most, plural, =0 {} other {, at most #}}.", perGame, average(f.Points, f.Turns), max(f.High, 0)))
	} else {
		t = bot.Sentences(t, bot.Say("On average {points} points a game{most, plural, =0 {} other {, at most #}}.", perGame, max(f.High, 0)))
	}
	t = bot.Sentences(t, bot.Say("{n, plural, one {# bingo} other {# bingos}}.", f.Bingos))
	if f.Best != nil {
		t = bot.Sentences(t, bot.Say("Best play: {word} for {score}.", bot.Strong(f.Best.Word), f.Best.Score))
	}
	if f.Longest != nil {
		t = bot.Sentences(t, bot.Say("Longest word: {word}.", f.Longest.Word))
	}
	if f.Phonies+f.Caught > 0 {
		t = bot.Sentences(t, bot.Say("Phonies challenged off: {phonies} of their own, {caught} of others.", f.Phonies, f.Caught))
	}
	return t
}

func tied(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d tied", n)
}

func average(sum, n int) string { return fmt.Sprintf("%.1f", float64(sum)/float64(max(n, 1))) }

// rated is a rating for people: "1612 ± 90, 14 games".
func rated(s storedRating, now time.Time) string {
	r := s.today(now)
	sure := ""
	if !certain(r) {
		sure = ", not yet certain"
	}
	return fmt.Sprintf("%.0f ± %.0f after %s%s", r.Value, 2*r.Deviation, words.Count(s.Games, "game"), sure)
}

// pools are those of somebody's ratings, the most played first.
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

// mostPlaces is how many players a table of /top shows.
const mostPlaces = 10

// top shows the best of a channel, a server or a time, or the records.
func top(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	switch me := req.Args["me"]; me {
	case "":
	case "in", "out":
		return hide(ctx, h, req, me == "out")
	default:
		return bot.Reply{}, words.NoChoice("me", me, "in", "out")
	}
	home, err := h.HomeFor(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	of := req.Args["of"]
	if home == "" && (of == "" || of == "server") {
		of = "channel"
	}
	now := h.Now()
	switch of {
	case "channel":
		ch, err := h.OpenChannel(ctx, req.Channel)
		if err != nil {
			return bot.Reply{}, err
		}
		return listTop(ctx, h, "in this channel", place.ChannelScope(ch))
	case "", "server":
		return listTop(ctx, h, "on this server", place.HomeScope(home))
	}
	if home == "" {
		return bot.Reply{}, words.Refusing("There is no server here, only this conversation. {top} shows its table.", bot.Code("/top channel"))
	}
	switch of {
	case "month":
		return topWinners(ctx, h, now.UTC().Format("January 2006"), monthScope(home, now))
	case "season":
		return season(ctx, h, req, home)
	case "records":
		return records(ctx, h, "The records of this server", place.HomeScope(home))
	}
	return bot.Reply{}, words.BadChoice("of", of)
}

// hide takes somebody out of the tables, or back in.
func hide(ctx context.Context, h *host.Host, req bot.Request, out bool) (bot.Reply, error) {
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		var p storedPlayer
		if _, err := notes.Get(rows, playersShelf, string(req.User.ID), &p); err != nil {
			return err
		}
		p.V, p.Hidden = 1, out
		if p.Name == "" {
			p.Name = req.User.Name
		}
		return notes.Put(rows, playersShelf, string(req.User.ID), p)
	}); err != nil {
		return bot.Reply{}, err
	}
	if out {
		return bot.Reply{Text: bot.Say("You are in no table any more, and only you see your {stats}. Your games still count for those you play with. {top} brings you back.", bot.Code("/stats"), bot.Code("/top me:in"))}, nil
	}
	return bot.Reply{Text: bot.Say("You are in the tables, and others can see your {stats}. {top} takes you out.", bot.Code("/stats"), bot.Code("/top me:out"))}, nil
}

// A standingOf is somebody's line in a table.
type standingOf struct {
	id game.PlayerID
	storedPlayer
	tally storedTally
}

// standings are all who are counted in a scope and want to be seen. It reads
// the rows of those who played there, and no game.
func standings(ctx context.Context, h *host.Host, scope string) (all []standingOf, err error) {
	prefix := notes.Key(scope, "")
	err = notes.ReadEachOf(ctx, h.Notes, scopesShelf, prefix, func(key string, tally storedTally) error {
		s := standingOf{id: game.PlayerID(key[len(prefix):]), tally: tally}
		_, err := notes.Read(ctx, h.Notes, playersShelf, string(s.id), &s.storedPlayer)
		if err == nil && !s.Hidden {
			all = append(all, s)
		}
		return err
	})
	return all, err
}

// listTop is a scope's players by their rating in the pool that is played most
// there.
func listTop(ctx context.Context, h *host.Host, where, scope string) (bot.Reply, error) {
	all, err := standings(ctx, h, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	played := map[string]int{}
	for _, s := range all {
		for pool, n := range s.tally.Pools {
			played[pool] += n
		}
	}
	pool := ""
	for p, n := range played {
		if pool == "" || n > played[pool] || n == played[pool] && p < pool {
			pool = p
		}
	}
	now := h.Now()
	value := func(s standingOf) float64 { return math.Round(s.Ratings[pool].Value) }
	all = slices.DeleteFunc(all, func(s standingOf) bool { return s.tally.Pools[pool] == 0 })
	if len(all) == 0 {
		return nobodyYet(where), nil
	}
	slices.SortFunc(all, func(a, b standingOf) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), strings.Compare(a.Name, b.Name), strings.Compare(string(a.id), string(b.id)))
	})
	lines := table2(all, func(s standingOf) string {
		sure := ""
		if !certain(s.Ratings[pool].today(now)) {
			sure = "?"
		}
		return fmt.Sprintf("%.0f%s", s.Ratings[pool].Value, sure)
	}, func(s standingOf) string { return fmt.Sprintf("%d of %d won", s.tally.Total.Wins, s.tally.Total.Games) })
	t := bot.Say("The best {where}, {poolName}:\n{lines}", where, poolName(pool), bot.Code(lines))
	if strings.Contains(lines, "?") {
		t = bot.Lines(t, bot.Say("A {sign} marks ratings that few games stand behind.", bot.Code("?")))
	}
	return bot.Reply{Text: t}, nil
}

// topWinners is a scope's players by games won.
func topWinners(ctx context.Context, h *host.Host, when, scope string) (bot.Reply, error) {
	all, err := standings(ctx, h, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(all) == 0 {
		return nobodyYet("in " + when), nil
	}
	byWins(all)
	return bot.Reply{Text: bot.Say("The most games won in {when}:\n{table2}", when, bot.Code(table2(all, winsOf, pointsOf)))}, nil
}

func byWins(all []standingOf) {
	slices.SortFunc(all, func(a, b standingOf) int {
		x, y := a.tally.Total, b.tally.Total
		return cmp.Or(y.Wins-x.Wins, y.Ties-x.Ties, y.Points*max(x.Games, 1)-x.Points*max(y.Games, 1), strings.Compare(a.Name, b.Name), strings.Compare(string(a.id), string(b.id)))
	})
}

func winsOf(s standingOf) string {
	return fmt.Sprintf("%d of %d", s.tally.Total.Wins, s.tally.Total.Games)
}

func pointsOf(s standingOf) string {
	return average(s.tally.Total.Points, s.tally.Total.Games) + " a game"
}

func nobodyYet(where string) bot.Reply {
	return bot.Reply{Text: bot.Say("Nobody is in the table {where} yet: it takes a finished game that counts. {new} opens one.", where, bot.Code("/new"))}
}

// table2 lists the first of the standings with two columns.
func table2(all []standingOf, first, second func(standingOf) string) string {
	all = all[:min(len(all), mostPlaces)]
	wide, wide2 := 0, 0
	for _, s := range all {
		wide, wide2 = max(wide, len([]rune(s.Name))), max(wide2, len([]rune(first(s))))
	}
	var lines []string
	for i, s := range all {
		pad := strings.Repeat(" ", wide-len([]rune(s.Name)))
		lines = append(lines, fmt.Sprintf("%2d. %s%s  %*s  %s", i+1, s.Name, pad, wide2, first(s), second(s)))
	}
	return strings.Join(lines, "\n")
}

// records tells the records of a scope.
func records(ctx context.Context, h *host.Host, title, scope string) (bot.Reply, error) {
	var b storedBests
	if _, err := notes.Read(ctx, h.Notes, bestsShelf, scope, &b); err != nil {
		return bot.Reply{}, err
	}
	if b.Games == 0 {
		return nobodyYet("of records"), nil
	}
	t := bot.Say("{title}, of {n, plural, one {# game} other {# games}}:", title, b.Games)
	for _, line := range bestLines(b, hidden(ctx, h)) {
		t = bot.Glue(t, "\n", line)
	}
	return bot.Reply{Text: t}, nil
}

// hidden reports who doesn't want to be seen.
func hidden(ctx context.Context, h *host.Host) func(game.PlayerID) bool {
	return func(p game.PlayerID) bool {
		var s storedPlayer
		_, err := notes.Read(ctx, h.Notes, playersShelf, string(p), &s)
		return err != nil || s.Hidden
	}
}

func bestLines(b storedBests, hidden func(game.PlayerID) bool) (lines []string) {
	who := func(r *byWhom) string {
		if hidden(r.ID) {
			return "somebody"
		}
		return r.Name
	}
	if b.Play != nil {
		lines = append(lines, fmt.Sprintf("Best play: %s for %d, by %s", b.Play.Word, b.Play.Score, who(b.Play)))
	}
	if b.Game != nil {
		lines = append(lines, fmt.Sprintf("Best game: %d points, by %s", b.Game.Score, who(b.Game)))
	}
	if b.Word != nil {
		lines = append(lines, fmt.Sprintf("Longest word: %s, by %s", b.Word.Word, who(b.Word)))
	}
	return lines
}

// season is the quarter of the year so far, as a picture.
func season(ctx context.Context, h *host.Host, req bot.Request, home string) (bot.Reply, error) {
	now := h.Now().UTC()
	scope := seasonScope(home, now)
	all, err := standings(ctx, h, scope)
	if err != nil {
		return bot.Reply{}, err
	}
	first := now.Month() - (now.Month()-1)%3
	when := fmt.Sprintf("%s to %s %d", first, first+2, now.Year())
	if len(all) == 0 {
		return nobodyYet("of " + when), nil
	}
	byWins(all)
	var b storedBests
	if _, err := notes.Read(ctx, h.Notes, bestsShelf, scope, &b); err != nil {
		return bot.Reply{}, err
	}
	card := imaging.SeasonCard{Title: "The season, " + when, Caption: words.Count(b.Games, "game") + " played", Facts: bestLines(b, hidden(ctx, h))}
	for _, s := range all[:min(len(all), mostPlaces)] {
		card.Lines = append(card.Lines, imaging.SeasonLine{Name: s.Name, Won: s.tally.Total.Wins, Games: s.tally.Total.Games, Note: pointsOf(s)})
	}
	draw := h.RendererFor(ctx, req.Channel, req.Dark)
	return bot.Reply{
		Text:    bot.Say("The season, {when}:\n{table2}\n{join}", when, bot.Code(table2(all, winsOf, pointsOf)), strings.Join(card.Facts, "\n")),
		Picture: h.Draw(draw, card.Alt(), func() ([]byte, error) { return draw.Season(card) }),
	}, nil
}
