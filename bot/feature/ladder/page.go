package ladder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// mostPlaces is the number of players on a page of /top.
const mostPlaces = 10

// A page is one page of a leaderboard.
type page struct {
	rows   []leaderboardEntry
	number int // from 1
	pages  int
	mine   game.PlayerID
}

// pageFor returns the page that a request names, or the first if it names none.
func pageFor(req bot.Request, all []leaderboardEntry) (page, error) {
	p := page{number: 1, pages: (len(all) + mostPlaces - 1) / mostPlaces, mine: req.User.ID}
	switch named := req.Args["page"]; named {
	case "":
	case "me":
		i := slices.IndexFunc(all, func(s leaderboardEntry) bool { return s.id == p.mine })
		if i < 0 {
			return p, words.Refusing("You aren't on this leaderboard yet. Finish a rated game to get on it.")
		}
		p.number = i/mostPlaces + 1
	default:
		n, err := strconv.Atoi(named)
		if err != nil {
			return p, words.NoChoice("page", named, "1", "2", "me")
		}
		p.number = min(max(n, 1), p.pages)
	}
	p.rows = all[(p.number-1)*mostPlaces : min(p.number*mostPlaces, len(all))]
	return p, nil
}

// buttons returns the buttons that turn to other pages, or none if there is only one page.
func (p page) buttons(req bot.Request) (all []bot.Button) {
	if p.pages < 2 {
		return nil
	}
	turn := func(to string, label text.Text) bot.Button {
		args := map[string]string{"page": to}
		if of := req.Args["of"]; of != "" {
			args["of"] = of
		}
		return bot.Button{ID: bot.ButtonID(0, 0, "top", args), Label: label}
	}
	if p.number < p.pages {
		all = append(all, turn(strconv.Itoa(p.number+1), text.Say("Next ({page} of {pages})", p.number+1, p.pages)))
	}
	if p.number > 1 {
		all = append(all, turn("1", text.Say("From the top")))
	}
	if !slices.ContainsFunc(p.rows, func(s leaderboardEntry) bool { return s.id == p.mine }) {
		all = append(all, turn("me", text.Say("Where am I?")))
	}
	return all
}

// winners lists the page's players by games won.
func (p page) winners() text.Text {
	won := p.alignColumn(func(s leaderboardEntry) string { return strconv.Itoa(s.tally.Total.Wins) })
	games := p.alignColumn(func(s leaderboardEntry) string { return strconv.Itoa(s.tally.Total.Games) })
	lines := p.lines(func(i int, s leaderboardEntry) text.Text {
		return text.Item("{won} of {games}  {points} a game", won[i], games[i], average(s.tally.Total.Points, s.tally.Total.Games))
	})
	return p.list(lines, []text.Text{text.Item("Won"), text.Item("Games"), text.Item("Average")}, func(s leaderboardEntry) []text.Text {
		total := s.tally.Total
		return []text.Text{number(total.Wins), number(total.Games), text.Glue(average(total.Points, total.Games))}
	})
}

// list shows the page's lines as aligned text and as a table: place and name, then the
// cells under their heads.
func (p page) list(lines text.Text, heads []text.Text, cells func(leaderboardEntry) []text.Text) text.Text {
	t := &text.Table{Columns: []text.Column{{Head: text.Plain("#"), Right: true}, {Head: text.Item("Player")}}}
	for _, head := range heads {
		t.Columns = append(t.Columns, text.Column{Head: head, Right: true})
	}
	for i, s := range p.rows {
		name := text.Plain(s.Name)
		if s.id == p.mine {
			name = text.Text{text.Strong(s.Name)}
		}
		t.Rows = append(t.Rows, append([]text.Text{number((p.number-1)*mostPlaces + i + 1), name}, cells(s)...))
	}
	return text.InTable(text.Text{text.Code(lines)}, t)
}

func number(n int) text.Text { return text.Plain(strconv.Itoa(n)) }

// alignColumn returns a column of the page's values, padded on the left to one width.
func (p page) alignColumn(value func(leaderboardEntry) string) (column []string) {
	wide := 0
	for _, s := range p.rows {
		column = append(column, value(s))
		wide = max(wide, len(value(s)))
	}
	for i, v := range column {
		column[i] = strings.Repeat(" ", wide-len(v)) + v
	}
	return column
}

// lines returns a line for each player on the page: place, name, and the result of line. If
// there are several pages, an arrow marks the viewer's own line.
func (p page) lines(line func(i int, s leaderboardEntry) text.Text) text.Text {
	wide := 0
	for _, s := range p.rows {
		wide = max(wide, utf8.RuneCountInString(s.Name))
	}
	var lines []text.Text
	for i, s := range p.rows {
		mark := ""
		if p.pages > 1 {
			mark = map[bool]string{true: ">", false: " "}[s.id == p.mine]
		}
		pad := strings.Repeat(" ", wide-utf8.RuneCountInString(s.Name))
		lines = append(lines, text.Glue(fmt.Sprintf("%s%2d. %s%s  ", mark, (p.number-1)*mostPlaces+i+1, s.Name, pad), line(i, s)))
	}
	return text.Lines(lines...)
}
