package imaging

import (
	"context"
	"errors"
	"image/color"
	"time"
)

// How a replay looks.
const (
	replayScale  = 0.6                     // text can still be read, and a game of 30 moves takes 250 kB
	replayMove   = 1500 * time.Millisecond // each picture
	replayResult = 6 * time.Second         // the last one
)

// Replay draws the views of a game one after another, as an animated GIF which
// begins again after the last one. The views have one board, and as many
// players each. It ends with ctx.
func (r *Renderer) Replay(ctx context.Context, views []View) ([]byte, error) {
	if len(views) == 0 {
		return nil, errors.New("a replay of no views")
	}
	f := r.frame()
	defer r.frames.Put(f)
	p := views[0].plan(replayScale)
	var g *gifWriter
	for i := range views {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if views[i].plan(replayScale) != p {
			return nil, errors.New("the views of a replay differ in size")
		}
		if err := r.compose(f, &views[i], p); err != nil {
			return nil, err
		}
		f.layOut()
		if g == nil {
			colours, numbers := r.palette.coarse()
			g = newGIF(f.sheet.W, f.sheet.H, colours, numbers)
		}
		seen := replayMove
		if i == len(views)-1 {
			seen = replayResult
		}
		g.add(&f.sheet, seen)
	}
	return g.finish(), nil
}

// layOut puts the bands' pixels on the sheet.
func (f *frame) layOut() {
	w, h := f.head.W, 0
	for _, b := range f.bands {
		h += b[0].H
	}
	f.sheet.resize(w, h)
	y := 0
	for _, b := range f.bands {
		for i := range b[0].H {
			b.Row(f.sheet.row(y, 0, w), i)
			y++
		}
	}
}

// coarse returns the palette with every second colour of the ramps and none twice,
// which takes a quarter off a replay and can't be told by eye; and which of
// those colours each number becomes.
func (p *palette) coarse() (colours []color.RGBA, numbers [256]uint8) {
	known := map[color.RGBA]uint8{}
	for i, c := range p.colours {
		start := i - i%(levels+1)
		switch i - start {
		case 1:
			c = p.colours[start+2]
		case 3, 5:
			c = p.colours[start+4]
		}
		n, ok := known[c]
		if !ok {
			n = uint8(len(colours))
			known[c], colours = n, append(colours, c)
		}
		numbers[i] = n
	}
	return colours, numbers
}
