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
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file builds the list of players and their profiles.

// pages returns the list of players and each player's page. Players who left the
// leaderboards have no page, and the error doesn't reveal that they exist.
func (f *Feature) pages() []bot.Pages {
	return []bot.Pages{
		{Path: "/top", Members: true, Show: f.showTop},
		{Path: "/@{player}", Members: true, Show: f.showPlayer, Missing: text.Say("No player with that name.")},
	}
}

// Limits of the pages.
const (
	mostListed  = 100
	mostResults = 200 // results read to build a profile
	mostGames   = 40  // games listed in a profile
	mostRivals  = 20
	mostBests   = 5
	mostBoards  = 10 // games shown as small boards
	mostOwn     = 60 // tables read for a player's games against robots
)

// showTop lists a home's players by rating in the pool played most there.
func (f *Feature) showTop(ctx context.Context, v bot.Visit) (bot.Page, error) {
	all, pool, err := f.rankPlayers(ctx, shelf.Place(settings.HomeScope(v.Home)))
	page := bot.Page{Title: text.Say("Players")}
	if err != nil || len(all) == 0 {
		page.Blocks = []bot.Block{bot.Paragraph{Text: text.Say("Nobody is on the leaderboard yet. Finish a rated game to be the first.")}}
		return page, err
	}
	now, unsure := f.desk.Now(), false
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Place"), Number: true}, {Title: text.Say("Player")}, {Title: text.Say("Rating"), Number: true}, {Title: text.Say("Won"), Number: true}, {Title: text.Say("Games"), Number: true}}}
	for i, s := range all[:min(len(all), mostListed)] {
		rating, mark := s.Ratings[pool], ""
		if !isCertain(rating.today(now)) {
			unsure, mark = true, "?"
		}
		table.Rows = append(table.Rows, []text.Text{
			text.Glue(i + 1), {text.Name(game.Person{ID: s.id, Name: s.Name})}, text.Glue(int(math.Round(rating.Value)), mark), text.Glue(s.tally.Total.Wins), text.Glue(s.tally.Total.Games),
		})
	}
	page.Blocks = []bot.Block{bot.Paragraph{Text: text.Say("By rating: {pool}", f.poolName(pool)), Quiet: true}, table}
	if unsure {
		page.Blocks = append(page.Blocks, bot.Paragraph{Text: text.Say("A {mark} marks ratings based on only a few games.", "?"), Quiet: true})
	}
	return page, nil
}

// showPlayer shows a player's profile. Games from private conversations count but aren't
// listed. Players see their own page even if nothing counts yet, with their games against robots.
func (f *Feature) showPlayer(ctx context.Context, v bot.Visit) (page bot.Page, err error) {
	who := v.People[0]
	own := v.User.ID == who.ID
	player, _, err := f.players.Get(ctx, shelf.Person(who.ID))
	if err != nil {
		return page, err
	}
	if !own && (player.Hidden || player.Total.Games == 0) {
		return page, bot.ErrNoTable
	}
	if v.Query.Has(together) {
		return f.showTogether(ctx, v)
	}
	badges, err := f.badgesOf(ctx, player.Total, who.ID)
	if err != nil {
		return page, err
	}
	results, err := f.latestResults(ctx, who.ID)
	if err != nil {
		return page, err
	}
	names := f.names(ctx)
	rivals, err := f.rivals(ctx, who.ID, names)
	if err != nil {
		return page, err
	}
	boards, err := f.resultBoards(ctx, v, results, names)
	if err != nil {
		return page, err
	}
	plays, err := f.bestPlays(ctx, v, results)
	if err != nil {
		return page, err
	}
	games, err := f.resultTable(ctx, v, results, names)
	if err != nil {
		return page, err
	}
	page = bot.Page{Title: text.Text{text.Name(who)}}
	if player.Total.Games > 0 {
		page.Blocks = []bot.Block{tallyFacts(player.Total)}
	}
	section := func(title text.Text, blocks ...bot.Block) {
		page.Blocks = append(page.Blocks, bot.Section{Title: title, Blocks: blocks})
	}
	for _, pool := range pools(player.Ratings) {
		r := player.Ratings[pool].today(f.desk.Now())
		section(text.Say("Rating, {pool}", f.poolName(pool)),
			bot.Paragraph{Text: text.Glue(text.Strong(int(math.Round(r.Value))), " ", text.Say("± {n} after {games, plural, one {# game} other {# games}}", int(math.Round(2*r.Deviation)), player.Ratings[pool].Games))},
			ratingCurve(who.ID, pool, results))
	}
	if len(boards) > 0 {
		section(text.Say("Latest games"), boards)
	}
	if len(plays) > 0 {
		section(text.Say("Best plays"), plays)
	}
	if own {
		blocks, err := f.ownBlocks(ctx, v)
		if err != nil {
			return page, err
		}
		section(text.Say("Only you see this"), blocks...)
	}
	if len(rivals.Rows) > 0 {
		section(text.Say("Opponents"), rivals)
	}
	if len(badges) > 0 {
		section(text.Say("Badges"), bot.Badges(badges))
	}
	if len(games.Rows) > 0 {
		page.Blocks = append(page.Blocks, bot.Section{ID: "games", Title: text.Say("Games"), Fold: true, Blocks: []bot.Block{games}})
	}
	return page, nil
}

// ownBlocks returns what only the player sees of their page: games against robots and daily boards.
func (f *Feature) ownBlocks(ctx context.Context, v bot.Visit) (blocks []bot.Block, err error) {
	total, boards, err := f.againstRobots(ctx, v)
	if err != nil {
		return nil, err
	}
	if total.Games > 0 {
		facts := tallyFacts(total)
		facts[0].Name = text.Say("Games against robots")
		blocks = append(blocks, facts)
		var plays bot.Plays
		for _, p := range []*namedPlay{total.Best, total.Longest} {
			if p == nil || len(plays) > 0 && plays[0].Word == p.Word {
				continue
			}
			path, err := f.Page(ctx, p.Table)
			if err != nil {
				return nil, err
			}
			plays = append(plays, bot.ListedPlay{Word: p.Word, Score: p.Score, Path: path})
		}
		if len(plays) > 0 {
			blocks = append(blocks, bot.Section{Title: text.Say("Best play and longest word"), Blocks: []bot.Block{plays}})
		}
		blocks = append(blocks, bot.Section{Title: text.Say("Latest games against robots"), Blocks: []bot.Block{boards}})
	}
	days, inARow, err := f.Boards(ctx, v.User.ID)
	if err != nil {
		return nil, err
	}
	if days > 0 {
		blocks = append(blocks, bot.Facts{{Name: text.Say("Daily boards"), Value: text.Glue(days)}, {Name: text.Say("Longest streak"), Value: text.Say("{n, plural, one {# day} other {# days}}", inARow)}})
	}
	if len(blocks) == 0 {
		blocks = []bot.Block{bot.Paragraph{Text: text.Say("Your games against robots, your daily boards and your best words appear here.")}, bot.Actions{{Label: text.Say("Play now"), Link: "/", Primary: true}, {Label: text.Say("Today's board"), Link: "/d"}}}
	}
	return blocks, nil
}

// againstRobots returns what a player did in their latest games against robots, and those games.
func (f *Feature) againstRobots(ctx context.Context, v bot.Visit) (total feats, boards bot.Boards, err error) {
	tables, err := f.Named(ctx, v.User.ID)
	if err != nil {
		return total, nil, err
	}
	slices.SortFunc(tables, func(a, b bot.TableID) int { return cmp.Compare(b, a) })
	for _, id := range tables[:min(len(tables), mostOwn)] {
		t, err := feature.LoadTable(ctx, f.desk, id)
		if err != nil && !words.IsMistake(err) {
			return total, nil, err
		}
		seat, seated := t.SeatOf(v.User.ID)
		if err != nil || !seated || t.Phase != game.Over || t.End == nil || !hasRobot(t) {
			continue
		}
		r := resultOf(t, "")
		r.addFeats(t)
		total.add(r.Seats[seat].feats)
		if len(boards) == mostBoards {
			continue
		}
		one, err := f.boardOf(ctx, v, t, text.Plain(t.Ended.UTC().Format(time.DateOnly)))
		if err != nil {
			return total, nil, err
		}
		boards = append(boards, one)
	}
	return total, boards, nil
}

// boardOf returns a finished game as a small board.
func (f *Feature) boardOf(ctx context.Context, v bot.Visit, t table.Table, note text.Text) (bot.ListedGame, error) {
	path, err := f.Page(ctx, t.ID)
	return bot.ListedGame{Path: path, Sight: bot.Sight{Scene: view.Scene(t, f.desk.LocaleFor(ctx, v.Request), false)}, Note: note}, err
}

// resultBoards returns a player's latest games as small boards.
func (f *Feature) resultBoards(ctx context.Context, v bot.Visit, results []result, names func(game.PlayerID) (text.Text, error)) (boards bot.Boards, err error) {
	for _, r := range results {
		mine := r.seatOf(v.People[0].ID)
		if mine < 0 || !v.Open(r.Channel) || len(boards) == mostBoards {
			continue
		}
		t, err := feature.LoadTable(ctx, f.desk, r.Table)
		if words.IsMistake(err) {
			continue // the table is gone
		}
		if err != nil {
			return nil, err
		}
		note := r.Ended.UTC().Format(time.DateOnly)
		if s := r.Seats[mine]; s.To != 0 {
			note += fmt.Sprintf(" · %+d", s.To-s.From)
		}
		one, err := f.boardOf(ctx, v, t, text.Plain(note))
		if err != nil {
			return nil, err
		}
		for i, p := range one.Sight.Players { // hidden players stay hidden
			name, err := names(p.ID)
			if err != nil {
				return nil, err
			}
			if name == nil {
				one.Sight.Players[i].ID, one.Sight.Players[i].Name = "", text.Item("somebody").In(f.desk.LocaleFor(ctx, v.Request)).String()
			}
		}
		boards = append(boards, one)
	}
	return boards, nil
}

// tallyFacts returns the totals of a player's games.
func tallyFacts(t feats) bot.Facts {
	return bot.Facts{
		{Name: text.Say("Games"), Value: text.Glue(t.Games)},
		{Name: text.Say("Won"), Value: text.Glue(fmt.Sprintf("%d (%d\u00a0%%)", t.Wins, (100*t.Wins+t.Games/2)/t.Games))},
		{Name: text.Say("Average"), Value: text.Glue(text.Tenths(float64(t.Points) / float64(t.Games)))},
		{Name: text.Say("Best game"), Value: text.Glue(max(t.High, 0))},
		{Name: text.Say("Bingos"), Value: text.Glue(t.Bingos)},
	}
}

// ratingCurve returns the curve of a player's rating in a pool, oldest game first. It begins with
// the rating before the first of these games.
func ratingCurve(who game.PlayerID, pool string, results []result) bot.Curve {
	c := bot.Curve{}
	for _, r := range slices.Backward(results) {
		if i := r.seatOf(who); i >= 0 && r.Pool == pool && r.Seats[i].To != 0 {
			if len(c.Values) == 0 {
				c.Values = append(c.Values, r.Seats[i].From)
			}
			c.Values = append(c.Values, r.Seats[i].To)
		}
	}
	if n := len(c.Values) - 1; n > 0 {
		c.Caption = text.Say("Rating over the last {n, plural, one {# game} other {# games}}: from {first} to {last}, lowest {low}, highest {top}.", n, c.Values[0], c.Values[n], slices.Min(c.Values), slices.Max(c.Values))
	}
	return c
}

// seatOf returns the index of a player's seat, or -1 if they didn't play.
func (r result) seatOf(who game.PlayerID) int {
	return slices.IndexFunc(r.Seats, func(s seatResult) bool { return s.ID == who })
}

// bestPlays lists a player's highest-scoring plays, with links to their games. Plays from
// private conversations are left out, but still take up places.
func (f *Feature) bestPlays(ctx context.Context, v bot.Visit, results []result) (list bot.Plays, err error) {
	type play struct {
		of   result
		made namedPlay
	}
	var all []play
	for _, r := range results {
		if i := r.seatOf(v.People[0].ID); i >= 0 && r.Seats[i].Best != nil {
			all = append(all, play{r, *r.Seats[i].Best})
		}
	}
	slices.SortStableFunc(all, func(a, b play) int { return b.made.Score - a.made.Score })
	for _, p := range all[:min(len(all), mostBests)] {
		if !v.Open(p.of.Channel) {
			continue
		}
		path, err := f.Page(ctx, p.of.Table)
		if err != nil {
			return nil, err
		}
		list = append(list, bot.ListedPlay{Word: p.made.Word, Score: p.made.Score, Path: path})
	}
	return list, nil
}

// resultTable lists a player's latest games.
func (f *Feature) resultTable(ctx context.Context, v bot.Visit, results []result, names func(game.PlayerID) (text.Text, error)) (bot.Table, error) {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Day")}, {Title: text.Say("Points"), Number: true}, {Title: text.Say("Against")}, {Title: text.Say("Place"), Number: true}, {Title: text.Say("Rating"), Number: true}}}
	for _, r := range results {
		mine := r.seatOf(v.People[0].ID)
		if mine < 0 || !v.Open(r.Channel) || len(table.Rows) == mostGames {
			continue
		}
		path, err := f.Page(ctx, r.Table)
		if err != nil {
			return table, err
		}
		var others []text.Text
		for i, o := range r.Seats {
			if i == mine {
				continue
			}
			name, err := names(o.ID)
			if err != nil {
				return table, err
			}
			if name == nil {
				name = text.Item("somebody")
			}
			others = append(others, text.Glue(name, " ", o.Points))
		}
		s, change := r.Seats[mine], ""
		if s.To != 0 {
			change = fmt.Sprintf("%d (%+d)", s.To, s.To-s.From)
		}
		table.Rows = append(table.Rows, []text.Text{
			{text.Link(r.Ended.UTC().Format("2006-01-02"), path)}, text.Glue(s.Points), text.Join(others, ", "), text.Glue(s.Place), text.Glue(change),
		})
	}
	return table, nil
}

// rivals lists a player's most frequent opponents.
func (f *Feature) rivals(ctx context.Context, who game.PlayerID, names func(game.PlayerID) (text.Text, error)) (bot.Table, error) {
	type rival struct {
		name text.Text
		storedVersus
	}
	var all []rival
	err := shelf.EachUnder(ctx, f.versus, shelf.Person(who), func(other shelf.Person, v storedVersus) error {
		name, err := names(game.PlayerID(other))
		if err == nil && name != nil {
			all = append(all, rival{name, v})
		}
		return err
	})
	slices.SortStableFunc(all, func(a, b rival) int {
		return cmp.Or(b.Wins+b.Losses+b.Ties-a.Wins-a.Losses-a.Ties, strings.Compare(a.name.String(), b.name.String()))
	})
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Player")}, {Title: text.Say("Won"), Number: true}, {Title: text.Say("Lost"), Number: true}, {Title: text.Say("Tied"), Number: true}}}
	for _, r := range all[:min(len(all), mostRivals)] {
		table.Rows = append(table.Rows, []text.Text{r.name, text.Glue(r.Wins), text.Glue(r.Losses), text.Glue(r.Ties)})
	}
	return table, err
}

// latestResults returns the results of a player's latest games that count, newest first.
func (f *Feature) latestResults(ctx context.Context, who game.PlayerID) (all []result, err error) {
	tables, err := f.Named(ctx, who)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(tables, func(a, b bot.TableID) int { return cmp.Compare(b, a) })
	tables = tables[:min(len(tables), mostResults)]
	err = f.own.Change(ctx, func(tx shelf.Tx) error {
		all, err = f.resultsOf(tx, who, tables)
		return err
	})
	all = slices.DeleteFunc(all, func(r result) bool { return r.Early })
	slices.SortStableFunc(all, func(a, b result) int { return b.Ended.Compare(a.Ended) })
	return all, err
}

// names returns a function that looks up a player's name. Hidden players have none.
func (f *Feature) names(ctx context.Context) func(game.PlayerID) (text.Text, error) {
	known := map[game.PlayerID]text.Text{}
	return func(who game.PlayerID) (text.Text, error) {
		name, had := known[who]
		if had {
			return name, nil
		}
		p, _, err := f.players.Get(ctx, shelf.Person(who))
		if err == nil && !p.Hidden && p.Name != "" {
			name = text.Text{text.Name(game.Person{ID: who, Name: p.Name})}
		}
		known[who] = name
		return name, err
	}
}
