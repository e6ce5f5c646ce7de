package game_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// pocketSet returns a small board and few tiles, so that the examples can be followed by hand.
func pocketSet() game.Equipment {
	layout, err := game.ParseLayout("pocket", "T...T\n.d.d.\n..*..\n.d.d.\nT...T")
	if err != nil {
		panic(err)
	}
	tiles, err := game.ParseTileSet("pocket", "A\t6\t1\tv\nE\t6\t1\tv\nN\t4\t1\nS\t4\t1\nT\t4\t1\n?\t2\t0")
	if err != nil {
		panic(err)
	}
	return game.Equipment{Layout: layout, Tiles: tiles}
}

// A wordList is a Dictionary of a few words.
type wordList map[string]bool

func (w wordList) Has(word lexicon.Word) bool {
	return w[pocketSet().Tiles.Alphabet().String(word)]
}

// A club holds what the examples share: players, words, and a clock that advances a minute with
// every action.
type club struct {
	ann, bob game.Person
	env      game.Env
	log      []game.Event
	state    game.State
}

func newClub() *club {
	return &club{
		ann: game.Person{ID: "a1", Name: "Ann"}, bob: game.Person{ID: "b2", Name: "Bob"},
		env: game.Env{
			Dict: wordList{"EAT": true, "NEAT": true, "EATS": true, "SEAT": true, "TEN": true, "NET": true, "SAT": true},
			Now:  time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
			// Random bytes outside of examples: all draws come from them.
			Secret: game.Secret{63},
		},
	}
}

// does performs an action: Decide judges it and returns events, Apply applies them.
func (c *club) does(who game.Person, a game.Action) error {
	c.env.Now = c.env.Now.Add(time.Minute)
	c.env.Cause = fmt.Sprint("request-", len(c.log)) // the platform's request id
	events, err := game.Decide(c.state, who, a, c.env)
	if err != nil {
		return err
	}
	for _, e := range events {
		c.state = c.state.Apply(e)
	}
	c.log = append(c.log, events...)
	return nil
}

// start opens a table for two and seats both, so that the game starts.
func (c *club) start() {
	rules := game.Classic()
	rules.RackSize = 4
	c.does(c.ann, game.Open{Rules: rules, Equipment: pocketSet(), Seats: 2})
	c.does(c.bob, game.Join{})
}

// This example opens a table, seats a second player and deals the racks.
func Example_deal() {
	c := newClub()
	c.start()
	for _, e := range c.log {
		fmt.Printf("%d %T\n", e.Number, e.Fact)
	}
	set := c.state.Equipment.Tiles
	for _, seat := range c.state.Seats {
		fmt.Println(seat.Person.Name, "holds", set.Print(seat.Rack))
	}
	fmt.Println(c.state.Seats[c.state.Turn].Person.Name, "begins;", len(c.state.Bag), "tiles are in the bag")
	// Output:
	// 0 game.Opened
	// 1 game.Joined
	// 2 game.Joined
	// 3 game.Started
	// 4 game.OrderDrawn
	// 5 game.OrderDrawn
	// 6 game.Dealt
	// Ann holds ETAN
	// Bob holds A?SE
	// Ann begins; 18 tiles are in the bag
}

// This example judges, scores and lays a play. An action that the rules reject returns an error
// that says why.
func Example_play() {
	c := newClub()
	c.start()
	tiles, err := c.state.Equipment.Tiles.Parse("NEAT")
	if err != nil {
		panic(err)
	}
	at, dir, err := game.ParseAt("3A")
	if err != nil {
		panic(err)
	}
	neat := game.Play{Move: game.Move{Kind: game.PlayTiles, At: at, Dir: dir, Tiles: tiles}}
	for _, who := range []game.Person{c.bob, c.ann} {
		err := c.does(who, neat)
		var mistake *game.RuleError
		if errors.As(err, &mistake) {
			fmt.Printf("%s: %v\n", who.Name, mistake.Code)
			continue
		}
		played := c.log[len(c.log)-1].Fact.(game.Played)
		fmt.Printf("%s: %s for %d\n", who.Name, played.Move.Text(c.state.Equipment.Tiles), played.Score)
	}
	// Output:
	// Bob: not your turn
	// Ann: 3A NEAT for 8
}

// Under the classic rules a word that isn't in the list can be played, and an opponent's challenge
// removes it.
func Example_challenge() {
	c := newClub()
	c.start()
	tiles, err := c.state.Equipment.Tiles.Parse("TAE")
	if err != nil {
		panic(err)
	}
	at, dir, err := game.ParseAt("3B")
	if err != nil {
		panic(err)
	}
	c.does(c.ann, game.Play{Move: game.Move{Kind: game.PlayTiles, At: at, Dir: dir, Tiles: tiles}})
	fmt.Println("Ann has", c.state.Seats[0].Score, "points")
	c.does(c.bob, game.Challenge{})
	f := c.log[len(c.log)-1].Fact.(game.Challenged)
	fmt.Println("not a word:", c.state.Equipment.Tiles.Print(f.Invalid[0]))
	fmt.Println("Ann has", c.state.Seats[0].Score, "points, and it is", c.state.Seats[c.state.Turn].Person.Name+"'s turn")
	// Output:
	// Ann has 6 points
	// not a word: TAE
	// Ann has 0 points, and it is Bob's turn
}

// A log of events is the game: it replays to the state of the table after each event.
func Example_replay() {
	c := newClub()
	c.start()
	c.does(c.ann, game.Pass{})
	c.does(c.bob, game.Resign{})
	for n := 1; n <= len(c.log); n++ {
		s, err := game.Replay(c.log[:n])
		if err != nil {
			panic(err)
		}
		if s.Phase == game.Over {
			fmt.Println("after event", n-1, "the game is over; winner:", s.Seats[s.End.Winners[0]].Person.Name)
		}
	}
	_, err := game.Replay(c.log[1:])
	fmt.Println("without its first event:", err)
	// Output:
	// after event 9 the game is over; winner: Ann
	// without its first event: event 0: it has the number 1
}
