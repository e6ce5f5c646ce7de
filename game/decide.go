package game

import (
	"cmp"
	"slices"
	"time"
)

// An Action is something that a person wants to do at a table.
type Action interface {
	// decide judges the action and emits the resulting events.
	decide(*decision) error
}

// Open opens a table and seats the person.
type Open struct {
	Rules     Rules
	Pace      Pace
	Equipment Equipment
	Lexicon   LexiconID
	Seats     int        // number of seats
	Invited   []Person   // people for whom the other seats are reserved; empty for anyone
	First     Person     // player who goes first, if predetermined; otherwise zero
	Earlier   []Standing // match score, if this is the second game
}

// Join takes a seat. The game starts when the last seat is taken.
type Join struct{}

// Leave gives up a seat before the start.
type Leave struct{}

// Start starts the game with the players seated.
type Start struct{}

// Play lays tiles.
type Play struct {
	Move Move
	Draw Wish // in games with two bags
}

// Exchange puts tiles back and draws others.
type Exchange struct {
	Tiles Tiles
	Draw  Wish // in games with two bags
}

// Pass passes the turn; in the phase Closing it accepts the last play.
type Pass struct{}

// Challenge challenges words of the latest play: those named, or all if none are.
type Challenge struct{ Words []Tiles }

// Resign resigns the game.
type Resign struct{}

// Agree proposes to end the game. It ends when all players have agreed, or at once if the rules
// allow that ([State.Electable]).
type Agree struct{}

// TimeUp ends the wait for a challenge of the last play, or for votes. The host sends it at
// State.Until.
type TimeUp struct{}

// Env holds everything that a decision needs from outside, as values.
type Env struct {
	Dict   Dictionary
	Now    time.Time
	Cause  string // id of the request
	Secret Secret // fresh random bytes, used only by Open
	// Posted is the time when everyone could see the state of the table; zero if they can't yet, or
	// if no clock runs.
	Posted time.Time
	// SetUp makes the starting position for the table's variant, always the same for a seed. nil if
	// the variant needs none.
	SetUp func(Seed) (SetUp, error)
}

// Decide judges an action by the rules and returns the resulting events. Nothing changes until the
// events are applied. Errors are *[RuleError].
func Decide(s State, by Person, a Action, env Env) ([]Event, error) {
	d := &decision{State: s, by: by, env: env}
	d.recordTime(a)
	if d.hasOverrun() && d.Phase == Playing {
		if _, waits := a.(TimeUp); !waits {
			if _, err := d.actingSeat(); err != nil {
				return nil, err
			}
		}
		d.turnOver()
		return d.events, nil
	}
	if err := d.judge(a); err != nil {
		return nil, err
	}
	return d.events, nil
}

// judge lets the table's variant decide an action, or decides it by the ordinary rules.
func (d *decision) judge(a Action) error {
	begun := d.Phase == Lobby || d.Phase == Playing || d.Phase == Closing
	if act := d.variant().act; begun && act != nil {
		if done, err := act(d, a); done || err != nil {
			return err
		}
	}
	return a.decide(d)
}

// A decision is the state while one action's events are applied to it.
type decision struct {
	State
	by     Person
	env    Env
	events []Event
}

func (d *decision) emit(f Fact) {
	e := Event{Number: d.Number, At: d.env.Now.UTC().Truncate(time.Millisecond), Cause: d.env.Cause, Fact: f}
	d.events = append(d.events, e)
	d.State = d.Apply(e)
}

// drawTiles draws n tiles from a bag for the next event.
func (d *decision) drawTiles(bag Tiles, n int) Tiles {
	drawn, _ := d.Seed().Draw(d.Number, bag, n)
	return drawn
}

// actingSeat returns the acting person's seat in a game in progress.
func (d *decision) actingSeat() (int, error) {
	switch d.Phase {
	case NoTable, Lobby:
		return 0, &RuleError{Code: NotStarted}
	case Voting:
		return 0, &RuleError{Code: OrderOpen}
	case Over:
		return 0, &RuleError{Code: GameOver}
	}
	seat, ok := d.SeatOf(d.by.ID)
	if !ok || d.Seats[seat].Out {
		return 0, &RuleError{Code: NotPlaying}
	}
	return seat, nil
}

// movingSeat returns the acting person's seat if it is their turn.
func (d *decision) movingSeat() (int, error) {
	seat, err := d.actingSeat()
	if err != nil {
		return 0, err
	}
	if d.Phase == Closing {
		return 0, &RuleError{Code: OnlyChallenge, Seat: d.Latest.Seat}
	}
	if d.Turn != seat {
		return 0, &RuleError{Code: NotYourTurn, Seat: d.Turn}
	}
	return seat, nil
}

func (a Open) decide(d *decision) error {
	if d.Phase != NoTable && d.Phase != Over {
		return &RuleError{Code: TableOpenAlready}
	}
	if a.Seats < a.Rules.MinPlayers {
		return &RuleError{Code: TooFewPlayers, N: a.Seats, Need: a.Rules.MinPlayers}
	}
	if a.Seats > a.Rules.MaxPlayers {
		return &RuleError{Code: TooManyPlayers, N: a.Seats, Need: a.Rules.MaxPlayers}
	}
	if flaw := a.flaw(); flaw != 0 {
		return &RuleError{Code: BadSettings, Flaw: flaw, N: a.tiles()}
	}
	d.State = State{}
	d.emit(Opened{
		Rules: a.Rules, Pace: a.Pace, Equipment: a.Equipment, Lexicon: a.Lexicon,
		Secret: d.env.Secret, Host: d.by, Seats: a.Seats, Invited: a.Invited, First: a.First, Earlier: a.Earlier,
	})
	d.emit(Joined{d.by})
	return d.startIfFull()
}

// startIfFull starts the game if every seat is taken.
func (d *decision) startIfFull() error {
	if len(d.Seats) == d.SeatCount {
		return d.start()
	}
	return nil
}

// tiles returns the number of tiles in the table's set.
func (a Open) tiles() int {
	if a.Equipment.Tiles == nil {
		return 0
	}
	return len(a.Equipment.Tiles.All())
}

// flaw returns the reason why a table's settings can't be played, or 0. The draw for the first turn
// only ends if there are at least two kinds of tiles.
func (a Open) flaw() Flaw {
	r := a.Rules
	if a.Equipment.check() != nil {
		return NoEquipment
	}
	all := a.Equipment.Tiles.All()
	v, known := FindVariant(r.Variant)
	switch {
	case !known:
		return NoVariant
	case r.MinPlayers < 1 || r.RackSize < 1 || r.RackSize > len(all):
		return NoRacks
	case !slices.Contains(Orders(), r.Order):
		return NoSuchOrder
	case !slices.Contains(ChallengeRules(), r.Challenge):
		return NoSuchChallenge
	case !slices.Contains(OutBonuses(), r.OutBonus):
		return NoSuchOut
	case v.flaw != nil && v.flaw(r) != 0:
		return v.flaw(r)
	case v.OwnTime && (a.Pace != (Pace{}) || r.Clock.On):
		return OwnTimes
	case r.Clock.On && (r.Clock.Time <= 0 || r.Clock.Increment < 0):
		return NoSuchPace
	case !v.Shared && len(all) < a.Seats*r.RackSize:
		return FewTiles
	case a.Pace.Turn < 0 || a.Pace.Bank < 0 || a.Pace.Turn > 0 && !slices.Contains(Lates(), a.Pace.Late):
		return NoSuchPace
	case all.At(0) == all.At(len(all)-1):
		return SameTiles
	}
	return 0
}

// requireLobby returns an error unless the game has yet to start.
func (d *decision) requireLobby() error {
	switch d.Phase {
	case NoTable:
		return &RuleError{Code: NotStarted}
	case Over:
		return &RuleError{Code: GameOver}
	case Lobby:
		return nil
	}
	return &RuleError{Code: AlreadyStarted}
}

func (Join) decide(d *decision) error {
	if err := d.requireLobby(); err != nil {
		return err
	}
	if err := d.sit(); err != nil {
		return err
	}
	return d.startIfFull()
}

// sit seats the acting person.
func (d *decision) sit() error {
	if seat, ok := d.SeatOf(d.by.ID); ok && d.Seats[seat].Out {
		return &RuleError{Code: NotPlaying}
	} else if ok {
		return &RuleError{Code: AlreadySeated}
	}
	if len(d.Seats) >= d.SeatCount {
		return &RuleError{Code: NoSeatFree, N: d.SeatCount}
	}
	if len(d.Invited) > 0 && d.by.ID != d.Host.ID && !slices.ContainsFunc(d.Invited, func(p Person) bool { return p.ID == d.by.ID }) {
		return &RuleError{Code: NotInvited}
	}
	d.emit(Joined{d.by})
	return nil
}

func (Leave) decide(d *decision) error {
	if err := d.requireLobby(); err != nil {
		return err
	}
	seat, ok := d.SeatOf(d.by.ID)
	if !ok {
		return &RuleError{Code: NotPlaying}
	}
	d.emit(Left{seat})
	if len(d.Seats) == 0 {
		d.emit(Closed{})
	}
	return nil
}

func (Start) decide(d *decision) error {
	if err := d.requireLobby(); err != nil {
		return err
	}
	if _, ok := d.SeatOf(d.by.ID); !ok {
		return &RuleError{Code: NotPlaying}
	}
	if len(d.Seats) < d.Rules.MinPlayers {
		return &RuleError{Code: TooFewPlayers, N: len(d.Seats), Need: d.Rules.MinPlayers}
	}
	return d.start()
}

// start decides the turn order and deals, or opens the vote on the order.
func (d *decision) start() error {
	d.emit(Started{})
	if begin := d.variant().begin; begin != nil {
		begin(d)
		return nil
	}
	switch order := d.Rules.Order; {
	case len(d.Seats) == 1:
		return d.deal(0)
	case order.Voted:
		d.emit(Polled{d.env.Now.UTC().Truncate(time.Millisecond).Add(voteTime)})
		return nil
	case order.Whole:
		return d.drawOrder(d.Orders())
	}
	return d.deal(d.drawFirst())
}

// drawFirst draws tiles for the first turn and returns the seat that goes first. Everyone draws
// from the same full bag; the tile nearest to A wins, and players with equal best tiles draw again.
func (d *decision) drawFirst() int {
	first := d.Active()
	if seat, ok := d.SeatOf(d.Begins.ID); ok {
		first = []int{seat}
	}
	for len(first) > 1 {
		f := OrderDrawn{Seats: first, Tiles: d.drawTiles(d.Bag, len(first))}
		d.emit(f)
		first = f.Best()
	}
	return first[0]
}

// position returns the starting position for the table's variant.
func (d *decision) position() (SetUp, error) {
	if d.env.SetUp == nil {
		return SetUp{}, NobodySetsUp.ruleError()
	}
	return d.env.SetUp(d.Seed())
}

// deal deals the racks and gives seat first the first turn.
func (d *decision) deal(first int) error {
	if setUp := d.variant().setUp; setUp != nil {
		if err := setUp(d); err != nil {
			return err
		}
	}
	if d.TwoBags {
		racks, vowels := d.dealFromTwoBags()
		d.emit(Dealt{First: first, Racks: racks, Vowels: vowels})
		return nil
	}
	// One draw for all racks, split in seat order.
	size := d.Rules.RackSize
	all := d.drawTiles(d.Bag, size*len(d.Seats))
	racks := make([]Tiles, len(d.Seats))
	for i := range racks {
		racks[i] = all[min(i*size, len(all)):min((i+1)*size, len(all))]
	}
	d.emit(Dealt{First: first, Racks: racks})
	return nil
}

func (a Play) decide(d *decision) error {
	seat, err := d.movingSeat()
	if err != nil {
		return err
	}
	rack := d.Seats[seat].Rack
	faces := a.Move.Tiles.Faces()
	if i := rack.firstMissing(faces); i >= 0 {
		return &RuleError{Code: NotOnRack, Move: a.Move, Square: a.Move.LaidSquares()[i], Tile: faces.At(i), Rack: rack}
	}
	t, err := d.Tally(a.Move)
	if err != nil {
		return err
	}
	if d.Rules.Challenge.Void {
		if bad := t.Phonies(d.env.Dict); len(bad) > 0 {
			return &RuleError{Code: NotAWord, Move: a.Move, Words: bad}
		}
	}
	drew, vowels, err := d.draw(seat, faces, a.Draw)
	if err != nil {
		return err
	}
	d.emit(Played{Seat: seat, Move: a.Move, Words: t.Words, Score: t.Total, Drew: drew, Vowels: vowels})
	d.turnOver()
	return nil
}

func (a Exchange) decide(d *decision) error {
	seat, err := d.movingSeat()
	if err != nil {
		return err
	}
	if len(a.Tiles) == 0 {
		return &RuleError{Code: NothingPut}
	}
	if need := max(d.Rules.ExchangeMin, len(a.Tiles)); len(d.Bag) < need {
		return &RuleError{Code: BagTooSmall, N: len(d.Bag), Need: need}
	}
	rack := d.Seats[seat].Rack
	if i := rack.firstMissing(a.Tiles); i >= 0 {
		return &RuleError{Code: NotOnRack, Tile: a.Tiles.At(i), Rack: rack}
	}
	drew, vowels, err := d.draw(seat, a.Tiles, a.Draw)
	if err != nil {
		return err
	}
	d.emit(Exchanged{Seat: seat, Put: a.Tiles, Drew: drew, Vowels: vowels})
	d.turnOver()
	return nil
}

func (Pass) decide(d *decision) error {
	if d.Phase == Closing {
		return d.accept()
	}
	seat, err := d.movingSeat()
	if err != nil {
		return err
	}
	d.emit(Passed{seat})
	d.turnOver()
	return nil
}

func (d *decision) accept() error {
	seat, err := d.actingSeat()
	if err != nil {
		return err
	}
	if seat == d.Latest.Seat {
		return &RuleError{Code: OwnPlay}
	}
	if d.Seats[seat].Accepted {
		return &RuleError{Code: AlreadyAgreed}
	}
	d.emit(Accepted{seat})
	d.turnOver()
	return nil
}

func (TimeUp) decide(d *decision) error {
	if d.Phase != Closing && d.Phase != Voting {
		return &RuleError{Code: NothingToJudge}
	}
	if d.env.Now.Before(d.Until) {
		return &RuleError{Code: TooEarly}
	}
	if d.Phase == Voting {
		return d.closePoll()
	}
	d.finish()
	return nil
}

func (a Challenge) decide(d *decision) error {
	seat, err := d.actingSeat()
	if err != nil {
		return err
	}
	if d.Rules.Challenge.Void {
		return &RuleError{Code: NoChallenge}
	}
	if d.Latest == nil {
		return &RuleError{Code: NothingToJudge}
	}
	if d.Latest.Seat == seat {
		return &RuleError{Code: OwnPlay}
	}
	words, err := d.challengedWords(a.Words)
	if err != nil {
		return err
	}
	f := Challenged{By: seat, Player: d.Latest.Seat}
	for _, w := range words {
		f.Words = append(f.Words, w.Tiles)
		if !d.env.Dict.Has(w.Letters()) {
			f.Invalid = append(f.Invalid, w.Tiles)
		}
	}
	rule := d.Rules.Challenge
	f.LosesGame = rule.LosesGame
	if len(f.Invalid) == 0 {
		f.Bonus, f.Cost = rule.Bonus*len(words), rule.Cost*len(words)
		f.LosesTurn = rule.LosesTurn
	}
	d.emit(f)
	d.turnOver()
	return nil
}

// challengedWords returns the words of the latest play to look up: those named, which it must have
// formed, or all that haven't been challenged yet.
func (d *decision) challengedWords(named []Tiles) ([]ScoredWord, error) {
	if len(named) == 0 {
		words := d.Latest.UnjudgedWords()
		if len(words) == 0 {
			return nil, &RuleError{Code: AlreadyJudged, Words: d.Latest.Judged}
		}
		return words, nil
	}
	var words []ScoredWord
	var strange, judged []Tiles
	for i, name := range named {
		same := func(w ScoredWord) bool { return sameLetters(w.Tiles, name) }
		at := slices.IndexFunc(d.Latest.Words, same)
		switch {
		case at < 0:
			strange = append(strange, name)
		case slices.Contains(d.Latest.Judged, d.Latest.Words[at].Tiles):
			judged = append(judged, d.Latest.Words[at].Tiles)
		case !slices.ContainsFunc(named[:i], func(n Tiles) bool { return sameLetters(n, name) }):
			words = append(words, d.Latest.Words[at])
		}
	}
	switch {
	case len(words) == 0 && len(strange) > 0:
		return nil, &RuleError{Code: WordNotPlayed, Words: strange}
	case len(judged) > 0:
		return nil, &RuleError{Code: AlreadyJudged, Words: judged}
	}
	return words, nil
}

// sameLetters reports whether two words are equal apart from which tiles are blanks.
func sameLetters(a, b Tiles) bool {
	return ScoredWord{Tiles: a}.Letters() == ScoredWord{Tiles: b}.Letters()
}

func (Resign) decide(d *decision) error {
	seat, err := d.actingSeat()
	if err != nil {
		return err
	}
	if d.Phase == Closing {
		// The game is practically over. If the seat that went out resigned, it would go on.
		return &RuleError{Code: OnlyChallenge, Seat: d.Latest.Seat}
	}
	d.emit(Resigned{seat})
	d.turnOver()
	return nil
}

func (Agree) decide(d *decision) error {
	seat, err := d.actingSeat()
	if err != nil {
		return err
	}
	switch {
	case !d.Rules.Agreement && !d.Rules.Elect:
		return &RuleError{Code: NoAgreement}
	case d.Phase == Closing:
		return &RuleError{Code: OnlyChallenge, Seat: d.Latest.Seat}
	case !d.Rules.Agreement && !d.Electable():
		return &RuleError{Code: TooFewScoreless, N: d.Scoreless, Need: d.Rules.ScorelessTurns}
	case d.Seats[seat].Agreed:
		return &RuleError{Code: AlreadyAgreed}
	}
	d.emit(Agreed{seat})
	d.turnOver()
	return nil
}

// turnOver emits what follows from the latest event: lost turns, the wait for a last challenge, the
// end. Robots only play valid words, so a robot's last play needs no wait.
func (d *decision) turnOver() {
	if d.Phase == Playing && len(d.Active()) == 0 {
		d.endAbandoned() // the last player left vacant seats that no one took
		return
	}
	for d.Phase == Playing && d.endReason() == 0 && d.Seats[d.Turn].LostTurns > 0 {
		d.emit(TurnLost{d.Turn})
	}
	if idle := d.variant().idle; idle != nil {
		for d.Phase == Playing && d.endReason() == 0 && idle(&d.State) {
			d.emit(Passed{d.Turn})
		}
	}
	reason := d.endReason()
	switch {
	case reason == 0:
	case d.Phase == Playing && d.Contestable() && !d.Seats[d.Latest.Seat].Person.ID.IsRobot() && (reason == WentOut || reason == ScorelessEnd):
		d.emit(LastPlay{d.env.Now.UTC().Truncate(time.Millisecond).Add(d.Rules.ChallengeTime)})
	case d.Phase == Closing && d.Contestable() && (reason == WentOut || reason == ScorelessEnd):
		// still waiting
	default:
		d.finish()
	}
}

// endReason returns the reason why the game would be over now, or 0.
func (d *decision) endReason() EndReason {
	active := d.Active()
	if len(active) < 2 && slices.ContainsFunc(d.Seats, func(s Seat) bool { return s.Vacant }) {
		return 0
	}
	if len(active) < min(2, len(d.Seats)) {
		if n := len(d.events); n > 0 {
			if f, ok := d.events[n-1].Fact.(Challenged); ok && f.LosesGame {
				return TripleEnd
			}
		}
		return ResignationEnd
	}
	ending := d.variant().ending
	if ending != nil {
		if reason := ending(&d.State); reason != 0 {
			return reason
		}
	}
	if d.hasOverrun() {
		return OvertimeEnd
	}
	agreed, elected := true, false
	for _, i := range active {
		if ending == nil && len(d.Seats[i].Rack) == 0 && len(d.Bag) == 0 {
			return WentOut
		}
		agreed = agreed && d.Seats[i].Agreed
		elected = elected || d.Seats[i].Agreed
	}
	switch {
	case agreed:
		return AgreementEnd
	case d.isStalled() && (elected || !d.Rules.Elect):
		return ScorelessEnd
	case d.Rules.PassRounds > 0 && d.Passes >= d.Rules.PassRounds*len(active):
		return PassedEnd
	}
	return 0
}

// finish ends the game and settles the racks.
func (d *decision) finish() {
	f := Ended{Reason: d.endReason(), Racks: make([]Tiles, len(d.Seats)), Adjust: make([]int, len(d.Seats))}
	sum, out := 0, -1
	for i, seat := range d.Seats {
		f.Racks[i] = seat.Rack.Sorted()
		if seat.Out {
			continue
		}
		sum += d.Equipment.Tiles.Sum(seat.Rack)
		if len(seat.Rack) == 0 {
			out = i
		}
	}
	active := d.Active()
	switch f.Reason {
	case WentOut:
		for _, i := range active {
			switch {
			case i == out:
				f.Adjust[i] = d.Rules.OutBonus.Times * sum
			case d.Rules.OutBonus.Deduct:
				f.Adjust[i] = -d.Equipment.Tiles.Sum(d.Seats[i].Rack)
			}
		}
	case ScorelessEnd, AgreementEnd, PassedEnd, OvertimeEnd:
		for _, i := range active {
			f.Adjust[i] = -d.Equipment.Tiles.Sum(d.Seats[i].Rack)
		}
	}
	if settle := d.variant().settle; settle != nil {
		for _, i := range active {
			f.Adjust[i] = settle(&d.State, i)
		}
	}
	f.Overtime = d.penalties()
	f.Winners = d.winningSeats(slices.DeleteFunc(active, d.HasLostOnTime), f)
	d.emit(f)
}

// Final returns a seat's final score after an ending.
func (s State) Final(seat int, f Ended) int {
	score := s.Seats[seat].Score + f.Adjust[seat]
	if f.Overtime != nil {
		score -= f.Overtime[seat]
	}
	return score
}

// winningSeats returns the winning seats. If the rules say so, a tie goes to the player who was ahead
// before the racks were settled (document 003, scoring).
func (s State) winningSeats(seats []int, f Ended) []int {
	return leaders(seats, func(i, j int) int {
		order := cmp.Compare(s.Final(i, f), s.Final(j, f))
		if order == 0 && s.Rules.TieBreak {
			order = cmp.Compare(s.Seats[i].Score, s.Seats[j].Score)
		}
		return order
	})
}

// leaders returns the seats that compare highest, several in a tie.
func leaders(seats []int, compare func(i, j int) int) (best []int) {
	for _, i := range seats {
		switch {
		case len(best) == 0 || compare(i, best[0]) > 0:
			best = []int{i}
		case compare(i, best[0]) == 0:
			best = append(best, i)
		}
	}
	return best
}
