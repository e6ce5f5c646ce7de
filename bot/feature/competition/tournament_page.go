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
		{Path: "/e/{key}", Find: w.findPage, Show: w.show, File: w.file, Live: true},
		{Path: "/l/{key}", Find: l.findPage, Show: l.show, Live: true},
	}
}

func (w walls) show(ctx context.Context, v bot.Visit) (bot.Page, error) {
	wall, err := w.wall(ctx, v.Key)
	if err != nil {
		return bot.Page{}, err
	}
	return wallView{wall, v.Key, v.Query.Get("table")}.page(v.Query.Has("wall"), v.Query.Has("clear")), nil
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
	wall, err := w.wall(ctx, v.Key)
	if err != nil {
		return f, err
	}
	return bot.File{Type: "text/plain; charset=utf-8", Data: []byte(field(wallView{wall, v.Key, v.Query.Get("table")}).In(to).String() + "\n")}, nil
}

// A wallView is a tournament as shown on its page. table is the number of the board to
// feature; "" means the first with a running game.
type wallView struct {
	wall
	key, table string
}

// featuredBoard returns the board whose fields are shown: the requested one, else the first with
// a running game, else the first.
func (v wallView) featuredBoard() wallBoard {
	if i := v.feature(); i >= 0 {
		return v.Boards[i]
	}
	return wallBoard{}
}

func (v wallView) feature() int {
	first := -1
	for i, b := range v.Boards {
		switch {
		case v.table == b.Title:
			return i
		case v.table == "" && b.On && !b.Over:
			return i
		case first < 0 && b.On:
			first = i
		}
	}
	if first < 0 && len(v.Boards) > 0 {
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

// latest returns the current standings.
func (v wallView) latest() []wallStanding {
	if n := len(v.Rounds); n > 0 {
		return v.Rounds[n-1].Standings
	}
	return nil
}

func (v wallView) list() text.Text {
	var lines []string
	for _, s := range v.latest() {
		lines = append(lines, fmt.Sprintf("%d. %s  %s  %s", s.Place, v.name(s.Entrant), s.Points, s.Spread))
	}
	return text.Plain(strings.Join(lines, "\n"))
}

func (v wallView) name(i int) string {
	if i < 0 || i >= len(v.Entrants) {
		return ""
	}
	return v.Entrants[i].Name
}

// state describes the phase of the tournament.
func (v wallView) state() text.Text {
	switch n := len(v.Rounds); {
	case v.Phase == "entering":
		return text.Say("Registration is open: {n, plural, =0 {nobody has entered yet} one {one has entered} other {# have entered}}.", len(v.Entrants))
	case v.Phase == "off":
		return text.Say("The tournament was called off.")
	case v.Phase == "ended":
		return text.Say("The tournament is over.")
	case v.Phase == "playing":
		return text.Say("Round {n} of {all}", n, max(v.Planned, n))
	case n == 0:
		return text.Say("The first round begins soon.")
	}
	return text.Say("After round {n} of {all}", len(v.Rounds), max(v.Planned, len(v.Rounds)))
}

// page returns the page. On a screen it shows only the running games during a round,
// otherwise the standings.
func (v wallView) page(screen, clear bool) bot.Page {
	page := bot.Page{Title: text.Plain(v.Name), About: v.state(), Screen: screen, Clear: clear}
	add := func(blocks ...bot.Block) { page.Blocks = append(page.Blocks, blocks...) }
	add(bot.Paragraph{Text: text.Text{text.Strong(v.state())}})
	if v.Delay > 0 {
		add(bot.Paragraph{Text: text.Say("This page is {n, plural, one {# minute} other {# minutes}} behind.", v.Delay), Quiet: true})
	}
	if v.Phase == "ended" {
		add(v.winners())
	}
	n := len(v.Rounds)
	if n == 0 || v.Phase == "entering" {
		add(v.entrants())
	}
	switch {
	case screen && (n == 0 || v.Phase == "entering"):
	case screen:
		if i := v.feature(); v.Phase == "playing" {
			if i >= 0 && v.Boards[i].On {
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
			add(crossTable("cross", v.order(), v.name, v.pointsAgainst)...)
			add(v.cards())
		}
		add(v.fair())
	}
	return page
}

func (v wallView) still(i int, links bool) bot.Still {
	b := v.Boards[i]
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
	for i, b := range v.Boards {
		if b.On && !b.Over {
			all = append(all, v.still(i, true))
		}
	}
	return all
}

func (v wallView) entrants() bot.Block {
	var all bot.List
	for _, e := range v.Entrants {
		if e.Out {
			continue
		}
		line := []string{e.Name}
		if e.Rating > 0 {
			line = append(line, strconv.Itoa(e.Rating))
		}
		if len(e.Players) > 0 {
			line = append(line, strings.Join(e.Players, ", "))
		}
		all = append(all, text.Plain(strings.Join(line, " ")))
	}
	return bot.Section{Title: text.Say("Who plays"), Blocks: []bot.Block{all}}
}

// winners returns a table of the first three places.
func (v wallView) winners() bot.Block {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Place"), Number: true}, {Title: text.Say("Player")}, {Title: text.Say("Points"), Number: true}, {Title: text.Say("Spread"), Number: true}}}
	for _, s := range v.latest() {
		if s.Place <= 3 && s.Place > 0 {
			table.Rows = append(table.Rows, []text.Text{text.Glue(s.Place), {text.Strong(v.name(s.Entrant))}, text.Plain(s.Points), text.Plain(s.Spread)})
		}
	}
	return bot.Section{ID: "winners", Title: text.Say("The winners"), Blocks: []bot.Block{table}}
}

func (v wallView) pairings(n int) bot.Block {
	table := bot.Table{Columns: []bot.Column{{Title: text.Say("Table"), Number: true}, {Title: text.Say("First")}, {Title: text.Say("Second")}, {Title: text.Say("Result"), Number: true}}}
	for i, p := range v.Rounds[n-1].Pairings {
		other := text.Plain(v.name(p.B))
		switch {
		case p.B < 0 && p.Missed:
			other = text.Item("misses the round")
		case p.B < 0:
			other = text.Item("bye")
		}
		table.Rows = append(table.Rows, []text.Text{text.Glue(i + 1), text.Plain(v.name(p.A)), other, text.Plain(p.Result)})
	}
	return bot.Section{Title: text.Say("Pairings of round {n}", n), Blocks: []bot.Block{table}}
}

// standings lists the standings after round n.
func (v wallView) standings(n int) bot.Block {
	title := text.Say("Standings after round {n}", n)
	if v.Phase == "playing" && n == len(v.Rounds) {
		title = text.Say("Standings so far")
	}
	table := bot.Table{Columns: standingColumns()}
	for _, s := range v.Rounds[n-1].Standings {
		table.Rows = append(table.Rows, s.row(text.Link(v.name(s.Entrant), "#player-"+strconv.Itoa(s.Entrant+1))))
	}
	return bot.Section{Title: title, Blocks: []bot.Block{table}}
}

// standingColumns returns the columns of a standings table.
func standingColumns() []bot.Column {
	return []bot.Column{{Title: text.Say("Place"), Number: true}, {Title: text.Say("Player")}, {Title: text.Say("Points"), Number: true}, {Title: text.Say("Won, drawn, lost"), Number: true}, {Title: text.Say("Spread"), Number: true}}
}

func standingOnPage(s contest.Standing) wallStanding {
	return wallStanding{Entrant: int(s.No) - 1, Place: s.Place, Points: words.Points(s.Points), Spread: words.Spread(s.Spread), Won: s.Won, Drawn: s.Drawn, Lost: s.Lost}
}

// row returns the cells of a standings table.
func (s wallStanding) row(name text.Span) []text.Text {
	place := ""
	if s.Place > 0 {
		place = strconv.Itoa(s.Place)
	}
	return []text.Text{text.Plain(place), {name}, text.Plain(s.Points), text.Plain(fmt.Sprintf("%d–%d–%d", s.Won, s.Drawn, s.Lost)), text.Plain(s.Spread)}
}

// otherWorth maps a game's points for one player to the points for the other.
var otherWorth = map[string]string{"1": "0", "0": "1", "½": "½"}

// pointsAgainst returns a player's points against another in all rounds, for the cross table.
func (v wallView) pointsAgainst(a, b int) string {
	var all []string
	for _, r := range v.Rounds {
		for _, p := range r.Pairings {
			switch {
			case p.Worth == "" || p.B < 0:
			case p.A == a && p.B == b:
				all = append(all, p.Worth)
			case p.A == b && p.B == a:
				all = append(all, otherWorth[p.Worth])
			}
		}
	}
	return strings.Join(all, " ")
}

// order returns the entrants in the order of the standings.
func (v wallView) order() (order []int) {
	for _, s := range v.latest() {
		order = append(order, s.Entrant)
	}
	return order
}

// mostCrossed limits the players in a cross table.
const mostCrossed = 40

// crossTable returns a table of every player's points against every other, in a given
// order.
func crossTable(id string, order []int, name func(int) string, met func(a, b int) string) []bot.Block {
	if len(order) > mostCrossed || len(order) < 2 {
		return nil
	}
	table := bot.Table{Columns: []bot.Column{{Number: true}, {}}}
	for i, a := range order {
		table.Columns = append(table.Columns, bot.Column{Title: text.Glue(i + 1), Number: true})
		row := []text.Text{text.Glue(i + 1), text.Plain(name(a))}
		for j, b := range order {
			cell := text.Plain(met(a, b))
			if i == j {
				cell = text.Plain("·")
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
	for i, e := range v.Entrants {
		card := bot.Section{ID: "player-" + strconv.Itoa(i+1), Title: text.Plain(e.Name), Fold: true}
		for n, r := range v.Rounds {
			for _, p := range r.Pairings {
				if p.A != i && p.B != i {
					continue
				}
				other, first := p.B, p.A == i
				if !first {
					other = p.A
				}
				said := text.Say("Round {n}: second against {who}.", n+1, v.name(other))
				switch {
				case p.B < 0 && p.Missed:
					said = text.Say("Round {n}: missed.", n+1)
				case p.B < 0:
					said = text.Say("Round {n}: a bye.", n+1)
				case first:
					said = text.Say("Round {n}: first against {who}.", n+1, v.name(other))
				}
				card.Blocks = append(card.Blocks, bot.Paragraph{Text: text.Glue(said, " ", p.Result)})
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
		bot.Paragraph{Text: text.Text{text.Code(game.Digest(v.Digest))}, Quiet: true},
	}
	if v.Secret != "" {
		blocks = append(blocks, bot.Paragraph{Text: text.Say("The secret"), Quiet: true}, bot.Paragraph{Text: text.Text{text.Code(v.Secret)}})
	}
	return bot.Section{ID: "fair", Title: text.Say("Fair lots"), Fold: true, Blocks: blocks}
}

// A wall is the public view of a tournament.
type wall struct {
	Name     string
	Phase    string // entering, between, playing, ended or off
	Planned  int    // rounds, 0 if not decided
	Entrants []wallEntrant
	Rounds   []wallRound // rounds that have begun
	Boards   []wallBoard // of the current round, or of the last
	Digest   string      // SHA-256 of the secret from which the lots are drawn
	Secret   string      // revealed when the tournament is over
	Delay    int         // minutes
}

// A wallEntrant is a player, or a team of several.
type wallEntrant struct {
	Name    string
	Players []string // of a team
	Rating  int
	Out     bool
}

// A wallRound holds the pairings of a round, and the standings after it.
type wallRound struct {
	Pairings  []wallPairing
	Standings []wallStanding
}

// A wallPairing is a pairing. A and B index the entrants; A moves first in the first game.
type wallPairing struct {
	A, B   int    // -1 if A has a bye or misses the round
	Missed bool   // A misses the round rather than has a bye
	Result string // result so far, such as "412:377"
	Worth  string // points for A, for the cross table: "1", "½", "0" or ""
}

// A wallStanding is an entrant's line in the standings.
type wallStanding struct {
	Entrant          int
	Place            int
	Points, Spread   string
	Won, Drawn, Lost int
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
