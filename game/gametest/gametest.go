// Package gametest helps to test games. It provides the English game on the standard board, a small
// dictionary, positions written as pictures, and whole random games.
//
// A picture has one line for each row of the board, starting with its number. Rows without tiles and
// the empty squares at the end of a row may be left out; a line that doesn't start with a number (the
// column letters) is ignored:
//
//	  ABCDEFGHIJKLMNO
//	5 ..........F
//	6 ..........A
//	7 .......HORN
//	8 ..........m
//
// Tiles are in the notation of [game.TileSet.Print], with blanks in lower case.
package gametest

import (
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Equipment returns the English tile set and the standard board of 15 by 15.
func Equipment(tb testing.TB) game.Equipment {
	tb.Helper()
	eq, err := english()
	if err != nil {
		tb.Fatal(err)
	}
	return eq
}

var english = sync.OnceValues(func() (eq game.Equipment, err error) {
	layout, err := data.Layout("standard-15")
	if err != nil {
		return eq, err
	}
	tiles, err := data.TileSet("english")
	if err != nil {
		return eq, err
	}
	if eq.Layout, err = game.ParseLayout("standard-15", layout); err != nil {
		return eq, err
	}
	eq.Tiles, err = game.ParseTileSet("english", tiles)
	return eq, err
})

// ShippedList returns a shipped word list ("en"), shared by all tests of a process because opening one
// and building its graph is slow.
func ShippedList(tb testing.TB, name string) *lexicon.Lexicon {
	tb.Helper()
	shipped.Lock()
	defer shipped.Unlock()
	if x := shipped.lists[name]; x != nil {
		return x
	}
	file, err := data.Lexicon(name)
	if err != nil {
		tb.Fatal(err)
	}
	x, err := lexicon.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	shipped.lists[name] = x
	return x
}

var shipped = struct {
	sync.Mutex
	lists map[string]*lexicon.Lexicon // by name
}{lists: map[string]*lexicon.Lexicon{}}

// Part returns a shipped word list if tests run with -long. In a short run it has only the
// two-letter words and an eighth of the others, because building the full graph takes a third of a
// second, and move generation is faster with fewer words.
func Part(tb testing.TB, name string) *lexicon.Lexicon {
	tb.Helper()
	whole := ShippedList(tb, name)
	if Long() {
		return whole
	}
	shipped.Lock()
	defer shipped.Unlock()
	part := name + ", a part"
	if x := shipped.lists[part]; x != nil {
		return x
	}
	var words []lexicon.Word
	n := 0
	for w := range whole.Words() {
		if n++; n%8 == 0 || len(w) == 2 {
			words = append(words, w)
		}
	}
	x, err := lexicon.New(name, whole.Alphabet(), words)
	Must(tb, err)
	shipped.lists[part] = x
	return x
}

// A Dictionary is a small set of words.
type Dictionary map[lexicon.Word]bool

// Has reports whether the word is in the set.
func (d Dictionary) Has(w lexicon.Word) bool { return d[w] }

// Words returns a dictionary of English words, given separated by spaces.
func Words(tb testing.TB, words string) Dictionary {
	tb.Helper()
	a := Equipment(tb).Tiles.Alphabet()
	d := Dictionary{}
	for text := range strings.FieldsSeq(words) {
		w, err := a.Parse(text)
		if err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
		d[w] = true
	}
	return d
}

// SmallDictionary returns a dictionary of the words in [SmallList].
func SmallDictionary(tb testing.TB) Dictionary {
	tb.Helper()
	smallOnce.Do(func() { small = Words(tb, SmallList) })
	return maps.Clone(small)
}

var (
	smallOnce sync.Once
	small     Dictionary
)

// SmallList is about two hundred English words of 2 to 8 letters.
const SmallList = `
AB AD AE AH AI AM AN AR AS AT AX AY BA BE BI BO BY DA DE DO ED EF EH EL EM EN ER ES EX FA GO HA HE HI HO ID
IF IN IS IT JO KA LA LI LO MA ME MI MO MU MY NA NE NO NU OD OE OF OH OM ON OP OR OS OW OX OY PA PE PI QI RE
SH SI SO TA TI TO UH UM UN UP US UT WE WO XI XU YA YE YO ZA
ACE AGE AIR ART BAT BIT BOX CAT COW CUP DEN DOG EAR EAT EGG FAR FIG FUN GUM HAT ICE INK JAR JOB KEY LID LOG
MAP MOB NET NOT NUT OAK ODE OWL PAN PIG QUA RAT RED SEA SKY TEN TIE URN VAN VEX VOW WAX WIG YAK ZOO
BEAR CAVE DOVE FARM GAZE HORN IRIS JUMP KNOT LION MAZE OVAL PLUM QUIZ ROSE SILK TUNA VINE WOLF YARN ZERO
FARMS GUAVA HORNS MOUTH PASTE PIVOT QUEEN RIVER STORE TRAIN WATER YOUTH
BRIDGE CASTLE GARDEN ORANGE PLANET SILVER WINTER
ARTISTE ENTRAIN GRANITE LEADING NEAREST RETAINS STAINER TRAINED
NOTARIES PAINTERS STRANGER
`

// Tiles parses tiles in the notation of [game.TileSet.Print].
func Tiles(tb testing.TB, eq game.Equipment, text string) game.Tiles {
	tb.Helper()
	ts, err := eq.Tiles.Parse(text)
	if err != nil {
		tb.Fatalf("tiles %q: %v", text, err)
	}
	return ts
}

// Move parses a move in the notation of [game.Move.Text]: "8H HORN", "exchange AEI" or "pass".
func Move(tb testing.TB, eq game.Equipment, text string) game.Move {
	tb.Helper()
	first, rest, _ := strings.Cut(text, " ")
	switch first {
	case "pass":
		return game.Move{Kind: game.PassTurn}
	case "exchange":
		return game.Move{Kind: game.ExchangeTiles, Tiles: Tiles(tb, eq, rest)}
	}
	at, dir, err := game.ParseAt(first)
	if err != nil {
		tb.Fatalf("move %q: %v", text, err)
	}
	return game.Move{Kind: game.PlayTiles, At: at, Dir: dir, Tiles: Tiles(tb, eq, rest)}
}

// Board parses a picture.
func Board(tb testing.TB, eq game.Equipment, picture string) game.Board {
	tb.Helper()
	var b game.Board
	for line := range strings.Lines(picture) {
		number, row, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		tiles := Tiles(tb, eq, strings.TrimSpace(row))
		for i := range len(tiles) {
			sq := game.Square{Row: n - 1, Col: i}
			if !eq.Layout.On(sq) || tiles.At(i) == game.Blank || b.Tile(sq) != game.NoTile {
				tb.Fatalf("picture: %s can't have %s", sq, eq.Tiles.Text(tiles.At(i)))
			}
			b.Put(sq, tiles.At(i))
		}
	}
	return b
}

// Picture returns the full picture of a board, which [Board] parses to the same.
func Picture(eq game.Equipment, b game.Board) string {
	n := eq.Layout.Size()
	var out strings.Builder
	out.WriteString("   ")
	for col := range n {
		out.WriteByte(byte('A' + col))
	}
	for row := range n {
		line := make([]game.Tile, n)
		for col := range n {
			line[col] = b.Tile(game.Square{Row: row, Col: col})
		}
		number := strconv.Itoa(row + 1)
		out.WriteString("\n" + strings.Repeat(" ", 2-len(number)) + number + " " + eq.Tiles.Print(game.TilesOf(line...)))
	}
	return out.String() + "\n"
}

// Racks returns the racks that players hold in a log, each as drawn and sorted, if long enough to
// be distinct from other words.
func Racks(log []game.Event) (all []string) {
	var s game.State
	for _, e := range log {
		s = s.Apply(e)
		for _, seat := range s.Seats {
			for _, rack := range []game.Tiles{seat.Rack, seat.Rack.Sorted()} {
				if len(rack) >= 6 {
					all = append(all, s.Equipment.Tiles.Print(rack))
				}
			}
		}
	}
	return all
}
