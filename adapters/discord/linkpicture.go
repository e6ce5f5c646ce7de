package discord

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
)

// A quick link's picture is 43 wide to 24 high.
// https://docs.discord.com/developers/activities/development-guides/growth-and-referrals
const linkWide, linkHigh = 43, 24

// inLinkShape widens a picture, or makes it higher, to the shape of a quick link's: what is
// added has the colour of its corner.
func inLinkShape(picture []byte) ([]byte, error) {
	src, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("read a link's picture: %w", err)
	}
	had := src.Bounds()
	n := max((had.Dx()+linkWide-1)/linkWide, (had.Dy()+linkHigh-1)/linkHigh)
	if had.Dx() == n*linkWide && had.Dy() == n*linkHigh {
		return picture, nil
	}
	all := image.Rect(0, 0, n*linkWide, n*linkHigh)
	var wide draw.Image = image.NewRGBA(all)
	if p, ok := src.(*image.Paletted); ok {
		wide = image.NewPaletted(all, p.Palette)
	}
	draw.Draw(wide, all, image.NewUniform(src.At(had.Min.X, had.Min.Y)), image.Point{}, draw.Src)
	at := image.Pt((all.Dx()-had.Dx())/2, (all.Dy()-had.Dy())/2)
	draw.Draw(wide, had.Sub(had.Min).Add(at), src, had.Min, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, wide); err != nil {
		return nil, fmt.Errorf("write a link's picture: %w", err)
	}
	return b.Bytes(), nil
}
