package game

import "fmt"

// doubleBag returns the variant with two bags, one for vowels and one for consonants (document 002,
// variations), each with half of the blanks. A player says how many vowels to draw, with the play or
// beforehand. If one bag has too few tiles, the rest come from the other.
func doubleBag() Variant {
	return Variant{
		Name:   "double-bag",
		Robots: true,
		GCG:    true,
		Tiles: func(s *TileSet) (*TileSet, error) {
			if !s.HasVowels() {
				return nil, NoVowels.ruleError()
			}
			return s, nil
		},
		setUp: func(d *decision) error {
			d.emit(BagSplit{Vowels: vowelBag(d.Equipment.Tiles, d.Bag)})
			return nil
		},
	}
}

// DefaultVowels sets how many vowels a player wants on a rack by default: 3 of 7, because 42 of the
// 100 English tiles are vowels.
const DefaultVowels = 3

// A Wish is the number of vowels to draw. The zero Wish uses the player's preference.
type Wish struct {
	Given  bool // whether the player gave a number
	Vowels int
}

// BagSplit records that the bag was split in two. Vowels are the tiles in the bag of vowels.
type BagSplit struct{ Vowels Tiles }

func (f BagSplit) check(s *State) error {
	if err := s.Bag.checkContains(f.Vowels, "in the bag"); err != nil {
		return err
	}
	return s.requirePhase(Playing)
}

func (f BagSplit) apply(s *State) { s.TwoBags, s.Vowels = true, f.Vowels }

// Prefer sets how many vowels a player wants on the rack after draws without a wish.
type Prefer struct{ Vowels int }

func (Prefer) unseen() {}

// Preferred records a player's preference.
type Preferred struct {
	Seat   int
	Vowels int
}

// Act returns the action.
func (f Preferred) Act() (int, Action) { return f.Seat, Prefer{f.Vowels} }

func (f Preferred) check(s *State) error { return s.requireSeats(s.Phase, f.Seat) }

func (f Preferred) apply(s *State) { s.Seats[f.Seat].Wish = Wish{true, f.Vowels} }

func (a Prefer) decide(d *decision) error {
	if d.Phase == NoTable || d.Phase == Over {
		_, err := d.actingSeat()
		return err
	}
	seat, ok := d.SeatOf(d.by.ID)
	switch {
	case d.Rules.Variant != doubleBag().Name:
		return &RuleError{Code: NotHere}
	case !ok || d.Seats[seat].Out:
		return &RuleError{Code: NotPlaying}
	case a.Vowels < 0 || a.Vowels > d.Rules.RackSize:
		return &RuleError{Code: WrongCount, N: a.Vowels, Need: d.Rules.RackSize}
	}
	d.emit(Preferred{seat, a.Vowels})
	return nil
}

// vowelBag returns the tiles that go into the bag of vowels.
func vowelBag(set *TileSet, ts Tiles) Tiles {
	var b []byte
	for i := range len(ts) {
		if t := ts.At(i); set.vowel(t) || t == Blank && Tiles(b).Count(Blank) < halfOf(ts.Count(Blank)) {
			b = append(b, byte(t))
		}
	}
	return Tiles(b).Sorted()
}

func halfOf(n int) int { return (n + 1) / 2 }

func (s *TileSet) vowel(t Tile) bool { return t != NoTile && !t.IsBlank() && s.kinds[t-1].Vowel }

// consonants returns the tiles in the bag of consonants.
func (s State) consonants() Tiles {
	left, _ := s.Bag.Minus(s.Vowels)
	return left
}

// putBack returns tiles to the bags they belong in. A blank goes to a bag that lacks some of its
// half of the blanks, the vowels' first.
func (s *State) putBack(ts Tiles) {
	s.Bag = (s.Bag + ts).Sorted()
	if !s.TwoBags {
		return
	}
	set := s.Equipment.Tiles
	half := halfOf(set.kinds[len(set.kinds)-1].Count)
	for i := range len(ts) {
		if t := ts.At(i); set.vowel(t) || t == Blank && s.Vowels.Count(Blank) < half {
			s.Vowels += TilesOf(t)
		}
	}
	s.Vowels = s.Vowels.Sorted()
}

// removeDrawn removes drawn tiles from the bags. The first of them come from the bag of vowels;
// vowels is their number.
func (s *State) removeDrawn(drew Tiles, vowels int) {
	s.Bag, _ = s.Bag.Minus(drew)
	s.Vowels, _ = s.Vowels.Minus(drew[:min(max(vowels, 0), len(drew))])
}

// checkDrew returns an error for a draw that the bags can't have given.
func (s *State) checkDrew(drew Tiles, vowels int) error {
	if vowels < 0 || vowels > len(drew) || vowels > 0 && !s.TwoBags {
		return fmt.Errorf("%d of %d tiles come from the vowel bag", vowels, len(drew))
	}
	if err := s.Vowels.checkContains(drew[:vowels], "in the bag of the vowels"); err != nil {
		return err
	}
	return s.Bag.checkContains(drew, "in the bag")
}

// draw draws tiles for a seat to replace the ones that leave its rack, for the next event. With two
// bags the tiles from the bag of vowels come first, and vowels is their number.
func (d *decision) draw(seat int, out Tiles, wish Wish) (drew Tiles, vowels int, err error) {
	n := len(out)
	if !d.TwoBags {
		return d.drawTiles(d.Bag, n), 0, nil
	}
	if wish.Given && (wish.Vowels < 0 || wish.Vowels > n) {
		return "", 0, &RuleError{Code: WrongCount, N: wish.Vowels, Need: n}
	}
	kept, _ := d.Seats[seat].Rack.Minus(out)
	want := wish.Vowels
	if !wish.Given {
		want = d.wantedVowels(seat, kept, n)
	}
	drew, vowels = drawFromTwoBags(d.Seed().draws(d.Number), d.Vowels, d.consonants(), n, want)
	return drew, vowels, nil
}

// wantedVowels returns how many of n tiles should be vowels, for a seat that keeps some tiles
// and gave no number with its move.
func (d *decision) wantedVowels(seat int, kept Tiles, n int) int {
	want := DefaultVowels
	if w := d.Seats[seat].Wish; w.Given {
		want = w.Vowels
	}
	for i := range len(kept) {
		if d.Equipment.Tiles.vowel(kept.At(i)) {
			want--
		}
	}
	return min(max(want, 0), n)
}

// drawFromTwoBags draws n tiles from two bags, with the wanted number of vowels if there are enough.
func drawFromTwoBags(draw func(Tiles, int) (Tiles, Tiles), vowels, consonants Tiles, n, want int) (drew Tiles, fromVowels int) {
	fromConsonants := min(n-min(want, len(vowels)), len(consonants))
	first, _ := draw(vowels, min(n-fromConsonants, len(vowels)))
	second, _ := draw(consonants, fromConsonants)
	return first + second, len(first)
}

// dealFromTwoBags draws the first racks.
func (d *decision) dealFromTwoBags() (racks []Tiles, vowels []int) {
	draw := d.Seed().draws(d.Number)
	left, others := d.Vowels, d.consonants()
	for seat := range d.Seats {
		size := d.Rules.RackSize
		rack, n := drawFromTwoBags(draw, left, others, size, d.wantedVowels(seat, "", size))
		left, _ = left.Minus(rack[:n])
		others, _ = others.Minus(rack[n:])
		racks, vowels = append(racks, rack), append(vowels, n)
	}
	return racks, vowels
}
