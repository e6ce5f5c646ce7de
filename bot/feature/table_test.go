package feature_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// asks returns a person's request in the den.
func asks(who, command string, args map[string]string) bot.Request {
	return bot.Request{ID: "r1", Channel: den, User: bottest.People[who], Command: command, Args: args}
}

// ruleOf returns the rule code of an error, or 0 if it isn't a rule error.
func ruleOf(err error) game.Code {
	var rule *game.RuleError
	if errors.As(err, &rule) {
		return rule.Code
	}
	return 0
}

// A table whose tiles were never dealt has nothing to show, and the error says why.
func TestUndealtTableShowsNothing(t *testing.T) {
	closed := lobby(t)
	closed.Do("ann", game.Leave{})
	for name, c := range map[string]struct {
		game *bottest.Game
		want game.Code
	}{
		"a lobby":                  {lobby(t), game.NotStarted},
		"a game":                   {dealt(t), 0},
		"one that is over":         {over(t), 0},
		"one closed before it was": {closed, game.GameOver},
	} {
		d := newDesk(t)
		d.lay(t, 1, c.game)
		if at, err := feature.LoadDealt(t.Context(), d, asks("ann", "rack", nil)); ruleOf(err) != c.want || (c.want == 0) != (err == nil && at.ID == 1) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := feature.LoadDealt(t.Context(), newDesk(t), asks("ann", "rack", nil)); !errors.Is(err, bot.ErrNoTable) {
		t.Errorf("without a table: %v", err)
	}
}

// A list with links to boards fits into a message beside other texts. Otherwise it says how many lines
// are missing.
func TestListsFitIntoMessages(t *testing.T) {
	head, after := text.Plain(strings.Repeat("standings ", 60)), text.Say("After.")
	for _, c := range []struct{ lines, link, want int }{{0, 70, 0}, {3, 70, 3}, {40, 0, 40}, {60, 0, 57}, {40, 70, 11}} {
		var lines []text.Text
		for n := range c.lines {
			line := text.Glue(n, ". Ann Example – Bob")
			if c.link > 0 {
				line = feature.LinkBoard(line, "https://"+strings.Repeat("x", c.link-len("https://")))
			}
			lines = append(lines, line)
		}
		got := feature.Fit(head, lines, after)
		if got.Size() > bot.MaxText {
			t.Errorf("%d lines of links of %d characters make a message of %d", c.lines, c.link, got.Size())
		}
		all := got.In(nil).Lines()
		if all[0].String() != head.String() || all[len(all)-1].String() != "After." {
			t.Errorf("%d lines stand between other texts:\n%s", c.lines, got)
		}
		all = all[1 : len(all)-1]
		if left := c.lines - c.want; left > 0 {
			if last := all[len(all)-1].String(); last != fmt.Sprintf("and %d more.", left) {
				t.Errorf("of %d lines it lists %d, and ends: %s", c.lines, len(all)-1, last)
			}
		} else if len(all) != c.lines {
			t.Errorf("of %d lines it lists %d", c.lines, len(all))
		}
	}
}

// People are asked to confirm only what they could do.
func TestOnlyPossibleActionsAreConfirmed(t *testing.T) {
	d := newDesk(t)
	d.lay(t, 1, dealt(t))
	resign := feature.Always(game.Resign{})
	sure := func(at table.Table) bot.Reply { return bot.Reply{Text: text.Say("Resign at table {n}?", int(at.ID))} }
	if r, err := feature.Ask(t.Context(), d, asks("ann", "resign", nil), resign, sure); err != nil || r.Refused || r.Text.String() != "Resign at table 1?" {
		t.Errorf("Ann is asked %s, %v", r.Text, err)
	}
	if r, err := feature.Ask(t.Context(), d, asks("eve", "resign", nil), resign, sure); err != nil || !r.Refused || strings.Contains(r.Text.String(), "?") {
		t.Errorf("Eve, who plays nowhere, is asked %s, %v", r.Text, err)
	}
	if _, err := feature.Ask(t.Context(), d, asks("ann", "resign", nil), func(table.Table) (game.Action, error) { return nil, errDown }, sure); !errors.Is(err, errDown) {
		t.Errorf("what can't be judged: %v", err)
	}
	if _, err := feature.Ask(t.Context(), newDesk(t), asks("ann", "resign", nil), resign, sure); !errors.Is(err, bot.ErrNoTable) {
		t.Errorf("without a table: %v", err)
	}
}

// A person's games include all their identities'. Games waiting for them come first, and
// one that can't be read is counted and left out.
func TestGamesOfPerson(t *testing.T) {
	d := newDesk(t)
	moved := dealt(t)
	moved.Play("ann", "8H HORN")
	d.lay(t, 1, moved)
	d.lay(t, 2, dealt(t))
	d.lay(t, 3, over(t))
	d.lay(t, 4, lobby(t))
	other := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "cat:HORNSAT", "bob:FARMQIS"}, nil)
	d.lay(t, 5, other)
	d.seated["test:ann"] = append(d.seated["test:ann"], 5, 6) // she has just been replaced at table 5
	d.broken[6] = bot.ErrUnreadable
	var order []string
	all, unread, err := feature.Playing(t.Context(), d, "test:ann", "test:cat")
	gametest.Must(t, err)
	for _, g := range all {
		order = append(order, fmt.Sprintf("%d, her turn: %t", g.ID, g.IsTurn()))
	}
	if got := strings.Join(order, "; "); unread != 1 || got != "2, her turn: true; 5, her turn: true; 1, her turn: false" {
		t.Errorf("Ann, who is Cat too, plays %s; %d unread", got, unread)
	}
	if !strings.Contains(d.log.String(), "a game is missing") {
		t.Errorf("of the one that can't be read the log says %s", &d.log)
	}
	d.broken[1] = errDown
	for _, who := range []game.PlayerID{"test:ann", "test:down"} {
		if _, _, err := feature.Playing(t.Context(), d, who); !errors.Is(err, errDown) {
			t.Errorf("%s's games, some of which can't be loaded: %v", who, err)
		}
	}
}

// A typed word is completed with the squares where it fits.
func TestSquaresOfWord(t *testing.T) {
	d := newDesk(t)
	if got := feature.Squares(d)(t.Context(), asks("ann", "play", map[string]string{"word": "horn"})); got != nil {
		t.Errorf("without a table there is offered %v", got)
	}
	d.lay(t, 1, dealt(t))
	got := feature.Squares(d)(t.Context(), asks("ann", "play", map[string]string{"word": "horn"}))
	if len(got) == 0 || !strings.Contains(got[0].Label.String(), got[0].Value) {
		t.Errorf("for HORN there is offered %v", got)
	}
}

// A game's line says whom it waits for and until when. It links to the board in the
// platform's own client if possible, and otherwise to the channel.
func TestGameLine(t *testing.T) {
	paced := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, func(o *game.Opened) { o.Pace = game.Pace{Turn: 24 * time.Hour} })
	front := func(url string, err error) feature.Linker {
		return feature.Linker{
			Home:  func(context.Context, bot.ChannelID) (string, error) { return "test:club", err },
			Front: func(context.Context, table.Table) (string, error) { return url, nil },
		}
	}
	link := func(_ context.Context, ch bot.ChannelID, home string) string {
		return "https://chat.example/" + home + "/" + string(ch)
	}
	for name, c := range map[string]struct {
		game *bottest.Game
		who  int
		ways feature.Linker
		link func(context.Context, bot.ChannelID, string) string
		says string
		to   string // target of the link
	}{
		"my move":               {dealt(t), 0, front("", nil), nil, "Your move · Ann 0 · Bob 0", ""},
		"my move, on the clock": {paced, 0, front("", nil), nil, "Your move until 3 Mar 12:00 UTC · Ann 0", ""},
		"another's":             {dealt(t), 1, front("", nil), nil, "Ann to move · Ann 0", ""},
		"with a front":          {dealt(t), 0, front("https://front.example/1", nil), link, "Your move", "https://front.example/1"},
		"in its channel":        {dealt(t), 0, front("", nil), link, "Your move", "https://chat.example/test:club/test:den"},
		"without a front":       {dealt(t), 0, feature.Linker{Home: front("", nil).Home}, link, "Your move", "https://chat.example/test:club/test:den"},
	} {
		d := newDesk(t)
		at := d.lay(t, 1, c.game)
		d.platform.Link = c.link
		line, err := feature.GameLine(t.Context(), d, c.ways, feature.OwnGame{Table: at, Seat: c.who})
		gametest.Must(t, err)
		var to string
		for _, span := range line.In(nil) {
			to += span.Link
		}
		if said := line.String(); !strings.HasPrefix(said, c.says) || to != c.to || strings.HasSuffix(said, " · open the board") != (to != "") {
			t.Errorf("%s: %s, which leads to %q; want %s, and %q", name, said, to, c.says, c.to)
		}
	}
	d := newDesk(t)
	d.platform.Link = link
	at := d.lay(t, 1, dealt(t))
	if line, err := feature.GameLine(t.Context(), d, front("", errDown), feature.OwnGame{Table: at}); !errors.Is(err, errDown) || line == nil {
		t.Errorf("where the home can't be read the line is %s, %v", line, err)
	}
	lost := front("", nil)
	lost.Front = func(context.Context, table.Table) (string, error) { return "", errDown }
	if _, err := feature.GameLine(t.Context(), d, lost, feature.OwnGame{Table: at}); !errors.Is(err, errDown) {
		t.Errorf("where the front can't be found: %v", err)
	}
	at.Phase, at.Until = game.Closing, now
	if line, err := feature.GameLine(t.Context(), d, front("", nil), feature.OwnGame{Table: at}); err != nil || !strings.HasPrefix(line.String(), "The last play can be challenged until") {
		t.Errorf("a game whose last play can be challenged: %s, %v", line, err)
	}
}

// If a request may be about several games, its buttons ask which one, naming the other
// players, as many as there is room for.
func TestAsksWhichGame(t *testing.T) {
	lines := func(n int) (all []text.Text) {
		for i := range n {
			all = append(all, text.Say("line {n}", i+1))
		}
		return all
	}
	d := newDesk(t)
	alone := lobby(t)
	several := []table.Table{d.lay(t, 1, dealt(t)), d.lay(t, 2, alone)}
	ask := func(args map[string]string, all []table.Table) bot.Reply {
		t.Helper()
		err := feature.AskWhich(asks("ann", "pass", args), text.Say("Which one?"), all, lines(len(all)))
		if !words.IsMistake(err) {
			t.Errorf("which is no refusal: %v", err)
		}
		return words.Explain(table.Table{}, bot.Request{}, err)
	}
	r := ask(map[string]string{"sure": "true"}, several)
	if got, want := r.Text.String(), "Which one?\n1. line 1\n2. line 2"; got != want || len(r.Buttons) != 2 {
		t.Fatalf("of two games there is asked\n%s\nwant\n%s", got, want)
	}
	if a, b := r.Buttons[0].Label.String(), r.Buttons[1].Label.String(); a != "1. With Bob" || b != "2. Alone" {
		t.Errorf("the buttons are %q and %q", a, b)
	}
	req, ok := bot.Request{User: bottest.People["ann"]}.Press(r.Buttons[1].ID)
	if !ok || req.Command != "pass" || req.Table != 2 || req.Args["sure"] != "true" {
		t.Errorf("the second button asks for %+v", req)
	}
	const typed = "You can also type it where the game is"
	for n, more := range map[int]bool{bot.MostButtons: false, bot.MostButtons + 1: true} {
		var all []table.Table
		for len(all) < n {
			all = append(all, several[0])
		}
		r := ask(nil, all)
		if len(r.Buttons) != bot.MostButtons || strings.Contains(r.Text.String(), typed) != more || strings.Contains(r.Text.String(), "line 6") {
			t.Errorf("of %d games, with %d buttons, there is asked %s", n, len(r.Buttons), r.Text)
		}
	}
	if r := ask(map[string]string{"word": strings.Repeat("long", 30)}, several); len(r.Buttons) != 0 || !strings.Contains(r.Text.String(), typed) {
		t.Errorf("what no button has room for is asked by %d, and %s", len(r.Buttons), r.Text)
	}
}
