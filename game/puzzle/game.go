package puzzle

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// A Form is what there is to solve on a day.
type Form string

// The forms: one position, or a whole game of duplicate that is played within a day or
// within a week. A week's game has the number of its Monday.
const (
	OneBoard Form = ""
	DayGame  Form = "game"
	WeekGame Form = "week"
)

// Days is how many days it is open.
func (f Form) Days() int {
	if f == WeekGame {
		return 7
	}
	return 1
}

// First is the first day of the one that a day falls in.
func (f Form) First(d Day) Day {
	if f == WeekGame {
		return d - Day(d.Date().Weekday()+6)%7
	}
	return d
}

// Of is the secret of a day's game. Nobody can tell another's from it.
func (s Source) Of(f Form, d Day) game.Secret {
	if f == OneBoard {
		return s.Day(d)
	}
	return s.sign(fmt.Sprint(string(f), " ", int(d)))
}

// A Game is a whole game of duplicate for everybody to play by themselves: in each round
// there is a rack, and then the best play goes on the board, whatever somebody played.
type Game struct {
	Rounds []Position
	End    game.Board // as the last round leaves it
	Total  int        // of all best plays
}

// String has the rack and the best play of each round.
func (g Game) String() string {
	lines := make([]string, len(g.Rounds))
	for i, p := range g.Rounds {
		lines[i] = p.tiles.Print(p.Rack) + " " + p.Best.Text(p.tiles)
	}
	return strings.Join(lines, "; ")
}

// mostRacks is how many racks are drawn for a round at most. Where none serves the game
// is over.
const mostRacks = 20

// Game makes a whole game from a secret. Racks are made up as in the clubs' duplicate. A
// rack without a play, or with a vulgar word among its ten best plays, goes back into the
// bag. Of best plays that score the same the one with fewer tiles goes on the board, then
// the first by its notation.
func (m *Maker) Game(secret game.Secret, d Day) (g Game, err error) {
	gen, err := movegen.New(m.words.List, m.eq, m.rules)
	if err != nil {
		return g, err
	}
	seed, draws := game.NewSeed(secret, nil), 0
	s := game.State{Rules: m.rules, Equipment: m.eq, Bag: m.eq.Tiles.All().Sorted()}
	for {
		p, found := Position{}, false
		for range mostRacks {
			var drew game.Tiles
			drew, s.Bag = seed.Draw(draws, s.Bag, m.rules.RackSize-len(s.Common))
			draws++
			s.Common = (s.Common + drew).Sorted()
			if s.Common == "" {
				break
			}
			if s.MadeUp() || len(s.Bag) == 0 {
				if p, found = m.round(gen, d, &s.Board, s.Common); found {
					break
				}
			}
			if len(s.Bag) == 0 {
				break
			}
			s.Bag, s.Common = (s.Bag + s.Common).Sorted(), ""
		}
		if !found {
			break
		}
		g.Rounds, g.Total = append(g.Rounds, p), g.Total+p.Score
		s.Board.Lay(p.Best)
		s.Common, _ = s.Common.Minus(p.Best.Tiles.Faces())
		s.Turns++
	}
	g.End = s.Board
	if len(g.Rounds) == 0 {
		return g, ErrNone
	}
	return g, nil
}

// round is the position of a board and a rack, if there is a play and nothing vulgar among
// the best.
func (m *Maker) round(gen *movegen.Generator, d Day, b *game.Board, rack game.Tiles) (Position, bool) {
	plays := leading(gen.Plays(b, rack))
	slices.SortStableFunc(plays, func(a, b movegen.Play) int {
		if a.Score != b.Score {
			return cmp.Compare(b.Score, a.Score)
		}
		x, y := a.Move(), b.Move()
		return cmp.Or(cmp.Compare(len(x.Laid()), len(y.Laid())), strings.Compare(x.Text(m.eq.Tiles), y.Text(m.eq.Tiles)))
	})
	if len(plays) == 0 {
		return Position{}, false
	}
	p := Position{Day: d, Board: *b, Rack: rack, Best: plays[0].Move(), Score: int(plays[0].Score), tiles: m.eq.Tiles, size: m.eq.Layout.Size()}
	for i, play := range plays[:min(len(plays), looked)] {
		t, err := m.rules.Tally(m.eq, b, play.Move())
		if err != nil {
			return Position{}, false
		}
		for _, w := range t.Words {
			if m.isVulgar(w.Letters()) {
				return Position{}, false
			}
			if i == 0 {
				p.Words = append(p.Words, w.Letters())
			}
		}
	}
	if len(plays) > 1 {
		p.Next = int(plays[1].Score)
	}
	return p, true
}

// leading keeps the plays that are looked at, in their order: those that score most, and
// all that score what the last of these does.
func leading(plays []movegen.Play) (most []movegen.Play) {
	scores := make([]int32, len(plays))
	for i, p := range plays {
		scores[i] = p.Score
	}
	slices.Sort(scores)
	best := scores[max(0, len(scores)-looked):]
	for _, p := range plays {
		if p.Score >= best[0] {
			most = append(most, p)
		}
	}
	return most
}

// Promise is the commitment to a day's game.
func (m *Maker) Promise(s Source, f Form, d Day) string {
	if f == OneBoard {
		return Commitment(s.Day(d), d, m.Share(s.Deal(), d), m.words.List.Alphabet())
	}
	return Commitment(s.Of(f, d), d, nil, m.words.List.Alphabet())
}

// ProveGame writes down how a game was made.
func (m *Maker) ProveGame(s Source, f Form, d Day, g Game) Proof {
	secret := s.Of(f, d)
	return Proof{
		Format: format, Form: f, Number: d, Date: d.Date().Format(time.DateOnly), Lexicon: m.words.List.Name(), Hash: m.words.List.Hash(),
		Commitment: m.Promise(s, f, d), Secret: hex.EncodeToString(secret[:]), Position: g.String(),
	}
}

// CheckGame makes a game again, and says what is wrong with its proof.
func (m *Maker) CheckGame(p Proof) (Game, error) {
	secret, err := m.secretOf(p)
	if err != nil {
		return Game{}, err
	}
	if len(p.Words) > 0 || p.Form == OneBoard {
		return Game{}, errors.New("it is of a board, not of a game")
	}
	if got := Commitment(secret, p.Number, nil, m.words.List.Alphabet()); got != p.Commitment {
		return Game{}, fmt.Errorf("the commitment is %s, the secret gives %s", p.Commitment, got)
	}
	g, err := m.Game(secret, p.Number)
	if err != nil {
		return g, err
	}
	if got := g.String(); got != p.Position {
		return g, fmt.Errorf("the game is %s, the secret gives %s", p.Position, got)
	}
	return g, nil
}
