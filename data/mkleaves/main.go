// Command mkleaves makes a file of leave values: what the tiles that a player
// keeps are worth, by a word list and the tiles of its language. It runs in the data
// folder through go generate, needs nothing from elsewhere, and takes an hour or two
// for English, minutes for the others, of which it draws fewer racks.
//
// A robot that has the values of the generation before plays against itself.
// At each turn, while the bag has tiles enough, some racks are drawn at random
// from all the tiles not on the board, and the best move of each is found. A
// leave is worth what the best moves of the racks that have it are worth more,
// on average, than those of all racks: that is what it will be next turn, when
// random tiles have joined it. The best move's worth is its score, and the value
// of its own leave by the generation before; so each generation looks a turn
// further ahead.
//
// A rare leave is seen too seldom for its average to say much. It is drawn
// towards what the smaller leaves within it say; see smooth. Where few racks were
// drawn the file leaves out the longest leaves, which they say all of.
//
// The same seed and the same racks give the same file, on any number of
// processors.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mkleaves: ")
	var (
		seed    = flag.Uint64("seed", 1, "where the luck of the tiles comes from")
		racks   = flag.String("racks", "200000,200000,400000,800000,3000000", "how many racks each generation draws")
		from    = flag.Int("from", 0, "how many generations the file to write holds already")
		list    = flag.String("lexicon", "en", "the word list")
		longest = flag.Int("longest", robot.MaxLeave, "the most tiles that a leave in the file has")
		workers = flag.Int("workers", runtime.NumCPU(), "how many games are played at once")
	)
	flag.Parse()
	if err := run(*seed, *racks, *from, *longest, *list, *workers); err != nil {
		log.Fatal(err)
	}
}

// run writes the file of the list's tile set, again after each generation.
func run(seed uint64, generations string, from, longest int, list string, workers int) error {
	t, err := newTraining(list)
	if err != nil {
		return err
	}
	out := filepath.Join("leaves", t.eq.Tiles.Name()+".leaves")
	if from > 0 {
		file, err := os.ReadFile(out)
		if err != nil {
			return err
		}
		if t.leaves, err = robot.OpenLeaves(t.eq.Tiles, file); err != nil {
			return err
		}
	}
	began := time.Now()
	for g, text := range strings.Split(generations, ",") {
		if g < from {
			continue
		}
		racks, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("racks: %w", err)
		}
		seen, err := t.play(seed, uint64(g), racks, workers)
		if err != nil {
			return err
		}
		t.leaves = seen.smooth(t.eq.Tiles, longest)
		log.Printf("generation %d: %d racks, the best move is worth %.2f on average; %s", g, racks, seen.mean("").Float(), time.Since(began).Round(time.Second))
		for _, tile := range slices.Compact([]byte(t.eq.Tiles.All())) {
			show := game.Tiles([]byte{tile})
			log.Printf("  %-6s %6.2f", t.eq.Tiles.Print(show), t.leaves.Value(show).Float())
		}
		if err := os.WriteFile(out, t.leaves.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A training is what all games of a generation share.
type training struct {
	lex    *lexicon.Lexicon
	eq     game.Equipment
	rules  game.Rules
	leaves *robot.Leaves // of the generation before
}

func newTraining(list string) (*training, error) {
	t := &training{rules: game.Classic(), leaves: &robot.Leaves{}}
	file, err := data.Lexicon(list)
	if err != nil {
		return nil, err
	}
	if t.lex, err = lexicon.Open(file); err != nil {
		return nil, err
	}
	code, _, _ := strings.Cut(list, "-")
	spoken, err := data.Language(code)
	if err != nil {
		return nil, err
	}
	l, err := language.Parse(spoken)
	if err != nil {
		return nil, err
	}
	t.eq.Tiles = l.Tiles
	text, err := data.Layout("standard-15")
	if err != nil {
		return nil, err
	}
	t.eq.Layout, err = game.ParseLayout("standard-15", text)
	return t, err
}

// maxRack is the most tiles that a rack has.
const maxRack = 7

// racksATurn is how many racks are drawn at each turn.
const racksATurn = 4

// racksAGame is how many racks a game is sure to give; games are as many as
// that makes of the racks asked for.
const racksAGame = racksATurn * 15

// play plays a generation's games.
func (t *training) play(seed, generation uint64, racks, workers int) (*sightings, error) {
	games := make(chan int)
	var all sightings
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		gen, err := movegen.New(t.lex, t.eq, t.rules)
		if err != nil {
			return nil, err
		}
		wg.Go(func() {
			p := player{training: t, gen: gen, seen: newSightings(t.eq.Tiles)}
			for n := range games {
				p.game(rand.New(rand.NewPCG(seed, generation<<32|uint64(n))))
			}
			mu.Lock()
			defer mu.Unlock()
			all.add(p.seen)
		})
	}
	for n := range racks / racksAGame {
		games <- n
	}
	close(games)
	wg.Wait()
	return &all, nil
}

// A player plays games, both sides, and keeps what it saw.
type player struct {
	*training
	gen  *movegen.Generator
	seen *sightings

	board game.Board
	best  game.Move
	kept  game.Tiles
}

// game plays one game, and draws racks at each turn.
func (p *player) game(rng *rand.Rand) {
	bag := []byte(p.eq.Tiles.All())
	shuffle(rng, bag)
	p.board = game.Board{}
	size := p.rules.RackSize
	racks := [2]game.Tiles{game.Tiles(bag[:size]).Sorted(), game.Tiles(bag[size : 2*size]).Sorted()}
	bag = bag[2*size:]
	for turn, scoreless := 0, 0; len(bag) >= size && scoreless < p.rules.ScorelessTurns; turn = 1 - turn {
		unseen := []byte(game.Tiles(bag) + racks[0] + racks[1])
		for range racksATurn {
			shuffle(rng, unseen)
			rack := game.Tiles(unseen[:size]).Sorted()
			p.seen.record(rack, p.move(rack))
		}
		p.move(racks[turn])
		scoreless++
		if p.best.Kind == game.PlayTiles {
			scoreless = 0
			p.board.Lay(p.best)
		}
		drawn := size - len(p.kept)
		put, _ := racks[turn].Minus(p.kept)
		racks[turn] = (p.kept + game.Tiles(bag[:drawn])).Sorted()
		bag = bag[drawn:]
		if p.best.Kind == game.ExchangeTiles {
			bag = append(bag, put...)
			shuffle(rng, bag)
		}
	}
}

func shuffle(rng *rand.Rand, tiles []byte) {
	rng.Shuffle(len(tiles), func(i, k int) { tiles[i], tiles[k] = tiles[k], tiles[i] })
}

// move finds the best move of a sorted rack: the equity, and in best and kept
// the move and what it keeps.
func (p *player) move(rack game.Tiles) robot.Equity {
	var values [1 << maxRack]robot.Equity
	p.leaves.OfRack(rack, values[:])
	all := 1<<len(rack) - 1
	// To keep everything would be to pass, which is worth nothing here.
	best, keep := robot.Points(-1000), 0
	for i, v := range values[:all] {
		if v > best {
			best, keep = v, i
		}
	}
	plays := p.gen.Plays(&p.board, rack)
	at := -1
	for i := range plays {
		left := all &^ int(plays[i].Uses(rack))
		if e := robot.Points(int(plays[i].Score)) + values[left]; e > best {
			best, keep, at = e, left, i
		}
	}
	kept := make([]byte, 0, maxRack)
	for i := range len(rack) {
		if keep>>i&1 != 0 {
			kept = append(kept, rack[i])
		}
	}
	p.kept = game.Tiles(kept)
	p.best = game.Move{Kind: game.ExchangeTiles}
	if at >= 0 {
		p.best = plays[at].Move()
	}
	return best
}

// sightings are the racks that leaves were seen in.
type sightings struct {
	index *robot.LeaveOrder
	sum   []int64 // of the best moves' equities, by leave
	n     []int32
}

func newSightings(set *game.TileSet) *sightings {
	index := robot.NewLeaveOrder(set, robot.MaxLeave)
	return &sightings{index, make([]int64, index.Len()), make([]int32, index.Len())}
}

// record notes what a sorted rack's best move was worth, for each of its
// leaves once.
func (s *sightings) record(rack game.Tiles, best robot.Equity) {
	var leave [maxRack]byte
	for i := range 1<<len(rack) - 1 {
		n, again := 0, false
		for k := range len(rack) {
			if i>>k&1 != 0 {
				leave[n] = rack[k]
				n++
				// Of equal tiles the first are taken.
				again = again || k > 0 && rack[k] == rack[k-1] && i>>(k-1)&1 == 0
			}
		}
		if !again {
			at := s.index.Number(leave[:n])
			s.sum[at] += int64(best)
			s.n[at]++
		}
	}
}

// add takes in what another player saw.
func (s *sightings) add(other *sightings) {
	if s.index == nil {
		*s = *other
		return
	}
	for i := range s.sum {
		s.sum[i] += other.sum[i]
		s.n[i] += other.n[i]
	}
}

// mean returns the average of the best moves of the racks that have a leave.
func (s *sightings) mean(leave game.Tiles) robot.Equity {
	at := s.index.Number([]byte(leave))
	return robot.Equity(s.sum[at] / int64(cmp.Or(s.n[at], 1)))
}

// doubt is how many sightings of a leave weigh as much as what the smaller
// leaves say of it. The best moves of the racks with a given leave differ by
// some 20 points (standard deviation), what the smaller leaves say is off by
// some 1.5: 20²/1.5² is about 180.
const doubt = 180

// smooth makes values of what was seen. Two tiles of a leave, S and T, with the
// rest R, are worth about what R+S and R+T are worth together, less R: as if S
// and T had nothing to do with each other. The average of that over all pairs
// of tiles is what the smaller leaves say of a leave.
func (s *sightings) smooth(set *game.TileSet, longest int) *robot.Leaves {
	average := s.mean("")
	values := make([]robot.Equity, s.index.Len())
	bySize := make([][]game.Tiles, robot.MaxLeave+1)
	s.index.All(func(_ int, t game.Tiles) { bySize[len(t)] = append(bySize[len(t)], t) })
	for size, leaves := range bySize[1 : longest+1] {
		for _, leave := range leaves {
			at := s.index.Number([]byte(leave))
			n := int64(s.n[at])
			if size == 0 { // one tile: nothing smaller says anything
				values[at] = robot.Equity(s.sum[at]/max(n, 1)) - average
				continue
			}
			of := func(without ...int) int64 {
				var rest [robot.MaxLeave]byte
				k := 0
				for i := range len(leave) {
					if i != without[0] && i != without[len(without)-1] {
						rest[k] = leave[i]
						k++
					}
				}
				return int64(values[s.index.Number(rest[:k])])
			}
			said, pairs := int64(0), int64(0)
			for i := range len(leave) {
				for k := range i {
					said += of(i) + of(k) - of(i, k)
					pairs++
				}
			}
			values[at] = robot.Equity((s.sum[at] - n*int64(average) + doubt*said/pairs) / (n + doubt))
		}
	}
	return robot.NewLeaves(set, longest, func(t game.Tiles) robot.Equity { return values[s.index.Number([]byte(t))] })
}
