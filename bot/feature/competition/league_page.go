package competition

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/contest"
)

// This file makes the page of a league, which everyone with its address can see.

// leaguePages serves the pages of leagues.
type leaguePages struct{ *leagues }

func (p leaguePages) show(ctx context.Context, v bot.Visit) (bot.Page, error) {
	l, err := p.ofPage(ctx, v.Key)
	if err != nil {
		return bot.Page{}, err
	}
	links := map[bot.TableID]string{}
	for _, d := range l.Div {
		for _, pl := range d.Places {
			if pl.Table == 0 || p.Page == nil {
				continue
			}
			if links[pl.Table], err = p.Page(ctx, pl.Table); err != nil {
				return bot.Page{}, err
			}
		}
	}
	return l.page(links), nil
}

// state describes the current phase of the league for its page.
func (l *league) state() text.Text {
	day := func(t time.Time) string { return t.UTC().Format("2 Jan 15:04 UTC") }
	switch l.Phase {
	case entering:
		return text.Say("Registration for season {n} is open until {time}: {players, plural, =0 {nobody has registered yet} one {one player has registered} other {# players have registered}}.", l.Season, day(l.ClosesAt), len(l.Entries))
	case over:
		return text.Say("Season {n} is over.", l.Season)
	}
	return text.Say("Season {n}, until {time}", l.Season, day(l.EndsAt))
}

// page returns the page: the divisions of the current season, or of the last one, with their
// standings, the running games, and the results. links has the addresses of games' pages.
func (l *league) page(links map[bot.TableID]string) bot.Page {
	page := bot.Page{Title: text.Plain(l.Name), About: l.state(), Blocks: []bot.Block{bot.Paragraph{Text: text.Text{text.Strong(l.state())}}}}
	if l.Phase == entering && len(l.Entries) > 0 {
		var list bot.List
		for _, e := range l.Entries {
			list = append(list, text.Plain(e.Name))
		}
		page.Blocks = append(page.Blocks, bot.Section{Title: text.Say("Who plays"), Blocks: []bot.Block{list}})
	}
	for i := range l.Div {
		d, n := &l.Div[i], strconv.Itoa(i+1)
		blocks := append([]bot.Block{d.standingsTable()}, d.runningGames(links)...)
		blocks = append(blocks, crossTable("cross-"+n, d.Contest, d.Contest.Table())...)
		blocks = append(blocks, d.results("results-"+n, links)...)
		page.Blocks = append(page.Blocks, bot.Section{ID: "division-" + n, Title: text.Say("Season {n}, division {division}", l.shownSeason(), i+1), Blocks: blocks})
	}
	return page
}

// name returns a player's name.
func (d *division) name(no contest.No) string { return d.Contest.Entrants[no-1].Name }

// playerNames returns the names of a pairing's players, that of the first to move in front.
func (d *division) playerNames(p *contest.Pairing) (first, second string) {
	a, b := inOrder(*p)
	return d.name(a), d.name(b)
}

// standingsTable returns the standings with the places that are still possible, or with who moves up
// or down once all games are over.
func (d *division) standingsTable() bot.Block {
	table, left := bot.Table{Columns: standingColumns(), Cards: true}, map[contest.No]int{}
	for _, p := range d.Contest.Games() {
		if !p.Games[0].Result.Over() {
			left[p.A]++
			left[p.B]++
		}
	}
	if len(left) == 0 {
		table.Columns = append(table.Columns, bot.Column{Title: text.Say("Next season")})
	} else {
		table.Columns = append(table.Columns, bot.Column{Title: text.Say("To play"), Number: true}, bot.Column{Title: text.Say("Possible places"), Number: true})
	}
	possible := d.Contest.Possible()
	for _, s := range d.Contest.Table() {
		var last text.Text
		r := possible[s.No]
		switch {
		case s.Place == 0:
			last = text.Item("withdrew")
		case d.Moved != nil && d.Moved[s.No-1] == contest.Promoted:
			last = text.Item("promoted")
		case d.Moved != nil && d.Moved[s.No-1] == contest.Relegated:
			last = text.Item("relegated")
		case d.Moved == nil && r.Best < r.Worst:
			last = text.Plain(fmt.Sprintf("%d–%d", r.Best, r.Worst))
		}
		row := standingRow(s, text.Span{Text: d.name(s.No)})
		if len(left) > 0 {
			row = append(row, text.Glue(left[s.No]))
		}
		table.Rows = append(table.Rows, append(row, last))
	}
	return table
}

// runningGames lists the running games, with links.
func (d *division) runningGames(links map[bot.TableID]string) []bot.Block {
	var list bot.List
	for at, p := range d.Contest.Games() {
		pl := d.place(at)
		if pl == nil || pl.Table == 0 || !pl.On || p.Games[0].Result.Over() {
			continue
		}
		first, second := d.playerNames(p)
		line := text.Text{{Text: first + " – " + second}}
		if link := links[pl.Table]; link != "" {
			line = append(line, text.Span{Text: " · "}, text.Link(text.Say("Watch this game"), link))
		}
		list = append(list, line)
	}
	if len(list) == 0 {
		return nil
	}
	return []bot.Block{bot.Section{Title: text.Say("Games being played"), Blocks: []bot.Block{list}}}
}

// results lists the finished games.
func (d *division) results(id string, links map[bot.TableID]string) []bot.Block {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("First")}, {Title: text.Say("Second")}, {Title: text.Say("Result"), Number: true}, {Title: text.Say("Game")}}}
	for at, p := range d.Contest.Games() {
		g := p.Games[0]
		if !g.Result.Over() {
			continue
		}
		first, second := d.playerNames(p)
		result, link := text.Plain(resultText(g.Result, g.First)), text.Text(nil)
		if g.Result.How == contest.Void {
			result = text.Item("void")
		}
		if pl := d.place(at); pl != nil && links[pl.Table] != "" {
			link = text.Text{text.Link(text.Say("See the game"), links[pl.Table])}
		}
		table.Rows = append(table.Rows, []text.Text{text.Plain(first), text.Plain(second), result, link})
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return []bot.Block{bot.Section{ID: id, Title: text.Say("Results"), Fold: true, Blocks: []bot.Block{table}}}
}
