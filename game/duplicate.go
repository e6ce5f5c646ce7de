package game

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Duplicate holds the rules of duplicate play, which removes the luck of the draw: everyone has the
// same public rack and submits a play in private before the turn ends. Everyone scores their own
// play; the best one goes on the board for all. Any number can play, and join at any turn.
//
// A turn, by the usual rules of clubs:
//
//   - The rack is filled to its size from the bag. In the first 15 turns it must have 2 vowels and 2
//     consonants, afterwards 1 of each, as far as the tiles left allow; a blank counts as either. A
//     rack without them goes back into the bag, and another is drawn.
//   - A submission must fit the board and the rack. It can be replaced until the turn ends. Under the
//     void rule an invalid word is rejected at once; under any other it is accepted and scores 0.
//   - The valid submission with the highest score goes on the board; among equals the earliest. If
//     none is valid, the whole rack is put back for another.
//   - The game ends when all tiles are played, when the bag is empty and no one has a valid play, or
//     after some turns in a row without a valid play, such as when everyone has left. The highest
//     total wins. Tiles left cost nothing.
type Duplicate struct {
	// TurnTime is the length of a turn unless all submit earlier; 0 at tables that don't play
	// duplicate.
	TurnTime time.Duration
	// TopPlay puts the best possible play on the board if no one submitted one with the same score.
	// The host must find it.
	TopPlay bool
	// IdleTurns is how many turns in a row without a valid submission end the game.
	IdleTurns int
}

// Limits of duplicate. Turns last from a minute to a week.
const (
	ShortestTurn = time.Minute
	LongestTurn  = 7 * 24 * time.Hour
	// mostDuplicate limits the players: far more than a channel has seen, and few enough for a
	// ranking that can be posted.
	mostDuplicate = 1000

	strictTurns = 15 // first turns, which need strictKinds vowels and consonants
	strictKinds = 2
	laterKinds  = 1
	// mostRedraws limits how often a rack is redrawn in one turn for lack of vowels or consonants.
	// After that the rack stays, because the missing tiles are too rare.
	mostRedraws = 20
)

// duplicate returns the variant. Turns last ten minutes unless Rules.Duplicate is changed.
func duplicate() Variant {
	return Variant{
		Name: "duplicate", GCG: true, Shared: true, OwnTime: true,
		Rules: func(r Rules) Rules {
			r.Duplicate = Duplicate{TurnTime: 10 * time.Minute, IdleTurns: 3}
			r.MinPlayers, r.MaxPlayers, r.DefaultSeats = 1, mostDuplicate, 0
			r.Agreement, r.Hints = false, false
			r.Games, r.Clock = 0, Clock{}
			return r
		},
		flaw:  func(r Rules) Flaw { return r.Duplicate.flaw() },
		act:   actDuplicate,
		begin: func(d *decision) { d.openTurn("") },
	}
}

// actDuplicate decides the actions that work differently in duplicate.
func actDuplicate(d *decision, a Action) (done bool, err error) {
	switch a := a.(type) {
	case Play, Exchange, Pass, Challenge, Agree, Hint, Expire, Claim, WaitOn, GoAway, ComeBack, Adopt:
		return true, &RuleError{Code: NotHere}
	case Join:
		if d.Phase == Playing {
			return true, d.sit()
		}
	case Resign:
		seat, err := d.actingSeat()
		if err != nil {
			return true, err
		}
		d.emit(Resigned{seat})
		d.endIfDeserted()
		return true, nil
	case Vacate:
		seat, ok := d.SeatOf(a.Player)
		if !ok || d.Seats[seat].Out || d.Phase != Playing {
			return true, &RuleError{Code: NotPlaying}
		}
		d.emit(Vacated{seat})
		d.endIfDeserted()
		return true, nil
	}
	return false, nil
}

// endIfDeserted ends the game if no one is left.
func (d *decision) endIfDeserted() {
	if len(d.Active()) == 0 {
		d.endDuplicate(ResignationEnd)
	}
}

// flaw returns the reason why the rules can't be played, or 0.
func (v Duplicate) flaw() Flaw {
	if v.TurnTime < ShortestTurn || v.TurnTime > LongestTurn {
		return TurnLength
	}
	if v.IdleTurns < 1 {
		return NeverEnds
	}
	return 0
}

// A Submission is a seat's play for a turn of duplicate. It is private until the turn is scored.
type Submission struct {
	Move   Move // of kind 0 if there is none yet, PassTurn for no play
	Words  []ScoredWord
	Score  int // score if it is valid
	Number int // number of its event
}

// IsSubmitted reports whether the seat has submitted.
func (s Submission) IsSubmitted() bool { return s.Move.Kind != 0 }

// Submit submits a play for this turn and replaces an earlier one. PassTurn means that the player
// has no play.
type Submit struct{ Move Move }

// EndTurn scores a turn of duplicate. The host sends it at State.Until, or once all have submitted.
// Top is the best possible play, for a table with Duplicate.TopPlay.
type EndTurn struct{ Top Move }

// ExtendTurn postpones the deadline of a duplicate turn whose rack was shown late.
type ExtendTurn struct{ Until time.Time }

// TurnExtended records a new deadline of a duplicate turn.
type TurnExtended struct{ Until time.Time }

// RackDrawn records that the common rack was filled for a turn of duplicate. Put went back into the
// bag first.
type RackDrawn struct {
	Put  Tiles
	Drew Tiles
}

// TurnOpened records that a turn of duplicate began.
type TurnOpened struct{ Until time.Time }

// Submitted records a seat's submission. It is private until TurnScored.
type Submitted struct {
	Seat  int
	Move  Move
	Words []ScoredWord
	Score int // score if the words are valid
}

// Nobody is the seat of a play that no seat made.
const Nobody = -1

// TurnScored records the end of a duplicate turn. The play of seat By went on the board, or the
// host's play if By is Nobody. Move is a pass if there was no valid play.
type TurnScored struct {
	By      int
	Move    Move
	Words   []ScoredWord
	Score   int
	Scores  []int   // points gained by seat
	Invalid []Tiles // submitted words that aren't in the lexicon
}

// RackOf returns the rack that a seat plays from.
func (s State) RackOf(seat int) Tiles {
	if s.variant().Shared {
		return s.Common
	}
	return s.Seats[seat].Rack
}

// Submission returns a seat's submission for this turn of duplicate.
func (s State) Submission(seat int) Submission {
	if seat >= len(s.Submissions) {
		return Submission{}
	}
	return s.Submissions[seat]
}

// HaveAllSubmitted reports whether everyone has submitted.
func (s State) HaveAllSubmitted() bool {
	in, _ := s.CountSubmitted()
	return in > 0 && in == len(s.Active())
}

// CountSubmitted returns how many players have submitted, and how many are still in the game.
func (s State) CountSubmitted() (in, of int) {
	for i, seat := range s.Seats {
		if !seat.Out {
			of++
			if s.Submission(i).IsSubmitted() {
				in++
			}
		}
	}
	return in, of
}

// Ranking returns the seats by score, best first; equal ones in the order of joining.
func (s State) Ranking() []int {
	seats := make([]int, len(s.Seats))
	for i := range seats {
		seats[i] = i
	}
	slices.SortStableFunc(seats, func(a, b int) int { return s.Seats[b].Score - s.Seats[a].Score })
	return seats
}

// openTurn puts tiles back, fills the rack and opens the next turn.
func (d *decision) openTurn(put Tiles) {
	for range mostRedraws {
		kept, _ := d.Common.Minus(put)
		if n := d.Rules.RackSize - len(kept); n > 0 && len(d.Bag)+len(put) > 0 {
			d.emit(RackDrawn{Put: put, Drew: d.drawTiles((d.Bag + put).Sorted(), n)})
		}
		if d.IsRackBalanced() {
			break
		}
		put = d.Common
	}
	d.emit(TurnOpened{Until: d.env.Now.UTC().Truncate(time.Millisecond).Add(d.Rules.Duplicate.TurnTime)})
}

// IsRackBalanced reports whether the common rack has the required vowels and consonants, or can't get them.
func (s State) IsRackBalanced() bool {
	if len(s.Bag) == 0 || !s.Equipment.Tiles.HasVowels() {
		return true
	}
	want := laterKinds
	if s.Turns < strictTurns {
		want = strictKinds
	}
	set := s.Equipment.Tiles
	v, c, b := set.countKinds(s.Common)
	leftV, leftC, leftB := set.countKinds(s.Common + s.Bag)
	needV, needC := min(want, leftV+leftB), min(want, leftC+leftB)
	if leftV+leftC+leftB < needV+needC { // a blank can't be both
		return true
	}
	return max(0, needV-v)+max(0, needC-c) <= b
}

// countKinds returns the numbers of vowels, consonants and blanks.
func (s *TileSet) countKinds(ts Tiles) (vowels, consonants, blanks int) {
	for i := range len(ts) {
		switch t := ts.At(i); {
		case t.IsBlank():
			blanks++
		case s.Vowel(t):
			vowels++
		default:
			consonants++
		}
	}
	return vowels, consonants, blanks
}

func (Submit) looksUp() bool  { return true }
func (EndTurn) looksUp() bool { return true }

func (a Submit) decide(d *decision) error {
	seat, err := d.actingSeat()
	if err != nil {
		return err
	}
	switch {
	case d.Rules.Variant != duplicate().Name:
		return &RuleError{Code: NotHere}
	case d.HaveAllSubmitted() || !d.env.Now.Before(d.Until):
		return &RuleError{Code: TurnClosed}
	}
	f := Submitted{Seat: seat, Move: a.Move}
	switch a.Move.Kind {
	case PassTurn:
		f.Move = Move{Kind: PassTurn}
	case PlayTiles:
		t, err := d.tallyPlay(a.Move)
		if err != nil {
			return err
		}
		if d.Rules.Challenge.Void {
			if bad := t.Phonies(d.env.Dict); len(bad) > 0 {
				return &RuleError{Code: NotAWord, Move: a.Move, Words: bad}
			}
		}
		f.Words, f.Score = t.Words, t.Total
	default:
		return &RuleError{Code: NotHere}
	}
	d.emit(f)
	return nil
}

// tallyPlay returns the tally of a play from the common rack.
func (d *decision) tallyPlay(m Move) (Tally, error) {
	faces := m.Tiles.Faces()
	if i := d.Common.firstMissing(faces); i >= 0 {
		return Tally{}, &RuleError{Code: NotOnRack, Move: m, Square: m.LaidSquares()[i], Tile: faces.At(i), Rack: d.Common}
	}
	return d.Rules.Tally(d.Equipment, &d.Board, m)
}

func (a ExtendTurn) decide(d *decision) error {
	if d.Rules.Variant != duplicate().Name || d.Phase != Playing || d.HaveAllSubmitted() || !a.Until.After(d.Until) {
		return &RuleError{Code: NothingToJudge}
	}
	d.emit(TurnExtended{Until: a.Until.UTC().Truncate(time.Millisecond)})
	return nil
}

func (a EndTurn) decide(d *decision) error {
	switch {
	case d.Rules.Variant != duplicate().Name || d.Phase != Playing:
		return &RuleError{Code: NothingToJudge}
	case !d.HaveAllSubmitted() && d.env.Now.Before(d.Until):
		return &RuleError{Code: TooEarly}
	}
	f := TurnScored{By: Nobody, Move: Move{Kind: PassTurn}, Scores: make([]int, len(d.Seats))}
	first := 0
	for i, seat := range d.Seats {
		sub := d.Submission(i)
		if seat.Out || sub.Move.Kind != PlayTiles {
			continue
		}
		if bad := d.phonies(sub.Words); len(bad) > 0 {
			for _, w := range bad {
				if !slices.Contains(f.Invalid, w) {
					f.Invalid = append(f.Invalid, w)
				}
			}
			continue
		}
		f.Scores[i] = sub.Score
		if f.By == Nobody || sub.Score > f.Score || sub.Score == f.Score && sub.Number < first {
			f.By, f.Move, f.Words, f.Score, first = i, sub.Move, sub.Words, sub.Score, sub.Number
		}
	}
	if d.Rules.Duplicate.TopPlay && a.Top.Kind == PlayTiles {
		t, err := d.tallyPlay(a.Top)
		if err != nil {
			return err
		}
		if bad := t.Phonies(d.env.Dict); len(bad) > 0 {
			return &RuleError{Code: NotAWord, Move: a.Top, Words: bad}
		}
		if f.By == Nobody || t.Total > f.Score {
			f.By, f.Move, f.Words, f.Score = Nobody, a.Top, t.Words, t.Total
		}
	}
	d.emit(f)
	switch idle := d.Rules.Duplicate.IdleTurns; {
	case len(d.Common)+len(d.Bag) == 0:
		d.endDuplicate(WentOut)
	case d.Scoreless >= idle, f.Move.Kind != PlayTiles && len(d.Bag) == 0:
		d.endDuplicate(ScorelessEnd)
	case f.Move.Kind != PlayTiles:
		d.openTurn(d.Common)
	default:
		d.openTurn("")
	}
	return nil
}

// phonies returns the words that the dictionary lacks. Under the void rule they were checked on
// submission.
func (d *decision) phonies(words []ScoredWord) []Tiles {
	if d.Rules.Challenge.Void {
		return nil
	}
	return Tally{Words: words}.Phonies(d.env.Dict)
}

// endDuplicate ends the game. The highest total of the players still in the game wins or, if
// all have left, the highest of all.
func (d *decision) endDuplicate(reason EndReason) {
	f := Ended{Reason: reason, Racks: make([]Tiles, len(d.Seats)), Adjust: make([]int, len(d.Seats))}
	in := d.Active()
	if len(in) == 0 {
		in = d.Ranking()
	}
	best := 0
	for _, i := range in {
		switch score := d.Seats[i].Score; {
		case len(f.Winners) == 0 || score > best:
			best, f.Winners = score, []int{i}
		case score == best:
			f.Winners = append(f.Winners, i)
		}
	}
	slices.Sort(f.Winners)
	d.emit(f)
}

// Drawn implements [Drawing].
func (f RackDrawn) Drawn() Tiles { return f.Drew }

// Act implements [Act].
func (f Submitted) Act() (seat int, a Action) { return f.Seat, Submit{f.Move} }

// Act implements [Act]. The seat is Nobody, since the host does it.
func (f TurnExtended) Act() (seat int, a Action) { return Nobody, ExtendTurn(f) }

// Act implements [Act]. The seat is Nobody, since the host does it.
func (f TurnScored) Act() (seat int, a Action) {
	if f.By == Nobody {
		return Nobody, EndTurn{Top: f.Move}
	}
	return Nobody, EndTurn{}
}

// Ruled implements [Ruling].
func (f TurnScored) Ruled() []Tiles { return f.Invalid }

func (f RackDrawn) apply(s *State) {
	kept, _ := s.Common.Minus(f.Put)
	bag, _ := (s.Bag + f.Put).Minus(f.Drew)
	s.Common, s.Bag = kept+f.Drew, bag.Sorted()
}

func (f TurnOpened) apply(s *State) { s.Until, s.Submissions = f.Until, nil }

func (f TurnExtended) apply(s *State) { s.Until = f.Until }

func (f Submitted) apply(s *State) {
	if n := len(s.Seats) - len(s.Submissions); n > 0 {
		s.Submissions = append(s.Submissions, make([]Submission, n)...)
	}
	s.Submissions[f.Seat] = Submission{Move: f.Move, Words: f.Words, Score: f.Score, Number: s.Number}
}

func (f TurnScored) apply(s *State) {
	s.Scoreless++
	if f.By != Nobody || slices.ContainsFunc(f.Scores, func(n int) bool { return n > 0 }) {
		s.Scoreless = 0
	}
	if f.Move.Kind == PlayTiles {
		s.Board.Lay(f.Move)
		s.Common, _ = s.Common.Minus(f.Move.Tiles.Faces())
	}
	for i, points := range f.Scores {
		s.Seats[i].Score += points
	}
	s.Submissions = nil
	s.Turns++
}

// requireDuplicate returns an error unless a game of duplicate is in progress.
func (s *State) requireDuplicate() error {
	if s.Rules.Variant != duplicate().Name {
		return errors.New("the table doesn't play duplicate")
	}
	return s.requirePhase(Playing)
}

func (f RackDrawn) check(s *State) error {
	if err := s.requireDuplicate(); err != nil {
		return err
	}
	if err := s.Common.checkContains(f.Put, "on the rack"); err != nil {
		return err
	}
	return (s.Bag + f.Put).checkContains(f.Drew, "in the bag")
}

func (f TurnOpened) check(s *State) error { return s.requireDuplicate() }

func (f TurnExtended) check(s *State) error { return s.requireDuplicate() }

func (f Submitted) check(s *State) error {
	if err := s.requireDuplicate(); err != nil {
		return err
	}
	if err := s.checkCommonPlay(f.Move); err != nil {
		return err
	}
	return s.requireSeats(Playing, f.Seat)
}

func (f TurnScored) check(s *State) error {
	if err := s.requireDuplicate(); err != nil {
		return err
	}
	if len(f.Scores) != len(s.Seats) {
		return fmt.Errorf("scores for %d seats of %d", len(f.Scores), len(s.Seats))
	}
	if f.By != Nobody {
		if err := s.requireSeats(Playing, f.By); err != nil {
			return err
		}
	}
	return s.checkCommonPlay(f.Move)
}

// checkCommonPlay returns what is wrong with a play from the common rack in a broken log.
func (s State) checkCommonPlay(m Move) error {
	switch m.Kind {
	case PassTurn:
		return nil
	case PlayTiles:
		if err := s.checkFree(m); err != nil {
			return err
		}
		return s.Common.checkContains(m.Tiles.Faces(), "on the rack")
	}
	return errors.New("neither a play nor a pass")
}
