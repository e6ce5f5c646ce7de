package game_test

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// For more or other games: go test ./game -run RandomGames -seed 1000 -games 50
var (
	firstSeed = flag.Uint64("seed", 1, "the first seed of the random games")
	gameCount = flag.Uint64("games", 0, "random games for each rule set, challenge rule and number of players; by default 2 in a long run and 1 in a short one")
)

// gameSeeds returns the seeds of the random games to play in each way.
func gameSeeds() (all []uint64) {
	n := *gameCount
	if n == 0 {
		n = uint64(gametest.Share(2))
	}
	for seed := range n {
		all = append(all, *firstSeed+seed)
	}
	return all
}

// sizes returns the numbers of players to test: all that the rules allow, or in a short run one of
// them, chosen by n.
func sizes(rules game.Rules, n int) (all []int) {
	for players := rules.MinPlayers; players <= min(rules.MaxPlayers, len(gametest.People)); players++ {
		all = append(all, players)
	}
	if gametest.Long() {
		return all
	}
	return all[n%len(all):][:1]
}

// TestRandomGames plays whole games by every rule set and checks each event against a second,
// simple bookkeeper.
func TestRandomGames(t *testing.T) {
	seen := map[string]int{}
	for _, rules := range append(game.RuleSets(), voting(), timed(game.Club()), timed(game.Rulebook())) {
		for i, challenge := range game.ChallengeRules() {
			rules.Challenge = challenge
			for _, players := range sizes(rules, i) {
				for _, seed := range gameSeeds() {
					name := fmt.Sprintf("%s, %s, %d players, seed %d", rules.Name, challenge, players, seed)
					t.Run(name, func(t *testing.T) {
						audit(t, gametest.RandomGame(t, seed, players, rules), seen)
					})
				}
			}
		}
	}
	want := []string{
		"game.Timed", "overtime", "game.Polled", "game.Balloted", "game.Ordered", "game.OrderDrawn", "game.Played", "game.Exchanged", "game.Passed", "game.TurnLost", "game.LastPlay",
		"game.Accepted", "game.Resigned", "game.Agreed", "right challenge", "wrong challenge", "last play withdrawn",
		"end 1", "end 2", "end 4", "end 5", "end 7", "bonus", "blank",
	}
	if gametest.Long() {
		want = append(want, "game.Left", "end 3", "end 6", "lost on time") // rare events
	}
	for _, what := range want {
		if seen[what] == 0 {
			t.Errorf("among all the games there was no %s", what)
		}
	}
	t.Log(seen)
}

// voting returns a rule set in which the players vote on the order.
func voting() game.Rules {
	rules := game.Rulebook()
	rules.Order = game.Voted
	return rules
}

// timed returns a rule set with its clock on.
func timed(rules game.Rules) game.Rules {
	rules.Clock.On = true
	return rules
}

// A book holds the records of the simple bookkeeper.
type book struct {
	*testing.T
	rules  game.Rules
	eq     game.Equipment
	dict   game.Dictionary
	secret game.Secret
	joins  []string
	before game.State

	turn    int
	scores  []int
	out     []bool
	debts   []int  // turns to lose, by seat
	idle    []bool // for each completed turn, whether it was scoreless
	play    int    // index of the latest play in idle, or -1
	latest  game.Played
	seen    map[string]int
	running bool
	fact    game.Fact // fact being entered
	passes  int       // consecutive passes
	used    map[int]time.Duration
}

// audit checks a game.
func audit(t *testing.T, events []game.Event, seen map[string]int) {
	open := events[0].Fact.(game.Opened)
	b := &book{T: t, rules: open.Rules, eq: open.Equipment, secret: open.Secret, dict: gametest.SmallDictionary(t), play: -1, seen: seen, used: map[int]time.Duration{}}
	states := []game.State{{}}
	for i, e := range events {
		b.before = states[i]
		after := b.before.Apply(e)
		states = append(states, after)
		if e.Number != i || e.Cause == "" || e.At.Location() != time.UTC || e.At != e.At.Truncate(time.Millisecond) {
			t.Fatalf("event %d: number %d, cause %q, at %v", i, e.Number, e.Cause, e.At)
		}
		seen[fmt.Sprintf("%T", e.Fact)]++
		b.enter(e)
		if t.Failed() {
			t.Fatalf("event %d was %+v", i, e)
		}
		b.compare(after)
		if t.Failed() {
			t.Fatalf("after event %d, %+v", i, e)
		}
	}
	if _, ended := events[len(events)-1].Fact.(game.Ended); !ended {
		t.Error("the last event is not the end")
	}
	// No state has changed since it was created, and replaying the log gives it again.
	for i := range states {
		s, err := game.Replay(events[:i])
		gametest.Must(t, err)
		if !reflect.DeepEqual(s, states[i]) {
			t.Fatalf("replayed up to event %d: %+v, was %+v", i, s, states[i])
		}
	}
}

// enter records an event.
func (b *book) enter(e game.Event) {
	b.fact = e.Fact
	switch f := e.Fact.(type) {
	case game.Joined:
		b.joins = append(b.joins, e.Cause)
	case game.Left:
		b.joins = slices.Delete(b.joins, f.Seat, f.Seat+1)
	case game.OrderDrawn:
		b.drew(e.Number, f.Tiles)
		if len(f.Tiles) != len(f.Seats) {
			b.Errorf("%d tiles for %v", len(f.Tiles), f.Seats)
		}
	case game.Dealt:
		all := game.Tiles("")
		for _, rack := range f.Racks {
			all += rack
		}
		if len(all) != 7*len(b.joins) {
			b.Errorf("%d tiles dealt to %d", len(all), len(b.joins))
		}
		b.drew(e.Number, all)
		n := len(f.Racks)
		b.turn, b.scores, b.out, b.debts, b.running = f.First, make([]int, n), make([]bool, n), make([]int, n), true
	case game.Played:
		words, score := naive(b.eq, b.before.Board, f.Move)
		if score != f.Score {
			b.Errorf("%s scores %d, recounted %d", f.Move.Text(b.eq.Tiles), f.Score, score)
		}
		var got []string
		for _, w := range f.Words {
			got = append(got, fmt.Sprintf("%s %s %d", w.At.At(w.Dir), b.eq.Tiles.Print(w.Tiles), w.Score))
		}
		slices.Sort(got)
		if !slices.Equal(got, words) {
			b.Errorf("the words are %q, recounted %q", got, words)
		}
		if b.rules.Challenge == game.Void {
			for _, w := range f.Words {
				if !b.dict.Has(w.Letters()) {
					b.Errorf("%s was accepted", b.eq.Tiles.Print(w.Tiles))
				}
			}
		}
		b.drew(e.Number, f.Drew)
		if rack := len(b.before.Seats[f.Seat].Rack) - len(f.Move.LaidSquares()) + len(f.Drew); rack < 7 && len(f.Drew) < len(b.before.Bag) {
			b.Errorf("%d tiles on the rack and more in the bag", rack)
		}
		b.scores[f.Seat] += f.Score
		b.done(f.Seat, f.Score == 0 && b.rules.ZeroPlays)
		b.play, b.latest = len(b.idle)-1, f
		if len(f.Move.LaidSquares()) == 7 {
			b.seen["bonus"]++
		}
		if f.Move.Tiles.Faces().Count(game.Blank) > 0 {
			b.seen["blank"]++
		}
	case game.Exchanged:
		if len(b.before.Bag) < b.rules.ExchangeMin || len(f.Put) != len(f.Drew) {
			b.Errorf("%d for %d, of %d in the bag", len(f.Put), len(f.Drew), len(b.before.Bag))
		}
		b.drew(e.Number, f.Drew)
		b.done(f.Seat, true)
		b.play = -1
	case game.Timed:
		if !b.rules.Clock.On || f.Seat != b.turn {
			b.Errorf("seat %d took %v", f.Seat, f.Took)
		}
		b.used[f.Seat] += f.Took
	case game.Passed:
		b.done(f.Seat, true)
		b.passes++
		b.play = -1
	case game.TurnLost:
		b.done(f.Seat, true)
		if b.debts[f.Seat]--; b.debts[f.Seat] < 0 {
			b.Error("a turn lost for nothing")
		}
	case game.Resigned:
		if f.Seat == b.turn || b.play >= 0 && f.Seat == b.latest.Seat {
			b.play = -1
		}
		b.leave(f.Seat)
	case game.Challenged:
		b.challenged(f)
	case game.LastPlay:
		if !f.Until.Equal(e.At.Add(b.rules.ChallengeTime)) || b.play < 0 || b.rules.Challenge == game.Void {
			b.Errorf("open until %v", f.Until)
		}
	case game.Ended:
		b.ended(f)
	}
}

// drew repeats a draw and compares.
func (b *book) drew(event int, got game.Tiles) {
	want := drawn(game.NewSeed(b.secret, b.joins), event, b.before.Bag, len(got))
	if string(got) != want {
		b.Errorf("drawn were %s, drawn again %s", b.eq.Tiles.Print(got), b.eq.Tiles.Print(game.Tiles(want)))
	}
}

// done records the end of a turn.
func (b *book) done(seat int, scoreless bool) {
	if seat != b.turn {
		b.Errorf("seat %d acts on %d's turn", seat, b.turn)
	}
	b.idle = append(b.idle, scoreless)
	if _, passed := b.fact.(game.Passed); !passed {
		b.passes = 0
	}
	b.next()
}

func (b *book) next() {
	for range b.out {
		if b.turn++; b.turn == len(b.out) {
			b.turn = 0
		}
		if !b.out[b.turn] {
			return
		}
	}
}

func (b *book) leave(seat int) {
	b.out[seat] = true
	if seat == b.turn {
		b.next()
	}
}

func (b *book) challenged(f game.Challenged) {
	if b.play < 0 || f.Player != b.latest.Seat || f.By == f.Player {
		b.Fatalf("seat %d can't challenge", f.By)
	}
	var invalid []game.Tiles
	for _, w := range f.Words {
		if !slices.ContainsFunc(b.latest.Words, func(p game.ScoredWord) bool { return p.Tiles == w }) {
			b.Errorf("%s was not played", b.eq.Tiles.Print(w))
		}
		if !b.dict.Has(game.ScoredWord{Tiles: w}.Letters()) {
			invalid = append(invalid, w)
		}
	}
	if !slices.Equal(invalid, f.Invalid) || len(f.Words) == 0 {
		b.Errorf("invalid are %q", invalid)
	}
	if len(invalid) > 0 {
		b.seen["right challenge"]++
		if b.before.Phase == game.Closing {
			b.seen["last play withdrawn"]++
		}
		b.scores[f.Player] -= b.latest.Score
		b.idle[b.play] = true
		b.play = -1
		if f.Bonus != 0 || f.Cost != 0 || f.LosesTurn {
			b.Error("a right challenge that costs the challenger")
		}
		if f.LosesGame {
			b.leave(f.Player)
		}
	} else {
		b.seen["wrong challenge"]++
		b.scores[f.Player] += f.Bonus
		b.scores[f.By] -= f.Cost
		rule := b.rules.Challenge
		if f.Bonus != rule.Bonus*len(f.Words) || f.Cost != rule.Cost*len(f.Words) || f.LosesTurn != rule.LosesTurn {
			b.Errorf("a wrong challenge by the rule %s", b.rules.Challenge)
		}
		if f.LosesTurn {
			b.debts[f.By]++
		}
		if f.LosesGame {
			b.leave(f.By)
		}
	}
	if f.LosesGame != b.rules.Challenge.LosesGame {
		b.Errorf("a challenge by the rule %s", b.rules.Challenge)
	}
}

func (b *book) ended(f game.Ended) {
	b.seen[fmt.Sprintf("end %d", f.Reason)]++
	b.running = false
	var playing []int
	held, went := 0, -1
	for i, seat := range b.before.Seats {
		if b.out[i] {
			continue
		}
		playing = append(playing, i)
		held += b.eq.Tiles.Sum(seat.Rack)
		if seat.Rack == "" {
			went = i
		}
	}
	if (f.Reason == game.WentOut) != (went >= 0 && b.before.Bag == "") {
		b.Errorf("ended for reason %d", f.Reason)
	}
	adjust := make([]int, len(b.out))
	for _, i := range playing {
		rack := b.eq.Tiles.Sum(b.before.Seats[i].Rack)
		switch {
		case f.Reason == game.ResignationEnd || f.Reason == game.TripleEnd:
			if len(playing) != 1 {
				b.Errorf("%v still play", playing)
			}
		case f.Reason == game.WentOut && b.rules.Name == "club":
			if i == went {
				adjust[i] = 2 * held
			}
		case f.Reason == game.WentOut && i == went:
			adjust[i] = held
		default:
			adjust[i] = -rack
		}
	}
	best := -1 << 30
	var winners []int
	lost := func(i int) bool {
		return b.rules.Name == "rulebook" && f.Reason == game.OvertimeEnd && b.used[i] > 35*time.Minute
	}
	for i := range b.scores {
		b.scores[i] += adjust[i]
		for over := b.used[i] - 25*time.Minute; b.rules.Clock.On && b.rules.Name == "club" && !b.out[i] && over > 0; over -= time.Minute {
			b.scores[i] -= 10
			b.seen["overtime"]++
		}
		if lost(i) {
			b.seen["lost on time"]++
		}
		if !b.out[i] && !lost(i) && b.scores[i] > best {
			best = b.scores[i]
		}
	}
	for i, n := range b.scores {
		if !b.out[i] && !lost(i) && n == best {
			winners = append(winners, i)
		}
	}
	if b.rules.TieBreak && len(winners) == 2 {
		if more := (b.scores[winners[0]] - adjust[winners[0]]) - (b.scores[winners[1]] - adjust[winners[1]]); more > 0 {
			winners = winners[:1]
		} else if more < 0 {
			winners = winners[1:]
		}
	}
	if !slices.Equal(adjust, f.Adjust) || !slices.Equal(winners, f.Winners) {
		b.Errorf("adjusted by %v, won by %v; recounted %v, %v", f.Adjust, f.Winners, adjust, winners)
	}
	if f.Reason == game.PassedEnd && b.passes < map[string]int{"family": 1, "match": 2}[b.rules.Name]*len(playing) {
		b.Errorf("%d passes in a row of %d players", b.passes, len(playing))
	}
	if f.Reason == game.ScorelessEnd && (b.scoreless() < 6 || b.rules.ScorelessTurns == 0) {
		b.Errorf("%d scoreless turns", b.scoreless())
	}
}

// scoreless returns the number of scoreless turns in a row.
func (b *book) scoreless() int {
	n := 0
	for i := len(b.idle) - 1; i >= 0 && b.idle[i]; i-- {
		n++
	}
	return n
}

// compare checks that the state matches the book.
func (b *book) compare(s game.State) {
	all := b.eq.Tiles.All()
	held := s.Board.Tiles().Faces() + s.Bag + s.Removed
	for _, seat := range s.Seats {
		held += seat.Rack
	}
	if s.Phase != game.NoTable && held.Sorted() != all {
		b.Errorf("of 100 tiles there are %d", len(held))
	}
	if s.Bag != s.Bag.Sorted() || s.Removed != s.Removed.Sorted() {
		b.Error("the bag is not sorted")
	}
	if b.scores == nil {
		return
	}
	for i, seat := range s.Seats {
		if seat.Score != b.scores[i] || seat.Out != b.out[i] || seat.LostTurns != b.debts[i] {
			b.Errorf("seat %d is %+v; recounted %d points, out %v, %d turns to lose", i, seat, b.scores[i], b.out[i], b.debts[i])
		}
		if got := s.Unseen(i) + seat.Rack + s.Board.Tiles().Faces() + s.Removed; got.Sorted() != all {
			b.Errorf("seat %d sees %d tiles wrong", i, len(got)-100)
		}
	}
	if b.running && s.Turn != b.turn {
		b.Errorf("it is seat %d's turn, should be %d's", s.Turn, b.turn)
	}
	if s.Scoreless != b.scoreless() || s.Turns != len(b.idle) {
		b.Errorf("%d of %d turns scoreless, recounted %d of %d", s.Scoreless, s.Turns, b.scoreless(), len(b.idle))
	}
	if b.running && (s.Latest != nil) != (b.play >= 0) {
		b.Errorf("the latest play is %+v", s.Latest)
	}
}

// naive scores a play by examining every run of tiles on the board with a new tile in it. It reads
// the layout only from its text.
func naive(eq game.Equipment, board game.Board, m game.Move) (words []string, score int) {
	rows := strings.Split(eq.Layout.Text, "\n")
	n := len(rows)
	fresh := map[game.Square]bool{}
	for i := range len(m.Tiles) {
		sq := game.Square{Row: m.At.Row, Col: m.At.Col + i}
		if m.Dir == game.Down {
			sq = game.Square{Row: m.At.Row + i, Col: m.At.Col}
		}
		if m.Tiles.At(i) != game.NoTile {
			fresh[sq] = true
			board.Put(sq, m.Tiles.At(i))
		}
	}
	run := func(line []game.Square) {
		start := 0
		for end := 0; end <= len(line); end++ {
			if end < len(line) && board.Tile(line[end]) != game.NoTile {
				continue
			}
			word := line[start:end]
			start = end + 1
			if len(word) < 2 || !slices.ContainsFunc(word, func(sq game.Square) bool { return fresh[sq] }) {
				continue
			}
			sum, times, text := 0, 1, []game.Tile{}
			for _, sq := range word {
				t := board.Tile(sq)
				value := eq.Tiles.Value(t)
				if fresh[sq] {
					switch rows[sq.Row][sq.Col] {
					case 'd':
						value *= 2
					case 't':
						value *= 3
					case 'D', '*':
						times *= 2
					case 'T':
						times *= 3
					}
				}
				sum += value
				text = append(text, t)
			}
			dir := game.Across
			if word[0].Row != word[1].Row {
				dir = game.Down
			}
			words = append(words, fmt.Sprintf("%s %s %d", word[0].At(dir), eq.Tiles.Print(game.TilesOf(text...)), sum*times))
			score += sum * times
		}
	}
	for i := range n {
		var across, down []game.Square
		for j := range n {
			across = append(across, game.Square{Row: i, Col: j})
			down = append(down, game.Square{Row: j, Col: i})
		}
		run(across)
		run(down)
	}
	if len(fresh) >= 7 {
		score += 50
	}
	slices.Sort(words)
	return words, score
}
