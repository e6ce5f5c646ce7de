package imaging_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

func TestParseTheme(t *testing.T) {
	for _, theme := range imaging.Themes() {
		if got, err := imaging.ParseTheme(" " + strings.ToUpper(theme.String())); got != theme || err != nil {
			t.Errorf("%v is read as %v, %v", theme, got, err)
		}
	}
	if _, err := imaging.ParseTheme("pink"); err == nil || !strings.Contains(err.Error(), "choose") {
		t.Errorf("pink: %v", err)
	}
}

func TestBadFonts(t *testing.T) {
	f := fonts(t)
	if _, err := imaging.NewRenderer(imaging.Light, imaging.Fonts{}); err == nil {
		t.Error("a renderer without fonts")
	}
	f.Others = append(f.Others, []byte("no font"))
	if _, err := imaging.NewRenderer(imaging.Light, f); err == nil {
		t.Error("a renderer with a broken font")
	}
	if _, err := imaging.NewRenderer(0, fonts(t)); err == nil {
		t.Error("a renderer without a theme")
	}
}

func TestNothingToDraw(t *testing.T) {
	r := renderer(t, imaging.Light)
	for name, v := range map[string]imaging.View{
		"no layout": {Equipment: game.Equipment{Tiles: standard().Tiles}},
		"no tiles":  {Equipment: game.Equipment{Layout: standard().Layout}},
	} {
		if _, err := r.PNG(v); err == nil {
			t.Errorf("%s: no error", name)
		}
		_, _ = v.Alt(), v.Text()
	}
	if _, err := r.Rack(imaging.RackCard{}); err == nil {
		t.Error("a rack of no tile set: no error")
	}
}

// TestPictureShowsTiles checks that a picture shows each tile and highlights the last play.
func TestPictureShowsTiles(t *testing.T) {
	r := renderer(t, imaging.Light)
	v := imaging.View{Equipment: standard(), Bag: -1}
	draw := func() *image.Paletted {
		b, err := r.PNG(v)
		gametest.Must(t, err)
		return decode(t, b)
	}
	face := func(m *image.Paletted, square string) color.RGBA {
		sq, _, err := game.ParseAt(square)
		gametest.Must(t, err)
		// Without players the board starts at 40, 48; at 8, 30 of its 60-pixel cells the ground is
		// visible to the left of any letter.
		return color.RGBAModel.Convert(m.At(40+60*sq.Col+8, 48+60*sq.Row+30)).(color.RGBA)
	}
	square, tile, fresh := color.RGBA{0xF3, 0xF0, 0xE8, 255}, color.RGBA{0xF3, 0xD6, 0x99, 255}, color.RGBA{0xFF, 0xC2, 0x33, 255}
	check := func(name string, want map[string]color.RGBA) {
		t.Helper()
		m := draw()
		for sq, c := range want {
			if got := face(m, sq); got != c {
				t.Errorf("%s: %s is %v, want %v", name, sq, got, c)
			}
		}
	}
	check("empty", map[string]color.RGBA{"F8": square, "G8": square})
	put(t, &v, "8F I")
	check("one tile", map[string]color.RGBA{"F8": fresh, "G8": square})
	put(t, &v, "8G T")
	check("the next", map[string]color.RGBA{"F8": tile, "G8": fresh})
	v.Preview = true
	check("a proposal", map[string]color.RGBA{"F8": tile, "G8": tile})
	proposed := draw()
	v.New = nil
	if plain := draw(); bytes.Equal(plain.Pix, proposed.Pix) {
		t.Error("a proposal looks like a play")
	}
}

// TestPlayerToMoveStandsOut checks that the player to move stands out until the game is over.
func TestPlayerToMoveStandsOut(t *testing.T) {
	r := renderer(t, imaging.Dark)
	draw := func(v imaging.View) []byte {
		b, err := r.PNG(v)
		gametest.Must(t, err)
		return b
	}
	v := imaging.View{Equipment: standard(), Players: []imaging.Player{{Name: "Ann"}, {Name: "Bo"}}}
	nobody := draw(v)
	v.Players = []imaging.Player{{Name: "Ann"}, {Name: "Bo", ToMove: true}}
	if bytes.Equal(draw(v), nobody) {
		t.Error("the picture doesn't show who is to move")
	}
	v.Over = true
	if !bytes.Equal(draw(v), nobody) {
		t.Error("somebody is to move after the end")
	}
}

// TestZoom checks that a zoomed picture shows the last play with squares around it.
func TestZoom(t *testing.T) {
	r := renderer(t, imaging.Light)
	fresh := color.RGBA{0xFF, 0xC2, 0x33, 255}
	for _, c := range []struct {
		play  string
		cells int // squares a side
	}{{"8H HORN", 9}, {"1A AT", 9}, {"O9 ATONED", 10}, {"15A ABCDEFGHIJKLMNO", 15}} {
		v := imaging.View{Equipment: standard(), Bag: -1}
		put(t, &v, c.play)
		b, err := r.Zoom(v)
		gametest.Must(t, err)
		m := decode(t, b)
		side := 900 / c.cells
		if want := image.Pt(960, 12+36+side*c.cells+64); m.Rect.Max != want {
			t.Errorf("%s: the picture is %v, want %v", c.play, m.Rect.Max, want)
		}
		tiles := 0
		for i := range c.cells * c.cells {
			x, y := 40+side*(i%c.cells)+side/8, 48+side*(i/c.cells)+side/2
			if color.RGBAModel.Convert(m.At(x, y)) == fresh {
				tiles++
			}
		}
		if tiles != len(v.New) {
			t.Errorf("%s: %d of its tiles are there", c.play, tiles)
		}
	}
}

// TestPictureSizes checks that pictures are no wider than suits a phone, and small enough to send.
func TestPictureSizes(t *testing.T) {
	r := renderer(t, imaging.Dark)
	for name, v := range kinds(t) {
		b, err := r.PNG(v)
		if err != nil {
			t.Fatal(name, err)
		}
		size := decode(t, b).Rect.Size()
		if size.X < 960 || size.X > 1080 {
			t.Errorf("%s is %d pixels wide", name, size.X)
		}
		if size != v.Size() {
			t.Errorf("%s is %v, and was to be %v", name, size, v.Size())
		}
		if len(b) > 60_000 {
			t.Errorf("%s has %d bytes", name, len(b))
		}
	}
}

// TestConcurrentDrawing checks that goroutines can share a renderer even for new tile sets.
func TestConcurrentDrawing(t *testing.T) {
	r, err := imaging.NewRenderer(imaging.Light, fonts(t))
	gametest.Must(t, err)
	views := someKinds(t)
	want := map[string][]color.RGBA{}
	for name, v := range views {
		b, err := renderer(t, imaging.Light).PNG(v)
		if want[name] = pixels(b); err != nil || want[name] == nil {
			t.Fatalf("%s: no picture (%v)", name, err)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for name, v := range views {
				// The palette's numbers depend on what was drawn first; the colours don't.
				if got, err := r.PNG(v); err != nil || !slices.Equal(pixels(got), want[name]) {
					t.Errorf("%s comes out otherwise (%v)", name, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestThemeCacheIsBounded checks that a theme caches less than 4 MB, whatever was drawn.
func TestThemeCacheIsBounded(t *testing.T) {
	views, preview, f := positions(t), kinds(t)["preview"], fonts(t)
	heap := func() int {
		for range 2 { // pools are emptied by the second collection
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	r, err := imaging.NewRenderer(imaging.Dark, f)
	gametest.Must(t, err)
	for _, v := range append(views, preview) {
		if _, err := r.PNG(v); err != nil {
			t.Fatal(err)
		}
	}
	_, err1 := r.Zoom(preview)
	_, err2 := r.Print(preview)
	_, err3 := r.Rack(rackCard(t, "AQUEN?Z"))
	_, err4 := r.Replay(t.Context(), views)
	gametest.Must(t, errors.Join(err1, err2, err3, err4))
	if kept := heap() - before; kept > 4_000_000 {
		t.Errorf("%d bytes are kept", kept)
	} else {
		t.Logf("%d bytes are kept", kept)
	}
	runtime.KeepAlive(r)
}

// TestPngcheck checks pictures with a stricter reader than the standard library.
func TestPngcheck(t *testing.T) {
	tool, err := exec.LookPath("pngcheck")
	if err != nil {
		t.Skip("pngcheck is not installed")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	dir, files := t.TempDir(), []string{"-q"}
	for i := range 18 {
		b, err := renderer(t, imaging.Themes()[i%3]).PNG(position(rng, standard()))
		gametest.Must(t, err)
		file := filepath.Join(dir, fmt.Sprintf("%d.png", i))
		gametest.Must(t, os.WriteFile(file, b, 0o600))
		files = append(files, file)
	}
	if out, err := exec.Command(tool, files...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// FuzzPicture checks that every name and position gives a picture and an alternative text of valid
// length.
func FuzzPicture(f *testing.F) {
	for _, v := range someKinds(f) {
		name := ""
		for _, p := range v.Players {
			name = p.Name
		}
		f.Add(uint64(len(v.Caption)), v.Equipment.Layout.Size(), len(v.Players), name, v.Caption, v.Bag)
	}
	f.Add(uint64(1), 21, 9, "\u202eevil\u0000\xff", strings.Repeat("very long ", 500), -1)
	f.Add(uint64(2), 2, 1, "لا إله\u0301 ﷺ 123 (x)", "\u3164", 1<<40)
	f.Fuzz(func(t *testing.T, seed uint64, size, players int, name, caption string, bag int) {
		rng := rand.New(rand.NewPCG(seed, 0))
		v := imaging.View{Equipment: standard(), Caption: caption, Bag: bag, Over: seed%3 == 0, Preview: seed%5 == 0}
		if size >= 2 && size <= game.MaxSize {
			v.Equipment.Layout = plain(t, size)
		}
		n := v.Equipment.Layout.Size()
		for range min(max(players, 0), 30) {
			v.Players = append(v.Players, imaging.Player{Name: name, Score: int(rng.Int64()) >> rng.IntN(64), ToMove: rng.IntN(2) == 0, Note: caption})
		}
		full := rng.Float64()
		for row := range n {
			for col := range n {
				if rng.Float64() < full {
					sq := game.Square{Row: row, Col: col}
					tile := game.LetterTile(lexicon.Letter(1 + rng.IntN(26)))
					if rng.IntN(10) == 0 {
						tile = game.Tile(rng.Uint32()) // also invalid tiles
					}
					v.Board.Put(sq, tile)
					if rng.IntN(20) == 0 {
						v.New = append(v.New, sq)
					}
				}
			}
		}
		v.New = append(v.New, game.Square{Row: -1, Col: 99})
		r := renderer(t, imaging.Themes()[seed%3])
		samePixels(t, r, v)
		zoom, err := r.Zoom(v)
		gametest.Must(t, err)
		decode(t, zoom)
		checkAlt(t, v)
	})
}

func ExampleView_Text() {
	layout, _ := game.ParseLayout("tiny", "T...T\n.d.d.\n..*..\n.d.d.\nT...T")
	set, _ := game.NewTileSet("abc", []game.Kind{{Text: "A", Count: 3}, {Text: "B", Count: 3}}, game.Kind{Count: 1})
	v := imaging.View{Equipment: game.Equipment{Layout: layout, Tiles: set}}
	tiles, _ := set.Parse("BaA")
	for i := range len(tiles) {
		v.Board.Put(game.Square{Row: 2, Col: 1 + i}, tiles.At(i))
	}
	fmt.Println(v.Text())
	// Output:
	//    A B C D E
	//  1 = . . . =
	//  2 . ' . ' .
	//  3 . B a A .
	//  4 . ' . ' .
	//  5 = . . . =
	// = 3W  ' 2L  * start  abc blank
}

// colours returns the colours of a picture's palette.
func colours(img *image.Paletted) (all [256]color.RGBA) {
	for i, c := range img.Palette {
		all[i] = color.RGBAModel.Convert(c).(color.RGBA)
	}
	return all
}

// pixels returns the colours of a PNG, row by row, or nil if it is invalid or has no palette.
func pixels(data []byte) []color.RGBA {
	decoded, _ := png.Decode(bytes.NewReader(data))
	img, ok := decoded.(*image.Paletted)
	if !ok {
		return nil
	}
	return coloured(img)
}

// coloured returns the colours of a picture's pixels.
func coloured(img *image.Paletted) []color.RGBA {
	palette := colours(img)
	all := make([]color.RGBA, len(img.Pix))
	for i, p := range img.Pix {
		all[i] = palette[p]
	}
	return all
}
