package table_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func tableOf(t *testing.T, g *bottest.Game) table.Table {
	t.Helper()
	all, err := table.Variants(nil).Replay("test:1", 7, g.Events)
	gametest.Must(t, err)
	return all
}

func deal(t *testing.T, challenge string, change func(*game.Opened), tiles ...string) *bottest.Game {
	t.Helper()
	return bottest.Deal(t, "classic", challenge, tiles, change)
}

// labels returns the labels of buttons, joined.
func labels(all []bot.Button) string {
	var said []string
	for _, b := range all {
		said = append(said, b.Label.String())
	}
	return strings.Join(said, ", ")
}

// Everyone can press what is possible at the table now, and nothing else.
func TestPublicButtons(t *testing.T) {
	opened := func(seats int, change func(*game.Open)) *bottest.Game {
		o := game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Lexicon: gametest.Lexicon, Seats: seats}
		if change != nil {
			change(&o)
		}
		return bottest.Open(t, "ann", o)
	}
	lobby := opened(3, nil)
	joined := opened(3, nil)
	joined.Do("bob", game.Join{})
	invited := opened(2, func(o *game.Open) { o.Invited = []game.Person{bottest.People["bob"]} })
	vote := opened(2, func(o *game.Open) { o.Rules.Order = game.Voted })
	vote.Do("bob", game.Join{})
	playing := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	laid := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	laid.Play("ann", "8H HORN")
	void := deal(t, "void", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	void.Play("ann", "8H HORN")
	closing := deal(t, "single", nil, "ann:HORN", "bob:PASTEZO")
	closing.Play("ann", "8H HORN")
	over := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	over.Do("ann", game.Resign{})
	closed := opened(2, nil)
	closed.Do("ann", game.Leave{})
	late := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	late.Wait(8 * 24 * time.Hour)
	late.Do("", game.Expire{})
	vacant := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	vacant.Do("", game.Vacate{Player: "test:ann"})
	for _, c := range []struct {
		when                      string
		g                         *bottest.Game
		public, seated, onlooking string
	}{
		{"a lobby", lobby, "Join, Leave, Add a robot, Fair draws", "Leave", "Join, Leave, Add a robot"},
		{"a lobby that can start", joined, "Join, Leave, Add a robot, Start, Fair draws", "Leave, Start", "Join, Leave, Add a robot, Start"},
		{"a lobby for guests", invited, "Join, Leave, Fair draws", "Leave", "Join, Leave"},
		{"a vote", vote, "Ann first, Bob first, Any order", "Ann first, Bob first, Any order", "Ann first, Bob first, Any order"},
		{"a game", playing, "My rack, Try, More", "", ""},
		{"a play to challenge", laid, "My rack, Try, Challenge, More", "Challenge", ""},
		{"a play that was looked up", void, "My rack, Try, More", "", ""},
		{"the last play", closing, "My rack, Challenge, Accept it, More", "Challenge, Accept it", ""},
		{"a late player", late, "My rack, Claim the game, Keep waiting", "Claim the game, Keep waiting", ""},
		{"a free seat", vacant, "My rack, Take the free seat, Let a robot play on, Claim the game", "Take the free seat, Let a robot play on, Claim the game", "Take the free seat, Let a robot play on"},
		{"the end", over, "Rematch, Moves, Replay, Review, Export", "Rematch, Replay, Review, Export", "Rematch, Replay, Review, Export"},
		{"a table that was closed", closed, "", "", ""},
	} {
		at := tableOf(t, c.g)
		if got := labels(table.PublicButtons(at)); got != c.public {
			t.Errorf("%s has the buttons %q, want %q", c.when, got, c.public)
		}
		if got := labels(table.SightButtons(at, 1)); got != c.seated {
			t.Errorf("%s, beside Bob's board there are %q, want %q", c.when, got, c.seated)
		}
		if got := labels(table.SightButtons(at, -1)); got != c.onlooking {
			t.Errorf("%s, beside an onlooker's board there are %q, want %q", c.when, got, c.onlooking)
		}
	}
	if got := labels(table.SightButtons(tableOf(t, closing), 0)); strings.Contains(got, "Challenge") {
		t.Errorf("beside the board of who made the last play there are %q", got)
	}
}

// A variant has its own buttons during the game.
func TestVariantsOwnButtons(t *testing.T) {
	at := tableOf(t, deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO"))
	at.Variant.Buttons = func(t table.Table) []bot.Button {
		return []bot.Button{t.Button(text.Say("Cover"), "cover", bot.Primary, nil)}
	}
	if got := labels(table.PublicButtons(at)); got != "Cover" {
		t.Errorf("the buttons are %q", got)
	}
}

// A player can put back any of their tiles, equal ones too, while the bag has enough.
func TestExchangeMenus(t *testing.T) {
	at := tableOf(t, deal(t, "single", nil, "bag:IIIIIIII", "ann:HOOR?", "bob:PASTEZO"))
	menus := table.ExchangeMenus(at, 0)
	if len(menus) != 1 || menus[0].Most != 5 {
		t.Fatalf("Ann chooses from %+v", menus)
	}
	var all []string
	for _, c := range menus[0].Choices {
		all = append(all, c.Value+" "+c.Label.String())
	}
	if got, want := strings.Join(all, ", "), "1 H, 2 O, 3 O, 4 R, 5 ? (blank)"; got != want {
		t.Errorf("Ann can choose %q, want %q", got, want)
	}
	if menus = table.ExchangeMenus(at, 1); menus != nil {
		t.Errorf("out of turn Bob chooses from %+v", menus)
	}
	if menus = table.ExchangeMenus(tableOf(t, deal(t, "single", nil, "bag:IIIIII", "ann:HOOR?", "bob:PASTEZO")), 0); menus != nil {
		t.Errorf("with six tiles in the bag Ann chooses from %+v", menus)
	}
	few := deal(t, "single", func(o *game.Opened) { o.Rules.ExchangeMin = 0 }, "bag:III", "ann:HOOR?", "bob:PASTEZO")
	if menus = table.ExchangeMenus(tableOf(t, few), 0); len(menus) != 1 || menus[0].Most != 3 {
		t.Errorf("of a bag of three Ann chooses from %+v", menus)
	}
}

// Three players have more orders than there is room for buttons, so they choose from a
// menu.
func TestPollMenus(t *testing.T) {
	for _, c := range []struct {
		players       int
		buttons, menu string
	}{
		{2, "Ann first, Bob first, Any order", ""},
		{3, "Any order", "123 Ann, Bob, Cat; 132 Ann, Cat, Bob; 213 Bob, Ann, Cat; 231 Bob, Cat, Ann; 312 Cat, Ann, Bob; 321 Cat, Bob, Ann; "},
	} {
		rules := game.Classic()
		rules.Order = game.Voted
		g := bottest.Open(t, "ann", game.Open{Rules: rules, Equipment: gametest.Equipment(t), Lexicon: gametest.Lexicon, Seats: c.players})
		for _, who := range []string{"bob", "cat", "dan"}[:c.players-1] {
			if menus := table.PollMenus(tableOf(t, g)); menus != nil {
				t.Errorf("before the vote there is %+v", menus)
			}
			g.Do(who, game.Join{})
		}
		at := tableOf(t, g)
		menu := ""
		for _, m := range table.PollMenus(at) {
			for _, choice := range m.Choices {
				menu += choice.Value + " " + choice.Label.String() + "; "
			}
		}
		if got := labels(table.PublicButtons(at)); got != c.buttons {
			t.Errorf("%d players: the buttons are %q, want %q", c.players, got, c.buttons)
		}
		if menu != c.menu {
			t.Errorf("%d players: the menu has %q, want %q", c.players, menu, c.menu)
		}
	}
}

// Buttons reorder a rack, in the same way for the same request.
func TestReorderRack(t *testing.T) {
	at := tableOf(t, deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO"))
	set := at.Equipment.Tiles
	if got := labels(table.RackButtons(at)); got != "Shuffle, Sort" {
		t.Errorf("the buttons are %q", got)
	}
	press := func(label, id string) string {
		t.Helper()
		for _, b := range table.RackButtons(at) {
			if req, ok := (bot.Request{ID: id}).Press(b.ID); ok && b.Label.String() == label {
				return set.Print(table.OrderedRack(at, 0, req))
			}
		}
		t.Fatalf("no button says %s", label)
		return ""
	}
	if got := set.Print(table.OrderedRack(at, 0, bot.Request{})); got != "HORNSA?" {
		t.Errorf("as drawn it is %s", got)
	}
	if got := press("Sort", "a"); got != "AHNORS?" {
		t.Errorf("sorted it is %s", got)
	}
	first := press("Shuffle", "a")
	if again, other := press("Shuffle", "a"), press("Shuffle", "b"); first != again || first == other || len(first) != 7 {
		t.Errorf("shuffled it is %s, again %s, for another request %s", first, again, other)
	}
}
