package imaging_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

func readFile(t testing.TB, path ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	gametest.Must(t, err)
	return b
}

// fonts returns the shipped fonts.
func fonts(t testing.TB) imaging.Fonts {
	font := func(name string) []byte {
		b, err := data.Font(name)
		gametest.Must(t, err)
		return b
	}
	return imaging.Fonts{
		Tile: font("AtkinsonHyperlegibleNext-Bold"),
		Text: font("Inter-SemiBold"),
		Bold: font("Inter-Bold"),
		Others: [][]byte{
			font("NotoSansHebrew-SemiBold"), font("NotoSansArabic-SemiBold"),
			font("NotoSansThai-SemiBold"),
		},
		Light: []func() ([]byte, error){func() ([]byte, error) { return data.Font("DroidSansFallback") }},
	}
}

// renderers caches renderers for all tests, which also tests sharing them.
var renderers sync.Map

func renderer(t testing.TB, theme imaging.Theme) *imaging.Renderer {
	t.Helper()
	once, _ := renderers.LoadOrStore(theme, sync.OnceValues(func() (*imaging.Renderer, error) {
		return imaging.NewRenderer(theme, fonts(t))
	}))
	r, err := once.(func() (*imaging.Renderer, error))()
	gametest.Must(t, err)
	return r
}

// standard returns the English game on its 15x15 board.
var standard = sync.OnceValue(func() game.Equipment {
	layout, err1 := data.Layout("standard-15")
	tiles, err2 := data.TileSet("english")
	l, err3 := game.ParseLayout("standard-15", layout)
	s, err4 := game.ParseTileSet("english", tiles)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		panic(err)
	}
	return game.Equipment{Layout: l, Tiles: s}
})

// plain returns a board of n squares a side with a few premiums.
func plain(t testing.TB, n int) game.Layout {
	t.Helper()
	var b strings.Builder
	for row := range n {
		for col := range n {
			switch d := (row + col*3) % 17; {
			case row == n/2 && col == n/2:
				b.WriteByte('+')
			case d < 4:
				b.WriteByte("dtDT"[d])
			default:
				b.WriteByte('.')
			}
		}
		b.WriteByte('\n')
	}
	l, err := game.ParseLayout("plain", b.String())
	gametest.Must(t, err)
	return l
}

// bare returns a board of n squares a side without premiums.
func bare(t testing.TB, n int) game.Layout {
	t.Helper()
	rows := []byte(strings.Repeat(strings.Repeat(".", n)+"\n", n))
	rows[n/2*(n+1)+n/2] = '+'
	l, err := game.ParseLayout("bare", string(rows))
	gametest.Must(t, err)
	return l
}

// put makes a play such as "8H QU.z" on a view, and highlights its tiles.
func put(t testing.TB, v *imaging.View, play string) {
	t.Helper()
	at, word, _ := strings.Cut(play, " ")
	sq, dir, err := game.ParseAt(at)
	if err != nil {
		t.Fatal(play, err)
	}
	tiles, err := v.Equipment.Tiles.Parse(word)
	if err != nil {
		t.Fatal(play, err)
	}
	v.New = nil
	for i := range len(tiles) {
		if to := sq.Step(dir, i); tiles.At(i) != game.NoTile {
			v.Board.Put(to, tiles.At(i))
			v.New = append(v.New, to)
		}
	}
}

// positions returns the views of a whole game, from the empty board on.
func positions(t testing.TB) []imaging.View {
	t.Helper()
	v := imaging.View{Equipment: standard(), Bag: 86, Players: []imaging.Player{
		{Name: "Doug Fraser", ToMove: true, Note: "25:00"}, {Name: "Emely_93", Note: "25:00"}}}
	views := []imaging.View{v}
	for line := range strings.Lines(string(readFile(t, "testdata", "game.txt"))) {
		play := strings.TrimSpace(line)
		if strings.HasPrefix(play, "#") {
			continue
		}
		put(t, &v, play)
		i := len(views) - 1
		v.Players = append([]imaging.Player(nil), v.Players...)
		v.Players[i%2].Score += 7 + 11*(i%5)
		v.Players[i%2].ToMove, v.Players[1-i%2].ToMove = false, true
		at, word, _ := strings.Cut(play, " ")
		v.Caption = v.Players[i%2].Name + " played " + strings.ToUpper(word) + " at " + at
		v.Bag = max(0, v.Bag-len(v.New))
		views = append(views, v)
	}
	if len(views) < 29 {
		t.Fatalf("only %d positions", len(views))
	}
	return views
}

// kinds returns views of every kind, by name.
func kinds(t testing.TB) map[string]imaging.View {
	t.Helper()
	two := imaging.View{
		Equipment: standard(), Bag: 23, Caption: "Doug Fraser played RELIGION at K5 for 78",
		Players: []imaging.Player{{Name: "Doug Fraser", Score: 335, Note: "18:42"}, {Name: "Emely_93", Score: 208, ToMove: true, Note: "07:05"}},
	}
	for _, play := range []string{
		"A1 WEB", "A5 LATINO", "C1 CAN", "B2 TEIID", "E3 JAVELINAS", "4D Z.X", "F2 VO", "D6 RAW", "6E .D", "7C G..E",
		"8E .NDY", "B8 FUD", "10A ..ONATES", "9G EAU", "11E .AT", "7H RILL", "K5 RE.IgION",
	} {
		put(t, &two, play)
	}

	preview := two
	preview.Preview, preview.Caption = true, "RELIGION at K5 would score 78"

	over := two
	over.Over, over.New, over.Bag, over.Caption = true, nil, 0, "Game over: Doug Fraser wins by 127"
	over.Players = []imaging.Player{{Name: "Doug Fraser", Score: 335, Note: "won"}, {Name: "Emely_93", Score: 208, ToMove: true}}

	four := two
	for _, play := range []string{"1G PEA", "2F .ERB", "M2 QUOTH", "N1 HIM", "4L G.", "5L E.", "6K .T.", "L11 MURK", "14L .aFS", "14F COY", "15H ARIOSE"} {
		put(t, &four, play)
	}
	four.New, four.Bag = nil, 0
	four.Caption = "Wilhelmina played QUIXOTRY at 15A for 365, a bingo worth every one of its points"
	four.Players = []imaging.Player{
		{Name: "Alexandra the Great of Macedon", Score: 212, Note: "12:01"}, {Name: "Bo", Score: 98, ToMove: true, Note: "03:10"},
		{Name: "Wilhelmina", Score: 305, Note: "22:45"}, {Name: "x_Dragon_x", Score: 7, Note: "resigned"},
	}

	three := two
	three.Players = []imaging.Player{{Name: "Ann", Score: 212}, {Name: "Wilhelmina", Score: 1098, ToMove: true}, {Name: "Jörg Müller-Lüdenscheidt", Score: -5, Note: "resigned"}}

	scripts := two
	scripts.Caption = "דנה כהן played 山田 at 15A for 365"
	scripts.Players = []imaging.Player{
		{Name: "דנה כהן (2)", Score: 212}, {Name: "محمد علي", Score: 98, ToMove: true}, {Name: "山田太郎 김철수", Score: 305}, {Name: "สมชาย ใจดี", Score: 7},
	}
	odd := two
	odd.Players = []imaging.Player{
		{Name: "Боря Пастернак", Score: 212}, {Name: "सीता 🎉", Score: 98, ToMove: true}, {Name: "🎉 𝓐𝓵𝓮𝔁 🎉", Score: 305}, {Name: "Z̷̢a̴l̶g̵o̶ Ñandú", Score: 7},
	}
	many := two
	many.Players = nil
	for i, name := range []string{"Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus"} {
		many.Players = append(many.Players, imaging.Player{Name: name, Score: 300 - i*i*(i%3), ToMove: i%2 == 0})
	}
	one, none := two, two
	one.Players, none.Players = two.Players[1:], nil

	tiles, err := game.NewTileSet("odd", []game.Kind{
		{Text: "A", Count: 12, Value: 1}, {Text: "CH", Count: 1, Value: 5}, {Text: "LL", Count: 1, Value: 8}, {Text: "L·L", Count: 1, Value: 10},
		{Text: "Ñ", Count: 1, Value: 8}, {Text: "Q", Count: 1, Value: 10}, {Text: "Ç", Count: 1, Value: 12}, {Text: "Å", Count: 1, Value: 3},
		{Text: "Ж", Count: 1, Value: 3}, {Text: "א", Count: 1, Value: 3}, {Text: "W", Count: 1, Value: 10}, {Text: "J", Count: 1},
	}, game.Kind{Count: 2})
	gametest.Must(t, err)
	sized := func(n int) imaging.View {
		v := imaging.View{Equipment: game.Equipment{Layout: plain(t, n), Tiles: tiles}, Bag: 100, Players: two.Players, Caption: "Another board"}
		if n > 12 {
			put(t, &v, "3A A[CH][LL][L·L]ÑQÇÅЖאWJ")
			put(t, &v, "5A a[ch][ll][l·l]ñqçåжwj")
			put(t, &v, "7A A[CH][LL][L·L]ÑQÇÅЖאWJ")
		}
		return v
	}
	// A starter board: HOUSE and RADIO are partly covered, the others not at all.
	printed := imaging.View{
		Equipment: game.Equipment{Layout: bare(t, 13), Tiles: standard().Tiles}, Bag: 60, Caption: "Ann covered O and U of HOUSE",
		Players: []imaging.Player{{Name: "Ann", Score: 2}, {Name: "Bo", Score: 1, ToMove: true}},
	}
	for _, play := range []string{"4C HOUSE", "D2 RADIO", "F4 SIREN", "8F NORTH", "J8 HORN"} {
		put(t, &printed, play)
	}
	printed.Printed, printed.Board = printed.Board, game.Board{}
	put(t, &printed, "D2 RAD")
	put(t, &printed, "4D oU")

	// A word was removed.
	gone := two
	gone.Gone, gone.Caption = gone.New, "Ann took off RELIGION for 11"
	gone.New = nil
	for _, sq := range gone.Gone {
		gone.Board.Put(sq, game.NoTile)
	}
	return map[string]imaging.View{
		"printed": printed, "gone": gone, "empty": positions(t)[0], "two": two, "preview": preview, "over": over, "four": four, "three": three, "scripts": scripts, "odd": odd,
		"many": many, "one": one, "none": none, "5x5": sized(5), "13x13": sized(13), "21x21": sized(21),
	}
}

// someKinds returns all kinds in full runs, and every third otherwise.
func someKinds(t testing.TB) map[string]imaging.View {
	t.Helper()
	some := kinds(t)
	for i, name := range slices.Sorted(maps.Keys(some)) {
		if !gametest.Long() && i%3 > 0 {
			delete(some, name)
		}
	}
	return some
}

func rackCard(t testing.TB, letters string) imaging.RackCard {
	t.Helper()
	set := standard().Tiles
	rack, err := set.Parse(letters)
	gametest.Must(t, err)
	return imaging.RackCard{Tiles: set, Rack: rack, Caption: "Your score is 208", Note: "30 unseen"}
}
