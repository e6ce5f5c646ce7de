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
		return bot.Reply{Text: bot.Glue(bot.Name(who), " keeps their records to themselves.")}, nil
	case p.Total.Games == 0 && mine:
		return bot.Reply{Text: bot.Glue("You have finished no game yet that counts. Games with robots don't; ", bot.Code("/new"), " opens a table.")}, nil
	case p.Total.Games == 0:
		return bot.Reply{Text: bot.Glue(bot.Name(who), " has finished no game yet that counts.")}, nil
	}
	t := bot.Glue(bot.Strong(who.Name), ": ", doings(p.Total))
	for _, pool := range pools(p.Ratings) {
		t = bot.Glue(t, "\nRating, ", poolName(pool), ": ", rated(p.Ratings[pool], h.Now()), ".")
	}
	if !mine {
		var v storedVersus
		if _, err := notes.Read(ctx, h.Notes, versusShelf, notes.Key(string(req.User.ID), string(who.ID)), &v); err != nil {
			return bot.Reply{}, err
		}
		if v.Wins+v.Losses+v.Ties > 0 {
			t = bot.Glue(t, "\nYou against ", who.Name, ": ", v.Wins, " won, ", v.Losses, " lost", tied(v.Ties), ".")
		}
	}
	if mine && p.Hidden {
		t = bot.Glue(t, "\nOnly you see this. ", bot.Code("/top me:in"), " puts you into the tables again.")
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
	t := bot.Glue(words.Count(f.Games, "game"), ", ", f.Wins, " won", tied(f.Ties), ". ")
	t = bot.Glue(t, "On average ", average(f.Points, f.Games), " points a game")
	if f.Turns > 0 {
		t = bot.Glue(t, " and ", average(f.Points, f.Turns), " a turn")
	}
	if f.High > 0 { // who lost points in all their games has none
		t = bot.Glue(t, ", at most ", f.High)
	}
	t = bot.Glue(t, ". ", words.SentenceCase(words.Count(f.Bingos, "bingo")), ".")
	if f.Best != nil {
		t = bot.Glue(t, " Best play: ", bot.Strong(f.Best.Word), " for ", f.Best.Score, ".")
	}
	if f.Longest != nil {
		t = bot.Glue(t, " Longest word: ", f.Longest.Word, ".")
	}
	if f.Phonies+f.Caught > 0 {
		t = bot.Glue(t, " Phonies challenged off: ", f.Phonies, " of their own, ", f.Caught, " of others.")
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
		return bot.Reply{}, words.RefusingGlue("There is no server here, only this conversation. ", bot.Code("/top channel"), " shows its table.")
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
		return bot.Reply{Text: bot.Glue("You are in no table any more, and only you see your ", bot.Code("/stats"), ". Your games still count for those you play with. ", bot.Code("/top me:in"), " brings you back.")}, nil
	}
	return bot.Reply{Text: bot.Glue("You are in the tables, and others can see your ", bot.Code("/stats"), ". ", bot.Code("/top me:out"), " takes you out.")}, nil
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
	t := bot.Glue("The best ", where, ", ", poolName(pool), ":\n", bot.Code(lines))
	if strings.Contains(lines, "?") {
		t = bot.Glue(t, "\nA ", bot.Code("?"), " marks ratings that few games stand behind.")
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
	return bot.Reply{Text: bot.Glue("The most games won in ", when, ":\n", bot.Code(table2(all, winsOf, pointsOf)))}, nil
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
	return bot.Reply{Text: bot.Glue("Nobody is in the table ", where, " yet: it takes a finished game that counts. ", bot.Code("/new"), " opens one.")}
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
	t := bot.Glue(title, ", of ", words.Count(b.Games, "game"), ":")
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
		Text:    bot.Glue("The season, ", when, ":\n", bot.Code(table2(all, winsOf, pointsOf)), "\n", strings.Join(card.Facts, "\n")),
		Picture: h.Draw(draw, card.Alt(), func() ([]byte, error) { return draw.Season(card) }),
	}, nil
}
