package feature

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// LoadTable returns a table by its number, as it stands.
func LoadTable(ctx context.Context, d Desk, id bot.TableID) (table.Table, error) {
	return d.Load(ctx, bot.Request{Table: id})
}

// LoadDealt loads a table whose tiles have been dealt. For others the error is a
// *game.RuleError.
func LoadDealt(ctx context.Context, d Desk, req bot.Request) (table.Table, error) {
	t, err := d.Load(ctx, req)
	switch {
	case err != nil || t.IsDealt():
		return t, err
	case t.Phase == game.Over:
		return t, &game.RuleError{Code: game.GameOver} // closed before the start
	}
	return t, &game.RuleError{Code: game.NotStarted}
}

// Ask answers a request that needs confirmation: it refuses what would be refused anyway,
// and otherwise asks the question. It leaves no receipt, since it changes nothing.
func Ask(ctx context.Context, d Desk, req bot.Request, want Intent, question func(t table.Table) bot.Reply) (bot.Reply, error) {
	t, err := d.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := d.Judge(t, req, want); err != nil {
		return OrExplain(t, req, err)
	}
	return question(t), nil
}

// OrExplain answers a person's mistake and passes on other errors.
func OrExplain(t table.Table, req bot.Request, err error) (bot.Reply, error) {
	if words.IsMistake(err) {
		return words.Explain(t, req, err), nil
	}
	return bot.Reply{}, err
}

// An OwnGame is a running game as seen from one of its seats.
type OwnGame struct {
	table.Table
	Seat int
}

// IsTurn reports whether it is the seat's turn.
func (g OwnGame) IsTurn() bool { return g.Phase == game.Playing && g.Turn == g.Seat }

// Playing lists the games that a person, under any of these identities, is in the middle
// of, with those waiting for them first. unread counts the games left out because they
// can't be read.
func Playing(ctx context.Context, d Desk, identities ...game.PlayerID) (all []OwnGame, unread int, err error) {
	for _, who := range identities {
		tables, err := d.TablesOf(ctx, who)
		if err != nil {
			return nil, 0, err
		}
		for _, id := range tables {
			t, err := LoadTable(ctx, d, id)
			switch {
			case errors.Is(err, bot.ErrUnreadable):
				d.Log().Error("a game is missing from a person's list", "table", id, "player", who, "error", err)
				unread++
				continue
			case err != nil:
				return nil, 0, err
			}
			seat, seated := t.SeatOf(who)
			if !seated || t.Phase != game.Playing && t.Phase != game.Closing {
				continue // it ended a moment ago
			}
			all = append(all, OwnGame{t, seat})
		}
	}
	slices.SortStableFunc(all, func(a, b OwnGame) int {
		switch {
		case a.IsTurn() == b.IsTurn():
			return 0
		case a.IsTurn():
			return -1
		}
		return 1
	})
	return all, unread, nil
}

// Squares returns a completer for the square of a typed word. It offers the places where
// the word fits, best score first.
func Squares(d Desk) Completer {
	return func(ctx context.Context, req bot.Request) []bot.Choice {
		t, err := d.Load(ctx, req)
		if err != nil {
			return nil
		}
		return input.Squares(d.Lists(), t, req)
	}
}

// Linker holds the functions that link to a game. Home returns a channel's home, and Front a
// URL that opens a table's board in the platform's own client, or "" if there is none.
type Linker struct {
	Home  func(context.Context, bot.ChannelID) (string, error)
	Front func(context.Context, table.Table) (string, error)
}

// Obstacle returns what keeps the host from posting in a channel, or nil if no obstacle is
// known.
func Obstacle(ctx context.Context, d Desk, ch bot.ChannelID) text.Text {
	if ask := d.Platform(ch).Obstacle; ask != nil {
		return ask(ctx, ch)
	}
	return nil
}

// ShowBoard returns the button that shows a table's board in private, for channels with an
// [Obstacle].
func ShowBoard(id bot.TableID) bot.Button {
	return bot.Button{ID: bot.ButtonID(id, 0, "board", map[string]string{"as": "picture"}), Label: text.Say("The board")}
}

// GameLine describes one of a person's games in a line, with a link to its board or its
// channel.
func GameLine(ctx context.Context, d Desk, ways Linker, g OwnGame) (text.Text, error) {
	stands := text.Say("{who} to move", text.Name(g.Seats[g.Turn].Person))
	switch {
	case g.Phase == game.Closing:
		stands = text.Say("The last play can be challenged until {time}", words.Clock(g.Until))
	case g.IsTurn():
		stands = text.Glue(text.Strong(text.Say("Your move")))
		if at, ok := g.Deadline(); ok {
			stands = text.Say("{call} until {time}", text.Strong(text.Say("Your move")), words.Clock(at))
		}
	}
	t := text.Glue(stands, " · ", words.ScoreLine(g.Table))
	url, err := ways.URL(ctx, d, g.Table)
	t = LinkBoard(t, url)
	if why := Obstacle(ctx, d, g.Channel); why != nil {
		t = text.Lines(t, why)
	}
	return t, err
}

// LinkBoard adds a link to a board to a line about it, unless the URL is "".
func LinkBoard(line text.Text, url string) text.Text {
	if url == "" {
		return line
	}
	return text.Glue(line, " · ", text.Link(text.Item("open the board"), url))
}

// Fit returns a message of a head, a list and what follows it. If the message has no room for all
// lines of the list, it says how many it leaves out.
func Fit(head text.Text, lines []text.Text, after ...text.Text) text.Text {
	const leftOut = 40 // room for the line about the others
	rest := text.Lines(after...)
	room := bot.MaxText - leftOut - head.Size() - rest.Size()
	for i, line := range lines {
		if room -= line.Size() + 1; room < 0 {
			lines = append(slices.Clip(lines[:i]), text.Item("and {n} more.", len(lines)-i))
			break
		}
	}
	return text.Lines(head, text.Lines(lines...), rest)
}

// URL returns the URL of a table, or "" if there is none.
func (w Linker) URL(ctx context.Context, d Desk, t table.Table) (string, error) {
	if w.Front != nil {
		if url, err := w.Front(ctx, t); err != nil || url != "" {
			return url, err
		}
	}
	link := d.Platform(t.Channel).Link
	if link == nil {
		return "", nil
	}
	in, err := w.Home(ctx, t.Channel)
	if err != nil {
		return "", err
	}
	return link(ctx, t.Channel, in), nil
}

// mostAsked is the number of games that the question which one offers.
const mostAsked = bot.MostButtons

// AskWhich returns a refusal that asks which of several tables a request is about, with a
// button that carries it out at each. lines describe the tables.
func AskWhich(req bot.Request, question text.Text, all []table.Table, lines []text.Text) *words.Refusal {
	r := words.Refuse(question)
	for i, t := range all[:min(len(all), mostAsked)] {
		r.Text = text.Lines(r.Text, text.Glue(strconv.Itoa(i+1), ". ", lines[i]))
		var names []text.Span
		for _, seat := range t.Seats {
			if seat.Person.ID != req.User.ID {
				names = append(names, text.PlainName(seat.Person))
			}
		}
		label := text.Say("{n}. With {names}", i+1, text.List(names))
		if len(names) == 0 {
			label = text.Say("{n}. Alone", i+1)
		}
		if b := t.Button(label, req.Command, bot.Ordinary, req.Args); len(b.ID) <= bot.MaxButtonID {
			r.Buttons = append(r.Buttons, b)
		}
	}
	if len(all) > mostAsked || len(r.Buttons) < len(all) {
		r.Text = text.Lines(r.Text, text.Say("You can also type it where the game is; {games} leads there.", text.Code("/games")))
	}
	return &words.Refusal{Reply: r}
}
