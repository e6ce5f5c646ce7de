package game

import "slices"

// A Variant is a way of playing that differs from the ordinary in more than
// figures. Rules.Variant names it; "" is ordinary play, the zero Variant.
//
// To add one: write its Variant in a file of its own, with the actions and facts that
// only it has, and put it into [Variants]; register its facts in a file of its own in
// game/record (see its codecs); say what people are told of it in a file of its own
// in bot/variants. Nothing else knows variants by name.
//
// Its acts are the common facts wherever they are the same thing (laying
// tiles is [Played]); a fact that only it has also is an [Act] when somebody
// did it, and a [Drawing] when it takes tiles out of the bag, and so the proof
// of fair draws covers it.
type Variant struct {
	Name string
	// Rules are a rule set's as this variant changes them. nil: they stay.
	Rules func(Rules) Rules
	// Layout names the board that it needs, "" for the usual one.
	Layout string
	// Tiles are a tile set's as this variant changes them. nil: they stay.
	Tiles func(*TileSet) (*TileSet, error)
	// Robots reports whether a robot that plays ordinary games well plays this one well.
	Robots bool
	// GCG says that a game can be told in GCG.
	GCG bool
	// Shared says that everybody plays from one rack, State.Common, and that
	// any number can sit down, while the game is on too.
	Shared bool
	// OwnTime says that its turns end by themselves: there is no clock and no
	// pace.
	OwnTime bool

	// What follows are the places where it can do otherwise than ordinary
	// play. nil: it doesn't.

	// flaw is why rules can't be played so.
	flaw func(Rules) Flaw
	// act takes an action instead of the action's own judgement; done
	// is false to leave it to that. It refuses, with the code NotHere, what
	// can't be done in this variant.
	act func(d *decision, a Action) (done bool, err error)
	// begin starts the game, instead of the draw for the first turn and the
	// deal.
	begin func(d *decision)
	// setUp puts things in place after the draw for the first turn, before
	// the racks are dealt.
	setUp func(d *decision) error
	// tally is what a play forms and scores, instead of Rules.Tally.
	tally func(s *State, m Move) (Tally, error)
	// idle reports whether the player to move can do nothing, and so passes.
	idle func(s *State) bool
	// ending is why the game would be over now, or 0; instead of going
	// out, which ordinary play asks for.
	ending func(s *State) EndReason
	// settle is what a seat's score changes by at the end.
	settle func(s *State, seat int) int
	// looksUp says that the start needs a dictionary.
	looksUp bool
}

// Variants lists the variants, in the order to offer them.
func Variants() []Variant { return slices.Clone(variants) }

// variants are found at every event of a replay, so they are made once.
var variants []Variant

func init() {
	variants = []Variant{doubleBag(), duplicate(), junior(), juniorStarter(), large(), solitaire(), unscrabble()}
}

// FindVariant finds a variant by its name, "" for ordinary play.
func FindVariant(name string) (Variant, bool) {
	if name == "" {
		return Variant{Robots: true, GCG: true}, true
	}
	for i := range variants {
		if variants[i].Name == name {
			return variants[i], true
		}
	}
	return Variant{}, false
}

// Vary returns a table's rules and equipment by a variant. layouts has the boards
// there are. The error says what is missing for it.
func (v Variant) Vary(r Rules, eq Equipment, layouts []Layout) (Rules, Equipment, error) {
	r.Variant = v.Name
	if v.Rules != nil {
		r = v.Rules(r)
	}
	if v.Layout != "" {
		i := slices.IndexFunc(layouts, func(l Layout) bool { return l.Name == v.Layout })
		if i < 0 {
			return r, eq, NoBoard.refused()
		}
		eq.Layout = layouts[i]
	}
	if v.Tiles != nil {
		tiles, err := v.Tiles(eq.Tiles)
		if err != nil {
			return r, eq, err
		}
		eq.Tiles = tiles
	}
	return r, eq, nil
}

// variant returns how the table plays.
func (s *State) variant() Variant {
	v, _ := FindVariant(s.Rules.Variant)
	return v
}

// Tally checks that a play fits the table as it stands, and scores it; see
// [Rules.Tally].
func (s State) Tally(m Move) (Tally, error) {
	if tally := s.variant().tally; tally != nil {
		return tally(&s, m)
	}
	return s.Rules.Tally(s.Equipment, &s.Board, m)
}

// An Act is a fact that records what a player did, so that it can be put to the
// rules once more.
type Act interface {
	Fact
	// Act is who did it, a seat, and what they did.
	Act() (seat int, a Action)
}

// A Drawing is a fact that takes tiles out of the bag.
type Drawing interface {
	Fact
	// Drawn are those tiles.
	Drawn() Tiles
}

// A Ruling is a fact that says which words the lexicon doesn't have.
type Ruling interface {
	Fact
	Ruled() []Tiles
}

// LooksUp reports whether judging an action needs a dictionary.
func LooksUp(s State, a Action) bool {
	if s.Phase == Lobby || s.Phase == Voting {
		return s.variant().looksUp
	}
	if s.Phase != Playing && s.Phase != Closing {
		return false
	}
	switch a := a.(type) {
	case Play:
		return s.Rules.Challenge.Void
	case Challenge:
		return !s.Rules.Challenge.Void
	case interface{ looksUp() bool }:
		return a.looksUp()
	}
	return false
}

// SetUp is a position from which the game begins. Its tiles come out of the bag.
type SetUp struct {
	// Board is the tiles that lie on the board.
	Board Board
	// Printed is the letters that are printed on the board, for tiles to
	// cover.
	Printed Board
	// Aside says that the bag's other tiles leave play.
	Aside bool
	// Fitted says that the bag keeps a tile for each printed letter, and that
	// its others leave play.
	Fitted bool
}

func (f SetUp) check(s *State) error {
	if s.Turns > 0 || !s.Board.Empty() {
		return errPlace
	}
	for _, b := range []Board{f.Board, f.Printed} {
		for i, t := range b.tiles {
			sq := Square{i / MaxSize, i % MaxSize}
			if t != NoTile && (!s.Equipment.Layout.On(sq) || !s.Equipment.Tiles.Has(t) || t == Blank) {
				return errPlace
			}
		}
	}
	if err := s.Bag.has(f.Board.Tiles().Faces(), "in the bag"); err != nil {
		return err
	}
	if f.Fitted {
		if err := s.Bag.has(f.Printed.Tiles(), "in the bag"); err != nil {
			return err
		}
	}
	return s.in(Playing)
}

func (f SetUp) apply(s *State) {
	s.Board, s.Printed = f.Board, f.Printed
	s.Bag, _ = s.Bag.Minus(f.Board.Tiles().Faces())
	if f.Aside {
		s.Removed, s.Bag = (s.Removed + s.Bag).Sorted(), ""
	}
	if f.Fitted {
		keep := f.Printed.Tiles().Sorted()
		aside, _ := s.Bag.Minus(keep)
		s.Removed, s.Bag = (s.Removed + aside).Sorted(), keep
	}
}
