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

// People are those who play in tests, by the name that tests call them.
var People = map[string]bot.User{
	"ann": {ID: "test:ann", Name: "Ann"}, "bob": {ID: "test:bob", Name: "Bob"},
	"robot": {ID: "robot:easy", Name: "Easy (robot)"},
	"cat":   {ID: "test:cat", Name: "Cat"}, "dan": {ID: "test:dan", Name: "Dan"}, "mod": {ID: "test:mod", Name: "Mod"}, "eve": {ID: "test:eve", Name: "Eve"},
	"fay": {ID: "test:fay", Name: "Fay"}, // who has never played
}

// Dealt is a game of [People] that has just been dealt, with a tile set of just the
// tiles that are wanted: "bag:EEEE", "ann:HORNSA?".
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
	rules, eq := gametest.Varied(t, rules)
	kinds := eq.Tiles.Kinds()
	for i := range kinds {
		kinds[i].Count = 0
	}
	var persons []game.Person
	var racks []game.Tiles
	var setUp []game.Fact
	for _, f := range tiles {
		who, text, _ := strings.Cut(f, ":")
		if who == "printed" {
			var f game.SetUp
			for _, word := range strings.Split(text, ",") {
				f.Printed.Lay(gametest.Move(t, eq, strings.Replace(word, "-", " ", 1)))
			}
			f.Fitted = true
			setUp = append(setUp, f)
			continue
		}
		rack, err := eq.Tiles.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(rack) {
			if rack.At(i) == game.Blank {
				kinds[len(kinds)-1].Count++
			} else {
				kinds[rack.At(i)-1].Count++
			}
		}
		if who != "bag" {
			persons, racks = append(persons, People[who]), append(racks, rack)
		}
	}
	var err error
	if eq.Tiles, err = game.NewTileSet(eq.Tiles.Name(), kinds[:len(kinds)-1], kinds[len(kinds)-1]); err != nil {
		t.Fatal(err)
	}
	facts := []game.Fact{game.Opened{
		Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: "small", Hash: hash},
		Secret: game.Secret{1, 2, 3}, Host: persons[0], Seats: len(persons),
	}}
	for _, p := range persons {
		facts = append(facts, game.Joined{Person: p})
	}
	facts = append(append(facts, game.Started{}), append(setUp, game.Dealt{First: 0, Racks: racks})...)
	var events []game.Event
	for i, f := range facts {
		events = append(events, game.Event{Number: i, At: time.Now().UTC(), Cause: fmt.Sprintf("deal-%d", i), Fact: f})
	}
	return events
}

// In is what a clock shows in a zone, like "2026-06-01 21:59", as a time.
func In(t testing.TB, zone, at string) time.Time {
	t.Helper()
	l, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	when, err := time.ParseInLocation("2006-01-02 15:04", at, l)
	if err != nil {
		t.Fatal(err)
	}
	return when
}
