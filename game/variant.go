package game

import "slices"

// A Variant is a way of playing that differs from ordinary play in more than numbers. Rules.Variant
// names it; "" is ordinary play, the zero Variant.
//
// To add one, write its Variant in a new file with the actions and facts that only it has, and
// add it to [Variants]; register its facts in a new file in game/record (see its codecs); write
// its texts for people in a new file in bot/feature/variants. Nothing else refers to variants
// by name.
//
// A variant uses the common facts where they fit (laying tiles is [Played]). A fact of its own is
// also an [Act] if it records a player's action, and a [Drawing] if it takes tiles out of the bag, so
// that the proof of fair draws covers it.
type Variant struct {
	Name string
	// Rules returns a rule set changed for this variant; nil for no change.
	Rules func(Rules) Rules
	// Layout is the name of the board it needs; "" for the usual one.
	Layout string
	// Tiles returns a tile set changed for this variant; nil for no change.
	Tiles func(*TileSet) (*TileSet, error)
	// Robots is set if robots that play ordinary games well also play this one well.
	Robots bool
	// GCG is set if GCG can represent its games.
	GCG bool
	// Shared is set if all play from one rack, State.Common, and any number can sit down even
	// during the game.
	Shared bool
	// OwnTime is set if its turns end by themselves: there is no clock and no pace.
	OwnTime bool

	// The following functions replace parts of ordinary play. nil means no change.

	// flaw returns the reason why rules can't be played this way, or 0.
	flaw func(Rules) Flaw
	// act decides an action. done is false to leave it to the action's own code. It rejects what
	// can't be done in this variant with the code NotHere.
	act func(d *decision, a Action) (done bool, err error)
	// begin starts the game instead of the draw for the first turn and the deal.
	begin func(d *decision)
	// setUp prepares the table after the draw for the first turn, before the racks are dealt.
	setUp func(d *decision) error
	// tally returns the words and score of a play, instead of Rules.Tally.
	tally func(s *State, m Move) (Tally, error)
	// idle reports whether the player to move can do nothing, and so passes.
	idle func(s *State) bool
	// ending returns the reason why the game would be over now, or 0. It replaces the check whether
	// a player went out.
	ending func(s *State) EndReason
	// settle returns the change of a seat's score at the end.
	settle func(s *State, seat int) int
	// looksUp is set if starting a game needs a dictionary.
	looksUp bool
}

// Variants returns all variants, in the order to offer them.
func Variants() []Variant { return slices.Clone(variants) }

// variants is built once, because every event of a replay looks a variant up.
var variants []Variant

func init() {
	variants = []Variant{doubleBag(), duplicate(), junior(), juniorStarter(), large(), solitaire(), unscrabble()}
}

// FindVariant returns the variant with a name; "" is ordinary play.
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

// Vary returns a table's rules and equipment changed for a variant. layouts are the available
// boards. The error says what is missing.
func (v Variant) Vary(r Rules, eq Equipment, layouts []Layout) (Rules, Equipment, error) {
	r.Variant = v.Name
	if v.Rules != nil {
		r = v.Rules(r)
	}
	if v.Layout != "" {
		i := slices.IndexFunc(layouts, func(l Layout) bool { return l.Name == v.Layout })
		if i < 0 {
			return r, eq, NoBoard.ruleError()
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

// variant returns the table's variant.
func (s *State) variant() Variant {
	v, _ := FindVariant(s.Rules.Variant)
	return v
}

// Tally checks that a play fits the table in its current state, and scores it; see [Rules.Tally].
func (s State) Tally(m Move) (Tally, error) {
	if tally := s.variant().tally; tally != nil {
		return tally(&s, m)
	}
	return s.Rules.Tally(s.Equipment, &s.Board, m)
}

// An Act is a fact that records a player's action, so that the action can be checked against the
// rules again.
type Act interface {
	Fact
	// Act returns the seat that acted and the action.
	Act() (seat int, a Action)
}

// A Drawing is a fact that draws tiles from the bag.
type Drawing interface {
	Fact
	// Drawn returns the tiles drawn.
	Drawn() Tiles
}

// A Ruling is a fact that records which words the lexicon lacked.
type Ruling interface {
	Fact
	// Ruled returns the words that the lexicon lacks.
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

// SetUp is a starting position. Its tiles come out of the bag.
type SetUp struct {
	// Board holds the tiles on the board.
	Board Board
	// Printed holds the letters printed on the board, for tiles to cover.
	Printed Board
	// Aside removes the bag's other tiles from play.
	Aside bool
	// Fitted keeps one tile in the bag for each printed letter and removes the others from play.
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
	if err := s.Bag.checkContains(f.Board.Tiles().Faces(), "in the bag"); err != nil {
		return err
	}
	if f.Fitted {
		if err := s.Bag.checkContains(f.Printed.Tiles(), "in the bag"); err != nil {
			return err
		}
	}
	return s.requirePhase(Playing)
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
