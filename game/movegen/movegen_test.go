package movegen_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/lexicon"
)

func shipped(tb testing.TB) *lexicon.Lexicon {
	tb.Helper()
	return gametest.ShippedList(tb, "en-former") // the list by which other engines counted the plays
}

func newGenerator(tb testing.TB, x *lexicon.Lexicon, eq game.Equipment) *movegen.Generator {
	tb.Helper()
	g, err := movegen.New(x, eq, game.Classic())
	gametest.Must(tb, err)
	return g
}

// A position is a line of testdata/plays.tsv, with the results of two independent engines.
type position struct {
	record.Position
	cgp             string
	plays, top, sum int
}

func positions(tb testing.TB, eq game.Equipment) []position {
	tb.Helper()
	f, err := os.Open("testdata/plays.tsv")
	gametest.Must(tb, err)
	defer f.Close()
	var all []position
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var p position
		figures, cgp, _ := strings.Cut(lines.Text(), "/")
		cut := strings.LastIndexByte(figures, '\t')
		p.cgp = figures[cut+1:] + "/" + cgp
		if _, err := fmt.Sscan(figures[:cut], &p.plays, &p.top, &p.sum); err != nil {
			tb.Fatalf("%q: %v", lines.Text(), err)
		}
		if p.Position, err = record.ParseCGP(eq, p.cgp); err != nil {
			tb.Fatal(err)
		}
		all = append(all, p)
	}
	if lines.Err() != nil || len(all) != 400 {
		tb.Fatalf("%d positions, %v; want 400", len(all), lines.Err())
	}
	return all
}

func TestPositionsMatchTwoOtherEngines(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	for _, p := range positions(t, eq) {
		top, sum := 0, 0
		plays := g.Plays(&p.Board, p.Racks[0])
		for i := range plays {
			top = max(top, int(plays[i].Score))
			sum += int(plays[i].Score)
		}
		if len(plays) != p.plays || top != p.top || sum != p.sum {
			t.Errorf("%s\n%d plays, top %d, sum %d; want %d, %d, %d", p.cgp, len(plays), top, sum, p.plays, p.top, p.sum)
		}
	}
}

// TestEveryPlayIsLegalAndScoredByTheRules checks plays one by one, because sums could be right by
// chance: each is distinct, legal, scored by the rules, and made of valid words.
func TestEveryPlayIsLegalAndScoredByTheRules(t *testing.T) {
	eq, x := gametest.Equipment(t), shipped(t)
	g := newGenerator(t, x, eq)
	for _, p := range positions(t, eq)[:40] {
		seen := map[movegen.Play]bool{}
		for _, play := range g.Plays(&p.Board, p.Racks[0]) {
			if seen[play] {
				t.Errorf("%s\n%s comes twice", p.cgp, play.Move().Text(eq.Tiles))
			}
			seen[play] = true
			tally, err := game.Classic().Tally(eq, &p.Board, play.Move())
			if err != nil || tally.Total != int(play.Score) || len(tally.Phonies(x)) > 0 {
				t.Errorf("%s\n%s for %d; the rules say %d, %v, phonies %q", p.cgp, play.Move().Text(eq.Tiles), play.Score, tally.Total, err, tally.Phonies(x))
			}
			if _, ok := p.Racks[0].Minus(play.Move().Tiles.Faces()); !ok {
				t.Errorf("%s\n%s is not on the rack", p.cgp, play.Move().Text(eq.Tiles))
			}
		}
	}
}

// listed returns plays as "8D HORN 14", sorted.
func listed(eq game.Equipment, plays []movegen.Play) []string {
	var out []string
	for i := range plays {
		out = append(out, fmt.Sprintf("%s %d", plays[i].Move().Text(eq.Tiles), plays[i].Score))
	}
	slices.Sort(out)
	return out
}

func TestDistinctPlays(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, tt := range []struct {
		name, words, board, rack string
		want                     string
	}{
		{
			name: "on an empty board only across, each way of covering the start", words: "AX", rack: "AX",
			want: "8G AX 18; 8H AX 18",
		},
		{
			name: "a blank is another tile than the letter, and another as each letter", words: "AX OX", rack: "AX?",
			want: "8G AX 18; 8G Ax 2; 8G aX 16; 8G oX 16; 8H AX 18; 8H Ax 2; 8H aX 16; 8H oX 16",
		},
		{
			name: "one tile that makes words both ways is listed across", words: "AX OX", rack: "X",
			board: "8 .......A\n9 ......O",
			want:  "8H .X 9; 9G .X 18; G9 .X 9",
		},
		{
			name: "a tile alone is no word", words: "AX", rack: "A",
			want: "",
		},
		{
			name: "words are not run into what is no word", words: "AX", rack: "AX",
			board: "8 .......QQ",
			want:  "",
		},
		{
			name: "tiles are played through, at both ends of the board", words: "HORN SHORNS", rack: "SSN",
			board: "1 HOR\n15 ..........HORN",
			want:  "15J S....S 27; 1A ...N 8",
		},
		{
			name: "a whole rack of seven earns the bonus", words: "NOTARIES", rack: "NOTAIES",
			board: "8 .......R",
			want:  "8D NOTA.IES 59; H4 NOTA.IES 59",
		},
		{
			name: "no tiles, no plays", words: "AX", rack: "", board: "8 .......A",
			want: "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := lexicon.Build("test", eq.Tiles.Alphabet(), strings.NewReader(strings.ReplaceAll(tt.words, " ", "\n")))
			gametest.Must(t, err)
			b := gametest.Board(t, eq, tt.board)
			plays := newGenerator(t, x, eq).Plays(&b, gametest.Tiles(t, eq, tt.rack))
			if got := strings.Join(listed(eq, plays), "; "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestOddTilesAreIgnored(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	b := gametest.Board(t, eq, "8 .......QUIZ")
	good := gametest.Tiles(t, eq, "AEINRST")
	want := slices.Clone(g.Plays(&b, good))
	odd := good + game.TilesOf(game.NoTile, game.LetterTile(27), game.LetterTile(63), game.LetterTile(64), game.LetterTile(127))
	if got := g.Plays(&b, odd); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%d plays with odd tiles, %d without", len(got), len(want))
	}
}

func TestLineFullOfRackTiles(t *testing.T) {
	eq := gametest.Equipment(t)
	row := strings.Repeat(".", game.MaxSize)
	text := strings.Repeat(row+"\n", game.MaxSize-1) + row[1:] + "+"
	var err error
	if eq.Layout, err = game.ParseLayout("largest", text); err != nil {
		t.Fatal(err)
	}
	word := strings.Repeat("ABC", game.MaxSize/3)
	x, err := lexicon.Build("test", eq.Tiles.Alphabet(), strings.NewReader(word))
	gametest.Must(t, err)
	g := newGenerator(t, x, eq)
	var b game.Board
	got := listed(eq, g.Plays(&b, gametest.Tiles(t, eq, word+"ABC")))
	if want := "21A " + word + " 99"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q alone", got, want)
	}
}

func TestLexiconMustFitTiles(t *testing.T) {
	a, err := lexicon.NewAlphabet([]string{"A", "B"})
	gametest.Must(t, err)
	x, err := lexicon.Build("ab", a, strings.NewReader("AB"))
	gametest.Must(t, err)
	if _, err := movegen.New(x, gametest.Equipment(t), game.Classic()); err == nil {
		t.Error("a generator for two alphabets at once")
	}
}

func TestNothingIsAllocatedOnceWarm(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	all := positions(t, eq)[:50]
	work := func() {
		for i := range all {
			g.Plays(&all[i].Board, all[i].Racks[0])
		}
	}
	work()
	n := testing.AllocsPerRun(1, work)
	for try := 0; n != 0 && try < 5; try++ { // the runtime sometimes allocates
		n = testing.AllocsPerRun(1, work)
	}
	if n != 0 {
		t.Errorf("%g allocations in %d positions", n, len(all))
	}
}

func BenchmarkPlays(b *testing.B) {
	eq := gametest.Equipment(b)
	g := newGenerator(b, shipped(b), eq)
	all := positions(b, eq)
	plays := 0
	for i := range all {
		plays += len(g.Plays(&all[i].Board, all[i].Racks[0]))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		p := &all[i%len(all)]
		g.Plays(&p.Board, p.Racks[0])
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/(float64(plays)/float64(len(all))), "ns/play")
}

// BenchmarkPlaysOf lists the plays of one word with their scores, as for a completion.
func BenchmarkPlaysOf(b *testing.B) {
	eq := gametest.Equipment(b)
	g := newGenerator(b, shipped(b), eq)
	all := positions(b, eq)
	words := make([]lexicon.Word, len(all)) // longest playable words
	for i := range all {
		for _, p := range g.Plays(&all[i].Board, all[i].Racks[0]) {
			t, err := game.Classic().Tally(eq, &all[i].Board, p.Move())
			gametest.Must(b, err)
			if w := t.Words[0].Letters(); len(w) > len(words[i]) {
				words[i] = w
			}
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		k := i % len(all)
		g.PlaysOf(&all[k].Board, all[k].Racks[0], words[k])
		i++
	}
}
