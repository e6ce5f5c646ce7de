package discord

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
)

// The format of a quick link's picture is 43:24.
// https://docs.discord.com/developers/activities/development-guides/growth-and-referrals
const linkWide, linkHigh = 43, 24

// padToLinkShape pads a picture to the format of a quick link's, in the colour of its
// corner.
func padToLinkShape(picture []byte) ([]byte, error) {
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
	at := image.Pt((all.Dx()-had.Dx())/2, (all.Dy()-had.Dy())/2)
	var wide image.Image
	if p, ok := src.(*image.Paletted); ok {
		wide = widenPaletted(p, all, at)
	} else {
		rgba := image.NewRGBA(all)
		draw.Draw(rgba, all, image.NewUniform(src.At(had.Min.X, had.Min.Y)), image.Point{}, draw.Src)
		draw.Draw(rgba, had.Sub(had.Min).Add(at), src, had.Min, draw.Src)
		wide = rgba
	}
	var b bytes.Buffer
	if err := png.Encode(&b, wide); err != nil {
		return nil, fmt.Errorf("write a link's picture: %w", err)
	}
	return b.Bytes(), nil
}

// widenPaletted places a picture in a larger one with the same palette. image/draw would
// search the palette for each pixel.
func widenPaletted(p *image.Paletted, all image.Rectangle, at image.Point) *image.Paletted {
	wide, had := image.NewPaletted(all, p.Palette), p.Bounds()
	corner := p.ColorIndexAt(had.Min.X, had.Min.Y)
	for i := range wide.Pix {
		wide.Pix[i] = corner
	}
	for y := range had.Dy() {
		row := p.Pix[p.PixOffset(had.Min.X, had.Min.Y+y):]
		copy(wide.Pix[wide.PixOffset(at.X, at.Y+y):], row[:had.Dx()])
	}
	return wide
}
