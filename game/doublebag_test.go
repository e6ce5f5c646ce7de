package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// parted returns a game with two bags that has just started.
func parted(t *testing.T) *table {
	rules, eq := gametest.EquipVariant(t, vary(game.Classic(), "double-bag"))
	g := &table{T: t}
	g.env.Dict = gametest.SmallDictionary(t)
	g.does(ann, game.Open{Rules: rules, Equipment: eq, Seats: 2})
	g.does(ann, game.Prefer{Vowels: 5})
	g.refused(bob, game.Prefer{Vowels: 1}, game.NotPlaying)
	g.refused(ann, game.Prefer{Vowels: 8}, game.WrongCount)
	g.refused(ann, game.Prefer{Vowels: -1}, game.WrongCount)
	g.does(bob, game.Join{})
	return g
}

// inBags returns the number of tiles in each bag.
func inBags(s game.State) (vowels, consonants int) { return len(s.Vowels), len(s.Bag) - len(s.Vowels) }

// TestDoubleBag checks the two bags, one of vowels and one of consonants (002 variations).
func TestDoubleBag(t *testing.T) {
	g := parted(t)
	// 42 vowels, 56 consonants, a blank in each. Ann takes 5 and 2; Bob, without a wish, 3 and 4.
	if v, c := inBags(g.s); v != 43-8 || c != 57-6 {
		t.Errorf("%d tiles in the bag of the vowels, %d in the other", v, c)
	}
	if n := g.s.Vowels.Count(game.Blank); n > 1 {
		t.Errorf("%d blanks in the bag of the vowels", n)
	}

	g.s.Turn = ann
	g.rack(ann, "HORNSAT")
	v, c := inBags(g.s)
	g.refused(ann, game.Play{Move: g.move("8H HORN"), Draw: game.Wish{Given: true, Vowels: 5}}, game.WrongCount)
	g.refused(ann, game.Play{Move: g.move("8H HORN"), Draw: game.Wish{Given: true, Vowels: -1}}, game.WrongCount)
	f := g.does(ann, game.Play{Move: g.move("8H HORN"), Draw: game.Wish{Given: true, Vowels: 1}})[0].Fact.(game.Played)
	if v2, c2 := inBags(g.s); f.Vowels != 1 || v2 != v-1 || c2 != c-3 {
		t.Errorf("%d of 4 from the bag of the vowels: %d and %d tiles are left of %d and %d", f.Vowels, v2, c2, v, c)
	}

	// The play is withdrawn: drawn tiles go back to their bags.
	g.env.Dict = gametest.Words(t, "AA")
	g.does(bob, game.Challenge{})
	if v2, c2 := inBags(g.s); v2 != v || c2 != c {
		t.Errorf("%d and %d tiles after the challenge, were %d and %d", v2, c2, v, c)
	}

	// Bob puts back a vowel, a consonant and a blank, and draws by preference: he keeps two vowels
	// and wants three.
	g.rack(bob, "AEBCDF?")
	g.s.Bag = g.tiles("AAAABBBB")
	g.s.Vowels = g.tiles("AAAA")
	x := g.does(bob, game.Exchange{Tiles: g.tiles("AB?")})[0].Fact.(game.Exchanged)
	if x.Vowels != 2 || g.s.Vowels != g.tiles("AAA?") || g.s.Bag != g.tiles("AAABBBB?") {
		t.Errorf("drew %d vowels; the bags hold %s, of which vowels %s", x.Vowels, g.s.Equipment.Tiles.Print(g.s.Bag), g.s.Equipment.Tiles.Print(g.s.Vowels))
	}
}

// TestDoubleBagRunsOut checks that the other bag fills in when one has too few tiles.
func TestDoubleBagRunsOut(t *testing.T) {
	for name, c := range map[string]struct {
		bag, vowels string
		want        int
		drew, vowel int
	}{
		"no vowels left":     {"BBBBB", "", 4, 4, 0},
		"one vowel left":     {"ABBBBB", "A", 3, 4, 1},
		"no consonants left": {"AAAAAA", "AAAAAA", 0, 4, 4},
		"too few of both":    {"AAB", "AA", 0, 3, 2},
		"empty bags":         {"", "", 2, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := parted(t)
			g.s.Turn = ann
			g.rack(ann, "HORNSAT")
			g.bag(c.bag)
			g.s.Vowels = g.tiles(c.vowels)
			f := g.does(ann, game.Play{Move: g.move("8H HORN"), Draw: game.Wish{Given: true, Vowels: c.want}})[0].Fact.(game.Played)
			if len(f.Drew) != c.drew || f.Vowels != c.vowel {
				t.Errorf("drew %d tiles, %d of them vowels; want %d and %d", len(f.Drew), f.Vowels, c.drew, c.vowel)
			}
		})
	}
}

// TestOtherVariantsRejectPreference checks that other variants reject a preference.
func TestOtherVariantsRejectPreference(t *testing.T) {
	g := sit(t, game.Classic(), "HORNSA?", "FARMQI?")
	g.refused(ann, game.Prefer{Vowels: 3}, game.NotHere)
}
