package competition

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the page of a tournament, at /e/ and its key, which everyone with
// the address can see. With ?wall it is made for a television or a stream: large and
// self-updating; with ?wall&clear its background is transparent. Below that address are
// plain-text fields for streaming software, at addresses that stay the same from the
// first round to the last.

// pages returns the pages of tournaments and leagues, at addresses that can't be guessed.
// They are public and never show a rack.
func (f *Feature) pages() []bot.Pages {
	w, l := walls{f.tournaments}, leaguePages{f.leagues}
	return []bot.Pages{
		{Path: "/e/{key}", Find: w.findPage, Running: w.running, Show: w.show, File: w.file, Live: true},
		{Path: "/l/{key}", Find: l.findPage, Running: l.running, Show: l.show, Live: true},
	}
}

func (w walls) show(ctx context.Context, v bot.Visit) (bot.Page, error) {
	view, err := w.view(ctx, v)
	if err != nil {
		return bot.Page{}, err
	}
	return view.page(v.Query.Has("wall"), v.Query.Has("clear")), nil
}

// wallFields maps the names of the plain-text fields to their content, for the featured
// board.
var wallFields = map[string]func(v wallView) text.Text{
	"score":     wallView.score,
	"last-play": func(v wallView) text.Text { return v.featuredBoard().Last },
	"unseen":    func(v wallView) text.Text { return text.Plain(v.featuredBoard().Unseen) },
	"p1":        func(v wallView) text.Text { return text.Plain(v.featuredBoard().Names[0]) },
	"p2":        func(v wallView) text.Text { return text.Plain(v.featuredBoard().Names[1]) },
	"record":    wallView.record,
	"standings": wallView.list,
}

// file returns a field in plain text, or the picture of a board.
func (w walls) file(ctx context.Context, v bot.Visit, name string) (f bot.File, err error) {
	to := w.desk.LocaleFor(ctx, v.Request)
	if n, is := strings.CutPrefix(name, "board/"); is {
		i, err := strconv.Atoi(strings.TrimSuffix(n, ".png"))
		if err != nil {
			return f, bot.ErrNoPicture
		}
		picture, err := w.picture(ctx, v.Key, i, to)
		if err != nil {
			return f, err
		}
		return bot.File{Type: "image/png", Data: picture.PNG}, nil
	}
	field, known := wallFields[name]
	if !known {
		return f, bot.ErrNoTable
	}
	view, err := w.view(ctx, v)
	if err != nil {
		return f, err
	}
	return bot.File{Type: "text/plain; charset=utf-8", Data: []byte(field(view).In(to).String() + "\n")}, nil
}

// A wallView is a tournament as its page shows it: as it stood before the page's delay, without the
// pairings of a round that hasn't begun.
type wallView struct {
	event  *event
	boards []wallBoard // of the current round, or of the last
	table  string      // number of the board to feature; "" means the first with a running game
}

// A wallBoard is a table of two players.
type wallBoard struct {
	Title  string // its number: "3", or "3.1" for the first board of a match of teams
	Names  [2]string
	Scores [2]int
	Record [2]string // each player's record in the tournament: "2–1 +84"
	Last   text.Text // the last play
	Unseen string    // tiles that spectators can't see
	Link   string    // address of the game's page; may be ""
	Number int       // number of the game's events, which identifies the picture
	On     bool      // has a board to show
	Over   bool
}

// featuredBoard returns the board whose fields are shown: the requested one, else the first with
// a running game, else the first.
func (v wallView) featuredBoard() wallBoard {
	if i := v.feature(); i >= 0 {
		return v.boards[i]
	}
	return wallBoard{}
}

func (v wallView) feature() int {
	first := -1
	for i, b := range v.boards {
		switch {
		case v.table == b.Title:
			return i
		case v.table == "" && b.On && !b.Over:
			return i
		case first < 0 && b.On:
			first = i
		}
	}
	if first < 0 && len(v.boards) > 0 {
		first = 0
	}
	return first
}

func (v wallView) score() text.Text {
	b := v.featuredBoard()
	if b.Names[0] == "" {
		return nil
	}
	return text.Plain(fmt.Sprintf("%s %d – %d %s", b.Names[0], b.Scores[0], b.Scores[1], b.Names[1]))
}

func (v wallView) record() text.Text {
	b := v.featuredBoard()
	if b.Names[0] == "" {
		return nil
	}
	return text.Plain(fmt.Sprintf("%s %s · %s %s", b.Names[0], b.Record[0], b.Names[1], b.Record[1]))
}

// list returns the standings after the latest round, as text.
func (v wallView) list() text.Text {
	var lines []string
	if v.event.Begun > 0 {
		for _, s := range v.event.Contest.Standings(-1) {
			lines = append(lines, fmt.Sprintf("%d. %s  %s  %s", s.Place, v.name(s.No), words.Points(s.Points), words.Spread(s.Spread)))
		}
	}
	return text.Plain(strings.Join(lines, "\n"))
}

// name returns an entrant's name, or "" for nobody.
func (v wallView) name(no contest.No) string {
	x, _ := v.event.Contest.Entrant(no)
	return x.Name
}

// state describes the phase of the tournament.
func (v wallView) state() text.Text {
	n := v.event.Begun
	switch planned := max(v.event.Planned, n); {
	case v.event.Phase == entering:
		return text.Say("Registration is open: {n, plural, =0 {nobody has entered yet} one {one has entered} other {# have entered}}.", v.event.countEntrants())
	case v.event.Phase == off:
		return text.Say("The tournament was called off.")
	case v.event.Phase == ended:
		return text.Say("The tournament is over.")
	case v.event.isPlaying():
		return text.Say("Round {n} of {all}", n, planned)
	case n == 0:
		return text.Say("The first round begins soon.")
	default:
		return text.Say("After round {n} of {all}", n, planned)
	}
}

// page returns the page. On a screen it shows only the running games during a round,
// otherwise the standings.
func (v wallView) page(screen, clear bool) bot.Page {
	page := bot.Page{Title: text.Plain(v.event.Name), About: v.state(), Screen: screen, Clear: clear}
	add := func(blocks ...bot.Block) { page.Blocks = append(page.Blocks, blocks...) }
	add(bot.Paragraph{Text: text.Text{text.Strong(v.state())}})
	if delay := int(v.event.Delay.Minutes()); delay > 0 {
		add(bot.Paragraph{Text: text.Say("This page is {n, plural, one {# minute} other {# minutes}} behind.", delay), Quiet: true})
	}
	if v.event.Phase == ended {
		add(v.winners())
	}
	n := v.event.Begun
	if n == 0 {
		add(v.entrants())
	}
	switch {
	case screen && n == 0:
	case screen:
		if i := v.feature(); v.event.isPlaying() {
			if i >= 0 && v.boards[i].On {
				add(bot.Stills{v.still(i, false)})
			}
			add(v.pairings(n))
		}
		add(v.standings(n))
	default:
		if all := v.runningBoards(); len(all) > 0 {
			add(bot.Section{Title: text.Say("Games being played"), Blocks: []bot.Block{all}})
		}
		if n > 0 {
			add(v.pairings(n), v.standings(n))
		}
		for n := n - 1; n > 0; n-- {
			add(bot.Section{ID: "round-" + strconv.Itoa(n), Title: text.Say("Round {n}", n), Fold: true, Blocks: []bot.Block{v.pairings(n), v.standings(n)}})
		}
		if n > 0 {
			add(crossTable("cross", &v.event.Contest, v.event.Contest.Standings(-1))...)
			add(v.cards())
		}
		add(v.fair())
	}
	return page
}

func (v wallView) still(i int, links bool) bot.Still {
	b := v.boards[i]
	s := bot.Still{
		Title:   text.Say("Table {n}", b.Title),
		About:   text.Plain(b.Names[0] + " " + b.Record[0] + " · " + b.Names[1] + " " + b.Record[1]),
		File:    fmt.Sprintf("board/%d.png?%d", i, b.Number),
		Caption: b.Last,
	}
	if links && b.Link != "" {
		s.Action = bot.Action{Label: text.Say("Watch this game"), Link: b.Link}
	}
	return s
}

// runningBoards returns the boards with running games.
func (v wallView) runningBoards() (all bot.Stills) {
	for i, b := range v.boards {
		if b.On && !b.Over {
			all = append(all, v.still(i, true))
		}
	}
	return all
}

func (v wallView) entrants() bot.Block {
	var all bot.List
	for _, x := range v.event.Contest.Entrants {
		if x.Out > 0 {
			continue
		}
		line := []string{x.Name}
		if x.Rating > 0 {
			line = append(line, strconv.Itoa(x.Rating))
		}
		var team []string
		for _, p := range x.Team {
			team = append(team, p.Name)
		}
		if len(team) > 0 {
			line = append(line, strings.Join(team, ", "))
		}
		all = append(all, text.Plain(strings.Join(line, " ")))
	}
	return bot.Section{Title: text.Say("Who plays"), Blocks: []bot.Block{all}}
}

// winners returns a table of the first three places.
func (v wallView) winners() bot.Block {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Place"), Number: true}, {Title: text.Say("Player")}, {Title: text.Say("Points"), Number: true}, {Title: text.Say("Spread"), Number: true}}}
	for _, s := range v.event.Contest.Standings(-1) {
		if s.Place <= 3 {
			table.Rows = append(table.Rows, []text.Text{text.Glue(s.Place), {text.Strong(v.name(s.No))}, text.Plain(words.Points(s.Points)), text.Plain(words.Spread(s.Spread))})
		}
	}
	return bot.Section{ID: "winners", Title: text.Say("The winners"), Blocks: []bot.Block{table}}
}

func (v wallView) pairings(n int) bot.Block {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Table"), Number: true}, {Title: text.Say("First")}, {Title: text.Say("Second")}, {Title: text.Say("Result"), Number: true}}}
	for i, p := range v.event.Contest.Rounds[n-1].Pairings {
		if p.A == 0 {
			continue
		}
		first, second := inOrder(p)
		other := text.Plain(v.name(second))
		switch {
		case p.Missed:
			other = text.Item("misses the round")
		case p.Bye():
			other = text.Item("bye")
		}
		table.Rows = append(table.Rows, []text.Text{text.Glue(i + 1), text.Plain(v.name(first)), other, text.Plain(pairingText(p))})
	}
	return bot.Section{Title: text.Say("Pairings of round {n}", n), Blocks: []bot.Block{table}}
}

// inOrder returns the entrants of a pairing, the one who moves first in the first game in front.
func inOrder(p contest.Pairing) (first, second contest.No) {
	if len(p.Games) > 0 && p.Games[0].First == contest.B {
		return p.B, p.A
	}
	return p.A, p.B
}

// standings lists the standings after round n.
func (v wallView) standings(n int) bot.Block {
	title := text.Say("Standings after round {n}", n)
	if v.event.isPlaying() && n == v.event.Begun {
		title = text.Say("Standings so far")
	}
	table := bot.Table{Columns: standingColumns()}
	for _, s := range v.event.Contest.Standings(n) {
		table.Rows = append(table.Rows, standingRow(s, text.Link(v.name(s.No), "#player-"+strconv.Itoa(int(s.No)))))
	}
	return bot.Section{Title: title, Blocks: []bot.Block{table}}
}

// standingColumns returns the columns of a standings table.
func standingColumns() []bot.Column {
	return []bot.Column{{Title: text.Say("Place"), Number: true}, {Title: text.Say("Player")}, {Title: text.Say("Points"), Number: true}, {Title: text.Say("Won, drawn, lost"), Number: true}, {Title: text.Say("Spread"), Number: true}}
}

// standingRow returns the cells of a standings table.
func standingRow(s contest.Standing, name text.Span) []text.Text {
	place := ""
	if s.Place > 0 {
		place = strconv.Itoa(s.Place)
	}
	return []text.Text{text.Plain(place), {name}, text.Plain(words.Points(s.Points)), text.Plain(fmt.Sprintf("%d–%d–%d", s.Won, s.Drawn, s.Lost)), text.Plain(words.Spread(s.Spread))}
}

// pointsAgainst returns an entrant's points against another in all their games, for the cross table.
func pointsAgainst(c *contest.Contest, a, b contest.No) string {
	var all []string
	for _, r := range c.Rounds {
		for _, p := range r.Pairings {
			if !p.Has(a) || !p.Has(b) || !p.Over(c.Format) || p.Games[0].Result.How == contest.Void {
				continue
			}
			side := contest.A
			if p.B == a {
				side = contest.B
			}
			all = append(all, words.Points(p.Score(side, c.Format).Points))
		}
	}
	return strings.Join(all, " ")
}

// mostCrossed limits the players in a cross table.
const mostCrossed = 40

// crossTable returns a table of every entrant's points against every other, in the order of the
// standings.
func crossTable(id string, c *contest.Contest, order []contest.Standing) []bot.Block {
	if len(order) > mostCrossed || len(order) < 2 {
		return nil
	}
	table := bot.Table{Columns: []bot.Column{{Number: true}, {}}}
	for i, a := range order {
		table.Columns = append(table.Columns, bot.Column{Title: text.Glue(i + 1), Number: true})
		row := []text.Text{text.Glue(i + 1), text.Plain(c.Entrants[a.No-1].Name)}
		for _, b := range order {
			cell := text.Plain("·")
			if a.No != b.No {
				cell = text.Plain(pointsAgainst(c, a.No, b.No))
			}
			row = append(row, cell)
		}
		table.Rows = append(table.Rows, row)
	}
	return []bot.Block{bot.Section{ID: id, Title: text.Say("Cross table"), Fold: true, Blocks: []bot.Block{table}}}
}

// cards lists the rounds of each player.
func (v wallView) cards() bot.Block {
	var all []bot.Block
	for _, x := range v.event.Contest.Entrants {
		card := bot.Section{ID: "player-" + strconv.Itoa(int(x.No)), Title: text.Plain(x.Name), Fold: true}
		for n, r := range v.event.Contest.Rounds {
			for _, p := range r.Pairings {
				if !p.Has(x.No) {
					continue
				}
				said := text.Say("Round {n}: second against {who}.", n+1, v.name(p.Opponent(x.No)))
				switch first, _ := inOrder(p); {
				case p.Missed:
					said = text.Say("Round {n}: missed.", n+1)
				case p.Bye():
					said = text.Say("Round {n}: a bye.", n+1)
				case first == x.No:
					said = text.Say("Round {n}: first against {who}.", n+1, v.name(p.Opponent(x.No)))
				}
				card.Blocks = append(card.Blocks, bot.Paragraph{Text: text.Glue(said, " ", pairingText(p))})
			}
		}
		all = append(all, card)
	}
	return bot.Section{Title: text.Say("Each player's rounds"), Blocks: all}
}

// fair explains how the lots are drawn.
func (v wallView) fair() bot.Block {
	blocks := []bot.Block{
		bot.Paragraph{Text: text.Say("Lots, such as who moves first, are drawn from a secret and from how people entered. The secret's digest stands in small type under the message that opened the tournament. Compare that one: here it is only the host's word. The secret is published at the end.")},
		bot.Paragraph{Text: text.Text{text.Code(game.Digest(digestOf(v.event.Secret)))}, Quiet: true},
	}
	if v.event.Phase == ended {
		blocks = append(blocks, bot.Paragraph{Text: text.Say("The secret"), Quiet: true}, bot.Paragraph{Text: text.Text{text.Code(v.event.Secret)}})
	}
	return bot.Section{ID: "fair", Title: text.Say("Fair lots"), Fold: true, Blocks: blocks}
}
