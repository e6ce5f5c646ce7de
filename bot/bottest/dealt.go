package bottest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// People are the players in tests, by their short names.
var People = map[string]bot.User{
	"ann": {ID: "test:ann", Name: "Ann"}, "bob": {ID: "test:bob", Name: "Bob"},
	"robot": {ID: "robot:easy", Name: "Easy (robot)"},
	"cat":   {ID: "test:cat", Name: "Cat"}, "dan": {ID: "test:dan", Name: "Dan"}, "mod": {ID: "test:mod", Name: "Mod"}, "eve": {ID: "test:eve", Name: "Eve"},
	"fay": {ID: "test:fay", Name: "Fay"}, // has never played
}

// Dealt returns a game of [People] that has just been dealt, with a tile set that has only the
// given tiles: "bag:EEEE", "ann:HORNSA?".
func Dealt(t testing.TB, hash, ruleSet, challenge string, tiles []string) []game.Event {
	t.Helper()
	i := slices.IndexFunc(game.RuleSets(), func(r game.Rules) bool { return r.Name == ruleSet })
	c, ok := game.ParseChallengeRule(challenge)
	if i < 0 || !ok {
		t.Fatalf("deal: what are %s and %s?", ruleSet, challenge)
	}
	rules := game.RuleSets()[i]
	rules.Challenge = c
	if name, ok := strings.CutPrefix(tiles[0], "variant:"); ok {
		rules.Variant, tiles = name, tiles[1:]
	}
	if tiles[0] == "joining:letters" {
		rules.UseLetter, tiles = true, tiles[1:]
	}
	rules, eq := gametest.EquipVariant(t, rules)
	d := readDeal(t, eq, tiles)
	var err error
	if eq.Tiles, err = game.NewTileSet(eq.Tiles.Name(), d.kinds[:len(d.kinds)-1], d.kinds[len(d.kinds)-1]); err != nil {
		t.Fatal(err)
	}
	facts := []game.Fact{game.Opened{
		Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: "small", Hash: hash},
		Secret: game.Secret{1, 2, 3}, Host: d.persons[0], Seats: len(d.persons),
	}}
	for _, p := range d.persons {
		facts = append(facts, game.Joined{Person: p})
	}
	facts = append(append(facts, game.Started{}), append(d.setUp, game.Dealt{First: 0, Racks: d.racks})...)
	var events []game.Event
	for i, f := range facts {
		events = append(events, game.Event{Number: i, At: time.Now().UTC(), Cause: fmt.Sprintf("deal-%d", i), Fact: f})
	}
	return events
}

// A deal is a test's description of who has which tiles.
type deal struct {
	kinds   []game.Kind // with the counts of all given tiles, the blank last
	persons []game.Person
	racks   []game.Tiles // of the persons
	setUp   []game.Fact
}

func readDeal(t testing.TB, eq game.Equipment, tiles []string) deal {
	t.Helper()
	d := deal{kinds: eq.Tiles.Kinds()}
	for i := range d.kinds {
		d.kinds[i].Count = 0
	}
	for _, f := range tiles {
		who, text, _ := strings.Cut(f, ":")
		if who == "printed" {
			f := game.SetUp{Fitted: true}
			for _, word := range strings.Split(text, ",") {
				f.Printed.Lay(gametest.Move(t, eq, strings.Replace(word, "-", " ", 1)))
			}
			d.setUp = append(d.setUp, f)
			continue
		}
		rack, err := eq.Tiles.Parse(text)
		gametest.Must(t, err)
		for i := range len(rack) {
			if rack.At(i) == game.Blank {
				d.kinds[len(d.kinds)-1].Count++
			} else {
				d.kinds[rack.At(i)-1].Count++
			}
		}
		if who != "bag" {
			d.persons, d.racks = append(d.persons, People[who]), append(d.racks, rack)
		}
	}
	return d
}

// In returns the time at which a zone's clock shows at, such as "2026-06-01 21:59".
func In(t testing.TB, zone, at string) time.Time {
	t.Helper()
	l, err := time.LoadLocation(zone)
	gametest.Must(t, err)
	when, err := time.ParseInLocation("2006-01-02 15:04", at, l)
	gametest.Must(t, err)
	return when
}
