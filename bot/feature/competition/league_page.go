package competition

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the page of a league, which everyone with its address can see.

// leaguePages serves the pages of leagues.
type leaguePages struct{ *leagues }

func (p leaguePages) show(ctx context.Context, v bot.Visit) (bot.Page, error) {
	l, err := p.view(ctx, v.Key)
	return l.page(), err
}

// view returns the public view of a league.
func (p leaguePages) view(ctx context.Context, typed string) (leagueView, error) {
	l, err := p.ofPage(ctx, typed)
	if err != nil {
		return leagueView{}, err
	}
	out := leagueView{Name: l.Name, Phase: string(l.Phase), Season: l.Season, Until: l.ClosesAt, Shown: l.shownSeason()}
	if l.Phase == playing {
		out.Until = l.EndsAt
	}
	if l.Phase == entering {
		for _, e := range l.Entries {
			out.Entered = append(out.Entered, e.Name)
		}
	}
	for i := range l.Div {
		d, err := p.division(ctx, &l, i)
		if err != nil {
			return out, err
		}
		out.Divisions = append(out.Divisions, d)
	}
	return out, nil
}

func (p leaguePages) division(ctx context.Context, l *league, div int) (out divisionView, err error) {
	d := &l.Div[div]
	for _, e := range d.Contest.Entrants {
		out.Players = append(out.Players, e.Name)
	}
	left := map[contest.No]int{}
	for at, pair := range d.Contest.Games() {
		one, err := p.game(ctx, d, at, *pair)
		if err != nil {
			return out, err
		}
		out.Games = append(out.Games, one)
		if !pair.Games[0].Result.Over() {
			left[pair.A]++
			left[pair.B]++
		}
	}
	possible := d.Contest.Possible()
	for _, s := range d.Contest.Table() {
		one := leagueStanding{
			wallStanding: standingOnPage(s),
			Left:         left[s.No],
		}
		if d.Moved != nil {
			one.Move = string(d.Moved[s.No-1])
		} else if r, ok := possible[s.No]; ok && s.Place > 0 {
			one.Best, one.Worst = r.Best, r.Worst
		}
		out.Standings = append(out.Standings, one)
	}
	return out, nil
}

// game returns the view of a game, with the player who moves first as A.
func (p leaguePages) game(ctx context.Context, d *division, at contest.Ref, pair contest.Pairing) (out leagueGame, err error) {
	g := pair.Games[0]
	first := g.First
	out.A, out.B = int(pair.Entrant(first))-1, int(pair.Entrant(first.Other()))-1
	out.Result, out.Void = resultText(g.Result, first), g.Result.How == contest.Void
	if halves, _ := g.Result.Worth(first); g.Result.Over() && !out.Void {
		out.Worth = words.Points(halves)
	}
	pl := d.place(at)
	if pl == nil || pl.Table == 0 {
		return out, nil
	}
	out.On = pl.On && !g.Result.Over()
	if p.Page != nil {
		out.Link, err = p.Page(ctx, pl.Table)
	}
	return out, err
}

// state describes the current phase of the league.
func (v leagueView) state() text.Text {
	until := v.Until.UTC().Format("2 Jan 15:04 UTC")
	switch v.Phase {
	case "entering":
		return text.Say("Registration for season {n} is open until {time}: {players, plural, =0 {nobody has registered yet} one {one player has registered} other {# players have registered}}.", v.Season, until, len(v.Entered))
	case "over":
		return text.Say("Season {n} is over.", v.Season)
	}
	return text.Say("Season {n}, until {time}", v.Season, until)
}

// page returns the page: the divisions with their standings, the running games, and the
// results.
func (v leagueView) page() bot.Page {
	page := bot.Page{Title: text.Plain(v.Name), About: v.state(), Blocks: []bot.Block{bot.Paragraph{Text: text.Text{text.Strong(v.state())}}}}
	if len(v.Entered) > 0 {
		var list bot.List
		for _, name := range v.Entered {
			list = append(list, text.Plain(name))
		}
		page.Blocks = append(page.Blocks, bot.Section{Title: text.Say("Who plays"), Blocks: []bot.Block{list}})
	}
	for i, d := range v.Divisions {
		n := strconv.Itoa(i + 1)
		blocks := append([]bot.Block{d.standings()}, d.runningGames()...)
		blocks = append(blocks, crossTable("cross-"+n, d.order(), d.name, d.resultsAgainst)...)
		blocks = append(blocks, d.results(n)...)
		page.Blocks = append(page.Blocks, bot.Section{ID: "division-" + n, Title: text.Say("Season {n}, division {division}", v.Shown, i+1), Blocks: blocks})
	}
	return page
}

func (d divisionView) name(i int) string { return d.Players[i] }

// order returns the players in the order of the standings.
func (d divisionView) order() (order []int) {
	for _, s := range d.Standings {
		order = append(order, s.Entrant)
	}
	return order
}

func (d divisionView) standings() bot.Block {
	table, over := bot.Table{Columns: standingColumns(), Cards: true}, true
	for _, s := range d.Standings {
		over = over && s.Left == 0
	}
	if over {
		table.Columns = append(table.Columns, bot.Column{Title: text.Say("Next season")})
	} else {
		table.Columns = append(table.Columns, bot.Column{Title: text.Say("To play"), Number: true}, bot.Column{Title: text.Say("Possible places"), Number: true})
	}
	for _, s := range d.Standings {
		var last text.Text
		switch {
		case s.Place == 0:
			last = text.Item("withdrew")
		case s.Move == "up":
			last = text.Item("promoted")
		case s.Move == "down":
			last = text.Item("relegated")
		case s.Best < s.Worst:
			last = text.Plain(fmt.Sprintf("%d–%d", s.Best, s.Worst))
		}
		row := s.row(text.Span{Text: d.name(s.Entrant)})
		if !over {
			row = append(row, text.Glue(s.Left))
		}
		table.Rows = append(table.Rows, append(row, last))
	}
	return table
}

// runningGames lists the running games, with links.
func (d divisionView) runningGames() []bot.Block {
	var list bot.List
	for _, x := range d.Games {
		if !x.On {
			continue
		}
		line := text.Text{{Text: d.name(x.A) + " – " + d.name(x.B)}}
		if x.Link != "" {
			line = append(line, text.Span{Text: " · "}, text.Link(text.Say("Watch this game"), x.Link))
		}
		list = append(list, line)
	}
	if len(list) == 0 {
		return nil
	}
	return []bot.Block{bot.Section{Title: text.Say("Games being played"), Blocks: []bot.Block{list}}}
}

// resultsAgainst returns a player's results against another, for the cross table.
func (d divisionView) resultsAgainst(a, b int) string {
	var all []string
	for _, x := range d.Games {
		switch {
		case x.Worth == "":
		case x.A == a && x.B == b:
			all = append(all, x.Worth)
		case x.A == b && x.B == a:
			all = append(all, otherWorth[x.Worth])
		}
	}
	return strings.Join(all, " ")
}

// results lists the finished games.
func (d divisionView) results(n string) []bot.Block {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("First")}, {Title: text.Say("Second")}, {Title: text.Say("Result"), Number: true}, {Title: text.Say("Game")}}}
	for _, x := range d.Games {
		if x.Result == "" && !x.Void {
			continue
		}
		result, link := text.Plain(x.Result), text.Text(nil)
		if x.Void {
			result = text.Item("void")
		}
		if x.Link != "" {
			link = text.Text{text.Link(text.Say("See the game"), x.Link)}
		}
		table.Rows = append(table.Rows, []text.Text{text.Plain(d.name(x.A)), text.Plain(d.name(x.B)), result, link})
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return []bot.Block{bot.Section{ID: "results-" + n, Title: text.Say("Results"), Fold: true, Blocks: []bot.Block{table}}}
}

// A leagueView is the public view of a league: its current season, or the last one.
type leagueView struct {
	Name      string
	Phase     string    // entering, playing or over
	Season    int       // the current one, or the one that people register for
	Until     time.Time // when registration closes, or the season ends
	Entered   []string  // names of the people who have registered
	Shown     int       // the season whose divisions are shown, 0 before the first
	Divisions []divisionView
}

// A divisionView is the public view of a division of a season.
type divisionView struct {
	Players   []string
	Standings []leagueStanding
	Games     []leagueGame
}

// A leagueStanding is a player's line in the standings.
type leagueStanding struct {
	wallStanding
	Left        int    // games still to be played
	Best, Worst int    // places that are still possible; 0 if settled
	Move        string // "up" or "down" after the season, "" if neither
}

// A leagueGame is a game of a division. A and B index the players; A moves first.
type leagueGame struct {
	A, B   int
	Result string // "412:377", or "" if there is none yet
	Worth  string // points for A, for the cross table: "1", "½", "0" or ""
	Void   bool   // doesn't count
	On     bool   // being played
	Link   string // address of its page; may be ""
}
