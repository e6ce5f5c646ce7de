package robots

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// After a few games, a player wins about half of their games with the tutor, whether they
// play like the weakest level, the strongest, or anything between. The model gives one
// level an advantage of 65 wins in 100 games, or 110 points of Elo.
func TestTutorLosesHalfOfGames(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for skill := 0.0; skill <= float64(len(tutorLevels())-1); skill += 0.5 {
		g := storedGrade{V: 1, Grade: firstGrade}
		won, games := 0, 0
		for n := range 1000 {
			chance := 1 / (1 + math.Pow(10, (g.Grade-skill)*110/400))
			wins := random.Float64() < chance
			if n >= 10 {
				games++
				if wins {
					won++
				}
			}
			result := 0.0
			if wins {
				result = 1
			}
			g.count(bot.TableID(n+1), result)
		}
		// At either end the tutor can miss only on one side.
		within := 0.06
		if skill == 0 || skill == float64(len(tutorLevels())-1) {
			within = 0.12
		}
		if share := float64(won) / float64(games); math.Abs(share-0.5) > within {
			t.Errorf("at %.1f %.0f %% of the games are won, and the tutor plays like %.2f", skill, 100*share, g.Grade)
		}
	}
}

// In whole games, a player wins about half of their games with the tutor after the first
// ten. This holds for players unlike any level too: one who knows every word and only
// counts points, one who plays well but misses every fourth turn, one who improves. Over
// 2,000 games each won 50 to 54 % (standard error 1.1).
func TestTutorInWholeGames(t *testing.T) {
	if !gametest.Long() {
		t.Skip("five people play hundreds of games: in a long run")
	}
	games := 400
	if gametest.Longest() {
		games = 2000
	}
	level := func(name string) robot.Level {
		l, ok := robot.ParseLevel(name)
		if !ok {
			t.Fatal(name)
		}
		return l
	}
	greedy := robot.Yardsticks()[0]
	people := []struct {
		who   string
		plays func(game, turn int) robot.Level
	}{
		{"an easy player", func(int, int) robot.Level { return level("easy") }},
		{"a medium player", func(int, int) robot.Level { return level("medium") }},
		{"one who knows every word", func(int, int) robot.Level { return greedy }},
		{"a strong player who sees nothing at times", func(_, turn int) robot.Level {
			if turn%4 == 3 {
				return level("beginner")
			}
			return level("strong")
		}},
		{"one who gets better", func(n, _ int) robot.Level {
			if n < games/2 {
				return level("casual")
			}
			return level("strong")
		}},
	}
	mind := theMind(t)
	for k, who := range people {
		t.Run(who.who, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(35, uint64(k)))
			g := storedGrade{V: 1, Grade: firstGrade}
			won := 0.0
			for n := range games {
				share := playTutor(t, mind, n, random, func(turn int) robot.Level { return who.plays(n, turn) }, g.Grade)
				g.count(bot.TableID(n+1), share)
				if n >= 10 {
					won += share
				}
			}
			rate := won / float64(games-10)
			wrong := math.Sqrt(0.25 / float64(games-10))
			t.Logf("won %.1f %% of %d games (standard error %.1f); the tutor plays like %.2f", 100*rate, games-10, 100*wrong, g.Grade)
			if math.Abs(rate-0.5) > 0.06+2.5*wrong {
				t.Errorf("won %.0f %% of the games", 100*rate)
			}
		})
	}
}

// playTutor plays a game by the rules and returns the share of it that the person won.
func playTutor(t *testing.T, mind *robot.Mind, n int, random *rand.Rand, person func(turn int) robot.Level, grade float64) float64 {
	t.Helper()
	env := game.Env{Dict: mind.Words(), Now: time.Unix(0, 0)}
	binary.BigEndian.PutUint64(env.Secret[:], random.Uint64())
	var s game.State
	do := func(by game.Person, a game.Action) {
		t.Helper()
		env.Cause = fmt.Sprint(s.Number)
		events, err := game.Decide(s, by, a, env)
		if err != nil {
			t.Fatalf("game %d, event %d: %v", n, s.Number, err)
		}
		for _, e := range events {
			s = s.Apply(e)
		}
	}
	first, second := gametest.People[n%2], gametest.People[1-n%2]
	do(first, game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Seats: 2})
	do(second, game.Join{})
	for s.Phase != game.Over {
		seat := s.Turn
		if s.Phase == game.Closing {
			seat = 1 - s.Latest.Seat
		}
		l := levelAt(grade, random.Float64())
		if s.Seats[seat].Person == gametest.People[0] {
			l = person(s.Turns / 2)
		}
		a, err := mind.Choose(t.Context(), l, robot.See(s, seat), 0, random.Uint64())
		gametest.Must(t, err)
		do(s.Seats[seat].Person, a)
	}
	share := 0.0
	for _, seat := range s.End.Winners {
		if s.Seats[seat].Person == gametest.People[0] {
			share = 1 / float64(len(s.End.Winners))
		}
	}
	return share
}

// theMind returns a mind that knows the shipped English words and how common they are.
func theMind(t *testing.T) *robot.Mind {
	t.Helper()
	eq := gametest.Equipment(t)
	packed, err := data.Vocabulary("english")
	gametest.Must(t, err)
	vocabulary, err := lexicon.ReadVocabulary(eq.Tiles.Alphabet(), bytes.NewReader(packed))
	gametest.Must(t, err)
	values, err := data.Leaves(eq.Tiles.Name())
	gametest.Must(t, err)
	leaves, err := robot.OpenLeaves(eq.Tiles, values)
	gametest.Must(t, err)
	return robot.NewMind(gametest.ShippedList(t, "en"), func() *lexicon.Vocabulary { return vocabulary }, leaves)
}

// A game counts once, however often it is processed, and a draw changes nothing.
func TestTutorCountsGameOnce(t *testing.T) {
	g := storedGrade{V: 1, Grade: firstGrade}
	g.count(7, 1)
	after := g.Grade
	g.count(7, 1)
	g.count(8, 0.5)
	if g.Grade != after || g.Games != 2 || after <= firstGrade {
		t.Errorf("%+v after a win, %v before", g, after)
	}
	for n := range 40 {
		g.count(bot.TableID(100+n), 0)
	}
	if g.Grade != 0 || len(g.Counted) != 10 {
		t.Errorf("after forty losses: %+v", g)
	}
}
