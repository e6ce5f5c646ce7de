// Package gametest is for tests: the English game on the standard board, a
// small dictionary, positions written as pictures, and whole random games.
//
// A picture has a row of the board a line, its number first. Rows without
// tiles may be left out, and so may the empty squares at the end of a row; a
// line that begins with no number (the column letters) is not read:
//
//	  ABCDEFGHIJKLMNO
//	5 ..........F
//	6 ..........A
//	7 .......HORN
//	8 ..........m
//
// Tiles are written as [game.TileSet.Print] does, a blank in lower case.
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

// Shipped returns a word list that comes with the program ("en"), the same for all tests of
// a process: to open one and to make the graph of its plays takes long.
func Shipped(tb testing.TB, name string) *lexicon.Lexicon {
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

// Part returns a word list that comes with the program, with -long. In a short run it has its
// words of two letters and each eighth of the others, as the graph of all plays takes a
// third of a second to make, and plays are found sooner among few.
func Part(tb testing.TB, name string) *lexicon.Lexicon {
	tb.Helper()
	whole := Shipped(tb, name)
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

// Words returns a dictionary of the English words given, separated by spaces.
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

// SmallDictionary returns a dictionary of the words of [SmallList].
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

// Tiles reads tiles as [game.TileSet.Print] writes them.
func Tiles(tb testing.TB, eq game.Equipment, text string) game.Tiles {
	tb.Helper()
	ts, err := eq.Tiles.Parse(text)
	if err != nil {
		tb.Fatalf("tiles %q: %v", text, err)
	}
	return ts
}

// Move reads a move as [game.Move.Text] writes it: "8H HORN", "exchange AEI"
// or "pass".
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

// Board reads a picture.
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

// Picture draws a board, whole, so that [Board] reads the same again.
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

// Racks returns the racks that players hold in a log, each in the order in which it
// was drawn and sorted, where it is long enough to be told from other words.
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
