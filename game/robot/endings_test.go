package robot

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// The endings of testdata/endings.tsv come from games of the static robot against itself. Their
// values and best moves were proven by a prover, which searches the whole ending and shares only
// the move generator with the solver.
var (
	makeEndings = flag.Int("make-endings", 0, "write testdata/endings.tsv anew, with this number of endings")
	allEndings  = flag.Bool("all-endings", false, "judge all endings, not those alone that are soon proven")
)

const endingsFile = "testdata/endings.tsv"

// soonProven limits the positions that a proof may have taken for its ending to be judged by
// default.
const soonProven = 1_200

// A proven is an ending of known value.
type proven struct {
	View
	value     int
	best      []string // the best moves, as [game.Move.Text] writes them
	positions int      // positions that the proof took
}

func readEndings(t *testing.T, eq game.Equipment) []proven {
	t.Helper()
	file, err := os.Open(endingsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []proven
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		part := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(part[0], "#") {
			continue
		}
		var p proven
		p.value, _ = strconv.Atoi(part[0])
		p.positions, _ = strconv.Atoi(part[1])
		p.best = strings.Split(part[2], ", ")
		p.View = View{Phase: game.Playing, Rules: game.Classic(), Equipment: eq, Seats: make([]SeatView, 2)}
		p.Rack, p.Unseen = gametest.Tiles(t, eq, part[3]), gametest.Tiles(t, eq, part[4])
		for row, text := range strings.Split(part[5], "/") {
			col := 0
			for text != "" {
				if digits := len(text) - len(strings.TrimLeft(text, "0123456789")); digits > 0 {
					n, _ := strconv.Atoi(text[:digits])
					col, text = col+n, text[digits:]
					continue
				}
				l, lower, n := eq.Tiles.Alphabet().Next(text)
				tile := game.LetterTile(l)
				if lower {
					tile = game.BlankAs(l)
				}
				p.Board.Put(game.Square{Row: row, Col: col}, tile)
				col, text = col+1, text[n:]
			}
		}
		for i, rack := range []game.Tiles{p.Rack, p.Unseen} {
			p.Seats[i].Tiles = len(rack)
		}
		all = append(all, p)
	}
	if err := lines.Err(); err != nil || len(all) < 200 {
		t.Fatalf("%d endings, %v", len(all), err)
	}
	return all
}

// TestEndingsAreJudgedByValue checks that a best move is never called a mistake, and
// that no lesser move is called the best. If the search is unfinished, the judge must say so.
func TestEndingsAreJudgedByValue(t *testing.T) {
	eq := gametest.Equipment(t)
	if *makeEndings > 0 {
		writeEndings(t, eq, *makeEndings)
	}
	m := NewMind(gametest.ShippedList(t, "en-former"), nil, nil)
	done, judged := 0, 0
	all := readEndings(t, eq)
	for i, p := range all {
		if i%(len(all)/gametest.Share(len(all))) != 0 {
			continue
		}
		if p.positions > soonProven && !*allEndings {
			continue
		}
		known := newFindings()
		for _, text := range p.best {
			move := gametest.Move(t, eq, text)
			j, err := m.judge(t.Context(), Decision{View: p.View, Move: move}, known)
			if err != nil {
				t.Fatal(err)
			}
			judged++
			if j.Sure == Plain {
				done++
			}
			where := fmt.Sprintf("%s and %s\n%sworth %d; best: %s", eq.Tiles.Print(p.Rack), eq.Tiles.Print(p.Unseen), gametest.Picture(eq, p.Board), p.value, strings.Join(p.best, ", "))
			if best := j.Best[0]; best.Sure == Plain && (best.Equity != float64(p.value) || !slices.Contains(p.best, best.Move.Text(eq.Tiles))) {
				t.Errorf("the best is said to be %s, worth %v: %s", best.Move.Text(eq.Tiles), best.Equity, where)
			}
			if j.Sure != About && (j.Loss != 0 || j.Sure == Plain && j.Made.Equity != float64(p.value)) {
				t.Errorf("%s is said to gain %v %v, and to give up %v %v: %s", text, j.Made.Sure, j.Made.Equity, j.Sure, j.Loss, where)
			}
		}
	}
	t.Logf("%d of %d judgements proven", done, judged)
	if judged < gametest.Share(50) || done*100 < judged*95 {
		t.Errorf("%d of %d judgements are proven", done, judged)
	}
}

func writeEndings(t *testing.T, eq game.Equipment, n int) {
	x := gametest.ShippedList(t, "en-former")
	values, err := data.Leaves("english")
	if err != nil {
		t.Fatal(err)
	}
	leaves, err := OpenLeaves(eq.Tiles, values)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("# value\tpositions\tbest moves\track to move\tother rack\tboard: rows as in CGP\n")
	const enough = 30_000
	rules := game.Classic()
	gen := newGenerator(t, x, eq, rules)
	for seed := uint64(1); n > 0; seed++ {
		board, racks, ok := playToEmptyBag(eq, gen, leaves, seed)
		if !ok {
			continue
		}
		p := &prover{gen: gen, eq: eq, most: enough, seen: map[proverKey]provenBound{}}
		value := p.value(proverKey{board, racks, 0}, -1000, 1000)
		positions := p.looked
		moves := []game.Move{{Kind: game.PassTurn}}
		for _, play := range slices.Clone(gen.Plays(&board, racks[0])) {
			moves = append(moves, play.Move())
		}
		var best []string
		p.most *= 4
		for _, m := range moves {
			if p.looked < p.most && p.gain(proverKey{board, racks, 0}, m, value-1, value) >= value {
				best = append(best, m.Text(eq.Tiles))
			}
		}
		if p.looked >= p.most || positions >= enough || len(best) > 12 {
			continue
		}
		var rows []string
		for row := range eq.Layout.Size() {
			text, empty := "", 0
			for col := range eq.Layout.Size() {
				tile := board.Tile(game.Square{Row: row, Col: col})
				if tile == game.NoTile {
					empty++
					continue
				}
				if empty > 0 {
					text += strconv.Itoa(empty)
				}
				empty = 0
				text += eq.Tiles.Print(game.TilesOf(tile))
			}
			if empty > 0 {
				text += strconv.Itoa(empty)
			}
			rows = append(rows, text)
		}
		fmt.Fprintf(&out, "%d\t%d\t%s\t%s\t%s\t%s\n", value, positions, strings.Join(best, ", "), eq.Tiles.Print(racks[0]), eq.Tiles.Print(racks[1]), strings.Join(rows, "/"))
		n--
	}
	if err := os.WriteFile(endingsFile, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// playToEmptyBag plays a game of the static robot against itself until the bag is empty.
func playToEmptyBag(eq game.Equipment, gen *movegen.Generator, leaves *Leaves, seed uint64) (board game.Board, racks [2]game.Tiles, ok bool) {
	rules := game.Classic()
	bag := []byte(eq.Tiles.All())
	rand.New(rand.NewPCG(seed, 9)).Shuffle(len(bag), func(i, k int) { bag[i], bag[k] = bag[k], bag[i] })
	w := world{rules: &rules, set: eq.Tiles, bag: game.Tiles(bag), seats: make([]hand, 2)}
	w.draw(&w.seats[0])
	w.draw(&w.seats[1])
	a := newAppraiser(gen, &rules, eq, leaves)
	for !w.over && len(w.bag) > 0 {
		a.weigh(&w.board, w.seats[w.turn].rack, len(w.bag), 0, 1)
		w.move(a.bestMove(&w.board))
	}
	for i := range racks {
		racks[i] = w.seats[(w.turn+i)%2].rack.Sorted()
	}
	return w.board, racks, !w.over
}

// A prover searches endings exhaustively by the classic rules, without heuristics.
type prover struct {
	gen          *movegen.Generator
	eq           game.Equipment
	looked, most int
	seen         map[proverKey]provenBound
}

type proverKey struct {
	board  game.Board
	racks  [2]game.Tiles
	passes int
}

type provenBound struct{ least, most int }

// value returns what the side to move gains if that is between low and high, and otherwise a bound
// on the same side.
func (p *prover) value(k proverKey, low, high int) int {
	b, ok := p.seen[k]
	if !ok {
		b = provenBound{-1000, 1000}
	}
	if b.least >= high || b.least == b.most {
		return b.least
	}
	if b.most <= low {
		return b.most
	}
	if p.looked++; p.looked > p.most {
		return low
	}
	plays := slices.Clone(p.gen.Plays(&k.board, k.racks[0]))
	slices.SortFunc(plays, func(a, b movegen.Play) int {
		worth := func(m *movegen.Play) int {
			laid := m.Move().Tiles.Faces()
			if len(laid) == len(k.racks[0]) {
				return int(m.Score) + 1000
			}
			return int(m.Score) + p.eq.Tiles.Sum(laid)
		}
		return worth(&b) - worth(&a)
	})
	best := -1000
	for _, play := range plays {
		if best = max(best, p.gain(k, play.Move(), max(low, best), high)); best >= high {
			break
		}
	}
	if best < high {
		best = max(best, p.gain(k, game.Move{Kind: game.PassTurn}, max(low, best), high))
	}
	if p.looked <= p.most {
		if best > low {
			b.least = max(b.least, best)
		}
		if best < high {
			b.most = min(b.most, best)
		}
		p.seen[k] = b
	}
	return best
}

// gain returns what a move gains.
func (p *prover) gain(k proverKey, m game.Move, low, high int) int {
	next := proverKey{k.board, [2]game.Tiles{k.racks[1], k.racks[0]}, 0}
	gain := 0
	if m.Kind == game.PassTurn {
		if next.passes = k.passes + 1; next.passes == 2 {
			return p.eq.Tiles.Sum(k.racks[1]) - p.eq.Tiles.Sum(k.racks[0])
		}
	} else {
		tally, err := game.Classic().Tally(p.eq, &k.board, m)
		if err != nil {
			panic(err)
		}
		gain = tally.Total
		next.board.Lay(m)
		next.racks[1], _ = k.racks[0].Minus(m.Tiles.Faces())
		if next.racks[1] == "" {
			return gain + 2*p.eq.Tiles.Sum(next.racks[0])
		}
	}
	return gain - p.value(next, gain-high, gain-low)
}
