// Command mkleaves generates a file of leave values, which say what the tiles a player keeps are worth,
// for a word list and the tiles of its language. It runs in the data folder through go generate, needs
// no network, and takes an hour or two for English and minutes for the others, for which it draws
// fewer racks.
//
// A robot with the values of the previous generation plays against itself. On each turn with enough
// tiles in the bag, some racks are drawn at random from all tiles not on the board, and the best move
// of each is found. The value of a leave is the average value of the best moves of racks that contain
// it, less the average for all racks: so much better the next turn will be, when random tiles have
// joined the leave. The value of a best move is its score plus the previous generation's value of its
// own leave, so each generation looks one turn further ahead.
//
// A rare leave is seen too seldom for a meaningful average. Its value is pulled towards an estimate
// from the smaller leaves in it; see smooth. If few racks were drawn, the file omits the longest
// leaves, which would be nothing but that estimate.
//
// The same seed and number of racks give the same file, on any number of processors.
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
		seed    = flag.Uint64("seed", 1, "seed of the random draws")
		racks   = flag.String("racks", "200000,200000,400000,800000,3000000", "number of racks that each generation draws, separated by commas")
		from    = flag.Int("from", 0, "number of generations that the file already went through")
		list    = flag.String("lexicon", "en", "the word list")
		longest = flag.Int("longest", robot.MaxLeave, "largest number of tiles of a leave in the file")
		workers = flag.Int("workers", runtime.NumCPU(), "number of games played at the same time")
	)
	flag.Parse()
	if err := run(*seed, *racks, *from, *longest, *list, *workers); err != nil {
		log.Fatal(err)
	}
}

// run trains values and writes the file of the list's tile set, after each generation.
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

// A training holds what all games of a generation share.
type training struct {
	lex    *lexicon.Lexicon
	eq     game.Equipment
	rules  game.Rules
	leaves *robot.Leaves // values of the previous generation
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

// maxRack limits the tiles on a rack.
const maxRack = 7

// racksATurn is the number of racks drawn each turn.
const racksATurn = 4

// racksAGame is the fewest racks that a game yields, which determines the number of games for the
// racks requested.
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

// A player plays both sides of games and records what it saw.
type player struct {
	*training
	gen  *movegen.Generator
	seen *sightings

	board game.Board
	best  game.Move
	kept  game.Tiles
}

// game plays one game and draws racks on each turn.
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

// move returns the equity of a sorted rack's best move, and sets best and kept to the move and its
// leave.
func (p *player) move(rack game.Tiles) robot.Equity {
	var values [1 << maxRack]robot.Equity
	p.leaves.OfRack(rack, values[:])
	all := 1<<len(rack) - 1
	// Keeping everything would be a pass, which doesn't count here.
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

// A sightings value sums up the racks in which leaves were seen.
type sightings struct {
	index *robot.LeaveOrder
	sum   []int64 // sums of the best moves' equities, by leave
	n     []int32
}

func newSightings(set *game.TileSet) *sightings {
	index := robot.NewLeaveOrder(set, robot.MaxLeave)
	return &sightings{index, make([]int64, index.Len()), make([]int32, index.Len())}
}

// record adds the equity of a sorted rack's best move to each of its leaves once.
func (s *sightings) record(rack game.Tiles, best robot.Equity) {
	var leave [maxRack]byte
	for i := range 1<<len(rack) - 1 {
		n, again := 0, false
		for k := range len(rack) {
			if i>>k&1 != 0 {
				leave[n] = rack[k]
				n++
				// Among equal tiles use the first ones.
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

// add adds the sightings of another player.
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

// mean returns the average of the best moves of racks with a leave.
func (s *sightings) mean(leave game.Tiles) robot.Equity {
	at := s.index.Number([]byte(leave))
	return robot.Equity(s.sum[at] / int64(cmp.Or(s.n[at], 1)))
}

// doubt is the number of sightings of a leave that weigh as much as the estimate from smaller
// leaves. The best moves of racks with a given leave have a standard deviation of about 20 points,
// and the estimates an error of about 1.5: 20²/1.5² is about 180.
const doubt = 180

// smooth returns values computed from the sightings. Two tiles S and T of a leave with the rest R
// are worth about R+S and R+T together, less R, as if S and T were independent. The average of that
// over all pairs of tiles is the estimate from smaller leaves.
func (s *sightings) smooth(set *game.TileSet, longest int) *robot.Leaves {
	average := s.mean("")
	values := make([]robot.Equity, s.index.Len())
	bySize := make([][]game.Tiles, robot.MaxLeave+1)
	s.index.All(func(_ int, t game.Tiles) { bySize[len(t)] = append(bySize[len(t)], t) })
	for size, leaves := range bySize[1 : longest+1] {
		for _, leave := range leaves {
			at := s.index.Number([]byte(leave))
			n := int64(s.n[at])
			if size == 0 { // one tile: there are no smaller leaves
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
