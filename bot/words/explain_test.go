package words_test

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestArticle(t *testing.T) {
	for letter, want := range map[string]string{
		"A": "an A", "B": "a B", "U": "a U", "H": "an H", "X": "an X",
		"İ": "an İ", "I": "an I", "Ñ": "an Ñ", "Ł": "an Ł", "Ż": "a Ż", "Ü": "a Ü", "Å": "an Å", "Ç": "a Ç", "Þ": "a Þ",
		"CH": "a CH", "LL": "an LL", "L·L": "an L·L", "QU": "a QU", "SZ": "an SZ",
		"Ω": "an Ω", "Ξ": "a Ξ", "Ё": "a Ё", "Э": "an Э", "Й": "a Й", "Ї": "a Ї", "Т": "a Т", "א": "an א", "ב": "a ב",
	} {
		if got := words.Article(letter, false).String(); got != want {
			t.Errorf("%s is %q, want %q", letter, got, want)
		}
	}
	if got := words.Article("İ", true).String(); got != "An İ" {
		t.Errorf("at the beginning of a sentence İ is %q", got)
	}
}

// Every flaw in a table's settings is explained in the reader's language.
func TestEveryFlawIsExplained(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	german, _ := locales.ByCode("de")
	said := map[string]bool{}
	for f := game.Flaw(1); f <= game.NobodySetsUp; f++ {
		text := words.ExplainRule(table.Table{}, bot.Request{}, &game.RuleError{Code: game.BadSettings, Flaw: f, N: 6})
		own := text.In(german).String()
		if own == text.String() || !strings.HasSuffix(own, ". /help new zeigt, was geht.") {
			t.Errorf("%d: %q, in German %q", f, text, own)
		}
		if general := f == game.NoRacks || f == game.NeverEnds || f == game.NobodySetsUp; said[own] && !general {
			t.Errorf("%d: %q is said of another too", f, own)
		}
		said[own] = true
	}
}

// TestEveryMistakeIsExplained checks that every code has an explanation of its own that
// says what to do next.
func TestEveryMistakeIsExplained(t *testing.T) {
	log := bottest.Dealt(t, "", "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"})
	s, err := game.Replay(log)
	gametest.Must(t, err)
	horn := gametest.Tiles(t, s.Equipment, "HORN")
	m := gametest.Move(t, s.Equipment, "8H HORN")
	s.Latest = &game.LatestPlay{Played: game.Played{Seat: 0, Move: m, Words: []game.ScoredWord{{Tiles: horn}}}}
	lobby := s
	lobby.Phase = game.Lobby
	over := s
	over.Phase = game.Over
	closing := s
	closing.Phase, closing.Until = game.Closing, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	// The explanation names a command or asks plainly; bystanders get buttons instead.
	next := regexp.MustCompile("/[a-z]+|Type |Choose |Check |Say |[Tt]ry |Play |Write |Carry on|Leave (it|somebody)|Others can|Please |seats|Wait until|Challenge what|can start when|ends when|the game ends|aren't in this game")
	said := map[string]game.Code{}
	for c := game.Code(1); !strings.HasPrefix(c.String(), "Code("); c++ {
		e := &game.RuleError{
			Code: c, Move: m, Square: m.At, Tile: horn.At(0), There: horn.At(1), Rack: s.Seats[0].Rack, Words: []game.Tiles{horn},
			Spots: []game.Spot{{Move: m}}, Text: "horn", Seat: 1, N: 3, Need: 7,
		}
		for phase, at := range map[string]game.State{"lobby": lobby, "playing": s, "closing": closing, "over": over, "none": {Equipment: s.Equipment, Rules: s.Rules, Lexicon: s.Lexicon, Latest: s.Latest, Seats: s.Seats}} {
			for _, who := range []string{"ann", "bob", "eve"} {
				req := bot.Request{User: bottest.People[who], Command: "play", Args: map[string]string{"word": "horn"}}
				text := words.ExplainRule(table.Table{ID: 1, State: at}, req, e).String()
				where := fmt.Sprintf("%s (%s, %s): %q", c, phase, who, text)
				if strings.Contains(text, "against the rules") || strings.Contains(text, "can't be done") {
					t.Errorf("%s: no words of its own", where)
				}
				if !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") || strings.Contains(text, "..") || !next.MatchString(text) {
					t.Errorf("%s: what now?", where)
				}
				if other, ok := said[text]; ok && other != c && !strings.Contains(text, "No table") {
					t.Errorf("%s: the same words as %s", where, other)
				}
				said[text] = c
			}
		}
	}
	if len(said) < 40 {
		t.Errorf("%d sentences", len(said))
	}
}

func TestMistakesInDetail(t *testing.T) {
	s, err := game.Replay(bottest.Dealt(t, "", "classic", "single", []string{"bag:EEEEEEEE", "ann:HOORNA?", "bob:FARMQI?"}))
	gametest.Must(t, err)
	set := s.Equipment.Tiles
	tile := func(s string) game.Tile { return gametest.Tiles(t, game.Equipment{Tiles: set}, s).At(0) }
	down := gametest.Move(t, s.Equipment, "D8 QUIZ")
	put := game.Move{Kind: game.ExchangeTiles}
	for want, e := range map[string]*game.RuleError{
		"D8 needs a Q on D10, and you have AHNOOR?. Try another word or square.":              {Code: game.NotOnRack, Move: down, Square: game.Square{Row: 9, Col: 3}, Tile: tile("Q"), Rack: s.Seats[0].Rack},
		"D8 needs an X on A1, and you have AHNOOR?. Try another word or square.":              {Code: game.NotOnRack, Move: down, Tile: tile("X"), Rack: s.Seats[0].Rack},
		"D8 needs a blank on D8, and you have AHNOOR?. Try another word or square.":           {Code: game.NotOnRack, Move: down, Square: down.At, Tile: game.Blank, Rack: s.Seats[0].Rack},
		"You only have 2 O to put back: you have AHNOOR?.":                                    {Code: game.NotOnRack, Move: put, Tile: tile("O"), Rack: s.Seats[0].Rack},
		"You only have 1 blank to put back: you have AHNOOR?.":                                {Code: game.NotOnRack, Move: put, Tile: game.Blank, Rack: s.Seats[0].Rack},
		"You don't have an E to put back: you have AHNOOR?.":                                  {Code: game.NotOnRack, Move: put, Tile: tile("E"), Rack: s.Seats[0].Rack},
		"QUIZ at D8 needs a U on D9, but an F is already there. Check where the word starts.": {Code: game.Occupied, Move: down, Square: game.Square{Row: 8, Col: 3}, Tile: tile("U"), There: tile("F")},
		"A U is already on D9. Type it without the ?.":                                        {Code: game.Occupied, Move: down, Square: game.Square{Row: 8, Col: 3}, Tile: tile("u"), There: tile("U")},
		"An exchange needs 7 tiles in the bag, and there is 1. Play a word, or /pass.":        {Code: game.BagTooSmall, Need: 7, N: 1},
		"An exchange needs 1 tile in the bag, and there are none. Play a word, or /pass.":     {Code: game.BagTooSmall, Need: 1, N: 0},
		"It's Bob's turn. Meanwhile, /try shows what a play would score.":                     {Code: game.NotYourTurn, Seat: 1},
		"QI and ZA have been looked up already, and the play stands. Carry on with the game.": {Code: game.AlreadyJudged, Words: []game.Tiles{gametest.Tiles(t, s.Equipment, "QI"), gametest.Tiles(t, s.Equipment, "zA")}},
	} {
		req := bot.Request{User: bottest.People["ann"], Command: "play", Args: map[string]string{"word": "q?uiz", "at": "d8"}}
		if got := words.ExplainRule(table.Table{State: s}, req, e).String(); got != want {
			t.Errorf("%s\n got %s\nwant %s", e.Code, got, want)
		}
	}
}

// The cost of a wrong challenge is described correctly for every rule, including some that
// don't exist yet.
func TestWrongChallengeCost(t *testing.T) {
	rules := append(game.ChallengeRules(), game.ChallengeRule{Name: "7 off", Cost: 7}, game.ChallengeRule{Name: "both", Bonus: 5, LosesTurn: true})
	for _, c := range rules {
		told := words.WrongChallengeCosts(c).String()
		for what, costs := range map[string]bool{
			"nothing": c.Free(), "miss a turn": c.LosesTurn, "out of the game": c.LosesGame,
			fmt.Sprintf("gain %d points", c.Bonus): c.Bonus > 0, fmt.Sprintf("lose %d points", c.Cost): c.Cost > 0,
		} {
			if strings.Contains(told, what) != costs {
				t.Errorf("%s: %q, and it is %t that it costs %q", c.Name, told, costs, what)
			}
		}
	}
	choices := words.ChallengeChoices()
	if len(choices) != len(game.ChallengeRules()) {
		t.Errorf("%d challenge rules to choose from, there are %d", len(choices), len(game.ChallengeRules()))
	}
	for _, c := range choices {
		if rule, ok := game.ParseChallengeRule(c.Value); !ok || strings.Contains(c.Label.String(), "nothing") != (rule.Free() && !rule.Void) {
			t.Errorf("%+v is not what the rule %+v is", c, rule)
		}
	}
}

// A word that fits in several places gets a button for each, as far as there is room.
// Errors that aren't mistakes are reported as the host's fault.
func TestAnswersToImpossiblePlays(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQIE"}, nil)
	g.Play("ann", "8H HORN")
	at := table.Table{ID: 7, State: g.State}
	req := bot.Request{ID: "abc", User: bottest.People["bob"], Command: "play", Args: map[string]string{"word": "farm"}}
	var spots []game.Spot
	for _, move := range []string{"9K FARM", "H5 FAR.", "J6 FA.M"} {
		m := gametest.Move(t, g.Equipment, move)
		spots = append(spots, game.Spot{Move: m, Tally: game.Tally{Total: 12}})
	}
	many := words.Explain(at, req, &game.RuleError{Code: game.ManyPlacements, Spots: spots})
	var labels, plays []string
	for _, b := range many.Buttons {
		press, ok := (bot.Request{}).Press(b.ID)
		if !ok {
			t.Fatalf("what does %q press?", b.ID)
		}
		labels, plays = append(labels, b.Label.String()), append(plays, press.Command+" "+press.Args["word"]+" "+press.Args["at"])
	}
	if got, want := strings.Join(labels, ", "), "9K across · 12, H5 down · 12, J6 down · 12"; got != want {
		t.Errorf("the buttons are %q, want %q", got, want)
	}
	if got, want := strings.Join(plays, ", "), "play FARM 9K, play FAR. H5, play FA.M J6"; got != want {
		t.Errorf("the buttons do %q, want %q", got, want)
	}
	if got, want := many.Text.String(), "FARM fits in 3 places. Choose one, or type its square: /play farm 9K."; got != want || !many.Refused {
		t.Errorf("told %q, want %q", got, want)
	}
	for _, c := range []struct {
		err     error
		mistake bool
		want    string
	}{
		{fmt.Errorf("at the table: %w", &game.RuleError{Code: game.TooEarly}), true, "The last play can still be challenged, until 1 Jan 00:00 UTC. Please wait."},
		{words.OutOfDate(), true, "That button is out of date: the game has moved on. /board shows it as it is now."},
		{words.BadChoice("seats", "many"), true, "seats can't be many. /help new lists the choices."},
		{words.BadSetting("theme", strings.Repeat("x", 100)), true, "theme can't be " + strings.Repeat("x", 31) + "…. /help settings lists the choices."},
		{words.NoChoice("hints", "perhaps", "yes", "no"), true, "hints can't be perhaps: choose yes or no."},
		{io.ErrUnexpectedEOF, false, "Something went wrong on my side, and nothing was changed. Please try again in a moment. Whoever runs this host can find it in the log as " + req.Reference() + "."},
	} {
		reply := words.Explain(at, req, c.err)
		if reply.Text.String() != c.want || !reply.Refused || words.IsMistake(c.err) != c.mistake {
			t.Errorf("%v is answered %q (a mistake: %t), want %q", c.err, reply.Text, words.IsMistake(c.err), c.want)
		}
	}
}

// A yes-or-no option accepts the usual spellings and rejects others.
func TestYesOrNo(t *testing.T) {
	for typed, want := range map[string]string{"": "true", "Yes": "true", "true": "true", "NO": "false", "false": "false", "maybe": "hints can't be maybe: choose yes or no."} {
		is, err := words.YesNo(map[string]string{"hints": typed}, "hints", true)
		got := fmt.Sprint(is)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q is read as %s, want %s", typed, got, want)
		}
	}
}

// Missing letters are named, except for letters on the board and as many as there are
// blanks.
func TestMissingLettersAreNamed(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}, nil)
	g.Play("ann", "8H HORN")
	at := table.Table{ID: 7, State: g.State}
	for typed, want := range map[string]string{
		"farm":   "FARM doesn't fit anywhere with your tiles, AFIMQR?. /board shows where there's room.",
		"horns":  "HORNS doesn't fit anywhere with your tiles, AFIMQR?. /board shows where there's room.", // the blank is the S
		"quizz":  "For QUIZZ you're missing U Z Z: you have AFIMQR?, and there's no such letter on the board.",
		"f?arms": "For FARMS you're missing A S: you have AFIMQR?, and there's no such letter on the board.", // one blank isn't enough
	} {
		e := &game.RuleError{Code: game.NoPlacement, Text: typed, Rack: g.Seats[1].Rack}
		got := words.ExplainRule(at, bot.Request{User: bottest.People["bob"], Command: "play", Args: map[string]string{"word": typed}}, e).String()
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", typed, got, want)
		}
	}
	for _, code := range []game.Code{game.NoPlacement, game.NotJoined} { // on the board of the day
		e := &game.RuleError{Code: code, Text: "farm", Rack: g.Seats[1].Rack}
		if got := words.ExplainRule(at, bot.Request{Command: "daily"}, e).String(); !strings.Contains(got, "/daily shows") {
			t.Errorf("on the board of the day: %s", got)
		}
	}
}

// What to do about a late player depends on who asks, and when.
func TestLatePlayerAdvice(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}, nil)
	paced := g.State
	paced.Pace.Turn = 24 * time.Hour
	over := g.State
	over.Phase = game.Over
	for _, c := range []struct {
		s         game.State
		who, want string
	}{
		{over, "bob", "Nobody is late here. /board shows how things stand."},
		{g.State, "ann", "It's your own turn. Make your move, or /pass."},
		{g.State, "bob", "Ann hasn't been gone long enough. From 9 Mar 12:00 UTC you can /claim the game."},
		{paced, "bob", "Ann has until 3 Mar 12:00 UTC. Please wait."},
	} {
		if got := words.NotLate(table.Table{State: c.s}, bot.Request{User: bottest.People[c.who]}).String(); got != c.want {
			t.Errorf("%s is told %q, want %q", c.who, got, c.want)
		}
	}
}

// Points and spreads use typographic halves and minus signs.
func TestPointsFormat(t *testing.T) {
	for halves, want := range map[int]string{0: "0", 1: "½", 2: "1", 3: "1½", 14: "7"} {
		if got := words.Points(halves); got != want {
			t.Errorf("%d halves are %s, want %s", halves, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 12: "+12", -7: "−7"} {
		if got := words.Spread(n); got != want {
			t.Errorf("%d points ahead are %s, want %s", n, got, want)
		}
	}
}

// The reason why a person can't join or start fits the table.
func TestJoinAndStartRefusals(t *testing.T) {
	alone := table.Table{State: game.State{Phase: game.Lobby, Rules: game.Classic(), Seats: make([]game.Seat, 1)}}
	two, playing := alone, alone
	two.Seats = make([]game.Seat, 2)
	playing.Phase = game.Playing
	for _, c := range []struct {
		code game.Code
		at   table.Table
		want string
	}{
		{game.AlreadySeated, alone, "You're already at this table. The game can start when somebody else sits down too."},
		{game.AlreadySeated, two, "You're already at this table. /start starts the game."},
		{game.AlreadySeated, playing, "You're already playing in this game. /rack shows your tiles."},
		{game.TooFewPlayers, alone, "A game needs 2 players, and there is only one here. Others can /join."},
		{game.TooFewPlayers, table.Table{}, "A game needs at least 2 players. Give the table more seats."},
	} {
		if got := words.ExplainRule(c.at, bot.Request{}, &game.RuleError{Code: c.code, Need: 2, N: 1}).String(); got != c.want {
			t.Errorf("%s in phase %v: %q, want %q", c.code, c.at.Phase, got, c.want)
		}
	}
}
