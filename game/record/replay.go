package record

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game"
)

// A Result is the outcome of playing a record through the rules.
type Result struct {
	// Moves is the number of turns: plays (withdrawn ones too), exchanges and passes. Bonuses and
	// penalties aren't turns.
	Moves  int
	Scores []int // final scores in points, in the order of the players
	// Boards holds the board after each of the record's turns.
	Boards []game.Board
	// Made holds the move of each of the record's turns: zero if it isn't a turn, or wasn't fully
	// recorded.
	Made []game.Move
	// Racks holds the rack before each of the record's turns, as far as recorded.
	Racks []game.Tiles
}

// A Mismatch is the first disagreement between a record and the rules.
type Mismatch struct {
	Line               int // line in the file
	Recorded, Computed string
	Reason             string
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("line %d: recorded %s, computed %s: %s", m.Line, m.Recorded, m.Computed, m.Reason)
}

// Replay plays a record through the rules: it makes every play, removes withdrawn ones, and
// recomputes every score. It checks that plays fit the board; that tiles were on the player's rack,
// if recorded, and exist in the set; scores and running totals; that a challenge bonus is for the
// latest play, and at most 5 or 10 points a word; that a player who gains at the end gets the
// others' tiles once or twice, and that one who loses, loses their own once. It doesn't look up
// words or check whose turn it is, because turns lost to challenges often aren't recorded.
//
// The error is a *[Mismatch].
func Replay(rules game.Rules, eq game.Equipment, g GCG) (Result, error) {
	r := replayer{rules: rules, eq: eq, Result: Result{Scores: make([]int, len(g.Players))}}
	for _, t := range g.Turns {
		r.made, r.rack = game.Move{}, ""
		if err := r.turn(t); err != nil {
			err.Line = t.Line
			return r.Result, err
		}
		total := &r.Scores[t.Player]
		if *total += t.Score; *total != t.Total {
			return r.Result, &Mismatch{t.Line, strconv.Itoa(t.Total), strconv.Itoa(*total), "the running total is not the sum of the scores"}
		}
		r.Boards, r.Made, r.Racks = append(r.Boards, r.board), append(r.Made, r.made), append(r.Racks, r.rack)
	}
	return r.Result, nil
}

type replayer struct {
	rules game.Rules
	eq    game.Equipment
	Result
	board game.Board

	// The latest play that stands, or nil.
	latest *Turn
	move   game.Move
	words  int // words that it formed

	made game.Move  // move of this turn
	rack game.Tiles // rack before this turn
}

func (r *replayer) turn(t Turn) *Mismatch {
	switch t.Kind {
	case Play:
		r.Moves++
		return r.play(t)
	case Exchange:
		r.Moves++
		return r.checkExchange(t)
	case Pass:
		r.Moves++
		if err := r.checkRack(t.Rack, ""); err != nil {
			return &Mismatch{0, t.Rack, "-", err.Error()}
		}
		r.made = game.Move{Kind: game.PassTurn}
		return checkScore(t, 0, "a pass scores nothing")
	case Withdrawn:
		return r.withdraw(t)
	case ChallengeBonus:
		return r.checkBonus(t)
	case EndRack:
		return r.endRack(t)
	case TimePenalty:
		if t.Score > 0 {
			return &Mismatch{0, strconv.Itoa(t.Score), "-", "a time penalty gives no points"}
		}
	}
	return nil
}

func checkScore(t Turn, computed int, reason string) *Mismatch {
	if t.Score == computed {
		return nil
	}
	return &Mismatch{0, strconv.Itoa(t.Score), strconv.Itoa(computed), reason}
}

func (r *replayer) play(t Turn) *Mismatch {
	m, err := r.readPlay(t)
	if err != nil {
		return &Mismatch{0, t.Tiles, "-", err.Error()}
	}
	tally, err := r.rules.Tally(r.eq, &r.board, m)
	if err != nil {
		return &Mismatch{0, t.At.At(t.Dir), "-", ruleText(err)}
	}
	used := m.Tiles.Faces()
	if err := r.checkRack(t.Rack, used); err != nil {
		return &Mismatch{0, orDash(t.Rack), r.eq.Tiles.Print(used), err.Error()}
	}
	if bad := checkScore(t, tally.Total, "the score of "+r.eq.Tiles.Print(tally.Words[0].Tiles)); bad != nil {
		return bad
	}
	r.board.Lay(m)
	r.made = m
	r.latest, r.move, r.words = &t, m, len(tally.Words)
	return nil
}

// readPlay returns the move of a recorded play. A tile played through is a dot or in brackets, but
// some write it like the new ones.
func (r *replayer) readPlay(t Turn) (game.Move, error) {
	var tiles []game.Tile
	brackets := false
	for rest := r.eq.Tiles.Alphabet().Compose(t.Tiles); rest != ""; {
		sq := t.At.Step(t.Dir, len(tiles))
		there := r.board.Tile(sq)
		switch c := rest[0]; {
		case c == '(' && !brackets, c == ')' && brackets:
			brackets, rest = !brackets, rest[1:]
		case c == '.':
			tiles, rest = append(tiles, game.NoTile), rest[1:]
		default:
			l, lower, n := r.eq.Tiles.Alphabet().Next(rest)
			tile := game.LetterTile(l)
			switch {
			case n == 0:
				return game.Move{}, fmt.Errorf("%q can't stand in a play", []rune(rest)[0])
			case there.Letter() == l:
				tile = game.NoTile
			case brackets:
				return game.Move{}, fmt.Errorf("%s is not on %s to be played through", rest[:n], sq)
			case lower && utf8.RuneCountInString(rest[:n]) > 1 && strings.Contains(t.Rack, rest[:n]):
				// Some write a two-letter tile in lower case, on the rack too; they write a blank
				// as ?.
			case lower:
				tile = game.BlankAs(l)
			}
			tiles, rest = append(tiles, tile), rest[n:]
		}
	}
	if brackets {
		return game.Move{}, errors.New("the bracket is not closed")
	}
	return game.Move{Kind: game.PlayTiles, At: t.At, Dir: t.Dir, Tiles: game.TilesOf(tiles...)}, nil
}

// ruleText returns a short description of a play's mistake.
func ruleText(err error) string {
	var rule *game.RuleError
	if !errors.As(err, &rule) {
		return err.Error()
	}
	switch rule.Code {
	case game.Gap, game.Occupied, game.NotWhole, game.MissesStart:
		return fmt.Sprintf("%v (%s)", rule, rule.Square)
	}
	return rule.Error()
}

func (r *replayer) checkExchange(t Turn) *Mismatch {
	put, n := game.Tiles(""), t.Count
	if t.Tiles != "" {
		var err error
		if put, err = parseRack(r.eq.Tiles, t.Tiles); err != nil {
			return &Mismatch{0, t.Tiles, "-", err.Error()}
		}
		n = len(put)
	}
	if err := r.checkRack(t.Rack, put); err != nil {
		return &Mismatch{0, orDash(t.Rack), orDash(t.Tiles), err.Error()}
	}
	if bag := max(0, len(r.unseen())-r.rules.RackSize*len(r.Scores)); n > min(r.rules.RackSize, bag) {
		return &Mismatch{0, strconv.Itoa(n), strconv.Itoa(min(r.rules.RackSize, bag)), fmt.Sprintf("%d tiles exchanged, with %d in the bag", n, bag)}
	}
	if t.Tiles != "" {
		r.made = game.Move{Kind: game.ExchangeTiles, Tiles: put}
	}
	return checkScore(t, 0, "an exchange scores nothing")
}

func (r *replayer) withdraw(t Turn) *Mismatch {
	if r.latest == nil || r.latest.Player != t.Player {
		return &Mismatch{0, strconv.Itoa(t.Score), "-", "the player has no latest play to be withdrawn"}
	}
	if bad := checkScore(t, -r.latest.Score, "what the withdrawn play scored"); bad != nil {
		return bad
	}
	r.board.Lift(r.move)
	r.latest = nil
	if err := r.checkRack(t.Rack, ""); err != nil {
		return &Mismatch{0, t.Rack, "-", err.Error()}
	}
	return nil
}

func (r *replayer) checkBonus(t Turn) *Mismatch {
	if r.latest == nil || (r.latest.Player == t.Player) != (t.Score >= 0) {
		return &Mismatch{0, strconv.Itoa(t.Score), "-", "the latest play is not this player's"}
	}
	if !slices.ContainsFunc(game.ChallengeRules(), func(c game.ChallengeRule) bool {
		return fitsWords(t.Score, c.Bonus, r.words) || fitsWords(-t.Score, c.Cost, r.words)
	}) {
		return &Mismatch{0, strconv.Itoa(t.Score), "-", "no challenge rule gives or takes that for a word"}
	}
	// The rack is the new one, but some record the one before.
	if err := r.checkRack(t.Rack, ""); err != nil && t.Rack != r.latest.Rack {
		return &Mismatch{0, t.Rack, "-", err.Error()}
	}
	return nil
}

// fitsWords reports whether points fit some of the words of a play.
func fitsWords(points, each, words int) bool {
	return points >= 0 && points <= each*words && (each == 0 || points%each == 0)
}

func (r *replayer) endRack(t Turn) *Mismatch {
	readings, err := r.readRack(t.Tiles)
	if err != nil {
		return &Mismatch{0, t.Tiles, "-", "rack: " + err.Error()}
	}
	var tiles game.Tiles
	var sum int
	for _, tiles = range readings {
		sum = r.eq.Tiles.Sum(tiles)
		if t.Score == -sum || t.Score == sum || t.Score == 2*sum {
			break
		}
	}
	if err := r.checkUnseen(tiles); err != nil {
		return &Mismatch{0, t.Tiles, "-", err.Error()}
	}
	if t.Score > 0 {
		if t.Score == sum {
			return nil // the others each lost theirs
		}
		return checkScore(t, 2*sum, "the others' tiles "+t.Tiles+", twice")
	}
	if t.Rack != "" && !r.isUnknown(t.Rack) {
		if own, err := r.readRack(t.Rack); err != nil || own[0].Sorted() != readings[0].Sorted() {
			return &Mismatch{0, t.Tiles, t.Rack, "the player loses another rack than their own"}
		}
	}
	return checkScore(t, -sum, "the player's own tiles "+t.Tiles)
}

// unseen returns every tile that isn't on the board.
func (r *replayer) unseen() game.Tiles {
	left, _ := r.eq.Tiles.All().Minus(r.board.Tiles().Faces())
	return left
}

// checkRack checks that a recorded rack is possible and contains the tiles used. An unrecorded rack may
// have been any.
func (r *replayer) checkRack(rack string, used game.Tiles) error {
	if rack == "" || r.isUnknown(rack) {
		return r.checkUnseen(used)
	}
	readings, err := r.readRack(rack)
	if err != nil {
		return fmt.Errorf("rack: %w", err)
	}
	for _, tiles := range readings {
		if err = r.checkHeld(tiles, used); err == nil {
			r.rack = tiles
			return nil
		}
	}
	return err
}

// isUnknown reports whether a rack is recorded as unknown: some write UNKNOWN, others a question mark
// for each tile, which would be more blanks than there are.
func (r *replayer) isUnknown(rack string) bool {
	return strings.EqualFold(rack, "unknown") ||
		strings.Trim(rack, "?") == "" && len(rack) > r.unseen().Count(game.Blank)
}

func (r *replayer) checkHeld(rack, used game.Tiles) error {
	if len(rack) > r.rules.RackSize {
		return fmt.Errorf("a rack has at most %d tiles, not %d", r.rules.RackSize, len(rack))
	}
	for i := range len(used) {
		if t := used.At(i); used.Count(t) > rack.Count(t) {
			return fmt.Errorf("the tile %s is not on the rack", r.eq.Tiles.Text(t))
		}
	}
	return r.checkUnseen(rack)
}

// checkUnseen checks that tiles can be elsewhere than on the board.
func (r *replayer) checkUnseen(tiles game.Tiles) error {
	unseen := r.unseen()
	for i := range len(tiles) {
		if t := tiles.At(i); tiles.Count(t) > unseen.Count(t) {
			return fmt.Errorf("that is more tiles %s than the set has", r.eq.Tiles.Text(t))
		}
	}
	return nil
}

// readRack returns the readings of a recorded rack. Lower case may mean a designated blank or
// nothing, which makes two readings. A dot is an unknown tile. Two letters that could be one tile
// may be two.
func (r *replayer) readRack(text string) ([]game.Tiles, error) {
	tiles, err := r.eq.Tiles.Parse(text)
	if err != nil {
		return nil, err
	}
	readings := blankReadings(tiles)
	for _, way := range r.eq.Tiles.Alphabet().OtherReadings(text) {
		var apart game.Tiles
		for part := range strings.SplitSeq(way, "|") {
			tiles, _ := r.eq.Tiles.Parse(part) // it parsed as a whole above
			apart += tiles
		}
		readings = append(readings, blankReadings(apart)...)
	}
	return readings, nil
}

// blankReadings returns the readings of a rack with lower case as blanks and as letters.
func blankReadings(tiles game.Tiles) []game.Tiles {
	blanks := tiles.Faces()
	var letters []byte
	for i := range len(tiles) {
		switch t := tiles.At(i); {
		case t.Letter() != 0:
			letters = append(letters, byte(t.Letter()))
		case t == game.Blank:
			letters = append(letters, byte(t))
		}
	}
	return slices.Compact([]game.Tiles{blanks, game.Tiles(letters)})
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
