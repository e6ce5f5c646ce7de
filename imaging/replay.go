package imaging

import (
	"context"
	"errors"
	"image/color"
	"time"
)

// The look of a replay.
const (
	replayScale  = 0.6                     // text is still readable, and a game of 30 moves takes 250 kB
	replayMove   = 1500 * time.Millisecond // time for each picture
	replayResult = 6 * time.Second         // time for the last picture
)

// Replay draws the views of a game in sequence as an endlessly repeating animated GIF. The views
// must have the same board and number of players. It stops when ctx is done.
func (r *Renderer) Replay(ctx context.Context, views []View) ([]byte, error) {
	if len(views) == 0 {
		return nil, errors.New("the replay has no views")
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

// layOut copies the bands' pixels to the sheet.
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

// coarse returns the palette with every second colour of the ramps and no duplicates, and the new
// number of each colour. That saves a quarter of a replay's size without a visible difference.
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
