package imaging

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// What the encoder writes is what the standard library reads.
func TestEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pal := newPalette([inks]color.RGBA{page: {R: 1, A: 255}, text: {G: 200, A: 255}})
	e := newEncoder()
	for _, size := range []image.Point{{1, 1}, {1, 9}, {7, 3}, {8, 8}, {9, 2}, {333, 100}} {
		c := newCanvas(size.X, size.Y)
		for i := range c.pix {
			c.pix[i] = uint8(rng.IntN(len(pal.colours)))
		}
		b, err := e.encode(c, pal.bytes())
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(size, err)
		}
		got, ok := m.(*image.Paletted)
		if !ok || got.Rect != c.bounds() || !bytes.Equal(got.Pix, c.pix) {
			t.Errorf("%v: read back as another picture", size)
		}
	}
}
