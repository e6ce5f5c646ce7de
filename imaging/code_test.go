package imaging_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// samples returns boards at all stages of a game, with tiles as a bag has them.
func samples(t testing.TB) []imaging.View {
	rng := rand.New(rand.NewPCG(1, 2))
	var bag []game.Tile
	for i, k := range standard().Tiles.Kinds() {
		for range k.Count {
			bag = append(bag, game.LetterTile(lexicon.Letter(i+1)))
		}
	}
	words := strings.Fields("Ann Bo Christopher Dana_7 Emily Frank Grace Hugo Ines played would score exchanged passed for tiles points QUARTZ HORN VEXED JUMBO WALTZ FLYING")
	var views []imaging.View
	for tiles := 0; tiles < len(bag); tiles += 3 {
		v := imaging.View{Equipment: standard(), Bag: len(bag) - tiles}
		for range 8 {
			v.Caption += words[rng.IntN(len(words))] + " "
		}
		for i := range 2 + rng.IntN(2) {
			v.Players = append(v.Players, imaging.Player{Name: words[rng.IntN(9)], Score: 4*tiles + rng.IntN(30), ToMove: i == 0, Note: "12:34"})
		}
		rng.Shuffle(len(bag), func(i, j int) { bag[i], bag[j] = bag[j], bag[i] })
		for i, tile := range bag[:tiles] {
			sq := game.Square{Row: rng.IntN(15), Col: rng.IntN(15)}
			if rng.IntN(50) == 0 {
				tile |= game.Blank
			}
			if v.Board.Put(sq, tile); i < 4 {
				v.New = append(v.New, sq)
			}
		}
		views = append(views, v)
	}
	return views
}

// TestEmbeddedCodeIsCurrent checks that the embedded code is the one made from the samples, and that it costs a real
// game little.
func TestEmbeddedCodeIsCurrent(t *testing.T) {
	r := renderer(t, imaging.Light)
	code, err := r.TrainCode(samples(t))
	gametest.Must(t, err)
	const file = "code.txt"
	if *update {
		gametest.Must(t, os.WriteFile(file, []byte(code.String()+"\n"), 0o666))
		return
	}
	if got := strings.TrimSpace(string(readFile(t, file))); got != code.String() {
		t.Errorf("%s is out of date: run with -update", file)
	}
	views := positions(t)
	for i := 0; i < len(views); i += 7 {
		own, err := r.TrainCode(views[i : i+1])
		gametest.Must(t, err)
		best, err1 := r.CodedPNG(views[i], own)
		usual, err2 := r.PNG(views[i])
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if len(usual)*100 > len(best)*105 {
			t.Errorf("position %d: %d bytes, and %d in a code of its own", i, len(usual), len(best))
		}
	}
}
