package imaging

import (
	"bytes"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSquaresLookTheSameEverywhere checks that gg draws a square the same anywhere on a board, at
// every size; otherwise it couldn't be drawn once and placed.
func TestSquaresLookTheSameEverywhere(t *testing.T) {
	r, err := NewRenderer(Light, shippedFonts(t))
	gametest.Must(t, err)
	text, err := data.TileSet("english")
	gametest.Must(t, err)
	set, err := game.ParseTileSet("english", text)
	gametest.Must(t, err)
	q := game.LetterTile(17)
	looks := []squareLook{{start: true}, {gone: true}, {start: true, gone: true, premium: game.DoubleWord}, {premium: game.TripleLetter}, {printed: q}, {tile: game.Blank}}
	for m := range mark(marks) {
		looks = append(looks, squareLook{tile: q, mark: m}, squareLook{tile: game.Blank | q, mark: m})
	}
	for _, side := range []int{29, 36, 39, 41, 48, 60, 69, 100, 120} {
		sheet := r.sheet(set, side, gap)
		n := gametest.Rounds(2, 7)
		for _, look := range looks {
			sprite := sheet.of(look)
			left, top := 37, 143
			d := r.withFontFor(set).draw(left+n*side, top+n*side, gap)
			for i := range n * n {
				d.at(left+i%n*side, top+i/n*side).square(set, look, side)
			}
			c := d.canvas()
			for i := range n * n {
				for y := range side {
					x := left + i%n*side
					if !bytes.Equal(c.row(top+i/n*side+y, x, x+side), sprite.Pix[y*side:(y+1)*side]) {
						t.Fatalf("%d pixels a side: %+v differs in line %d at column %d, row %d", side, look, y, i%n, i/n)
					}
				}
			}
		}
	}
}

// TestTouchingLetters checks that touching letters look as gg draws them: where two meet on a
// pixel and, with letters so small, where more do.
func TestTouchingLetters(t *testing.T) {
	for _, theme := range Themes() {
		r, err := NewRenderer(theme, shippedFonts(t))
		gametest.Must(t, err)
		for _, size := range []float64{1, 1.25, 2, 2.5, 3, 3.5, 4.5, 23, 29} {
			st := newStyle(r.text, size)
			for i, words := range []string{"rf ffi Wytt AVAWA", "llllllllllllllll iiiiiii", "لا إله محمد", "ผู้ใหญ่", "//\\\\//mwmw", "The quick brown fox jumps over the lazy dog; 0123456789 times, lilliputian fjords WAVERING"} {
				ink := []ink{muted, text}[i%2]
				const w, h = 400, 64
				of := run{st, 10<<6 + 21, 40, visualOrder(r.text.readable(words), false), page, ink}
				c := newCanvas(w, h)
				c.fill(c.bounds(), r.solid(page))
				placer{&r.painter, r.frame(), c}.write(of)
				d := r.draw(w, h, page)
				d.write(of)
				for i, n := range d.canvas().Pix {
					if r.palette.colours[n] != r.palette.colours[c.Pix[i]] {
						t.Errorf("%v, %q of %v pixels: at %d,%d there is %v, and gg writes %v", theme, words, size, i%w, i/w, r.palette.colours[c.Pix[i]], r.palette.colours[n])
						break
					}
				}
			}
		}
	}
}
