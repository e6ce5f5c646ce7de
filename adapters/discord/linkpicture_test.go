package discord_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestLinkPictureShape checks that a quick link's picture becomes 43:24 from any format,
// surrounded by its corner's colour.
func TestLinkPictureShape(t *testing.T) {
	ground, ink := color.RGBA{R: 200, G: 210, B: 190, A: 255}, color.RGBA{R: 20, A: 255}
	rgba, paletted := image.NewRGBA(image.Rect(0, 0, 1200, 630)), image.NewPaletted(image.Rect(0, 0, 10, 600), color.Palette{ground, ink})
	for i := range len(rgba.Pix) / 4 {
		rgba.SetRGBA(i%1200, i/1200, ground)
	}
	rgba.Set(600, 315, ink)
	paletted.Set(5, 300, ink)
	for _, c := range []struct {
		picture image.Image
		size    image.Point
	}{{rgba, image.Pt(1204, 672)}, {paletted, image.Pt(1075, 600)}, {image.NewRGBA(image.Rect(0, 0, 43, 24)), image.Pt(43, 24)}} {
		var b bytes.Buffer
		gametest.Must(t, png.Encode(&b, c.picture))
		made, err := discord.InLinkShape(b.Bytes())
		gametest.Must(t, err)
		got, err := png.Decode(bytes.NewReader(made))
		if err != nil || got.Bounds().Size() != c.size {
			t.Fatalf("%v is %v (%v), want %v", c.picture.Bounds(), got.Bounds(), err, c.size)
		}
		same := func(x, y, ofX, ofY int) bool {
			return color.RGBAModel.Convert(got.At(x, y)) == color.RGBAModel.Convert(c.picture.At(ofX, ofY))
		}
		middle, was := c.size.Div(2), c.picture.Bounds().Size().Div(2)
		if !same(0, 0, 0, 0) || !same(c.size.X-1, c.size.Y-1, 0, 0) || !same(middle.X, middle.Y, was.X, was.Y) {
			t.Errorf("%v: its ground or its middle isn't as it was", c.picture.Bounds())
		}
	}
	if _, err := discord.InLinkShape([]byte("no picture")); err == nil {
		t.Error("what is no picture is taken")
	}
}
