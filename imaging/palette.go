package imaging

import "image/color"

// A blend is two inks that meet in a picture: the edge of a shape, or text on
// its ground.
type blend struct{ from, to ink }

// blends are all that meet. The first of an ink is where its number is, so
// the commonest comes first.
var blends = [...]blend{
	{tile, tileInk}, {tile, blankInk}, {newTile, tileInk}, {newTile, blankInk},
	{tripleWord, onTripleWord}, {doubleWord, onDoubleWord},
	{tripleLetter, onTripleLetter}, {doubleLetter, onDoubleLetter}, {square, muted},
	{page, text}, {page, muted}, {panel, text}, {panel, muted}, {raised, text}, {raised, muted},
	{page, panel}, {page, accent}, {raised, accent},
	{gap, tile}, {gap, tileEdge}, {gap, newEdge}, {page, tile}, {page, tileEdge},
	{tile, tileEdge}, {tile, tripleLetter}, {newTile, newEdge},
	{page, tripleLetter}, {page, tripleWord},
}

// A palette is the colours of a theme's pictures: each blend as a ramp of
// levels+1 colours from the one ink to the other. An ink has a number in each
// of its ramps, one of which is used for plain areas. So text is drawn by
// adding to its ground, and differs from that by the same few numbers
// everywhere, which compresses well.
type palette struct {
	colours []color.RGBA
	ramps   [inks][inks]uint8 // where the ramp of a blend starts
	solid   [inks]uint8       // the number of an ink
}

func newPalette(colours [inks]color.RGBA) *palette {
	p := &palette{}
	known := [inks]bool{}
	for _, b := range blends {
		start := uint8(len(p.colours))
		p.ramps[b.from][b.to] = start
		for i := range levels + 1 {
			p.colours = append(p.colours, mix(colours[b.from], colours[b.to], i))
		}
		if !known[b.from] {
			known[b.from], p.solid[b.from] = true, start
		}
		if !known[b.to] {
			known[b.to], p.solid[b.to] = true, start+levels
		}
	}
	return p
}

// mix is the colour that is to for n of levels and from for the rest.
func mix(from, to color.RGBA, n int) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8((int(a)*(levels-n) + int(b)*n + levels/2) / levels) }
	return color.RGBA{part(from.R, to.R), part(from.G, to.G), part(from.B, to.B), 255}
}

// bytes is the palette as PNG has it.
func (p *palette) bytes() []byte {
	var b []byte
	for _, c := range p.colours {
		b = append(b, c.R, c.G, c.B)
	}
	return b
}
