package movegen_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// reference finds plays by brute force: every word at every square in both directions, with every
// choice of blanks, judged and scored by the rules.
type reference struct {
	eq    game.Equipment
	rules game.Rules
	words map[lexicon.Word]bool
}

func (r reference) Has(w lexicon.Word) bool { return r.words[w] }

// plays returns all plays, each once.
func (r reference) plays(b *game.Board, rack game.Tiles) map[game.Move]int {
	found := map[game.Move]int{}
	for w := range r.words {
		maps.Copy(found, r.playsOf(b, rack, w))
	}
	maps.DeleteFunc(found, func(m game.Move, _ int) bool {
		if m.Dir == game.Across {
			return false
		}
		tally, err := r.rules.Tally(r.eq, b, m)
		if err != nil {
			panic(err)
		}
		return len(m.Tiles.Faces()) == 1 && len(tally.Words) == 2 || b.Empty() && r.mirrored()
	})
	return found
}

// playsOf returns the plays of one word.
func (r reference) playsOf(b *game.Board, rack game.Tiles, w lexicon.Word) map[game.Move]int {
	found := map[game.Move]int{}
	for _, d := range []game.Dir{game.Across, game.Down} {
		for row := range r.eq.Layout.Size() {
			for col := range r.eq.Layout.Size() {
				r.spell(b, rack, game.Square{Row: row, Col: col}, d, w, "", found)
			}
		}
	}
	return found
}

// spell tries all tiles for the rest of w after those chosen.
func (r reference) spell(b *game.Board, rack game.Tiles, at game.Square, d game.Dir, w lexicon.Word, chosen game.Tiles, found map[game.Move]int) {
	if len(chosen) == len(w) {
		r.judge(b, game.Move{Kind: game.PlayTiles, At: at, Dir: d, Tiles: chosen}, found)
		return
	}
	sq, l := at.Step(d, len(chosen)), lexicon.Letter(w[len(chosen)])
	if !r.eq.Layout.On(sq) {
		return
	}
	if there := b.Tile(sq); there != game.NoTile {
		if there.Letter() == l {
			r.spell(b, rack, at, d, w, chosen+game.TilesOf(game.NoTile), found)
		}
		return
	}
	for _, t := range []game.Tile{game.LetterTile(l), game.BlankAs(l)} {
		if left, ok := rack.Minus(game.TilesOf(t.Face())); ok {
			r.spell(b, left, at, d, w, chosen+game.TilesOf(t), found)
		}
	}
}

func (r reference) judge(b *game.Board, m game.Move, found map[game.Move]int) {
	tally, err := r.rules.Tally(r.eq, b, m)
	if err != nil || len(tally.Phonies(r)) > 0 {
		return
	}
	found[m] = tally.Total
}

func (r reference) mirrored() bool {
	rows := strings.Split(r.eq.Layout.Text, "\n")
	for i := range rows {
		for k := range rows {
			if rows[i][k] != rows[k][i] {
				return false
			}
		}
	}
	return true
}

// A world is a random game: letters, words, a board, rules.
type world struct {
	reference
	x   *lexicon.Lexicon
	rng *rand.Rand
	// few are the letters used in words, so that words often cross.
	few []lexicon.Letter
}

func newWorld(t *testing.T, seed uint64) world {
	rng := rand.New(rand.NewPCG(seed, 5))
	w := world{rng: rng}
	letters := []int{2, 5, 26, 29, 30, 31, 32, 45, 63}[rng.IntN(9)]
	kinds := make([]game.Kind, letters)
	for i := range kinds {
		// A to Z, then two-character letters: BA, BB, ...
		kinds[i] = game.Kind{Text: string(rune('A' + i%26)), Count: 2, Value: rng.IntN(12)}
		if i >= 26 {
			kinds[i].Text = string(rune('A'+i/26)) + kinds[i].Text
		}
	}
	set, err := game.NewTileSet("random", kinds, game.Kind{Count: 4, Value: rng.IntN(2)})
	gametest.Must(t, err)
	size := []int{5, 8, 13, 15, 21}[rng.IntN(5)]
	rows := make([][]byte, size)
	for i := range rows {
		rows[i] = make([]byte, size)
		for k := range rows[i] {
			rows[i][k] = "......dtDT"[rng.IntN(10)]
		}
	}
	if rng.IntN(2) == 0 { // symmetric
		for i := range rows {
			for k := range i {
				rows[i][k] = rows[k][i]
			}
		}
	}
	rows[rng.IntN(size)][rng.IntN(size)] = '+'
	var text strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&text, "%s\n", r)
	}
	layout, err := game.ParseLayout("random", text.String())
	gametest.Must(t, err)
	w.eq = game.Equipment{Layout: layout, Tiles: set}
	w.rules = game.Rules{Bonus: rng.IntN(60), BonusTiles: rng.IntN(6), UseLetter: seed%3 == 1}

	for range min(letters, 2+rng.IntN(4)) {
		w.few = append(w.few, lexicon.Letter(1+rng.IntN(letters)))
	}
	w.few = append(w.few, lexicon.Letter(letters)) // the last letter has the last bit of a mask
	w.words = map[lexicon.Word]bool{}
	var list strings.Builder
	for range 10 + rng.IntN(40) {
		word := make([]byte, 2+rng.IntN(5))
		for i := range word {
			word[i] = byte(w.letter())
		}
		w.words[lexicon.Word(word)] = true
		for i := range word {
			fmt.Fprintf(&list, "[%s]", set.Alphabet().Text(lexicon.Letter(word[i])))
		}
		list.WriteByte('\n')
	}
	if w.x, err = lexicon.Build("random", set.Alphabet(), strings.NewReader(list.String())); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w world) letter() lexicon.Letter { return w.few[w.rng.IntN(len(w.few))] }

// rack returns up to six tiles, sometimes with up to three blanks.
func (w world) rack() game.Tiles {
	var tiles []game.Tile
	for range w.rng.IntN(7) {
		tiles = append(tiles, game.LetterTile(w.letter()))
	}
	for i := range min(len(tiles), max(0, w.rng.IntN(7)-3)) {
		tiles[i] = game.Blank
	}
	return game.TilesOf(tiles...)
}

func TestPlaysMatchTheRules(t *testing.T) {
	worlds, total := gametest.Share(40), 0
	for seed := range uint64(worlds) {
		w := newWorld(t, seed)
		g, err := movegen.New(w.x, w.eq, w.rules)
		gametest.Must(t, err)
		var b game.Board
		for turn := range 8 {
			rack := w.rack()
			want := w.plays(&b, rack)
			plays := slices.Clone(g.Plays(&b, rack))
			total += len(plays)
			fail := func(what, got, want any) {
				t.Helper()
				t.Fatalf("seed %d, turn %d, layout\n%s\nrack %s\nboard %s\n%s: got %v\nwant %v", seed, turn,
					w.eq.Layout.Text, w.eq.Tiles.Print(rack), w.eq.Tiles.Print(b.Tiles()), what, got, want)
			}
			got := map[game.Move]int{}
			for i := range plays {
				got[plays[i].Move()] = int(plays[i].Score)
			}
			for m, score := range got {
				if ought, ok := want[m]; !ok || ought != score {
					fail(m.Text(w.eq.Tiles), score, want[m])
				}
			}
			for m, score := range want {
				if _, ok := got[m]; !ok {
					fail(m.Text(w.eq.Tiles), "nothing", score)
				}
			}
			if len(plays) != len(want) {
				fail("number of plays", len(plays), len(want))
			}
			for word := range w.words {
				got := map[game.Move]int{}
				of := g.PlaysOf(&b, rack, word)
				for i := range of {
					got[of[i].Move()] = int(of[i].Score)
				}
				if want := w.playsOf(&b, rack, word); !maps.Equal(got, want) || len(of) != len(want) {
					fail("plays of "+w.eq.Tiles.Alphabet().String(word), got, want)
				}
			}
			w.change(&b, plays)
		}
	}
	if total < 20*worlds {
		t.Errorf("only %d plays in %d worlds: not much was tested", total, worlds)
	}
}

// change makes a play, and sometimes places tiles that form no words, like phonies that stood.
func (w world) change(b *game.Board, plays []movegen.Play) {
	if len(plays) > 0 {
		p := plays[w.rng.IntN(len(plays))]
		b.Lay(p.Move())
	}
	if w.rng.IntN(4) == 0 {
		size := w.eq.Layout.Size()
		for range 3 {
			t := game.LetterTile(w.letter())
			if w.rng.IntN(2) == 0 {
				t |= game.Blank
			}
			b.Put(game.Square{Row: w.rng.IntN(size), Col: w.rng.IntN(size)}, t)
		}
	}
}
